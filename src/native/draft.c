/* Reading, editing and writing a draft. */

#include "flow.h"

int traits_of(const Draft *d, int32_t tag) { return tag < 0 ? 0 : (int)d->lookup->values[tag]; }

/* ---- text as the parser writes it ---- */

static int is_zero_width(Py_UCS4 c) { return (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF || c == 0xAD; }

static int is_nbsp(const char *s, const char *stop) { return stop - s >= 6 && memcmp(s, "&nbsp;", 6) == 0; }

int is_blank_text(const char *s, const char *stop) {
    int step;
    while (s < stop) {
        if (*s == '&') {
            if (!is_nbsp(s, stop)) return 0;
            s += 6;
            continue;
        }
        Py_UCS4 c = decode_one(s, &step);
        if (!Py_UNICODE_ISSPACE(c) && !is_zero_width(c)) return 0;
        s += step;
    }
    return 1;
}

const char *skip_space(const char *s, const char *stop) {
    int step;
    while (s < stop) {
        if (is_nbsp(s, stop)) s += 6;
        else if (Py_UNICODE_ISSPACE(decode_one(s, &step))) s += step;
        else break;
    }
    return s;
}

const char *skip_space_back(const char *s, const char *stop) {
    int step;
    while (s < stop) {
        const char *c = stop - 1;
        while (((unsigned char)*c & 0xC0) == 0x80) c--;
        if (Py_UNICODE_ISSPACE(decode_one(c, &step))) stop = c;
        else if (stop - s >= 6 && is_nbsp(stop - 6, stop)) stop -= 6;
        else break;
    }
    return stop;
}

/* ---- editing ---- */

Id draft_new(Draft *d, int32_t tag, const char *s, Py_ssize_t size) {
    if (d->count >= d->room) {
        Py_ssize_t room = d->room ? d->room * 2 : 512;
        DraftNode *nodes = room > INT32_MAX ? NULL : PyMem_Realloc(d->nodes, sizeof(DraftNode) * (size_t)room);
        if (nodes == NULL) { PyErr_NoMemory(); return NONE; }
        d->nodes = nodes;
        d->room = room;
    }
    d->nodes[d->count] = (DraftNode){NONE, NONE, NONE, NONE, NONE, tag, 0, 0, s, size};
    return (Id)d->count++;
}

void unlink_node(Draft *d, Id id) {
    DraftNode *n = &d->nodes[id];
    if (n->parent == NONE) return;
    if (n->before == NONE) d->nodes[n->parent].first = n->after;
    else d->nodes[n->before].after = n->after;
    if (n->after == NONE) d->nodes[n->parent].last = n->before;
    else d->nodes[n->after].before = n->before;
    n->parent = n->before = n->after = NONE;
}

void insert_before(Draft *d, Id place, Id id) {
    unlink_node(d, id);
    DraftNode *n = &d->nodes[id], *next = &d->nodes[place];
    n->parent = next->parent;
    n->before = next->before;
    n->after = place;
    if (n->before == NONE) d->nodes[n->parent].first = id;
    else d->nodes[n->before].after = id;
    next->before = id;
}

void append_child(Draft *d, Id parent, Id id) {
    unlink_node(d, id);
    DraftNode *n = &d->nodes[id], *p = &d->nodes[parent];
    n->parent = parent;
    n->before = p->last;
    if (p->last == NONE) p->first = id;
    else d->nodes[p->last].after = id;
    p->last = id;
}

void unwrap(Draft *d, Id id) {
    DraftNode *n = &d->nodes[id];
    if (n->first == NONE) { unlink_node(d, id); return; }
    for (Id child = n->first; child != NONE; child = d->nodes[child].after) d->nodes[child].parent = n->parent;
    d->nodes[n->first].before = n->before;
    d->nodes[n->last].after = n->after;
    if (n->before == NONE) d->nodes[n->parent].first = n->first;
    else d->nodes[n->before].after = n->first;
    if (n->after == NONE) d->nodes[n->parent].last = n->last;
    else d->nodes[n->after].before = n->last;
    n->parent = n->before = n->after = n->first = n->last = NONE;
}

Id next_inside(const Draft *d, Id root, Id id) {
    if (d->nodes[id].first != NONE) return d->nodes[id].first;
    while (id != root && d->nodes[id].after == NONE) id = d->nodes[id].parent;
    return id == root ? NONE : d->nodes[id].after;
}

Py_ssize_t count_words(const Draft *d, Id id, int one) {
    Py_ssize_t words = 0;
    int in_word = 0, step;
    for (Id at = id; at != NONE && !(one && words); at = next_inside(d, id, at)) {
        const DraftNode *n = &d->nodes[at];
        if (n->tag != TEXT) continue;
        for (const char *s = n->s, *stop = s + n->size; s < stop; s += step) {
            int space;
            if (*s == '&') {
                space = is_nbsp(s, stop);
                const char *end = memchr(s, ';', (size_t)(stop - s));
                step = end ? (int)(end + 1 - s) : 1;
            } else {
                space = Py_UNICODE_ISSPACE(decode_one(s, &step));
            }
            if (!space && !in_word) words++;
            in_word = !space;
        }
    }
    return words;
}

/* ---- reading ---- */

int is_void(const char *name, Py_ssize_t size) {
    static const char *const names[] = {"area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
                                        "keygen", "link", "meta", "param", "source", "track", "wbr"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == (size_t)size && memcmp(names[k], name, (size_t)size) == 0) return 1;
    return 0;
}

/* An element without a name of its own that is taken off, or becomes a block when it is a custom one. */
static int is_custom(const Tag *tag) { return memchr(tag->name, '-', (size_t)tag->size) != NULL; }

/* What follows so many characters of a text; NULL when it has less. */
static const char *part_of(const char *s, const char *stop, Py_ssize_t length) {
    int step;
    for (; length > 0 && s < stop; length--) {
        const char *end = *s == '&' ? memchr(s, ';', (size_t)(stop - s)) : NULL;
        if (end) s = end + 1;
        else { decode_one(s, &step); s += step; }
    }
    return length ? NULL : s;
}

int draft_read(Draft *d, const char *s, const char *stop, PyObject *lengths) {
    Py_ssize_t texts = 0;
    Id parent = draft_new(d, table_find(&d->lookup->table, "div", 3), "", 0);
    if (parent == NONE) return -1;
    while (s < stop) {
        Id made;
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL) next = stop;
            Py_ssize_t length = texts < PyList_GET_SIZE(lengths) ? PyLong_AsSsize_t(PyList_GET_ITEM(lengths, texts++)) : 0;
            if (length == -1 && PyErr_Occurred()) return -1;
            if (length != next - s) next = length > 0 ? part_of(s, next, length) : NULL;
            if (next == NULL) return 0;
            made = draft_new(d, TEXT, s, next - s);
            if (made == NONE) return -1;
            d->nodes[made].is_blank = is_blank_text(s, next);
            append_child(d, parent, made);
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        if (s == NULL) return 0;
        int32_t number = table_find(&d->lookup->table, tag.name, tag.size);
        int traits = traits_of(d, number);
        if (traits & LEFT_OUT) return 0;
        if (number < 0) number = is_custom(&tag) ? UNKNOWN - 1 : UNKNOWN;
        if (tag.is_end) {
            /* Elements that are taken off need not be told apart by name: a wrong one does not fit its parent either. */
            if (parent == 0 || d->nodes[parent].tag != number) return 0;
            parent = d->nodes[parent].parent;
            continue;
        }
        made = draft_new(d, number, tag.attrs, tag.attrs_end - tag.attrs);
        if (made == NONE) return -1;
        append_child(d, parent, made);
        if (!(traits & VOID_TAG) && (traits & KNOWN_TAG || !is_void(tag.name, tag.size))) parent = made;
    }
    return parent == 0 && texts == PyList_GET_SIZE(lengths);
}

/* ---- writing ---- */

int add_squeezed(Buffer *to, Buffer *pad, const char *s, const char *stop) {
    pad->size = 0;
    if (add_unescaped(pad, s, stop) < 0) return -1;
    const char *end = pad->data + pad->size;
    int step, owed = 0;
    for (const char *c = pad->data; c < end; c += step) {
        if (Py_UNICODE_ISSPACE(decode_one(c, &step))) { owed = 1; continue; }
        if (owed && to->size) TRY(buffer_put(to, ' '));
        owed = 0;
        TRY(buffer_add(to, c, step));
    }
    return 0;
}

/* links.drop_echoing_titles(): whether a link's title says nothing that its text does not. */
static int is_echo(const Draft *d, Id id, const char *title, Py_ssize_t size) {
    Buffer text = {0}, folded[2] = {{0}, {0}}, pad = {0};
    int failed = is_blank_text(title, title + size) ? 1 : 0;
    if (!failed) {
        for (Id at = id; at != NONE && !failed; at = next_inside(d, id, at))
            if (d->nodes[at].tag == TEXT) failed = buffer_add(&text, d->nodes[at].s, d->nodes[at].size);
        if (!failed) failed = add_squeezed(&folded[0], &pad, title, title + size);
        if (!failed) failed = add_squeezed(&folded[1], &pad, text.data, text.data + text.size);
        if (!failed) failed = folded[0].size == folded[1].size && memcmp(folded[0].data, folded[1].data, (size_t)folded[0].size) == 0;
    }
    PyMem_Free(text.data); PyMem_Free(folded[0].data); PyMem_Free(folded[1].data); PyMem_Free(pad.data);
    return failed;
}

static int write_start(const Draft *d, Id id, Buffer *to, const Key *key, int32_t anchor) {
    const DraftNode *n = &d->nodes[id];
    TRY(buffer_put(to, '<'));
    TRY(buffer_add(to, d->lookup->table.bytes.data + key->at, key->size));
    Tag tag = {.attrs = n->s, .attrs_end = n->s + n->size};
    Py_ssize_t size;
    const char *title = n->tag == anchor && n->size ? find_attribute(&tag, "title", 5, &size) : NULL;
    int echoes = title ? is_echo(d, id, title, size) : 0;
    if (echoes < 0) return -1;
    if (echoes) {
        TRY(buffer_add(to, n->s, title - 8 - n->s)); /* ` title="` */
        TRY(buffer_add(to, title + size + 1, n->s + n->size - title - size - 1));
    } else {
        TRY(buffer_add(to, n->s, n->size));
    }
    return buffer_put(to, '>');
}

int draft_write(const Draft *d, Buffer *to, int32_t anchor, int32_t pre) {
    Id id = d->nodes[0].first;
    while (id != NONE) {
        const DraftNode *n = &d->nodes[id];
        if (n->tag == TEXT) {
            TRY(buffer_add(to, n->s, n->size));
        } else {
            TRY(write_start(d, id, to, &d->lookup->table.keys[n->tag], anchor));
            if (n->first != NONE) {
                const DraftNode *first = &d->nodes[n->first];
                /* The parser skips a line break here. */
                if (n->tag == pre && first->tag == TEXT && first->size && *first->s == '\n') TRY(buffer_put(to, '\n'));
                id = n->first;
                continue;
            }
        }
        for (;;) {
            n = &d->nodes[id];
            if (n->tag != TEXT && !(traits_of(d, n->tag) & VOID_TAG)) {
                const Key *key = &d->lookup->table.keys[n->tag];
                TRY(buffer_add(to, "</", 2));
                TRY(buffer_add(to, d->lookup->table.bytes.data + key->at, key->size));
                TRY(buffer_put(to, '>'));
            }
            if (n->after != NONE) { id = n->after; break; }
            id = n->parent;
            if (id <= 0) return 0;
        }
    }
    return 0;
}

/* standardize.canonical_html() for ordinary drafts, which hold none of the hard elements: no formulas. They are read as they were composed, since parsing would not change them, and go through what is left of
   the steps of standardize.py, in its order. What an address, an image or a text means is asked of Python. */

#include "ordinary.h"

#define DEEPEST 250    /* elements in each other */
#define PIECE 64       /* bytes looked at together */
#define MOST_NAMES 32  /* attributes of an element */
#define REMARK 80      /* characters of text for screen readers that is no content */
#define COST 200000    /* of formatting elements left open, at which dom.fragment() takes them out */

enum { IN_P = 1, IN_ITEM = 2, IN_ENTRY = 4, IN_HEADING = 8, IN_LINK = 16, IN_EMBED = 32, IN_PRE = 64 };

/* ---- reading ---- */

/* Counts the signs of a piece that begin and end a tag; whether it holds others that are written in one way only. */
static inline int count_signs(const char *s, int size, Py_ssize_t *begun, Py_ssize_t *ended) {
    uint8_t begins = 0, ends = 0, escapes = 0, wide = 0, returns = 0, nulls = 0; /* each by itself, so that many are done at once */
    for (int k = 0; k < size; k++) {
        begins += s[k] == '<';
        ends += s[k] == '>';
        escapes += s[k] == '&';
        wide += s[k] == '\xC2';
        returns += s[k] == '\r';
        nulls += s[k] == 0;
    }
    *begun += begins;
    *ended += ends;
    return escapes | wide | returns | nulls;
}

/* Whether the parser writes the characters of a draft just so, if all that begin and end a tag do. */
static int is_as_written(const char *s, const char *stop, Py_ssize_t *begun, Py_ssize_t *ended) {
    while (s < stop) {
        /* Of a known size, a piece is looked at without branches. */
        const char *end = stop - s < PIECE ? stop : s + PIECE;
        int special = end < stop ? count_signs(s, PIECE, begun, ended) : count_signs(s, (int)(end - s), begun, ended);
        for (; special && s < end; s++) {
            Py_ssize_t length, means;
            if (*s == '\r' || *s == 0) return 0;
            if (*s == '&' && read_escape(s, stop, &length, &means) == NULL) return 0;
            if (*s == '\xC2' && s + 1 < stop && s[1] == '\xA0') return 0;
        }
        s = end;
    }
    return 1;
}

static int is_space_only(const char *s, const char *stop) {
    while (s < stop && (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\f')) s++;
    return s == stop;
}

/* Whether an element may stand in its parent as it does here without being moved by a parser; the bits that hold inside it. */
static int fits(const Ordinary *o, int32_t above, int bits, int32_t tag, int traits, int *inside) {
    int in_table = traits_of(&o->d, above) & TABLE_TAG;
    if (tag == o->td || tag == o->th) { if (above != o->tr) return 0; }
    else if (tag == o->tr) { if (above != o->tbody && above != o->thead && above != o->tfoot) return 0; }
    else if (tag == o->col) { if (above != o->colgroup) return 0; }
    else if (tag == o->caption || (traits & TABLE_TAG && tag != o->table)) { if (above != o->table) return 0; }
    else if (in_table) return 0;
    if (traits & CLOSES_P && bits & IN_P) return 0;
    if (bits & IN_ITEM && tag == o->li) return 0;
    if (bits & IN_ENTRY && (tag == o->dd || tag == o->dt)) return 0;
    if (bits & IN_HEADING && traits & HEADING_TAG) return 0;
    if (bits & IN_LINK && tag == o->a) return 0;
    if (bits & IN_PRE && tag == o->pre) return 0;
    if ((tag == o->rt || tag == o->rp) && above != o->ruby) return 0;
    int is_embed = tag == o->iframe || tag == o->video || tag == o->audio;
    if (is_embed && bits & (IN_EMBED | IN_HEADING)) return 0;
    if (traits & BOUNDS_ITEM) bits &= ~(IN_ITEM | IN_ENTRY);
    if (traits & BOUNDS_P) bits &= ~IN_P;
    *inside = bits | (tag == o->p ? IN_P : tag == o->li ? IN_ITEM : tag == o->dd || tag == o->dt ? IN_ENTRY : tag == o->a ? IN_LINK
                      : is_embed ? IN_EMBED : tag == o->pre ? IN_PRE : traits & HEADING_TAG ? IN_HEADING : 0);
    return 1;
}

static int begins(const char *s, Py_ssize_t size, const char *with) {
    Py_ssize_t n = (Py_ssize_t)strlen(with);
    return size >= n && memcmp(s, with, (size_t)n) == 0;
}

/* Notes what the words of a class say. */
static int read_class(Ordinary *o, Id id, int traits, const char *s, const char *stop) {
    int roles = 0, step;
    Py_UCS4 letter;
    char word[64];
    while (s < stop) {
        Py_ssize_t size = 0;
        if (is_plain_space((unsigned char)*s)) { s++; continue; }
        const char *from = s;
        for (; s < stop && !is_plain_space((unsigned char)*s); s++) {
            if (*s == '&' && stop - s > 1 && s[1] == 'n') return 0;
            /* What is white space, or has a plain letter as its lower case. */
            if (*s & 0x80 && (Py_UNICODE_ISSPACE(letter = decode_one(s, &step)) || letter == 0x130 || letter == 0x212A)) return 0;
        }
        size = s - from;
        if (size > (Py_ssize_t)sizeof word) continue;
        lowered(word, from, size);
        int32_t number = lookup_find(o->roles, word, size);
        if (number >= 0) roles |= (int)o->roles->values[number];
        else if (begins(word, size, "buttongroup")) roles |= TOOL;
    }
    NODE(id)->marks = roles;
    if (roles & HARD || (roles & TABLED && traits & BOX)) return 0;
    if (roles & CAPTIONED && traits & CAPTION) TRY(add_id(&o->captions, id));
    if (roles & BOXED && traits & BOX) TRY(add_id(&o->boxes, id));
    if (roles & ASIDE) TRY(add_id(&o->asides, id));
    if (roles & CONTROL) TRY(add_id(&o->controls, id));
    if (roles & PERMALINK) TRY(add_id(&o->permalinks, id));
    if (roles & NOTES) TRY(add_id(&o->notes, id));
    if (roles & EMBEDDED) TRY(add_id(&o->marked, id));
    return 1;
}

static int read_attributes(Ordinary *o, Id id, int traits) {
    const char *s = NODE(id)->s, *stop = s + NODE(id)->size;
    struct { const char *s; Py_ssize_t size; } names[MOST_NAMES];
    for (int count = 0; s < stop; count++) {
        const char *name = s + 1, *at = name;
        while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '-' || *at == '_' || *at == ':' || *at == '.') at++;
        if (*at != '=' || at == name || count == MOST_NAMES) return 0;
        const char *value = at + 2, *quote = memchr(value, '"', (size_t)(stop - value));
        Py_ssize_t size = at - name;
        for (int k = 0; k < count; k++)
            if (names[k].size == size && memcmp(names[k].s, name, (size_t)size) == 0) return 0;
        names[count].s = name;
        names[count].size = size;
        /* Marks of the canonical form, which must not be the page's own. */
        if (begins(name, size, "data-math") || begins(name, size, "data-callout") || begins(name, size, "data-footnote")) return 0;
        if (size == 5 && memcmp(name, "class", 5) == 0) STEP(read_class(o, id, traits, value, quote));
        s = quote + 1;
    }
    return 1;
}

static int note(Ordinary *o, Id id, int32_t tag, int bits) {
    if (tag == o->blockquote) o->has_quotes = 1;
    if (tag == o->a && bits & IN_HEADING) TRY(add_id(&o->headed, id));
    Ids *list = tag == o->a ? &o->links : tag == o->img ? &o->images : tag == o->table ? &o->tables : tag == o->picture ? &o->pictures
                : tag == o->code ? &o->codes : tag == o->pre ? &o->blocks : tag == o->noscript ? &o->noscripts : tag == o->input ? &o->inputs
                : tag == o->track ? &o->tracks : tag == o->iframe || tag == o->video || tag == o->audio ? &o->embeds : NULL;
    return list ? add_id(list, id) : 0;
}

static int read_draft(Ordinary *o, const char *s, const char *stop) {
    int inside[DEEPEST + 1] = {0}, weights[DEEPEST + 1] = {0}, depth = 0;
    Py_ssize_t cost = 0, tags = 0, begun = 0, ended = 0;
    if (!is_as_written(s, stop, &begun, &ended)) return 0;
    Id parent = draft_new(&o->d, table_find(&o->d.lookup->table, "div", 3), "", 0);
    if (parent == NONE) return -1;
    while (s < stop) {
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL) next = stop;
            if (TRAITS(parent) & TABLE_TAG && !is_space_only(s, next)) return 0;
            Id made = draft_new(&o->d, TEXT, s, next - s);
            if (made == NONE) return -1;
            NODE(made)->is_blank = is_blank_text(s, next);
            append_child(&o->d, parent, made);
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        if (s == NULL) return 0;
        cost += weights[depth];
        tags++;
        int32_t number = lookup_find(o->d.lookup, tag.name, tag.size);
        int traits = traits_of(&o->d, number);
        if (tag.is_end) {
            if (parent == 0 || NODE(parent)->tag != number) return 0;
            parent = NODE(parent)->parent;
            depth--;
            continue;
        }
        if (!(traits & ORDINARY) || !fits(o, NODE(parent)->tag, inside[depth], number, traits, &inside[depth + 1])) return 0;
        Id made = draft_new(&o->d, number, tag.attrs, tag.attrs_end - tag.attrs);
        if (made == NONE) return -1;
        append_child(&o->d, parent, made);
        if (tag.attrs < tag.attrs_end) STEP(read_attributes(o, made, traits));
        TRY(note(o, made, number, inside[depth]));
        if (traits & VOID_TAG || number == o->source || number == o->track || number == o->input) continue;
        if (number == o->iframe && (stop - s < 9 || memcmp(s, "</iframe>", 9) != 0)) return 0; /* what it holds is no markup */
        if (++depth >= DEEPEST) return 0;
        weights[depth] = weights[depth - 1] + (traits & FORMATTING ? 2 + (int)((s - tag.name) / 32) : 0);
        parent = made;
    }
    o->read = (Id)o->d.count;
    return parent == 0 && cost < COST && tags == begun && tags == ended; /* no text or value has such signs */
}

/* ---- edits ---- */

const char *kept_bytes(Ordinary *o, const char *s, Py_ssize_t size) {
    Piece *piece = PyMem_Malloc(sizeof(Piece) + (size_t)size + 1);
    if (piece == NULL) { PyErr_NoMemory(); return NULL; }
    piece->next = o->pieces;
    o->pieces = piece;
    if (size) memcpy(piece->bytes, s, (size_t)size); /* there may be nothing to copy from */
    return piece->bytes;
}

int set_bytes(Ordinary *o, Id id, const Buffer *from) {
    const char *made = kept_bytes(o, from->size ? from->data : "", from->size);
    if (made == NULL) return -1;
    NODE(id)->s = made;
    NODE(id)->size = from->size;
    return 0;
}

void take_out(Ordinary *o, Id id) {
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at)) NODE(at)->tag = TEXT;
    unlink_node(&o->d, id);
}

void take_off(Ordinary *o, Id id) {
    unwrap(&o->d, id);
    NODE(id)->tag = TEXT;
}

const char *attribute(const Ordinary *o, Id id, const char *name, Py_ssize_t *size) {
    Tag tag = {.attrs = NODE(id)->s, .attrs_end = NODE(id)->s + NODE(id)->size};
    return find_attribute(&tag, name, (Py_ssize_t)strlen(name), size);
}

static int add_attribute(Buffer *to, const char *name, Py_ssize_t name_size, const char *value, Py_ssize_t size) {
    TRY(buffer_put(to, ' '));
    TRY(buffer_add(to, name, name_size));
    TRY(buffer_add(to, "=\"", 2));
    TRY(add_markup(to, value, size, 1));
    return buffer_put(to, '"');
}

/* Gives an attribute another value, or adds it; without a value it is taken off. */
static int set_attribute(Ordinary *o, Id id, const char *name, const char *value, Py_ssize_t value_size) {
    Py_ssize_t size = 0, name_size = (Py_ssize_t)strlen(name);
    const char *old = attribute(o, id, name, &size), *from = NODE(id)->s, *stop = from + NODE(id)->size;
    o->pad.size = 0;
    TRY(buffer_add(&o->pad, from, (old ? old - name_size - 3 : stop) - from)); /* ` name="` */
    if (value) TRY(add_attribute(&o->pad, name, name_size, value, value_size));
    if (old) TRY(buffer_add(&o->pad, old + size + 1, stop - old - size - 1));
    return set_bytes(o, id, &o->pad);
}

Id new_text(Ordinary *o, const char *s, Py_ssize_t size) {
    o->pads.to.size = 0;
    if (add_markup(&o->pads.to, s, size, 0) < 0) return NONE;
    size = o->pads.to.size;
    const char *bytes = kept_bytes(o, o->pads.to.data, size);
    Id made = bytes ? draft_new(&o->d, TEXT, bytes, size) : NONE;
    if (made != NONE) NODE(made)->is_blank = is_blank_text(bytes, bytes + size);
    return made;
}

/* Puts a text before a node; whether it shows nothing. */
static int put_text(Ordinary *o, Id before, const char *s, Py_ssize_t size) {
    Id made = new_text(o, s, size);
    if (made == NONE) return -1;
    insert_before(&o->d, before, made);
    return NODE(made)->is_blank;
}

PyObject *unescaped(Ordinary *o, const char *s, Py_ssize_t size) {
    if (memchr(s, '&', (size_t)size) == NULL) return PyUnicode_DecodeUTF8(s, size, NULL);
    o->pad.size = 0;
    return add_unescaped(&o->pad, s, s + size) < 0 ? NULL : PyUnicode_DecodeUTF8(o->pad.data, o->pad.size, NULL);
}

PyObject *attribute_value(Ordinary *o, Id id, const char *name) {
    Py_ssize_t size = 0;
    const char *value = attribute(o, id, name, &size);
    return unescaped(o, value ? value : "", size);
}

PyObject *text_of(Ordinary *o, Id id) {
    o->text.size = 0;
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == TEXT && buffer_add(&o->text, NODE(at)->s, NODE(at)->size) < 0) return NULL;
    return unescaped(o, o->text.size ? o->text.data : "", o->text.size);
}

int holds(const Ordinary *o, Id id, int32_t tag) {
    for (Id at = next_inside(&o->d, id, id); at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == tag) return 1;
    return 0;
}

int is_silent(const Ordinary *o, Id id) {
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == TEXT && !NODE(at)->is_blank) return 0;
    return 1;
}

int is_told(PyObject *function, PyObject *text) {
    PyObject *told = text ? PyObject_CallOneArg(function, text) : NULL;
    Py_XDECREF(text);
    int is_so = told ? PyObject_IsTrue(told) : -1;
    Py_XDECREF(told);
    return is_so;
}

/* ---- standardize._remove_remarks() ---- */

int has_at_most(const Ordinary *o, Id id, Py_ssize_t most) {
    Py_ssize_t count = 0;
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at)) {
        if (NODE(at)->tag != TEXT) continue;
        for (const char *s = NODE(at)->s, *stop = s + NODE(at)->size; s < stop; count++) {
            int step;
            if (count > most) return 0;
            if (*s == '&') s = (const char *)memchr(s, ';', (size_t)(stop - s)) + 1;
            else { decode_one(s, &step); s += step; }
        }
    }
    return count <= most;
}

static int remove_remarks(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->asides.count; k++) {
        Id id = o->asides.ids[k], above = NODE(id)->parent;
        if (NODE(id)->tag == TEXT) continue;
        int32_t outer = NODE(above)->tag;
        if (!has_at_most(o, id, REMARK) && outer != o->a && outer != o->figcaption && !(TRAITS(above) & HEADING_TAG)) continue;
        for (int steps = 0; steps < 3 && above != NONE; steps++, above = NODE(above)->parent)
            if (NODE(above)->tag == o->td || NODE(above)->tag == o->th) return 0; /* it may be all that a cell says */
        take_out(o, id);
    }
    for (Py_ssize_t k = 0; k < o->controls.count; k++) {
        Id id = o->controls.ids[k];
        if (NODE(id)->tag != TEXT && has_at_most(o, id, REMARK)) take_out(o, id);
    }
    return 1;
}

/* ---- code._stands_as_block(): a draft with a <code> that is laid out in lines is not ordinary ---- */

static int is_inside_code(const Ordinary *o, Id id) {
    Id above = NODE(id)->parent;
    for (int k = 0; k < 4 && above != NONE; k++, above = NODE(above)->parent)
        if (NODE(above)->tag == o->pre || NODE(above)->tag == o->code) return 1;
    return 0;
}

/* Whether there are two lines in it, or two line breaks, so that its language would have to be known. */
static int may_stand_as_block(const Ordinary *o, Id id) {
    int lines = 0, breaks = 0;
    Py_ssize_t size;
    for (Id at = next_inside(&o->d, id, id); at != NONE; at = next_inside(&o->d, id, at)) {
        const DraftNode *n = NODE(at);
        if (n->tag == o->br || n->tag == o->div || n->tag == o->p) lines++;
        else if (n->tag == o->span) lines += n->marks & LINE || attribute(o, at, "data-line", &size) != NULL;
        else if (n->tag == TEXT)
            for (const char *s = n->s, *stop = s + n->size; s < stop && (s = memchr(s, '\n', (size_t)(stop - s))) != NULL; s++) breaks++;
        if (lines > 1 || breaks > 1) return 1;
    }
    return 0;
}

static int look_at_code(const Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->codes.count; k++) {
        Id id = o->codes.ids[k], only = NODE(id)->first;
        if (NODE(id)->tag == TEXT || only == NONE) continue;
        if (NODE(only)->tag == TEXT && NODE(only)->after == NONE && memchr(NODE(only)->s, '\n', (size_t)NODE(only)->size) == NULL) continue;
        if (!is_inside_code(o, id) && may_stand_as_block(o, id)) return 0;
    }
    return 1;
}

/* ---- embeds.py, and standardize._remove_silent() ---- */

PyObject *attributes(Ordinary *o, Id id) {
    PyObject *made = PyDict_New();
    const char *s = NODE(id)->s, *stop = s + NODE(id)->size;
    while (made && s < stop) {
        const char *equals = memchr(s, '=', (size_t)(stop - s)), *quote = memchr(equals + 2, '"', (size_t)(stop - equals - 2));
        PyObject *name = PyUnicode_DecodeUTF8(s + 1, equals - s - 1, NULL), *value = unescaped(o, equals + 2, quote - equals - 2);
        int failed = name == NULL || value == NULL || PyDict_SetItem(made, name, value) < 0;
        Py_XDECREF(name);
        Py_XDECREF(value);
        if (failed) Py_CLEAR(made);
        s = quote + 1;
    }
    return made;
}

/* What the sources in an element say under one name or two. */
static PyObject *sources_in(Ordinary *o, Id id, const char *name, const char *other) {
    PyObject *made = PyList_New(0);
    for (Id at = next_inside(&o->d, id, id); made && at != NONE; at = next_inside(&o->d, id, at)) {
        const char *const names[] = {name, other};
        for (int k = 0; made && NODE(at)->tag == o->source && k < 2 && names[k]; k++) {
            PyObject *value = attribute_value(o, at, names[k]);
            if (value == NULL || (PyUnicode_GET_LENGTH(value) && PyList_Append(made, value) < 0)) Py_CLEAR(made);
            Py_XDECREF(value);
        }
    }
    return made;
}

/* Puts a link to where it can be seen in the place of what is embedded. */
static int put_link(Ordinary *o, Id id, const char *url, Py_ssize_t size, const char *title, Py_ssize_t title_size) {
    o->pad.size = 0;
    TRY(add_attribute(&o->pad, "href", 4, url, size));
    const char *href = kept_bytes(o, o->pad.data, o->pad.size);
    Py_ssize_t href_size = o->pad.size;
    Id block = href ? draft_new(&o->d, o->div, "", 0) : NONE, link = block == NONE ? NONE : draft_new(&o->d, o->a, href, href_size);
    if (link == NONE) return -1;
    insert_before(&o->d, id, block);
    append_child(&o->d, block, id);
    TRY(put_text(o, id, title, title_size));
    append_child(&o->d, link, NODE(id)->before);
    insert_before(&o->d, id, link);
    return add_id(&o->links, link);
}

/* embeds._put(), of what has an address; without a title the address says it. */
static int put_embed(Ordinary *o, Id id, PyObject *url, PyObject *title, Table *seen) {
    Py_ssize_t size, title_size;
    int fresh = 0;
    const char *s = PyUnicode_AsUTF8AndSize(url, &size), *words = title == Py_None || s == NULL ? s : PyUnicode_AsUTF8AndSize(title, &title_size);
    if (words == NULL) return -1;
    if (words == s) title_size = size;
    if (begins(s, size, "http://") || begins(s, size, "https://")) {
        TRY(table_put(seen, s, size, &fresh));
        if (fresh) TRY(put_link(o, id, s, size, words, title_size));
    }
    take_out(o, id);
    return 0;
}

static int rewrite_embed(Ordinary *o, Id id, Table *seen) {
    const Key *key = &o->d.lookup->table.keys[NODE(id)->tag];
    PyObject *tag = PyUnicode_DecodeUTF8(o->d.lookup->table.bytes.data + key->at, key->size, NULL), *attrs = tag ? attributes(o, id) : NULL;
    PyObject *inside = attrs ? sources_in(o, id, "src", NULL) : NULL, *shown = NULL, *url, *title;
    if (inside) shown = PyObject_CallFunctionObjArgs(o->shown_at, tag, attrs, inside, o->base_url, NULL);
    Py_XDECREF(tag);
    Py_XDECREF(attrs);
    Py_XDECREF(inside);
    int failed = shown == NULL || !PyArg_ParseTuple(shown, "OO", &url, &title);
    if (!failed && url != Py_None) failed = put_embed(o, id, url, title, seen) < 0;
    else if (!failed) take_out(o, id);
    Py_XDECREF(shown);
    return failed ? -1 : 0;
}

/* embeds._rewrite_marked() */
static int rewrite_marked(Ordinary *o, Id id, Table *seen) {
    PyObject *attrs = attributes(o, id), *get = attrs ? PyObject_GetAttrString(attrs, "get") : NULL, *text = get ? text_of(o, id) : NULL, *url = NULL;
    if (text) url = PyObject_CallFunctionObjArgs(o->marked_at, get, text, holds(o, id, o->a) ? Py_True : Py_False, o->base_url, NULL);
    Py_XDECREF(attrs);
    Py_XDECREF(get);
    Py_XDECREF(text);
    int failed = url == NULL || (PyObject_IsTrue(url) && put_embed(o, id, url, Py_None, seen) < 0);
    Py_XDECREF(url);
    return failed ? -1 : 0;
}

static int rewrite_embeds(Ordinary *o) {
    Table seen;
    if (o->embeds.count + o->marked.count == 0) return 1;
    if (table_init(&seen, 16) < 0) return -1;
    int failed = 0;
    for (Py_ssize_t k = 0; k < o->embeds.count && !failed; k++)
        if (NODE(o->embeds.ids[k])->tag != TEXT) failed = rewrite_embed(o, o->embeds.ids[k], &seen);
    for (Py_ssize_t k = 0; k < o->marked.count && !failed; k++)
        if (NODE(o->marked.ids[k])->tag != TEXT) failed = rewrite_marked(o, o->marked.ids[k], &seen);
    table_free(&seen);
    return failed ? -1 : 1;
}

static int remove_silent(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->inputs.count; k++) {
        Id id = o->inputs.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        int32_t outer = NODE(NODE(id)->parent)->tag;
        Py_ssize_t size = 0;
        const char *type = attribute(o, id, "type", &size);
        for (Py_ssize_t i = 0; i < size; i++) if (type[i] & 0x80) return 0;
        if (size == 8 && strncasecmp(type, "checkbox", 8) == 0 && (outer == o->li || outer == o->p || outer == o->label))
            TRY(put_text(o, id, attribute(o, id, "checked", &size) ? "\xE2\x98\x91 " : "\xE2\x98\x90 ", 4));
        take_out(o, id);
    }
    for (Py_ssize_t k = 0; k < o->tracks.count; k++)
        if (NODE(o->tracks.ids[k])->tag != TEXT) take_out(o, o->tracks.ids[k]);
    return 1;
}

/* ---- images.py ---- */

Id first_image(const Ordinary *o, Id id) {
    for (Id at = next_inside(&o->d, id, id); at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == o->img) return at;
    return NONE;
}

Id element_beside(const Ordinary *o, Id id, int before) {
    Id other = before ? NODE(id)->before : NODE(id)->after;
    for (int k = 0; k < 4 && other != NONE; k++, other = before ? NODE(other)->before : NODE(other)->after) {
        if (NODE(other)->tag != TEXT) return other;
        if (!NODE(other)->is_blank) return NONE;
    }
    return NONE;
}

static Id only_image(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    if (tag == o->img) return id;
    if (tag != o->picture && tag != o->a && tag != o->span && tag != o->div && tag != o->figure) return NONE;
    int children = 0;
    for (Id child = NODE(id)->first; child != NONE; child = NODE(child)->after) if (++children > 8) return NONE;
    Id image = first_image(o, id);
    for (Id at = image == NONE ? NONE : next_inside(&o->d, id, image); at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == o->img) return NONE;
    return image != NONE && is_silent(o, id) ? image : NONE;
}

static int has_same_source(const Ordinary *o, Id one, Id other) {
    Py_ssize_t size = 0, other_size = 0;
    const char *s = attribute(o, one, "src", &size), *t = attribute(o, other, "src", &other_size);
    return s == NULL || t == NULL ? s == t : size == other_size && memcmp(s, t, (size_t)size) == 0;
}

static int open_noscripts(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->noscripts.count; k++) {
        Id id = o->noscripts.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        Id image = first_image(o, id), shown = NONE;
        if (image == NONE) {
            int asks = is_told(o->asks_for_scripts, text_of(o, id));
            if (asks < 0) return -1;
            if (asks) take_out(o, id);
            else take_off(o, id);
            continue;
        }
        for (int before = 1; before >= 0 && shown == NONE; before--) {
            Id other = element_beside(o, id, before);
            if (other == NONE || NODE(other)->tag == o->noscript || (shown = only_image(o, other)) == NONE) continue;
            int replaces = has_same_source(o, shown, image) ? 1 : is_told(o->is_lazy, attributes(o, shown));
            if (replaces < 0) return -1;
            if (!replaces) shown = NONE;
        }
        if (shown == NONE) {
            take_off(o, id);
            continue;
        }
        insert_before(&o->d, shown, image);
        take_out(o, shown);
        take_out(o, id);
    }
    return 1;
}

/* Gives an image the address of a source of its <picture>, if it has none of its own. */
static int give_source(Ordinary *o, Id picture, Id image) {
    PyObject *sources = sources_in(o, picture, "srcset", "data-srcset"), *attrs = sources ? attributes(o, image) : NULL, *best = NULL;
    if (attrs) best = PyList_GET_SIZE(sources) ? PyObject_CallFunctionObjArgs(o->source_beside, attrs, sources, NULL) : Py_NewRef(Py_None);
    Py_XDECREF(sources);
    Py_XDECREF(attrs);
    Py_ssize_t size = 0;
    const char *s = best && best != Py_None ? PyUnicode_AsUTF8AndSize(best, &size) : NULL;
    int failed = best == NULL || (best != Py_None && s == NULL) || (size && set_attribute(o, image, "src", s, size) < 0);
    Py_XDECREF(best);
    return failed ? -1 : 0;
}

static int open_pictures(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->pictures.count; k++) {
        Id id = o->pictures.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        Id image = first_image(o, id);
        if (holds(o, id, image == NONE ? o->source : o->figcaption)) return 0;
        if (image == NONE) {
            take_off(o, id);
            continue;
        }
        if (!has_plain_source(NODE(image)->s, NODE(image)->s + NODE(image)->size, o->image_words)) TRY(give_source(o, id, image));
        insert_before(&o->d, id, image);
        take_out(o, id);
    }
    return 1;
}

static int describe(Ordinary *o, Id image, PyObject *kept) {
    PyObject *name, *value;
    Py_ssize_t at = 0, name_size, size;
    o->pad.size = 0;
    while (PyDict_Next(kept, &at, &name, &value)) {
        const char *n = PyUnicode_AsUTF8AndSize(name, &name_size), *v = n ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
        if (v == NULL) return -1;
        TRY(add_attribute(&o->pad, n, name_size, v, size));
    }
    return set_bytes(o, image, &o->pad);
}

/* What an image becomes that Python knows: it is described anew, or a text takes its place, which in a link may have to be the only one. */
static int ask_for_image(Ordinary *o, Id id, Id *looked_at, int *silent) {
    Id parent = NODE(id)->parent;
    PyObject *attrs = attributes(o, id), *address = NULL, *kept, *text, *shown = NULL;
    if (attrs) address = NODE(parent)->tag == o->a ? attribute_value(o, parent, "href") : PyUnicode_New(0, 0);
    if (address) shown = PyObject_CallFunctionObjArgs(o->shown_as, attrs, address, o->base_url, o->keep_images ? Py_True : Py_False, NULL);
    Py_XDECREF(attrs);
    Py_XDECREF(address);
    int is_for_link, failed = shown == NULL || !PyArg_ParseTuple(shown, "OUp", &kept, &text, &is_for_link);
    Py_ssize_t size = 0;
    const char *s = failed ? NULL : PyUnicode_AsUTF8AndSize(text, &size);
    if (s == NULL) failed = 1;
    else if (kept != Py_None) failed = PyDict_Check(kept) ? describe(o, id, kept) < 0 : 1;
    else {
        if (size && is_for_link && *looked_at != parent) *silent = is_silent(o, *looked_at = parent);
        if (size && !(is_for_link && !*silent)) {
            int blank = put_text(o, id, s, size);
            failed = blank < 0;
            if (*looked_at == parent) *silent = *silent && blank;
        }
        if (!failed) take_out(o, id);
    }
    Py_XDECREF(shown);
    if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "not what an image becomes");
    return failed ? -1 : 0;
}

static int rewrite_images(Ordinary *o) {
    Id looked_at = NONE; /* the link that is known to be silent, or not */
    int silent = 0;
    for (Py_ssize_t k = 0; k < o->images.count; k++) {
        Id id = o->images.ids[k];
        const DraftNode *n = NODE(id);
        if (n->tag == TEXT) continue;
        int plain = o->keep_images ? plain_image(n->s, n->s + n->size, o->origin_bytes, o->origin_size, o->image_words, &o->pads) : ASK;
        if (plain < 0) return -1;
        if (plain == ASK) TRY(ask_for_image(o, id, &looked_at, &silent));
        else if (plain) TRY(set_bytes(o, id, &o->pads.to));
        else take_out(o, id);
    }
    return 1;
}

static int in_cell(const Ordinary *o, Id id) {
    Id above = NODE(id)->parent;
    for (int k = 0; k < 4 && above != NONE; k++, above = NODE(above)->parent)
        if (NODE(above)->tag == o->td || NODE(above)->tag == o->th) return 1;
    return 0;
}

static int drop_repeated_images(Ordinary *o) {
    Table seen;
    if (o->images.count == 0) return 1;
    if (table_init(&seen, 16) < 0) return -1;
    int failed = 0, fresh;
    for (Py_ssize_t k = 0; k < o->images.count && !failed; k++) {
        Id id = o->images.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        Py_ssize_t size = 0;
        const char *source = attribute(o, id, "src", &size);
        failed = table_put(&seen, source ? source : "", size, &fresh) < 0;
        if (!failed && !fresh && !in_cell(o, id)) take_out(o, id);
    }
    table_free(&seen);
    return failed ? -1 : 1;
}

/* ---- links.py ---- */

/* Whether a text may be one of links.points_only(), which most are not by their first letters. */
static int may_point(const Ordinary *o, Id id) {
    static const char *const words[] = {"per", "lin", "sec", "dir", "anc", "cop", "hea"};
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at)) {
        const char *s = NODE(at)->s, *stop = s + NODE(at)->size;
        if (NODE(at)->tag != TEXT) continue;
        while (s < stop && (*s == ' ' || *s == '\n' || *s == '\t')) s++;
        if (s == stop) continue;
        if (*s >= '0' && *s <= '9') return 0;
        if (stop - s < 3 || (s[0] | s[1] | s[2]) & 0x80 || (*s | 32) < 'a' || (*s | 32) > 'z') return 1;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strncasecmp(s, words[k], 3) == 0) return 1;
        return 0;
    }
    return 1;
}

static int only_points(Ordinary *o, Id id) {
    if (!may_point(o, id)) return 0;
    int points = is_told(o->points_only, text_of(o, id));
    return points > 0 ? !holds(o, id, o->img) : points;
}

static int has_word(const Ordinary *o, Id id, const char *word) {
    Py_ssize_t size, n = (Py_ssize_t)strlen(word), length;
    const char *s = attribute(o, id, "class", &size), *stop = s ? s + size : NULL;
    while (s < stop) {
        const char *from = s;
        while (s < stop && !is_plain_space((unsigned char)*s)) s++;
        length = s - from;
        if (length == n && strncasecmp(from, word, (size_t)n) == 0) return 1;
        s += s < stop;
    }
    return 0;
}

static int remove_permalinks(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->permalinks.count; k++) {
        Id id = o->permalinks.ids[k];
        int32_t tag = NODE(id)->tag;
        if (tag != o->a && tag != o->span && tag != o->small) continue; /* or it is gone */
        int points = only_points(o, id);
        if (points < 0) return -1;
        if (points) take_out(o, id);
    }
    for (Py_ssize_t k = 0; k < o->headed.count; k++) {
        Id id = o->headed.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        int points = only_points(o, id);
        if (points < 0) return -1;
        Py_ssize_t size = 0;
        const char *href = points ? NULL : attribute(o, id, "href", &size);
        if (points) take_out(o, id);
        else if (size == 0 || *href == '#' || has_word(o, id, "header")) take_off(o, id);
    }
    return 1;
}

/* Whether an address as it is written needs no mending: links._PLAIN. */
int is_plain_url(const char *s, Py_ssize_t size) {
    const char *stop = s + size;
    s += begins(s, size, "https://") ? 8 : begins(s, size, "http://") ? 7 : size;
    if (s >= stop) return 0;
    for (; s < stop; s++)
        if (*s < '!' || *s > '~' || (*s == '&' && stop - s > 1 && s[1] == 'n')) return 0;
    return 1;
}

/* links._PLAIN_PATH, and nothing that leads up. */
int is_plain_path(const char *s, Py_ssize_t size) {
    if (size == 0 || *s != '/' || (size > 1 && s[1] == '/')) return 0;
    for (Py_ssize_t k = 0; k < size; k++)
        if (s[k] < '!' || s[k] > '~' || s[k] == '\\' || (k + 1 < size && ((s[k] == '&' && s[k + 1] == 'n') || (s[k] == '/' && s[k + 1] == '.'))))
            return 0;
    return 1;
}

/* Gives a link its absolute address: 0 when it has none. */
static int make_absolute(Ordinary *o, Id id) {
    Py_ssize_t size = 0;
    const char *href = attribute(o, id, "href", &size);
    if (size == 0 || !o->keep_links) return 0;
    if (is_plain_url(href, size)) return 1;
    PyObject *given = unescaped(o, href, size), *made = NULL;
    if (given && o->origin_size && is_plain_path(href, size)) made = PyUnicode_Concat(o->origin, given);
    else if (given) made = PyObject_CallFunctionObjArgs(o->absolute, given, o->base_url, NULL);
    Py_XDECREF(given);
    int done = made == NULL ? -1 : made != Py_None;
    if (done > 0) {
        const char *s = PyUnicode_AsUTF8AndSize(made, &size);
        if (s == NULL || set_attribute(o, id, "href", s, size) < 0) done = -1;
    }
    Py_XDECREF(made);
    return done;
}

/* Whether the text of a link ends, or begins, with a letter or digit. */
static int touches(const Ordinary *o, Id id, int at_end) {
    const char *s = NULL, *stop = NULL;
    int step;
    for (Id at = id; at != NONE && !(s && !at_end); at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == TEXT && NODE(at)->size) { s = NODE(at)->s; stop = s + NODE(at)->size; }
    if (s == NULL) return 0;
    if (at_end) for (s = stop - 1; ((unsigned char)*s & 0xC0) == 0x80;) s--;
    return Py_UNICODE_ISALNUM(decode_one(s, &step));
}

/* Two links without a space between them are shown apart by style, unless they are one link in two pieces. */
static int part(Ordinary *o, Id id, Id following) {
    if (!touches(o, id, 1) || !touches(o, following, 0)) return 0;
    for (Id above = NODE(id)->parent; above != NONE; above = NODE(above)->parent)
        if (NODE(above)->tag == o->pre) return 0;
    PyObject *other = attribute_value(o, following, "href"), *own = other ? attribute_value(o, id, "href") : NULL;
    PyObject *joined = own ? PyObject_CallFunctionObjArgs(o->absolute, other, own, NULL) : NULL;
    int is_one = joined ? PyObject_RichCompareBool(joined, own, Py_EQ) : -1;
    Py_XDECREF(other);
    Py_XDECREF(own);
    Py_XDECREF(joined);
    if (is_one) return is_one < 0 ? -1 : 0;
    return put_text(o, following, " ", 1);
}

static int standardize_links(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->links.count; k++) {
        Id id = o->links.ids[k];
        if (NODE(id)->tag == TEXT) continue;
        int leads = make_absolute(o, id);
        if (leads < 0) return -1;
        if (!leads) { take_off(o, id); continue; }
        Id following = NODE(id)->after;
        if (following != NONE && NODE(following)->tag == o->a && part(o, id, following) < 0) return -1;
    }
    return 1;
}

/* ---- tables.py ---- */

#define MOST_SPAN 1000
#define PROSE 400

/* Brings a cell's span into bounds; 0 when it is written in characters that only Python knows. */
static int bound(Ordinary *o, Id cell, const char *name) {
    Py_ssize_t size;
    const char *s = attribute(o, cell, name, &size), *stop = s ? s + size : NULL, *from = s;
    if (s == NULL) return 1;
    for (const char *c = s; c < stop; c++) if (*c & 0x80 || *c == '&') return 0;
    while (from < stop && is_plain_space((unsigned char)*from)) from++;
    while (stop > from && is_plain_space((unsigned char)stop[-1])) stop--;
    long span = from < stop ? 0 : 1;
    for (const char *c = from; c < stop; c++) {
        if (*c < '0' || *c > '9') { span = 1; break; }
        span = stop - from < 6 ? span * 10 + (*c - '0') : MOST_SPAN;
    }
    if (span > MOST_SPAN) span = MOST_SPAN;
    char written[16];
    int length = snprintf(written, sizeof written, "%ld", span);
    if (span < 2) return set_attribute(o, cell, name, NULL, 0) < 0 ? -1 : 1;
    if (length == size && memcmp(s, written, (size_t)size) == 0) return 1;
    return set_attribute(o, cell, name, written, length) < 0 ? -1 : 1;
}

static int is_cell(const Ordinary *o, Id id) { return NODE(id)->tag == o->td || NODE(id)->tag == o->th; }

/* Whether any cell of the rows, or of one of them, is as a test has it. */
typedef int (*CellTest)(const Ordinary *, Id);

static int any_in_row(const Ordinary *o, Id row, CellTest test) {
    for (Id cell = NODE(row)->first; cell != NONE; cell = NODE(cell)->after)
        if (is_cell(o, cell) && test(o, cell)) return 1;
    return 0;
}

static int any_cell(const Ordinary *o, CellTest test) {
    for (Py_ssize_t k = 0; k < o->rows.count; k++)
        if (any_in_row(o, o->rows.ids[k], test)) return 1;
    return 0;
}

static int shows_something(const Ordinary *o, Id cell) { return !is_silent(o, cell) || holds(o, cell, o->img) || holds(o, cell, o->hr); }

static int reaches_down(const Ordinary *o, Id cell) {
    Py_ssize_t size;
    return attribute(o, cell, "rowspan", &size) != NULL;
}

static int is_header(const Ordinary *o, Id cell) { return NODE(cell)->tag == o->th; }

static int holds_blocks(const Ordinary *o, Id cell) {
    int count = 0;
    for (Id at = next_inside(&o->d, cell, cell); at != NONE; at = next_inside(&o->d, cell, at)) {
        if (!(TRAITS(at) & CELL_BLOCK)) continue;
        if (count++ || (NODE(at)->tag != o->p && NODE(at)->tag != o->div)) return 1;
    }
    return 0;
}

/* Finds the rows of a table that show something; the others are taken out. */
static int find_rows(Ordinary *o, Id table) {
    o->rows.count = 0;
    for (Id group = NODE(table)->first; group != NONE; group = NODE(group)->after)
        for (Id row = NODE(group)->first; row != NONE && NODE(group)->tag != o->caption; row = NODE(row)->after)
            if (NODE(row)->tag == o->tr) TRY(add_id(&o->rows, row));
    for (Py_ssize_t k = 0; k < o->rows.count; k++) {
        for (Id cell = NODE(o->rows.ids[k])->first; cell != NONE; cell = NODE(cell)->after) {
            if (!is_cell(o, cell)) continue;
            STEP(bound(o, cell, "colspan"));
            STEP(bound(o, cell, "rowspan"));
        }
    }
    int reaching = any_cell(o, reaches_down);
    Py_ssize_t kept = 0;
    for (Py_ssize_t k = 0; k < o->rows.count; k++) {
        Id row = o->rows.ids[k], cell = NODE(row)->first;
        while (cell != NONE && !is_cell(o, cell)) cell = NODE(cell)->after;
        if (cell != NONE && (reaching || any_in_row(o, row, shows_something))) o->rows.ids[kept++] = row;
        else take_out(o, row);
    }
    o->rows.count = kept;
    return 1;
}

Py_ssize_t folded_length(const Ordinary *o, Id cell, Py_ssize_t most) {
    Py_ssize_t folded = 0;
    int owed = 0, step;
    for (Id at = cell; at != NONE && folded <= most; at = next_inside(&o->d, cell, at)) {
        if (NODE(at)->tag != TEXT) continue;
        for (const char *s = NODE(at)->s, *stop = s + NODE(at)->size; s < stop && folded <= most; s += step) {
            int space;
            if (*s == '&') {
                step = (int)((const char *)memchr(s, ';', (size_t)(stop - s)) + 1 - s);
                space = s[1] == 'n';
            } else {
                space = Py_UNICODE_ISSPACE(decode_one(s, &step));
            }
            if (space) { owed = folded > 0; continue; }
            folded += 1 + owed;
            owed = 0;
        }
    }
    return folded;
}

static int has_any(const Ordinary *o, Id id, const char *const *names, size_t count, int words) {
    Py_ssize_t size;
    for (size_t k = 0; k < count; k++)
        if (words ? has_word(o, id, names[k]) : attribute(o, id, names[k], &size) != NULL) return 1;
    return 0;
}

static int is_layout(const Ordinary *o, Id table) {
    static const char *const data[] = {"wikitable", "datatable", "data-table", "sortable", "docutils", "table-striped", "table-bordered", "infobox"};
    static const char *const legacy[] = {"bgcolor", "background", "height", "cellpadding"};
    Py_ssize_t size, widest = 0, rows = o->rows.count;
    const char *role = attribute(o, table, "role", &size);
    if (role && ((size == 12 && memcmp(role, "presentation", 12) == 0) || (size == 4 && memcmp(role, "none", 4) == 0))) return 1;
    if (holds(o, table, o->table)) return 1;
    for (Py_ssize_t k = 0; k < rows; k++) {
        Py_ssize_t cells = 0;
        for (Id cell = NODE(o->rows.ids[k])->first; cell != NONE; cell = NODE(cell)->after) cells += is_cell(o, cell);
        if (cells > widest) widest = cells;
    }
    if (widest == 0 || (widest == 1 && rows == 1)) return 1;
    for (Id child = NODE(table)->first; child != NONE; child = NODE(child)->after)
        if (NODE(child)->tag == o->caption || NODE(child)->tag == o->thead) return 0;
    if (any_cell(o, is_header)) return 0;
    if (widest == 1) return 1;
    if (has_any(o, table, data, sizeof data / sizeof *data, 1)) return 0;
    const char *border = attribute(o, table, "border", &size);
    int is_old = has_any(o, table, legacy, sizeof legacy / sizeof *legacy, 0) || (border && size == 1 && *border == '0');
    Py_ssize_t limit = is_old || rows == 1 ? PROSE / 2 : PROSE;
    for (Py_ssize_t k = 0; k < rows; k++) {
        for (Id cell = NODE(o->rows.ids[k])->first; cell != NONE; cell = NODE(cell)->after) {
            if (!is_cell(o, cell)) continue;
            if (folded_length(o, cell, limit) > limit && (is_old || rows < 4 || holds_blocks(o, cell))) return 1;
        }
    }
    return (is_old || rows == 1) && any_cell(o, holds_blocks);
}

/* Turns a layout table into blocks that follow each other as its cells did. */
static void open_table(Ordinary *o, Id table) {
    for (Id child = NODE(table)->first, next; child != NONE; child = next) {
        next = NODE(child)->after;
        if (NODE(child)->tag == TEXT) continue;
        if (NODE(child)->tag == o->colgroup) { take_out(o, child); continue; }
        for (Id row = NODE(child)->first; row != NONE && NODE(child)->tag != o->caption; row = NODE(row)->after) {
            if (NODE(row)->tag == TEXT) continue;
            for (Id cell = NODE(row)->first; cell != NONE; cell = NODE(cell)->after)
                if (NODE(cell)->tag != TEXT) NODE(cell)->tag = o->div;
            NODE(row)->tag = o->div;
        }
        NODE(child)->tag = o->div;
    }
    NODE(table)->tag = o->div;
}

/* Innermost first: a table is a layout when a table is left in one of its cells. */
static int standardize_tables(Ordinary *o) {
    for (Py_ssize_t k = o->tables.count - 1; k >= 0; k--) {
        Id table = o->tables.ids[k];
        if (NODE(table)->tag == TEXT) continue;
        STEP(find_rows(o, table));
        if (is_layout(o, table)) open_table(o, table);
    }
    return 1;
}

/* ---- all of it ---- */

static int standardize(Ordinary *o, const char *s, Py_ssize_t size) {
    STEP(read_draft(o, s, s + size));
    STEP(remove_remarks(o));
    STEP(rewrite_code(o));
    STEP(look_at_code(o));
    STEP(rewrite_embeds(o));
    STEP(remove_silent(o));
    STEP(open_noscripts(o));
    STEP(open_pictures(o));
    STEP(rewrite_images(o));
    STEP(build_figures(o));
    STEP(remove_permalinks(o));
    STEP(rewrite_notes(o));
    STEP(rewrite_boxes(o));
    STEP(standardize_tables(o));
    STEP(drop_repeated_images(o));
    return standardize_links(o);
}

static int name_tags(Ordinary *o) {
    const struct { const char *name; int32_t *tag; } tags[] = {
        {"a", &o->a}, {"img", &o->img}, {"sup", &o->sup}, {"code", &o->code}, {"picture", &o->picture}, {"source", &o->source},
        {"figcaption", &o->figcaption}, {"li", &o->li}, {"dd", &o->dd}, {"dt", &o->dt}, {"p", &o->p}, {"div", &o->div}, {"hr", &o->hr}, {"ruby", &o->ruby},
        {"rt", &o->rt}, {"rp", &o->rp}, {"table", &o->table}, {"caption", &o->caption}, {"colgroup", &o->colgroup},
        {"col", &o->col}, {"thead", &o->thead}, {"tbody", &o->tbody}, {"tfoot", &o->tfoot}, {"tr", &o->tr}, {"td", &o->td},
        {"th", &o->th}, {"iframe", &o->iframe}, {"video", &o->video}, {"audio", &o->audio}, {"track", &o->track},
        {"noscript", &o->noscript}, {"input", &o->input}, {"label", &o->label}, {"span", &o->span}, {"small", &o->small},
        {"figure", &o->figure}, {"blockquote", &o->blockquote}, {"pre", &o->pre}, {"i", &o->i}, {"strong", &o->strong},
        {"summary", &o->summary}, {"details", &o->details}, {"dl", &o->dl}, {"br", &o->br}, {"center", &o->center}, {"section", &o->section},
        {"aside", &o->aside}, {"ol", &o->ol}, {"ul", &o->ul},
    };
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
        *tags[k].tag = table_find(&o->d.lookup->table, tags[k].name, (Py_ssize_t)strlen(tags[k].name));
        if (*tags[k].tag < 0) { PyErr_SetString(PyExc_ValueError, "a tag is missing"); return -1; }
    }
    return 0;
}

/* Whether a quotation may say what box it is: [!NOTE]. */
static int holds_mark(const char *s, Py_ssize_t size) {
    for (const char *stop = s + size; s < stop && (s = memchr(s, '[', (size_t)(stop - s))) != NULL; s++)
        if (stop - s > 1 && s[1] == '!') return 1;
    return 0;
}

/* ordinary(draft: str or bytes in UTF-8, base_url, its origin or "", keep_images, keep_links, tags: Lookup, roles: Lookup, words of images: Lookup, (shown_at, shown_as,
   source_beside, is_lazy, asks_for_scripts, points_only, may_refer, absolute, language_said, named_kind, is_word, titles_box, decorates_box, reference, leads_back,
   marked_at)) -> bytes in UTF-8, or None when the draft is
   not ordinary */
static PyObject *ordinary(PyObject *module, PyObject *args) {
    PyObject *draft, *result = NULL;
    Ordinary made = {0}, *o = &made;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "OOUppO!O!O!(OOOOOOOOOOOOOOOO)", &draft, &o->base_url, &o->origin, &o->keep_images, &o->keep_links, &LookupType,
                          &o->d.lookup, &LookupType, &o->roles, &LookupType, &o->image_words, &o->shown_at, &o->shown_as, &o->source_beside, &o->is_lazy,
                          &o->asks_for_scripts, &o->points_only, &o->may_refer, &o->absolute, &o->language_said, &o->named_kind, &o->is_word,
                          &o->titles_box, &o->decorates_box, &o->reference, &o->leads_back, &o->marked_at))
        return NULL;
    const char *s = markup_bytes(draft, &size);
    if (s == NULL) Py_RETURN_NONE;
    o->origin_bytes = PyUnicode_AsUTF8AndSize(o->origin, &o->origin_size);
    if (o->origin_bytes == NULL) return NULL;
    int done = name_tags(o) < 0 ? -1 : standardize(o, s, size);
    Buffer out = {0};
    if (done > 0) done = draft_flow(&o->d, size, &out) < 0 ? -1 : !(o->has_quotes && holds_mark(out.data, out.size));
    if (done > 0) result = PyBytes_FromStringAndSize(out.data ? out.data : "", out.size);
    else if (done == 0) result = Py_NewRef(Py_None);
    while (o->pieces) {
        Piece *piece = o->pieces;
        o->pieces = piece->next;
        PyMem_Free(piece);
    }
    Ids *lists[] = {&o->blocks, &o->boxes, &o->captions, &o->asides, &o->controls, &o->permalinks, &o->notes, &o->codes, &o->embeds, &o->marked, &o->inputs, &o->tracks, &o->noscripts, &o->pictures, &o->images, &o->links, &o->headed, &o->tables, &o->rows, &o->titles[0], &o->titles[1]};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) PyMem_Free(lists[k]->ids);
    if (o->languages.slots) table_free(&o->languages);
    PyMem_Free(o->said); PyMem_Free(o->pads.alt.data); PyMem_Free(o->pads.title.data); PyMem_Free(o->pads.to.data); PyMem_Free(o->pads.pad.data);
    PyMem_Free(out.data); PyMem_Free(o->text.data); PyMem_Free(o->pad.data); PyMem_Free(o->d.nodes);
    return result;
}

PyMethodDef ordinary_method = {"ordinary", ordinary, METH_VARARGS, "The canonical form of an ordinary draft."};

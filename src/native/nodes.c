#include "nodes.h"

enum { IS_CLASS = 1, IS_IDENT = 2, IS_NAMING = 4 };

static int resize_nodes(Tree *t, int32_t room) {
#define X(field, extra) \
    void *field = PyMem_Realloc(t->field, sizeof(*t->field) * (size_t)(room + extra)); \
    if (field == NULL) { no_memory(); return -1; } \
    t->field = field;
    NODE_COLUMNS(X)
#undef X
    t->room = room;
    return 0;
}

static int start_table(Table *t, int32_t room) {
    int fresh;
    return table_init(t, room) < 0 || table_put(t, "", 0, &fresh) < 0 ? -1 : 0;
}

int maker_init(Maker *m, Tree *t, const Lookup *tags, const Lookup *naming, int32_t room) {
    *m = (Maker){.tree = t, .tags = tags, .naming = naming};
    if (resize_nodes(t, room > 16 ? room : 16) < 0) return -1;
    t->chars[0] = t->links[0] = t->words[0] = 0;
    if (list_reach((void **)&t->is_block, &m->block_room, 0, 1) < 0) return -1; /* texts are no block */
    return start_table(&t->tags, 64) < 0 || start_table(&t->classes, 256) < 0 || start_table(&t->idents, 128) < 0
        || start_table(&t->names, 256) < 0 || start_table(&t->labels, 256) < 0 || table_init(&t->attr_names, 64) < 0
        || table_init(&t->drawn_tags, 16) < 0 ? -1 : 0;
}

int maker_end(Maker *m, int failed) {
    PyMem_Free(m->traits);
    PyMem_Free(m->attr_traits);
    PyMem_Free(m->scratch.data);
    PyMem_Free(m->cls.data);
    PyMem_Free(m->ident.data);
    PyMem_Free(m->label.data);
    PyMem_Free(m->extra.data);
    PyMem_Free(m->names_of.data);
    PyMem_Free(m->labels_of.data);
    return !failed && m->tree->n ? resize_nodes(m->tree, m->tree->n) : failed;
}

PyObject *string_of(const Table *table, int32_t number) {
    Key key = table->keys[number];
    return PyUnicode_DecodeUTF8(key.size ? table->bytes.data + key.at : "", key.size, NULL);
}

PyObject *strings_of(const Table *table, const Lookup *interned) {
    PyObject *list = PyList_New(table->count);
    for (int32_t i = 0; list && i < table->count; i++) {
        const char *s = table->bytes.data + table->keys[i].at;
        PyObject *word = string_of(table, i);
        if (word == NULL) { Py_CLEAR(list); break; }
        /* Only names that pages cannot make up: newer Pythons never free an interned string. */
        if (interned && (lookup_has(interned, s, table->keys[i].size) || known_bits(s, table->keys[i].size))) PyUnicode_InternInPlace(&word);
        PyList_SET_ITEM(list, i, word);
    }
    return list;
}

int list_tags(Tree *t, const Lookup *tags) { return (t->tag_list = strings_of(&t->tags, tags)) ? 0 : -1; }

/* ---- text ---- */

#define HIGH EACH(0x80)

/* Eight characters, a byte each that is 1 for one that is shown; 0 where they are not all ASCII, or some are rare control
   characters, which take a closer look. */
static inline int shown_of_eight(const char *s, uint64_t *shown) {
    uint64_t x;
    memcpy(&x, s, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    if (x & HIGH) return 0;
    /* No byte carries over to the next: the highest bit says which are at least so large. */
    *shown = (x + EACH(0x80 - 33)) >> 7 & EACH(1);
    uint64_t rare = ~(x + EACH(0x80 - 9)) | ((x + EACH(0x80 - 14)) & ~(x + EACH(0x80 - 28)));
    return !(rare & HIGH);
}

static inline int32_t sum_of_eight(uint64_t bytes) { return (int32_t)(bytes * EACH(1) >> 56); }

/* White space folded, the way str.split() sees it: shown characters and words. */
static void measure_text(const char *s, Py_ssize_t n, int32_t *size, int32_t *words) {
    int32_t shown = 0, pieces = 0, unspaced = 0;
    uint64_t inside = 0, eight;
    const char *stop = s + n;
    while (s < stop) {
        while (stop - s >= 8 && shown_of_eight(s, &eight)) {
            shown += sum_of_eight(eight);
            pieces += sum_of_eight(eight & ~(eight << 8 | inside));
            inside = eight >> 56;
            s += 8;
        }
        for (const char *end = stop - s < 8 ? stop : s + 8; s < end;) {
            int step;
            Py_UCS4 ch = decode_one(s, &step);
            s += step;
            if (Py_UNICODE_ISSPACE(ch)) { inside = 0; continue; }
            shown++;
            pieces += !inside;
            inside = 1;
            if ((ch >= 0x0E00 && ch <= 0x0EFF) || (ch >= 0x1000 && ch <= 0x109F) || (ch >= 0x1780 && ch <= 0x17FF)
                || (ch >= 0x3040 && ch <= 0x30FF) || (ch >= 0x3400 && ch <= 0x4DBF) || (ch >= 0x4E00 && ch <= 0x9FFF)
                || (ch >= 0xF900 && ch <= 0xFAFF))
                unspaced++;
        }
    }
    *size = pieces ? shown + pieces : 0;
    *words = pieces + unspaced / 2;
}

/* ---- nodes ---- */

static int add_node(Maker *m, int32_t above, int32_t tag, int state, int gap, Span attrs) {
    Tree *t = m->tree;
    if (t->n >= t->room && resize_nodes(t, t->room + t->room / 2) < 0) return -1;
    int32_t i = t->n++;
    t->parent[i] = above;
    t->end[i] = i + 1;
    t->depth[i] = above >= 0 ? t->depth[above] + 1 : 0;
    t->tag[i] = tag;
    t->cls[i] = t->ident[i] = t->name[i] = t->label[i] = 0;
    t->gap[i] = (uint8_t)gap;
    t->state[i] = (uint8_t)state;
    t->attrs[i] = attrs;
    t->chars[i + 1] = t->chars[i];
    t->links[i + 1] = t->links[i];
    t->words[i + 1] = t->words[i];
    return 0;
}

int add_element(Maker *m, int32_t above, int32_t tag, int state, int gap) {
    return add_node(m, above, tag, state, gap, (Span){0, 0});
}

int add_text(Maker *m, int32_t above, Span span, int *blank) {
    Tree *t = m->tree;
    int state = t->state[above];
    const char *s = span.at < 0 ? t->page.data + ~span.at : t->source.data + span.at;
    Py_ssize_t n = span.size;
    int32_t size = 0, words = 0;
    if (state & SILENT) size = !is_all_space(s, s + n);
    else measure_text(s, n, &size, &words);
    if ((!size && !(state & SPACED)) || state & DRAWING) { *blank = 1; return 0; }
    if (add_node(m, above, 0, state, *blank, span) < 0) return -1;
    *blank = 0;
    int32_t i = t->n - 1;
    if (size && !(state & SILENT)) {
        t->chars[i + 1] += size;
        t->words[i + 1] += words;
        if (state & LINKED) t->links[i + 1] += size;
    }
    return 0;
}

int32_t tag_number(Maker *m, const char *name, Py_ssize_t n) {
    Tree *t = m->tree;
    int32_t next = t->tags.count, fresh;
    if (list_reach((void **)&m->traits, &m->traits_room, next, 1) < 0 || list_reach((void **)&t->is_block, &m->block_room, next, 1) < 0)
        return -1;
    int32_t number = table_put(&t->tags, name, n, &fresh);
    if (number < 0 || !fresh) return number;
    double traits = 0;
    lookup_value(m->tags, name, n, &traits);
    m->traits[number] = (uint8_t)traits;
    const char *dash = memchr(name, '-', (size_t)n);
    /* A name up to its dash stands for a family of custom elements, which behave in a line of text as <span> does. */
    int is_custom = dash != NULL && !lookup_has(m->tags, name, dash + 1 - name);
    t->is_block[number] = (uint8_t)traits & BLOCK_TAG ? 1 : is_custom ? 2 : 0;
    return number;
}

/* ---- attributes ---- */

static int32_t attr_number(Maker *m, const char *name, Py_ssize_t n) {
    Tree *t = m->tree;
    int32_t next = t->attr_names.count, fresh;
    if (list_reach((void **)&m->attr_traits, &m->attr_room, next, 1) < 0
        || list_reach((void **)&t->holders, &m->holders_room, next, sizeof(Holders)) < 0)
        return -1;
    int32_t number = table_put(&t->attr_names, name, n, &fresh);
    if (number < 0 || !fresh) return number;
    uint8_t traits = 0;
    if (n == 5 && memcmp(name, "class", 5) == 0) traits |= IS_CLASS;
    if (n == 2 && memcmp(name, "id", 2) == 0) traits |= IS_IDENT;
    if (lookup_has(m->naming, name, n)) traits |= IS_NAMING;
    m->attr_traits[number] = traits;
    return number;
}

static int hold(Holders *h, int32_t node, Py_ssize_t at, Py_ssize_t size) {
    if (list_reach((void **)&h->list, &h->room, h->count, sizeof(Holder)) < 0) return -1;
    h->list[h->count++] = (Holder){node, {at, (int32_t)size}};
    return 0;
}

typedef struct {
    const char *s;
    Py_ssize_t size;
} Name;

static int32_t put_string(Table *table, Name name) {
    int fresh;
    return table_put(table, name.s, name.size, &fresh);
}

/* A place for what is known of a number, zero at first; NULL without memory. */
static int32_t *known_of(Known *k, int32_t number) {
    return list_reach((void **)&k->data, &k->room, number, sizeof *k->data) < 0 ? NULL : &k->data[number];
}

/* Numbers for "class id" and for the same with other naming attributes. Most elements have a class alone, and then the
   number of that says both: what is known of it is one more, since no number is below zero. */
static int put_names(Maker *m, int32_t i, Name cls, Name ident) {
    Tree *t = m->tree;
    int is_class_alone = !ident.size && !m->extra.size;
    int32_t *known = is_class_alone ? known_of(&m->labels_of, t->cls[i]) : NULL;
    if (is_class_alone && known == NULL) return -1;
    if (is_class_alone && *known) {
        t->label[i] = *known - 1;
        t->name[i] = m->names_of.data[t->cls[i]];
        return 0;
    }
    m->label.size = 0;
    if (buffer_add(&m->label, cls.s, cls.size) < 0 || buffer_put(&m->label, ' ') < 0 || buffer_add(&m->label, ident.s, ident.size) < 0)
        return -1;
    if ((cls.size || ident.size) && (t->name[i] = put_string(&t->names, (Name){m->label.data, m->label.size})) < 0) return -1;
    if (buffer_add(&m->label, m->extra.data, m->extra.size) < 0) return -1;
    if ((t->label[i] = put_string(&t->labels, (Name){m->label.data, m->label.size})) < 0) return -1;
    if (is_class_alone) {
        int32_t *name = known_of(&m->names_of, t->cls[i]);
        if (name == NULL) return -1;
        *name = t->name[i];
        *known = t->label[i] + 1;
    }
    return 0;
}

int add_attributes(Maker *m, const char *at, const char *stop) {
    Tree *t = m->tree;
    int32_t i = t->n - 1;
    Attribute a;
    Name cls = {"", 0}, ident = {"", 0};
    if (at == stop) return 0;
    t->attrs[i] = (Span){at - t->source.data, (int32_t)(stop - at)};
    m->extra.size = 0;
    while (at < stop) {
        at = next_attribute(at, stop, &a);
        int32_t number = attr_number(m, a.name, a.named);
        if (number < 0 || hold(&t->holders[number], i, a.value - t->source.data, a.size) < 0) return -1;
        int traits = m->attr_traits[number];
        if (!traits) continue;
        if (traits & IS_CLASS) {
            cls = (Name){a.value, a.size};
            if (is_folded(a.value, a.size)) continue;
            m->cls.size = 0;
            if (add_unescaped(&m->cls, a.value, a.value + a.size) < 0) return -1;
            fold_words(&m->cls);
            cls = (Name){m->cls.data, m->cls.size};
        } else if (traits & IS_IDENT) {
            m->ident.size = 0;
            if (add_unescaped(&m->ident, a.value, a.value + a.size) < 0) return -1;
            ident = (Name){m->ident.data, m->ident.size};
        } else if (buffer_put(&m->extra, ' ') < 0 || add_unescaped(&m->extra, a.value, a.value + a.size) < 0) return -1;
    }
    if (cls.size && (t->cls[i] = put_string(&t->classes, cls)) < 0) return -1;
    if (ident.size && (t->ident[i] = put_string(&t->idents, ident)) < 0) return -1;
    return put_names(m, i, cls, ident);
}

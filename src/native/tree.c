/* The page flattened in document order, from the parser's own serialization: one scan, no object a node.

   What a conforming serializer writes is easy to read back: tags balance, attributes are quoted, text is escaped. The few
   trees that cannot be read back (<plaintext>, scripts that never end) show as tags that do not balance; then scan()
   returns None, and Python walks the parser's nodes instead. */

#include "html.h"

enum { SILENT = 1, LINKED = 2, SPACED = 4, DRAWING = 8, RAW = 16, VOID = 32, LED = 64 };
/* Python's states (dom._STATES) are the first four bits; the others hold for the tag alone. */

static const char *INLINE_TAGS[] = {"b", "br", "cite", "em", "font", "i", "img", "input", "label", "math", "path", "picture",
    "ruby", "s", "small", "span", "strong", "sub", "sup", "time", "u", NULL};
/* Inside <math> no text is raw, except below these, where HTML begins again. */
static const char *BACK_TO_HTML[] = {"mi", "mo", "mn", "ms", "mtext", "annotation-xml", NULL};
static const char *FOLDED[] = {"class", "rel", "rev", "headers", "accept-charset", "sizes", "accesskey", "dropzone",
    "archive", "sandbox", NULL};
static const char *NAMING[] = {"role", "itemprop", "data-testid", "data-component", "data-test", "aria-label",
    "data-block", "data-type", NULL};

enum { IS_CLASS = 1, IS_IDENT = 2, IS_NAMING = 4 };

static int is_among(const char *s, Py_ssize_t n, const char **names) {
    for (; *names; names++)
        if ((Py_ssize_t)strlen(*names) == n && memcmp(*names, s, (size_t)n) == 0) return 1;
    return 0;
}

typedef struct {
    int32_t *data, room;
} Known;

typedef struct {
    Tree *tree;
    uint8_t *traits;      /* by tag number */
    uint8_t *attr_traits; /* by attribute name number */
    int32_t traits_room, attr_room;
    PyObject *states, *blocks;
    Buffer scratch, cls, ident, label;
    Known names_of, labels_of; /* by class number: of an element that has nothing else */
    PyObject *empty;
} Scan;

static int resize_nodes(Tree *t, int32_t room) {
#define GROW(field, extra)                                                                     \
    {                                                                                          \
        void *p = PyMem_Realloc(t->field, sizeof(*t->field) * (size_t)(room + extra));         \
        if (p == NULL) { PyErr_NoMemory(); return -1; }                                        \
        t->field = p;                                                                          \
    }
    GROW(parent, 0) GROW(end, 0) GROW(depth, 0) GROW(tag, 0) GROW(cls, 0) GROW(ident, 0) GROW(name, 0) GROW(label, 0)
    GROW(chars, 1) GROW(links, 1) GROW(words, 1) GROW(gap, 0) GROW(state, 0) GROW(attrs, 0)
#undef GROW
    t->room = room;
    return 0;
}

/* The five entities that serializers write. */
static int unescape(const char *s, Py_ssize_t n, Buffer *out) {
    const char *stop = s + n;
    while (s < stop) {
        const char *amp = memchr(s, '&', (size_t)(stop - s));
        if (amp == NULL) return buffer_add(out, s, stop - s);
        if (buffer_add(out, s, amp - s) < 0) return -1;
        Py_ssize_t left = stop - amp;
        if (left >= 5 && memcmp(amp, "&amp;", 5) == 0) { if (buffer_put(out, '&') < 0) return -1; s = amp + 5; }
        else if (left >= 4 && memcmp(amp, "&lt;", 4) == 0) { if (buffer_put(out, '<') < 0) return -1; s = amp + 4; }
        else if (left >= 4 && memcmp(amp, "&gt;", 4) == 0) { if (buffer_put(out, '>') < 0) return -1; s = amp + 4; }
        else if (left >= 6 && memcmp(amp, "&quot;", 6) == 0) { if (buffer_put(out, '"') < 0) return -1; s = amp + 6; }
        else if (left >= 6 && memcmp(amp, "&nbsp;", 6) == 0) { if (buffer_add(out, "\xC2\xA0", 2) < 0) return -1; s = amp + 6; }
        else { if (buffer_put(out, '&') < 0) return -1; s = amp + 1; }
    }
    return 0;
}

/* Words parted by single spaces, in place. */
static void fold(Buffer *b) {
    Py_ssize_t to = 0;
    int gap = 0;
    for (Py_ssize_t i = 0; i < b->size; i++) {
        if (is_html_space(b->data[i])) { gap = 1; continue; }
        if (gap && to) b->data[to++] = ' ';
        gap = 0;
        b->data[to++] = b->data[i];
    }
    b->size = to;
}

static int unescape_into(Buffer *b, const char *s, Py_ssize_t n) {
    b->size = 0;
    return unescape(s, n, b);
}

/* White space folded, the way str.split() sees it: shown characters and words. */
static void measure_text(const char *s, Py_ssize_t n, int32_t *size, int32_t *words) {
    int32_t shown = 0, pieces = 0, unspaced = 0;
    int inside = 0;
    const char *stop = s + n;
    while (s < stop) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x80) {
            if (is_plain_space(c)) inside = 0;
            else { shown++; pieces += !inside; inside = 1; }
            s++;
            continue;
        }
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
    *size = pieces ? shown + pieces : 0;
    *words = pieces + unspaced / 2;
}

static int has_text(const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    while (s < stop) {
        int step = 1;
        if (!((unsigned char)*s < 0x80 ? is_plain_space((unsigned char)*s) : Py_UNICODE_ISSPACE(decode_one(s, &step)))) return 1;
        s += step;
    }
    return 0;
}

static int add_node(Scan *s, int32_t above, int32_t tag, int state, int gap) {
    Tree *t = s->tree;
    if (t->n >= t->room && resize_nodes(t, t->room * 2) < 0) return -1;
    int32_t i = t->n++;
    t->parent[i] = above;
    t->end[i] = i + 1;
    t->depth[i] = above >= 0 ? t->depth[above] + 1 : 0;
    t->tag[i] = tag;
    t->cls[i] = t->ident[i] = t->name[i] = t->label[i] = 0;
    t->gap[i] = (uint8_t)gap;
    t->state[i] = (uint8_t)state;
    t->attrs[i].at = 0;
    t->attrs[i].size = 0;
    t->chars[i + 1] = t->chars[i];
    t->links[i + 1] = t->links[i];
    t->words[i + 1] = t->words[i];
    return 0;
}

static int add_text(Scan *s, int32_t above, const char *at, Py_ssize_t n, int is_raw, int *blank) {
    Tree *t = s->tree;
    int state = t->state[above];
    Span raw = {at - t->html, (int32_t)n};
    if (!is_raw && memchr(at, '&', (size_t)n)) {
        if (unescape_into(&s->scratch, at, n) < 0) return -1;
        at = s->scratch.data;
        n = s->scratch.size;
    }
    int32_t size = 0, words = 0;
    if (state & SILENT) size = has_text(at, n);
    else measure_text(at, n, &size, &words);
    if ((!size && !(state & SPACED)) || state & DRAWING) { *blank = 1; return 0; }
    if (add_node(s, above, 0, state, *blank) < 0) return -1;
    *blank = 0;
    int32_t i = t->n - 1;
    t->attrs[i] = raw;
    if (size && !(state & SILENT)) {
        t->chars[i + 1] += size;
        t->words[i + 1] += words;
        if (state & LINKED) t->links[i + 1] += size;
    }
    PyObject *text = PyUnicode_DecodeUTF8(at, n, NULL);
    if (text == NULL) return -1;
    int failed = PyList_Append(t->text, text);
    Py_DECREF(text);
    return failed;
}

static int32_t tag_number(Scan *s, const char *name, Py_ssize_t n) {
    Tree *t = s->tree;
    int fresh;
    int32_t number = table_put(&t->tags, name, n, &fresh);
    if (number < 0 || !fresh) return number;
    if (number >= s->traits_room) {
        int32_t room = s->traits_room * 2;
        uint8_t *traits = PyMem_Realloc(s->traits, (size_t)room), *is_block = PyMem_Realloc(t->is_block, (size_t)room);
        if (traits) s->traits = traits;
        if (is_block) t->is_block = is_block;
        if (traits == NULL || is_block == NULL) { PyErr_NoMemory(); return -1; }
        s->traits_room = room;
    }
    PyObject *word = PyUnicode_DecodeUTF8(name, n, NULL);
    if (word == NULL) return -1;
    PyObject *state = PyDict_GetItemWithError(s->states, word);
    int block = PySet_Contains(s->blocks, word);
    /* Only names that pages cannot make up: newer Pythons never free an interned string. */
    if (block > 0 || state || is_among(name, n, INLINE_TAGS)) PyUnicode_InternInPlace(&word);
    int failed = PyList_Append(t->tag_list, word);
    Py_DECREF(word);
    if (failed < 0 || block < 0 || PyErr_Occurred()) return -1;
    uint8_t traits = state ? (uint8_t)PyLong_AsLong(state) : 0;
    int bits = known_bits(name, n);
    if (bits & RAWTEXT) traits |= RAW;
    if (bits & EMPTY) traits |= VOID;
    if (bits & LED_BY_LINE) traits |= LED;
    if (n == 4 && memcmp(name, "math", 4) == 0) traits |= FORMULA;
    s->traits[number] = traits;
    t->is_block[number] = block ? 1 : memchr(name, '-', (size_t)n) != NULL ? 2 : 0;
    return number;
}

static int32_t attr_number(Scan *s, const char *name, Py_ssize_t n) {
    Tree *t = s->tree;
    int fresh;
    int32_t number = table_put(&t->attr_names, name, n, &fresh);
    if (number < 0 || !fresh) return number;
    if (number >= s->attr_room) {
        int32_t room = s->attr_room * 2;
        uint8_t *traits = PyMem_Realloc(s->attr_traits, (size_t)room);
        if (traits) s->attr_traits = traits;
        Holders *holders = PyMem_Realloc(t->holders, sizeof(Holders) * (size_t)room);
        if (holders) t->holders = holders;
        if (traits == NULL || holders == NULL) { PyErr_NoMemory(); return -1; }
        s->attr_room = room;
    }
    memset(&t->holders[number], 0, sizeof(Holders));
    uint8_t traits = 0;
    if (n == 5 && memcmp(name, "class", 5) == 0) traits |= IS_CLASS;
    if (n == 2 && memcmp(name, "id", 2) == 0) traits |= IS_IDENT;
    if (is_among(name, n, NAMING)) traits |= IS_NAMING;
    s->attr_traits[number] = traits;
    for (Py_ssize_t i = 0; i < n; i++)
        if (name[i] >= 'A' && name[i] <= 'Z') return mention(&t->drawn, '[', name, n, &s->scratch) < 0 ? -1 : number;
    return number;
}

static int hold(Holders *h, int32_t node, Py_ssize_t at, Py_ssize_t size) {
    if (h->count >= h->room) {
        int32_t room = h->room ? h->room * 2 : 1;
        Holder *list = PyMem_Realloc(h->list, sizeof(Holder) * (size_t)room);
        if (list == NULL) { PyErr_NoMemory(); return -1; }
        h->list = list;
        h->room = room;
    }
    h->list[h->count++] = (Holder){node, {at, (int32_t)size}};
    return 0;
}

/* One attribute at *at (after its space): its name and value; 0 at the end of the tag, -1 if it cannot be read. */
static int next_attribute(const char **at, const char *stop, const char **name, Py_ssize_t *name_size,
                          const char **value, Py_ssize_t *value_size) {
    const char *p = *at;
    if (p >= stop || *p != ' ') return 0;
    p++;
    *name = p;
    /* A name may begin with "=", but not hold it. */
    const char *equals = p < stop ? memchr(p + 1, '=', (size_t)(stop - p - 1)) : NULL;
    if (equals == NULL || equals + 1 >= stop || equals[1] != '"') return -1;
    *name_size = equals - p;
    *value = equals + 2;
    const char *quote = memchr(*value, '"', (size_t)(stop - *value));
    if (quote == NULL) return -1;
    *value_size = quote - *value;
    *at = quote + 1;
    return 1;
}

static int put_string(Table *table, PyObject *list, const Buffer *b) {
    int fresh;
    int32_t number = table_put(table, b->data ? b->data : "", b->size, &fresh);
    if (number >= 0 && fresh && list != NULL) {
        PyObject *word = PyUnicode_DecodeUTF8(b->data, b->size, NULL);
        if (word == NULL || PyList_Append(list, word) < 0) { Py_XDECREF(word); return -1; }
        Py_DECREF(word);
    }
    return number;
}

/* A place for what is known of a number, zero at first; NULL without memory. */
static int32_t *known_of(Known *k, int32_t number) {
    if (number >= k->room) {
        int32_t room = number < 256 ? 512 : number * 2;
        int32_t *data = PyMem_Realloc(k->data, sizeof(int32_t) * (size_t)room);
        if (data == NULL) { PyErr_NoMemory(); return NULL; }
        memset(data + k->room, 0, sizeof(int32_t) * (size_t)(room - k->room));
        k->data = data;
        k->room = room;
    }
    return &k->data[number];
}

/* Numbers for "class id" and for the same with other naming attributes. Most elements have a class alone, and then the
   number of that says both: what is known of it is one more, since no number is below zero. */
static int put_names(Scan *s, int32_t i, const Buffer *extra) {
    Tree *t = s->tree;
    int is_class_alone = !s->ident.size && !extra->size;
    int32_t *known = is_class_alone ? known_of(&s->labels_of, t->cls[i]) : NULL;
    if (is_class_alone && known == NULL) return -1;
    if (is_class_alone && *known) {
        t->label[i] = *known - 1;
        t->name[i] = s->names_of.data[t->cls[i]];
        return 0;
    }
    s->label.size = 0;
    if (buffer_add(&s->label, s->cls.data, s->cls.size) < 0 || buffer_put(&s->label, ' ') < 0
        || buffer_add(&s->label, s->ident.data, s->ident.size) < 0)
        return -1;
    if ((s->cls.size || s->ident.size) && (t->name[i] = put_string(&t->names, NULL, &s->label)) < 0) return -1;
    if (buffer_add(&s->label, extra->data, extra->size) < 0) return -1;
    if ((t->label[i] = put_string(&t->labels, NULL, &s->label)) < 0) return -1;
    if (is_class_alone) {
        int32_t *name = known_of(&s->names_of, t->cls[i]);
        if (name == NULL) return -1;
        *name = t->name[i];
        *known = t->label[i] + 1;
    }
    return 0;
}

/* The attributes of the newest node; *at ends behind them. */
static int read_attributes(Scan *s, const char **at, const char *stop) {
    Tree *t = s->tree;
    int32_t i = t->n - 1;
    const char *began = *at, *name, *value;
    Py_ssize_t name_size, value_size;
    int found, many = 0;
    s->cls.size = s->ident.size = 0;
    Buffer extra = {0};
    while ((found = next_attribute(at, stop, &name, &name_size, &value, &value_size)) > 0) {
        int32_t number = attr_number(s, name, name_size);
        if (number < 0 || hold(&t->holders[number], i, value - t->html, value_size) < 0) goto failed;
        int traits = s->attr_traits[number];
        many = 1;
        if (!traits) continue;
        if (traits & IS_CLASS) {
            if (unescape_into(&s->cls, value, value_size) < 0) goto failed;
            fold(&s->cls);
        } else if (traits & IS_IDENT) {
            if (unescape_into(&s->ident, value, value_size) < 0) goto failed;
        } else {
            if (buffer_put(&extra, ' ') < 0 || unescape(value, value_size, &extra) < 0) goto failed;
        }
    }
    if (found < 0) { PyMem_Free(extra.data); return -2; }
    t->attrs[i].at = began - t->html;
    t->attrs[i].size = (int32_t)(*at - began);
    if (many) {
        if (s->cls.size && (t->cls[i] = put_string(&t->classes, t->class_list, &s->cls)) < 0) goto failed;
        if (s->ident.size && (t->ident[i] = put_string(&t->idents, t->ident_list, &s->ident)) < 0) goto failed;
        if (put_names(s, i, &extra) < 0) goto failed;
    }
    PyMem_Free(extra.data);
    return 0;
failed:
    PyMem_Free(extra.data);
    return -1;
}

/* Where a drawing's content ends (at its "</svg>"); NULL if it does not. */
static const char *skip_drawing(Scan *s, const char *p, const char *stop, int *blank) {
    int depth = 0;
    while (p < stop) {
        const char *open = memchr(p, '<', (size_t)(stop - p));
        if (open == NULL) return NULL;
        if (open > p) *blank = 1;
        p = open + 1;
        if (stop - open >= 4 && memcmp(open, "<!--", 4) == 0) {
            const char *close = memmem(open + 4, (size_t)(stop - open - 4), "-->", 3);
            if (close == NULL) return NULL;
            p = close + 3;
            continue;
        }
        if (stop - open >= 6 && memcmp(open, "</svg>", 6) == 0) {
            if (depth-- == 0) return open;
            p = open + 6;
            continue;
        }
        if (*p == '/') {
            if ((p = memchr(p, '>', (size_t)(stop - p))) == NULL) return NULL;
            p++;
            continue;
        }
        const char *begin = p, *name, *value;
        while (p < stop && *p != ' ' && *p != '>') p++;
        if (p - begin == 3 && memcmp(begin, "svg", 3) == 0) depth++;
        Table *drawn = &s->tree->drawn;
        int found = mention(drawn, 0, begin, p - begin, &s->scratch);
        if (found < 0) return NULL;
        Py_ssize_t a, b;
        while ((found = next_attribute(&p, stop, &name, &a, &value, &b)) > 0) {
            if (mention(drawn, '[', name, a, &s->scratch) < 0) return NULL;
            char sign = a == 5 && memcmp(name, "class", 5) == 0 ? '.' : a == 2 && memcmp(name, "id", 2) == 0 ? '#' : 0;
            if (!sign) continue;
            if (unescape_into(&s->cls, value, b) < 0 || mention(drawn, sign, s->cls.data, s->cls.size, &s->scratch) < 0) return NULL;
        }
        if (found < 0 || p >= stop || *p != '>') return NULL;
        p++;
    }
    return NULL;
}

/* Whether a name stands at `p`, in any case, and a tag's name ends with it. */
static int is_script_at(const char *p, const char *stop) {
    return stop - p > 6 && strncasecmp(p, "script", 6) == 0 && (is_html_space(p[6]) || p[6] == '/' || p[6] == '>');
}

/* Where a script ends: at its end tag; NULL if it does not. Inside a comment a script may hold another with its end tag,
   which is the standard's "script data double escaped state". */
const char *script_end(const char *p, const char *stop) {
    enum { PLAIN, ESCAPED, DOUBLE } state = PLAIN;
    const char *comment_end = stop;
    for (; (p = memchr(p, '<', (size_t)(stop - p))); p++) {
        if (state != PLAIN && p > comment_end) { state = PLAIN; }
        if (p[1] == '/' && is_script_at(p + 2, stop)) {
            if (state != DOUBLE) return p;
            state = ESCAPED;
        } else if (state == ESCAPED && is_script_at(p + 1, stop)) state = DOUBLE;
        else if (state == PLAIN && stop - p >= 4 && memcmp(p, "<!--", 4) == 0) {
            state = ESCAPED;
            /* "<!-->" is a whole comment. */
            comment_end = memmem(p + 2, (size_t)(stop - p - 2), "-->", 3);
            if (comment_end == NULL) comment_end = stop;
        }
    }
    return NULL;
}

/* Where other raw text ends. */
static const char *raw_end(const char *p, const char *stop, const char *name, Py_ssize_t size) {
    for (; (p = memchr(p, '<', (size_t)(stop - p))); p++)
        if (stop - p >= size + 3 && p[1] == '/' && p[size + 2] == '>' && memcmp(p + 2, name, (size_t)size) == 0) return p;
    return NULL;
}

/* 1 scanned, 0 cannot be read back, -1 error */
static int scan_page(Scan *s, Py_ssize_t size, int32_t max_nodes) {
    Tree *t = s->tree;
    const char *p = t->html, *stop = t->html + size;
    int32_t open = -1;
    int blank = 0;
    Py_ssize_t steps = 0;
    while (p < stop) {
        if (*p != '<') {
            const char *next = memchr(p, '<', (size_t)(stop - p));
            if (next == NULL) next = stop;
            if (open < 0) return 0;
            if (t->n >= max_nodes) {
                /* Only text that would have been a node is cut off. */
                if (has_text(p, next - p) || t->state[open] & SPACED) { t->cut = 1; break; }
                blank = 1;
            } else if (add_text(s, open, p, next - p, 0, &blank) < 0) return -1;
            p = next;
            continue;
        }
        if (stop - p >= 4 && memcmp(p, "<!--", 4) == 0) {
            const char *close = memmem(p + 4, (size_t)(stop - p - 4), "-->", 3);
            if (close == NULL) return 0;
            p = close + 3;
            continue;
        }
        if (stop - p >= 2 && (p[1] == '!' || p[1] == '?')) {
            if ((p = memchr(p, '>', (size_t)(stop - p))) == NULL) return 0;
            p++;
            continue;
        }
        if (stop - p >= 2 && p[1] == '/') {
            const char *close = memchr(p, '>', (size_t)(stop - p));
            if (close == NULL || open < 0) return 0;
            const Key *k = &t->tags.keys[t->tag[open]];
            if (close - p - 2 != k->size || memcmp(t->tags.bytes.data + k->at, p + 2, (size_t)k->size) != 0) return 0;
            t->end[open] = t->n;
            open = t->parent[open];
            p = close + 1;
            continue;
        }
        const char *begin = ++p;
        while (p < stop && *p != ' ' && *p != '>') p++;
        int32_t tag = tag_number(s, begin, p - begin);
        if (tag < 0) return -1;
        if (t->n >= max_nodes) { t->cut = 1; break; }
        if (open < 0 && t->n) return 0;
        int traits = s->traits[tag], state = (open >= 0 ? t->state[open] : 0) | (traits & (15 | FORMULA));
        if (state & FORMULA) {
            traits &= ~(RAW | VOID | LED);
            if (is_among(begin, p - begin, BACK_TO_HTML)) state &= ~FORMULA;
        }
        if (add_node(s, open, tag, state, blank) < 0) return -1;
        blank = 0;
        if (PyList_Append(t->text, s->empty) < 0) return -1;
        int32_t i = t->n - 1;
        int read = read_attributes(s, &p, stop);
        if (read < 0) return read == -2 ? 0 : -1;
        if (p >= stop || *p != '>') return 0;
        p++;
        if (!t->body && p - begin >= 5 && memcmp(begin, "body", 4) == 0 && (begin[4] == ' ' || begin[4] == '>')) t->body = i;
        if (traits & VOID) continue;
        if (traits & LED && p < stop && *p == '\n') p++;
        if (traits & DRAWING) {
            if ((p = skip_drawing(s, p, stop, &blank)) == NULL) return PyErr_Occurred() ? -1 : 0;
        } else if (traits & RAW) {
            const Key *k = &t->tags.keys[tag];
            int is_script = k->size == 6 && memcmp(begin, "script", 6) == 0;
            const char *close = is_script ? script_end(p, stop) : raw_end(p, stop, begin, k->size);
            if (close == NULL) return 0;
            if (close > p) {
                if (t->n >= max_nodes) { t->cut = 1; break; }
                if (add_text(s, i, p, close - p, 1, &blank) < 0) return -1;
            }
            p = close;
        } else if (p - begin > 9 && memcmp(begin, "plaintext", 9) == 0) return 0;
        open = i;
        if ((++steps & 0xFFFF) == 0 && PyErr_CheckSignals() < 0) return -1;
    }
    if (!t->cut && open >= 0) return 0;
    for (; open >= 0; open = t->parent[open]) t->end[open] = t->n;
    return 1;
}

/* Numbers below `known`'s length are shared, and so is one that repeats: most of a page's numbers are of these kinds. */
static PyObject *int_list(const int32_t *values, Py_ssize_t n, PyObject *known) {
    PyObject *list = known ? PyList_New(n) : NULL, *value = NULL;
    Py_ssize_t most = known ? PyList_GET_SIZE(known) : 0;
    for (Py_ssize_t i = 0; list && i < n; i++) {
        if (i && values[i] == values[i - 1]) Py_INCREF(value);
        else if (values[i] >= 0 && values[i] < most) { value = PyList_GET_ITEM(known, values[i]); Py_INCREF(value); }
        else if ((value = PyLong_FromLong(values[i])) == NULL) { Py_CLEAR(list); break; }
        PyList_SET_ITEM(list, i, value);
    }
    return list;
}

static PyObject *picked(PyObject *strings, const int32_t *numbers, Py_ssize_t n) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *word = PyList_GET_ITEM(strings, numbers[i]);
        Py_INCREF(word);
        PyList_SET_ITEM(list, i, word);
    }
    return list;
}

static int start_table(Table *t, int32_t room) {
    int fresh;
    return table_init(t, room) < 0 || table_put(t, "", 0, &fresh) < 0 ? -1 : 0;
}

/* The pieces of a page, in order: 1 joined, 0 if they cannot be, -1 error. */
static int join_pieces(PyObject *pieces, Buffer *source) {
    PyObject *each = PyObject_GetIter(pieces), *piece;
    int failed = each == NULL || buffer_reserve(source, 1 << 16) < 0 ? -1 : 0;
    while (!failed && (piece = PyIter_Next(each))) {
        if (PyUnicode_Check(piece)) failed = add_utf8(source, piece);
        else { PyErr_SetString(PyExc_TypeError, "a piece of a page is a str"); failed = -1; }
        Py_DECREF(piece);
        /* Totals and sizes are 32 bits wide, and room for nodes doubles. */
        if (!failed && source->size > INT32_MAX / 4) failed = 1;
    }
    Py_XDECREF(each);
    if (!failed && buffer_put(source, 0) == 0) source->size--; /* so that one may look a byte ahead */
    return PyErr_Occurred() ? -1 : !failed;
}

/* The tree of a page that stands in its source, written as serializers do: 1 read, 0 it cannot be, -1 error. */
static int scan_source(Tree *t, Py_ssize_t max_nodes, PyObject *states, PyObject *blocks) {
    Scan s = {.tree = t, .traits_room = 64, .attr_room = 64, .states = states, .blocks = blocks};
    int done = -1;
    t->html = t->source.data;
    if (resize_nodes(t, 1024) < 0) goto out;
    t->chars[0] = t->links[0] = t->words[0] = 0;
    s.empty = PyUnicode_FromStringAndSize("", 0);
    s.traits = PyMem_Calloc(64, 1);
    s.attr_traits = PyMem_Calloc(64, 1);
    t->is_block = PyMem_Calloc(64, 1);
    t->holders = PyMem_Calloc(64, sizeof(Holders));
    t->text = PyList_New(0);
    t->tag_list = Py_BuildValue("[s]", "");
    t->class_list = Py_BuildValue("[s]", "");
    t->ident_list = Py_BuildValue("[s]", "");
    if (!s.empty || !s.traits || !s.attr_traits || !t->is_block || !t->holders || !t->text || !t->tag_list
        || !t->class_list || !t->ident_list) {
        PyErr_NoMemory();
        goto out;
    }
    if (start_table(&t->tags, 64) < 0 || start_table(&t->classes, 256) < 0 || start_table(&t->idents, 128) < 0
        || start_table(&t->names, 256) < 0 || start_table(&t->labels, 256) < 0 || table_init(&t->attr_names, 64) < 0
        || table_init(&t->drawn, 16) < 0)
        goto out;
    done = scan_page(&s, t->source.size, max_nodes < INT32_MAX / 4 ? (int32_t)max_nodes : INT32_MAX / 4);
    if (done == 1 && t->n && resize_nodes(t, t->n) < 0) done = -1;
out:
    PyMem_Free(s.traits);
    PyMem_Free(s.attr_traits);
    PyMem_Free(s.scratch.data);
    PyMem_Free(s.cls.data);
    PyMem_Free(s.ident.data);
    PyMem_Free(s.label.data);
    PyMem_Free(s.names_of.data);
    PyMem_Free(s.labels_of.data);
    Py_XDECREF(s.empty);
    return done;
}

static Tree *new_tree(void) {
    Tree *t = PyObject_New(Tree, &TreeType);
    if (t) memset((char *)t + sizeof(PyObject), 0, sizeof(Tree) - sizeof(PyObject));
    return t;
}

static PyObject *tree_or_none(Tree *t, int done) {
    if (done == 1) return (PyObject *)t;
    Py_DECREF(t);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

/* scan(pieces: the strings that the page is written as, max_nodes, states, block_tags) -> Tree, or None if the page cannot
   be read back */
static PyObject *tree_scan(PyObject *module, PyObject *args) {
    PyObject *pieces, *states, *blocks;
    Py_ssize_t max_nodes;
    if (!PyArg_ParseTuple(args, "OnO!O", &pieces, &max_nodes, &PyDict_Type, &states, &blocks)) return NULL;
    Tree *t = new_tree();
    if (t == NULL) return NULL;
    int done = join_pieces(pieces, &t->source);
    return tree_or_none(t, done == 1 ? scan_source(t, max_nodes, states, blocks) : done);
}

/* parse(html, max_nodes, states, block_tags, references) -> Tree, or None if the page is for the other parser */
static PyObject *tree_parse(PyObject *module, PyObject *args) {
    PyObject *html, *states, *blocks, *references;
    Py_ssize_t max_nodes;
    if (!PyArg_ParseTuple(args, "UnO!OO!", &html, &max_nodes, &PyDict_Type, &states, &blocks, &LookupType, &references)) return NULL;
    Tree *t = new_tree();
    if (t == NULL) return NULL;
    int done = parse_html(html, (const Lookup *)references, &t->source);
    return tree_or_none(t, done == 1 ? scan_source(t, max_nodes, states, blocks) : done);
}

PyMethodDef parse_method = {"parse", tree_parse, METH_VARARGS, "Parse and flatten a page; None if it is for the other parser."};
PyMethodDef scan_method = {"scan", tree_scan, METH_VARARGS, "Flatten a serialized page; None if it cannot be read back."};

static void tree_dealloc(Tree *t) {
    PyMem_Free(t->parent); PyMem_Free(t->end); PyMem_Free(t->depth); PyMem_Free(t->tag); PyMem_Free(t->cls);
    PyMem_Free(t->ident); PyMem_Free(t->name); PyMem_Free(t->label); PyMem_Free(t->chars); PyMem_Free(t->links);
    PyMem_Free(t->words); PyMem_Free(t->gap); PyMem_Free(t->state); PyMem_Free(t->attrs); PyMem_Free(t->is_block);
    for (int32_t i = 0; t->holders && i < t->attr_names.count; i++) PyMem_Free(t->holders[i].list);
    PyMem_Free(t->holders);
    table_free(&t->tags); table_free(&t->classes); table_free(&t->idents); table_free(&t->names);
    table_free(&t->labels); table_free(&t->attr_names); table_free(&t->drawn); table_free(&t->mentioned);
    PyMem_Free(t->owner); PyMem_Free(t->first); PyMem_Free(t->last); PyMem_Free(t->block_chars);
    PyMem_Free(t->block_links); PyMem_Free(t->block_words); PyMem_Free(t->text_number);
    Py_XDECREF(t->block_text); PyMem_Free(t->source.data); Py_XDECREF(t->tag_list); Py_XDECREF(t->class_list);
    Py_XDECREF(t->ident_list); Py_XDECREF(t->text); Py_XDECREF(t->attr_cache); Py_XDECREF(t->valued);
    PyObject_Free(t);
}

/* columns() -> parent, end, depth, tag, cls, ident, text, chars, links, words, gap, body, cut */
static PyObject *tree_columns(Tree *t, PyObject *unused) {
    Py_ssize_t n = t->n;
    PyObject *gap = PyList_New(n), *known = PyList_New(n + 1);
    for (Py_ssize_t i = 0; gap && i < n; i++) PyList_SET_ITEM(gap, i, PyBool_FromLong(t->gap[i]));
    for (Py_ssize_t i = 0; known && i <= n; i++) {
        PyObject *number = PyLong_FromSsize_t(i);
        if (number == NULL) { Py_CLEAR(known); break; }
        PyList_SET_ITEM(known, i, number);
    }
    PyObject *columns = Py_BuildValue("NNNNNNONNNNiN", int_list(t->parent, n, known), int_list(t->end, n, known),
        int_list(t->depth, n, known), picked(t->tag_list, t->tag, n), picked(t->class_list, t->cls, n),
        picked(t->ident_list, t->ident, n), t->text, int_list(t->chars, n + 1, known), int_list(t->links, n + 1, known),
        int_list(t->words, n + 1, known), gap, (int)t->body, PyBool_FromLong(t->cut));
    Py_XDECREF(known);
    return columns;
}

static PyObject *value_of(const char *s, Py_ssize_t n, int is_folded, Buffer *b) {
    if (!is_folded && !memchr(s, '&', (size_t)n)) return PyUnicode_DecodeUTF8(s, n, NULL);
    if (unescape_into(b, s, n) < 0) return NULL;
    if (is_folded) fold(b);
    return PyUnicode_DecodeUTF8(b->data ? b->data : "", b->size, NULL);
}

/* tag_counts() -> {tag: how many elements of the page have it} */
static PyObject *tree_tag_counts(Tree *t, PyObject *unused) {
    int32_t *counts = PyMem_Calloc((size_t)t->tags.count + 1, sizeof(int32_t));
    PyObject *found = counts ? PyDict_New() : PyErr_NoMemory();
    for (int32_t i = 0; found && i < t->n; i++) counts[t->tag[i]]++;
    for (int32_t k = 1; found && k < t->tags.count; k++) {
        if (!counts[k]) continue; /* a tag of a node that was left out */
        PyObject *count = PyLong_FromLong(counts[k]);
        if (count == NULL || PyDict_SetItem(found, PyList_GET_ITEM(t->tag_list, k), count) < 0) Py_CLEAR(found);
        Py_XDECREF(count);
    }
    PyMem_Free(counts);
    return found;
}

/* classes() -> [str]: the class values of the page, each once; the empty one may be among them */
static PyObject *tree_classes(Tree *t, PyObject *unused) { return PyList_GetSlice(t->class_list, 0, PyList_GET_SIZE(t->class_list)); }

/* The nodes whose string is in a set, in document order; number 0 is no string. */
static PyObject *nodes_among(const Tree *t, const Table *strings, const int32_t *numbers, PyObject *set) {
    uint8_t *wanted = PyMem_Calloc((size_t)strings->count + 1, 1);
    if (wanted == NULL) return PyErr_NoMemory();
    int any = 0;
    PyObject *names = PyObject_GetIter(set), *name;
    while (names && (name = PyIter_Next(names))) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(name, &n);
        int32_t number = s ? table_find(strings, s, n) : -1;
        if (number > 0) any = wanted[number] = 1;
        Py_DECREF(name);
        if (s == NULL) break;
    }
    Py_XDECREF(names);
    if (PyErr_Occurred()) { PyMem_Free(wanted); return NULL; }
    PyObject *found = PyList_New(0);
    for (int32_t i = 0; found && any && i < t->n; i++) {
        if (!wanted[numbers[i]]) continue;
        PyObject *number = PyLong_FromLong(i);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    PyMem_Free(wanted);
    return found;
}

/* tagged(tags: set) -> [node]: the elements of these tags, in document order */
static PyObject *tree_tagged(Tree *t, PyObject *tags) { return nodes_among(t, &t->tags, t->tag, tags); }

/* classed(values: set) -> [node]: the elements whose class is one of these, in document order */
static PyObject *tree_classed(Tree *t, PyObject *values) { return nodes_among(t, &t->classes, t->cls, values); }

#define REMEMBERED 4096 /* nodes: more of them would be most of the page's memory */

/* valued(name) -> [(node, value)]: the nodes with an attribute, in document order */
static PyObject *tree_valued(Tree *t, PyObject *name) {
    if (t->valued == NULL && (t->valued = PyDict_New()) == NULL) return NULL;
    PyObject *known = PyDict_GetItemWithError(t->valued, name);
    if (known != NULL || PyErr_Occurred()) { Py_XINCREF(known); return known; }
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(name, &n);
    if (s == NULL) return NULL;
    int32_t number = table_find(&t->attr_names, s, n);
    if (number < 0) return PyList_New(0);
    const Holders *h = &t->holders[number];
    int folded = is_among(s, n, FOLDED);
    Buffer b = {0};
    PyObject *found = PyList_New(h->count);
    for (int32_t k = 0; found && k < h->count; k++) {
        PyObject *value = value_of(t->html + h->list[k].value.at, h->list[k].value.size, folded, &b);
        PyObject *pair = pair_of(h->list[k].node, value);
        if (pair == NULL) { Py_CLEAR(found); break; }
        PyList_SET_ITEM(found, k, pair);
    }
    PyMem_Free(b.data);
    if (found && h->count <= REMEMBERED && PyDict_SetItem(t->valued, name, found) < 0) Py_CLEAR(found);
    return found;
}

/* ---- attributes, read when asked for ---- */

typedef struct {
    PyObject_HEAD
    Tree *tree;
    PyObject *none;
} Attributes;

static PyObject *attributes_of(Tree *t, Py_ssize_t i) {
    PyObject *found = PyDict_New();
    const char *at = t->html + t->attrs[i].at, *stop = at + t->attrs[i].size, *name, *value;
    Py_ssize_t name_size, value_size;
    Buffer b = {0};
    while (found && next_attribute(&at, stop, &name, &name_size, &value, &value_size) > 0) {
        PyObject *key = PyUnicode_DecodeUTF8(name, name_size, NULL);
        PyObject *word = value_of(value, value_size, is_among(name, name_size, FOLDED), &b);
        if (key == NULL || word == NULL || PyDict_SetItem(found, key, word) < 0) Py_CLEAR(found);
        Py_XDECREF(key);
        Py_XDECREF(word);
    }
    PyMem_Free(b.data);
    return found;
}

static PyObject *attributes_item(Attributes *self, Py_ssize_t i) {
    Tree *t = self->tree;
    if (i < 0 || i >= t->n) {
        PyErr_SetString(PyExc_IndexError, "no such node");
        return NULL;
    }
    if (!t->tag[i] || !t->attrs[i].size) { Py_INCREF(self->none); return self->none; }
    PyObject *known = PyList_GET_ITEM(t->attr_cache, i);
    if (known == Py_None) {
        if ((known = attributes_of(t, i)) == NULL) return NULL;
        PyObject *old = PyList_GET_ITEM(t->attr_cache, i);
        PyList_SET_ITEM(t->attr_cache, i, known);
        Py_DECREF(old);
    }
    Py_INCREF(known);
    return known;
}

static Py_ssize_t attributes_length(Attributes *self) { return self->tree->n; }

static void attributes_dealloc(Attributes *self) {
    Py_XDECREF(self->tree);
    Py_XDECREF(self->none);
    PyObject_Free(self);
}

static PyObject *tree_attributes(Tree *t, PyObject *unused) {
    if (t->attr_cache == NULL) {
        if ((t->attr_cache = PyList_New(t->n)) == NULL) return NULL;
        for (Py_ssize_t i = 0; i < t->n; i++) { Py_INCREF(Py_None); PyList_SET_ITEM(t->attr_cache, i, Py_None); }
    }
    Attributes *self = PyObject_New(Attributes, &AttributesType);
    if (self == NULL) return NULL;
    Py_INCREF(t);
    self->tree = t;
    if ((self->none = PyDict_New()) == NULL) { Py_DECREF(self); return NULL; }
    return (PyObject *)self;
}

static PySequenceMethods attributes_sequence = {
    .sq_length = (lenfunc)attributes_length,
    .sq_item = (ssizeargfunc)attributes_item,
};

PyTypeObject AttributesType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Attributes",
    .tp_basicsize = sizeof(Attributes),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The attributes of each node, read when asked for.",
    .tp_dealloc = (destructor)attributes_dealloc,
    .tp_as_sequence = &attributes_sequence,
};

static PyMethodDef tree_methods[] = {
    {"columns", (PyCFunction)tree_columns, METH_NOARGS, "The parallel lists of dom.Tree."},
    {"attributes", (PyCFunction)tree_attributes, METH_NOARGS, "A sequence of attribute dicts."},
    {"tag_counts", (PyCFunction)tree_tag_counts, METH_NOARGS, "How many elements have each tag."},
    {"classes", (PyCFunction)tree_classes, METH_NOARGS, "The class values of the page."},
    {"tagged", (PyCFunction)tree_tagged, METH_O, "The elements of some tags."},
    {"valued", (PyCFunction)tree_valued, METH_O, "The nodes that have an attribute, with its value."},
    {"classed", (PyCFunction)tree_classed, METH_O, "The elements of some class values."},
    {"named", (PyCFunction)tree_named, METH_VARARGS, "Which of some tags, classes and ids the page has."},
    {"select", (PyCFunction)tree_select, METH_VARARGS, "The elements that a selector finds."},
    {"alike", (PyCFunction)tree_alike, METH_VARARGS, "The elements of a tag, class and id."},
    {"holding", (PyCFunction)tree_holding, METH_VARARGS, "The elements whose attribute holds one of some parts."},
    {"classes_holding", (PyCFunction)tree_classes_holding, METH_O, "The class values that hold one of some parts."},
    {"sized", (PyCFunction)tree_sized, METH_VARARGS, "The texts that have so many characters."},
    {"spans", (PyCFunction)tree_spans, METH_VARARGS, "The blocks that the elements of some tags hold."},
    {"owned", (PyCFunction)tree_owned, METH_VARARGS, "The blocks that the elements of some tags own."},
    {"linked", (PyCFunction)tree_linked, METH_VARARGS, "The elements of some tags that are nearly all links."},
    {"longest", (PyCFunction)tree_longest, METH_VARARGS, "The longest blocks with few links."},
    {"classes_with", (PyCFunction)tree_classes_with, METH_VARARGS, "The class values that have a part."},
    {"segment", (PyCFunction)tree_segment, METH_NOARGS, "The parallel lists of blocks.Blocks."},
    {"leaning", (PyCFunction)tree_leaning, METH_VARARGS, "What the words inside class values say about the page's type."},
    {"matching_names", (PyCFunction)tree_matching_names, METH_VARARGS, "The nodes that removal rows name."},
    {"matching_words", (PyCFunction)tree_matching_words, METH_VARARGS, "The nodes with a word that a lookup has."},
    {"density", (PyCFunction)tree_density, METH_VARARGS, "A chance a block by density, and the container."},
    {"mce", (PyCFunction)tree_mce, METH_NOARGS, "The node that the algorithm MCE keeps."},
    {"wordy_blocks", (PyCFunction)tree_wordy_blocks, METH_NOARGS, "The blocks that the algorithm Boilerpipe keeps."},
    {"shape", (PyCFunction)tree_shape, METH_VARARGS, "What the text of each block says by itself."},
    {"compose", (PyCFunction)tree_compose, METH_VARARGS, "The chosen part of the page, as it was written."},
    {"containers", (PyCFunction)tree_containers, METH_VARARGS, "The containers that classical algorithms choose."},
    {"evidence", (PyCFunction)tree_evidence, METH_VARARGS, "The evidence on every block."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject TreeType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Tree",
    .tp_basicsize = sizeof(Tree),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A page flattened in document order.",
    .tp_dealloc = (destructor)tree_dealloc,
    .tp_methods = tree_methods,
};

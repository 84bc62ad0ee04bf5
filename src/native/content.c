/* Parsing a piece of HTML, and its flat form for renderers written in Python. */

#include "content.h"
#include "dom.h"

int parse_content(Content *c, PyObject *html, const Lookup *references) {
    int failed;
    *c = (Content){0};
    if (Py_TYPE(html) == &ElementType) {
        c->source.text.data = PyMem_Calloc(1, 1);
        if (c->source.text.data == NULL) { PyErr_NoMemory(); return -1; }
        return parser_init(&c->parser, &c->source, references) < 0 ? -1 : copy_nodes(&c->parser, (const Node *)html);
    }
    if ((PyBytes_Check(html) ? source_of_bytes(&c->source, Py_NewRef(html)) : source_init(&c->source, html)) < 0) return -1;
    Py_BEGIN_ALLOW_THREADS
    failed = parse_source(&c->parser, &c->source, references, "div");
    Py_END_ALLOW_THREADS
    return failed;
}

int parse_written(Content *c, const Buffer *html, const Lookup *references) {
    Source borrowed = {.text = {html->data, html->size, 0}};
    *c = (Content){0};
    return parse_source(&c->parser, &borrowed, references, "div");
}

void content_free(Content *c) {
    parser_free(&c->parser);
    source_free(&c->source);
}

int unify_lines(Buffer *b) {
    char *to = b->size ? memchr(b->data, '\r', (size_t)b->size) : NULL;
    if (to == NULL) return 0;
    for (const char *s = to, *stop = b->data + b->size; s < stop; s++) {
        if (*s == '\r' && s + 1 < stop && s[1] == '\n') continue;
        *to++ = *s == '\r' ? '\n' : *s;
    }
    b->size = to - b->data;
    return 1;
}

int add_visible(Buffer *to, const char *s, Py_ssize_t n) {
    const char *start = s, *stop = s + n;
    int step, after_space = 0;
    if (buffer_reserve(to, n) < 0) return -1;
    char *out = to->data + to->size;
    for (; s < stop; s += step) {
        uint64_t eight;
        if (stop - s >= 8 && are_printable(s, &eight)) {
            uint64_t spaces = eight ^ EACH_BYTE * ' ';
            spaces = (spaces - EACH_BYTE) & ~spaces & EACH_BYTE << 7; /* the highest bit of each that is zero now */
            if (!(spaces & spaces >> 8) && !(after_space && *s == ' ')) {
                memcpy(out, s, 8);
                out += step = 8;
                after_space = s[7] == ' ';
                continue;
            }
        }
        Py_UCS4 c = decode_one(s, &step);
        if (is_zero_width_break(c, start, s)) continue;
        if (!Py_UNICODE_ISSPACE(c)) out = put_utf8(out, c);
        else if (!after_space) *out++ = ' ';
        after_space = Py_UNICODE_ISSPACE(c);
    }
    to->size = out - to->data;
    return 0;
}

/* ---- the flat form ---- */

typedef struct {
    Content content;
    PyObject *names, *values, *ends; /* lists, an entry each for every start tag, end tag and text */
    PyObject **tags;                 /* by number of a tag: its name, and "/name" */
    PyObject *none;                  /* the attributes of elements without any */
    Buffer text, folded;
    uint8_t is_special[256];
    Py_ssize_t *open, opened, open_room; /* places of the start tags of open elements */
} Flat;

static PyObject *tag_string(Flat *f, int32_t tag, int is_end) {
    PyObject **known = &f->tags[tag * 2 + is_end];
    if (*known == NULL) {
        int32_t size;
        const char *name = tag_name(&f->content.parser, tag, &size);
        f->text.size = 0;
        if ((is_end && buffer_put(&f->text, '/') < 0) || buffer_add(&f->text, name, size) < 0) return NULL;
        *known = PyUnicode_DecodeUTF8(f->text.data, f->text.size, NULL);
        if (*known != NULL) PyUnicode_InternInPlace(known);
    }
    return *known;
}

/* Adds an entry; the value is taken over. */
static int add_entry(Flat *f, PyObject *name, PyObject *value, Py_ssize_t end) {
    PyObject *number = PyLong_FromSsize_t(end);
    int failed = name == NULL || value == NULL || number == NULL || PyList_Append(f->names, name) < 0
                 || PyList_Append(f->values, value) < 0 || PyList_Append(f->ends, number) < 0;
    Py_XDECREF(value);
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

static PyObject *attributes_of(Flat *f, const Dom *n) {
    Tag tag = node_tag(&f->content.parser, n);
    return n->size ? attributes_in(tag.attrs, tag.attrs_end, NULL) : Py_NewRef(f->none);
}

/* Adds the text that begins with a node; returns its last node, since parsers may leave several side by side; -1 after an error. */
static int32_t add_texts(Flat *f, int32_t node, int is_verbatim, PyObject *empty) {
    const Parser *p = &f->content.parser;
    Py_ssize_t size;
    const char *s = whole_text(p, &node, &f->text, &size);
    if (s == NULL) return -1;
    if (!is_verbatim) {
        f->folded.size = 0;
        if (add_visible(&f->folded, s, size) < 0) return -1;
        s = f->folded.data;
        size = f->folded.size;
    }
    Py_ssize_t at = 0;
    while (at < size && !f->is_special[(uint8_t)s[at]]) at++;
    return add_entry(f, empty, PyUnicode_DecodeUTF8(size ? s : "", size, NULL), at < size) < 0 ? -1 : node;
}

/* Whether a tag, or an attribute, is among those whose text keeps its white space; the names are interned. */
static int is_among(Flat *f, const Dom *n, PyObject *verbatim) {
    Tag tag = node_tag(&f->content.parser, n);
    PyObject *name = tag_string(f, n->tag, 0);
    for (Py_ssize_t k = 0; name != NULL && k < PyTuple_GET_SIZE(verbatim); k++) {
        Py_ssize_t size, found;
        if (name == PyTuple_GET_ITEM(verbatim, k)) return 1;
        if (!n->size) continue;
        const char *s = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(verbatim, k), &size);
        if (s == NULL) return -1;
        if (find_attribute(&tag, s, size, &found)) return 1;
    }
    return name == NULL ? -1 : 0;
}

static int close_entry(Flat *f, const Dom *n) {
    PyObject *end = PyLong_FromSsize_t(PyList_GET_SIZE(f->names));
    if (end == NULL || PyList_SetItem(f->ends, f->open[--f->opened], end) < 0) return -1;
    return add_entry(f, tag_string(f, n->tag, 1), Py_NewRef(f->none), 0);
}

static int flatten_content(Flat *f, PyObject *verbatim, PyObject *empty) {
    const Content *c = &f->content;
    const Dom *nodes = c->parser.nodes;
    int32_t keeps = 0; /* the outermost element around whose text keeps its white space */
    for (int32_t i = nodes[c->parser.root].first; i;) {
        const Dom *n = &nodes[i];
        if (is_text_node(n)) {
            if ((i = add_texts(f, i, keeps, empty)) < 0) return -1;
        } else if (n->kind == ELEMENT) {
            Py_ssize_t at = PyList_GET_SIZE(f->names);
            if (add_entry(f, tag_string(f, n->tag, 0), attributes_of(f, n), at) < 0) return -1;
            if (!is_empty(n)) {
                if (f->opened >= f->open_room && list_grow((void **)&f->open, &f->open_room, sizeof *f->open) < 0) return -1;
                f->open[f->opened++] = at;
                int is_verbatim = keeps ? 0 : is_among(f, n, verbatim);
                if (is_verbatim < 0) return -1;
                if (is_verbatim) keeps = i;
                if (n->first) { i = n->first; continue; }
            }
        }
        for (;; i = nodes[i].parent) {
            n = &nodes[i];
            if (n->kind == ELEMENT && !is_empty(n) && close_entry(f, n) < 0) return -1;
            if (keeps == i) keeps = 0;
            if (n->next || n->parent == c->parser.root) break;
        }
        i = n->next;
    }
    return 0;
}

/* flat_content(html, references: Lookup, verbatim: tuple, special: bytes) -> three lists with an entry for every start tag, end tag
   and text: the tag, "/tag" or ""; the attributes or the text; the place of the end tag, or whether the text holds a special
   character */
PyObject *core_flat_content(PyObject *module, PyObject *args) {
    PyObject *html, *references, *verbatim, *result = NULL;
    const char *special;
    Py_ssize_t specials;
    if (!PyArg_ParseTuple(args, "OO!O!y#", &html, &LookupType, &references, &PyTuple_Type, &verbatim, &special, &specials)) return NULL;
    Flat f = {.names = PyList_New(0), .values = PyList_New(0), .ends = PyList_New(0), .none = PyDict_New()};
    while (specials--) f.is_special[(uint8_t)*special++] = 1;
    PyObject *empty = PyUnicode_New(0, 0);
    int32_t tags = 0;
    int failed = f.names && f.values && f.ends && f.none && empty ? parse_content(&f.content, html, (Lookup *)references) : -1;
    if (failed == 0) {
        tags = T_KNOWN + f.content.parser.names.count;
        f.tags = PyMem_Calloc((size_t)tags * 2, sizeof *f.tags);
        if (f.tags == NULL) { PyErr_NoMemory(); failed = -1; }
    }
    if (failed == 0 && flatten_content(&f, verbatim, empty) == 0) result = PyTuple_Pack(3, f.names, f.values, f.ends);
    for (int32_t k = 0; f.tags && k < tags * 2; k++) Py_XDECREF(f.tags[k]);
    content_free(&f.content);
    PyMem_Free(f.tags); PyMem_Free(f.text.data); PyMem_Free(f.folded.data); PyMem_Free(f.open);
    Py_XDECREF(f.names); Py_XDECREF(f.values); Py_XDECREF(f.ends); Py_XDECREF(f.none); Py_XDECREF(empty);
    return result;
}

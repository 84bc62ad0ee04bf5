/* A page flattened from what the HTML library writes of it: one scan, no object a node.

   What a conforming serializer writes is easy to read back: tags balance, attributes are quoted, text is escaped. The few
   trees that cannot be read back (<plaintext>, scripts that never end) show as tags that do not balance; then scan()
   returns None, and Python walks the library's nodes instead. */

#include "nodes.h"

/* Inside <math> no text is raw, except below these, where HTML begins again. */
static const char *BACK_TO_HTML[] = {"mi", "mo", "mn", "ms", "mtext", "annotation-xml", NULL};

/* Where a drawing's content ends (at its "</svg>"); NULL if it does not. */
static const char *skip_drawing(Maker *m, const char *p, const char *stop, int *blank) {
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
        const char *begin = p;
        while (p < stop && *p != ' ' && *p != '>') p++;
        if (p - begin == 3 && memcmp(begin, "svg", 3) == 0) depth++;
        if (mention(&m->tree->drawn, 0, begin, p - begin, &m->scratch) < 0 || mention_attributes(m, &p, stop) < 0) return NULL;
        if (p >= stop || *p != '>') return NULL;
        p++;
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
static int scan_page(Maker *m, int32_t max_nodes) {
    Tree *t = m->tree;
    const char *p = t->source.data, *stop = p + t->source.size;
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
            } else if (add_text(m, open, (Span){p - t->source.data, (int32_t)(next - p)}, 1, &blank) < 0) return -1;
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
        int32_t tag = tag_number(m, begin, p - begin);
        if (tag < 0) return -1;
        if (t->n >= max_nodes) { t->cut = 1; break; }
        if (open < 0 && t->n) return 0;
        int traits = m->traits[tag], state = (open >= 0 ? t->state[open] : 0) | (traits & (15 | FORMULA));
        if (state & FORMULA) {
            traits &= ~(RAW | VOID | LED);
            if (is_among(begin, p - begin, BACK_TO_HTML)) state &= ~FORMULA;
        }
        if (add_element(m, open, tag, state, blank) < 0) return -1;
        blank = 0;
        int32_t i = t->n - 1;
        int read = add_attributes(m, &p, stop);
        if (read < 0) return read == -2 ? 0 : -1;
        if (p >= stop || *p != '>') return 0;
        p++;
        if (!t->body && p - begin >= 5 && memcmp(begin, "body", 4) == 0 && (begin[4] == ' ' || begin[4] == '>')) t->body = i;
        if (traits & VOID) continue;
        if (traits & LED && p < stop && *p == '\n') p++;
        if (traits & DRAWING) {
            if ((p = skip_drawing(m, p, stop, &blank)) == NULL) return PyErr_Occurred() ? -1 : 0;
        } else if (traits & RAW) {
            const Key *k = &t->tags.keys[tag];
            int is_script = k->size == 6 && memcmp(begin, "script", 6) == 0;
            const char *close = is_script ? script_end(p, stop) : raw_end(p, stop, begin, k->size);
            if (close == NULL) return 0;
            if (close > p) {
                if (t->n >= max_nodes) { t->cut = 1; break; }
                if (add_text(m, i, (Span){p - t->source.data, (int32_t)(close - p)}, 0, &blank) < 0) return -1;
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

/* scan(pieces: the strings that the page is written as, max_nodes, states, block_tags) -> Tree, or None if the page cannot
   be read back */
static PyObject *tree_scan(PyObject *module, PyObject *args) {
    PyObject *pieces, *states, *blocks;
    Py_ssize_t max_nodes;
    if (!PyArg_ParseTuple(args, "OnO!O", &pieces, &max_nodes, &PyDict_Type, &states, &blocks)) return NULL;
    Tree *t = new_tree();
    if (t == NULL) return NULL;
    int done = join_pieces(pieces, &t->source);
    if (done == 1) {
        Maker m;
        int32_t most = max_nodes < INT32_MAX / 4 ? (int32_t)max_nodes : INT32_MAX / 4;
        done = maker_end(&m, maker_init(&m, t, states, blocks, 1024) < 0 ? -1 : scan_page(&m, most));
    }
    return tree_or_none(t, done);
}

PyMethodDef scan_method = {"scan", tree_scan, METH_VARARGS, "Flatten a serialized page; None if it cannot be read back."};

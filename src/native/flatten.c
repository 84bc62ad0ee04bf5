/* A page that the core parsed, flattened: a walk over the parser's nodes. */

#include "nodes.h"

typedef struct {
    Maker m;
    Parser p;
    int32_t *numbers; /* by the parser's number of a tag: one more than the tree's, 0 where it is not known yet */
    int blank;
} Flat;

static inline int is_text(const Dom *n) { return n->kind == TEXT || n->kind == OWN_TEXT || n->kind == RAW_TEXT; }

static int32_t number_of(Flat *f, const Dom *n) {
    int32_t *known = &f->numbers[n->tag], size;
    if (*known) return *known - 1;
    const char *name = tag_name(&f->p, n->tag, &size);
    int32_t number = tag_number(&f->m, name, size);
    *known = number + 1;
    return number;
}

static Span span_of(const Dom *n) { return (Span){n->kind == OWN_TEXT ? n->at : ~(Py_ssize_t)n->at, n->size}; }

/* Texts side by side, from the parser's node *i to its last, which is set: one text. */
static int join_texts(Flat *f, int32_t *i, Span *span) {
    Tree *t = f->m.tree;
    const Dom *nodes = f->p.nodes, *n = &nodes[*i];
    *span = span_of(n);
    if (!n->next || !is_text(&nodes[n->next])) return 0;
    Py_ssize_t at = t->source.size, size = 0;
    for (;; *i = n->next, n = &nodes[*i]) {
        Span part = span_of(n);
        size += part.size;
        if (size > INT32_MAX / 4 || buffer_reserve(&t->source, part.size + 1) < 0) return -1;
        if (buffer_add(&t->source, part.at < 0 ? t->page.data + ~part.at : t->source.data + part.at, part.size) < 0) return -1;
        if (!n->next || !is_text(&nodes[n->next])) break;
    }
    *span = (Span){at, (int32_t)size};
    return 0;
}

/* What a drawing is made of is no text, and no node; selectors may ask for it. */
static int pass_drawing(Flat *f, int32_t drawing) {
    const Parser *p = &f->p;
    Tree *t = f->m.tree;
    for (int32_t i = p->nodes[drawing].first; i && i != drawing;) {
        const Dom *n = &p->nodes[i];
        if (is_text(n)) f->blank |= n->size > 0;
        if (n->kind == ELEMENT) {
            int32_t size;
            const char *name = tag_name(p, n->tag, &size), *at = t->source.data + n->at;
            if (mention(&t->drawn, 0, name, size, &f->m.scratch) < 0) return -1;
            if (n->size && mention_attributes(&f->m, &at, at + n->size) < 0) return -1;
            if (n->first && !is_empty(n)) { i = n->first; continue; }
        }
        while (i != drawing && !p->nodes[i].next) i = p->nodes[i].parent;
        if (i != drawing) i = p->nodes[i].next;
    }
    return 0;
}

/* 1 an element to go into, 0 one that is a node and no more, -1 error */
static int flatten_element(Flat *f, int32_t i, int32_t above) {
    const Dom *n = &f->p.nodes[i];
    Tree *t = f->m.tree;
    int32_t tag = number_of(f, n);
    if (tag < 0) return -1;
    int traits = f->m.traits[tag], state = (above >= 0 ? t->state[above] : 0) | (traits & (SILENT | LINKED | SPACED | DRAWING));
    if (add_element(&f->m, above, tag, state, f->blank) < 0) return -1;
    f->blank = 0;
    if (n->size) {
        const char *at = t->source.data + n->at;
        if (add_attributes(&f->m, &at, at + n->size) < 0) return -1;
    }
    if (n->tag == T_BODY && !t->body) t->body = t->n - 1;
    if (traits & DRAWING) return pass_drawing(f, i);
    return n->first && !is_empty(n);
}

/* 1 flattened, -1 error */
static int flatten_nodes(Flat *f, int32_t max_nodes) {
    const Parser *p = &f->p;
    Tree *t = f->m.tree;
    int32_t above = -1, steps = 0;
    for (int32_t i = p->nodes[0].first; i;) {
        const Dom *n = &p->nodes[i];
        if ((++steps & 0xFFFF) == 0 && PyErr_CheckSignals() < 0) return -1;
        if (n->kind == ELEMENT) {
            if (t->n >= max_nodes) { t->cut = 1; break; }
            int inside = flatten_element(f, i, above);
            if (inside < 0) return -1;
            if (inside) {
                above = t->n - 1;
                i = n->first;
                continue;
            }
        } else if (is_text(n) && above >= 0) {
            Span span;
            if (join_texts(f, &i, &span) < 0) return -1;
            if (t->n < max_nodes) {
                if (add_text(&f->m, above, span, 0, &f->blank) < 0) return -1;
            } else {
                /* Only text that would have been a node is cut off. */
                const char *s = span.at < 0 ? t->page.data + ~span.at : t->source.data + span.at;
                if (has_text(s, span.size) || t->state[above] & SPACED) { t->cut = 1; break; }
                f->blank = 1;
            }
        }
        while (i && !p->nodes[i].next) {
            i = p->nodes[i].parent;
            if (!i) break;
            t->end[above] = t->n;
            above = t->parent[above];
        }
        i = i ? p->nodes[i].next : 0;
    }
    for (; above >= 0; above = t->parent[above]) t->end[above] = t->n;
    return 1;
}

/* parse(html, max_nodes, states, block_tags, references) -> Tree, or None if the page is for the other parser */
static PyObject *tree_parse(PyObject *module, PyObject *args) {
    PyObject *html, *states, *blocks, *references;
    Py_ssize_t max_nodes;
    if (!PyArg_ParseTuple(args, "UnO!OO!", &html, &max_nodes, &PyDict_Type, &states, &blocks, &LookupType, &references)) return NULL;
    Tree *t = new_tree();
    if (t == NULL) return NULL;
    Flat f = {0};
    int done = parse_html(html, (const Lookup *)references, &f.p, &t->page);
    if (done == 1) {
        int32_t most = max_nodes < f.p.count ? (int32_t)max_nodes : f.p.count;
        /* The parser has no more use for its own characters: what they say becomes the tree's source. */
        t->source = f.p.own;
        f.p.own = (Buffer){0};
        f.numbers = PyMem_Calloc((size_t)f.p.names.count + 1, sizeof(int32_t));
        if (f.numbers == NULL) { PyErr_NoMemory(); done = -1; }
        if (maker_init(&f.m, t, states, blocks, most) < 0) done = -1;
        done = maker_end(&f.m, done == 1 ? flatten_nodes(&f, (int32_t)(max_nodes < INT32_MAX / 4 ? max_nodes : INT32_MAX / 4)) : done);
    }
    PyMem_Free(f.numbers);
    parser_free(&f.p);
    return tree_or_none(t, done);
}

PyMethodDef parse_method = {"parse", tree_parse, METH_VARARGS, "Parse and flatten a page; None if it is for the other parser."};

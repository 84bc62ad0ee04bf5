/* A page that the core parsed, flattened: a walk over the parser's nodes. */

#include "nodes.h"

typedef struct {
    Maker m;
    Parser p;
    int32_t *numbers; /* by the parser's number of a tag: one more than the tree's, 0 where it is not known yet */
    int blank;
    Buffer joined;
} Flat;

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
    Py_ssize_t size;
    *span = span_of(&f->p.nodes[*i]);
    f->p.own = t->source; /* for a moment: what was the parser's own */
    const char *s = whole_text(&f->p, i, &f->joined, &size);
    f->p.own = (Buffer){0};
    if (s == NULL || !f->joined.size) return s ? 0 : -1;
    *span = (Span){t->source.size, (int32_t)size};
    return buffer_add(&t->source, s, size);
}

/* What a drawing is made of is no text, and no node; selectors may ask for it. */
static int pass_drawing(Flat *f, int32_t drawing) {
    const Parser *p = &f->p;
    Tree *t = f->m.tree;
    int32_t above = ~(t->n - 1);
    for (int32_t i = p->nodes[drawing].first; i && i != drawing;) {
        const Dom *n = &p->nodes[i];
        if (is_text_node(n)) f->blank |= n->size > 0;
        if (n->kind == ELEMENT) {
            int32_t size;
            int fresh;
            const char *name = tag_name(p, n->tag, &size);
            int32_t tag = table_put(&t->drawn_tags, name, size, &fresh);
            if (tag < 0 || (t->drawn_count >= t->drawn_room && list_grow((void **)&t->drawn, &t->drawn_room, sizeof(Drawn)) < 0)) return -1;
            t->drawn[t->drawn_count++] = (Drawn){above, tag, {n->at, n->size}};
            if (n->first && !is_empty(n)) {
                above = t->drawn_count - 1;
                i = n->first;
                continue;
            }
        }
        while (i != drawing && !p->nodes[i].next) {
            i = p->nodes[i].parent;
            if (i != drawing) above = t->drawn[above].above;
        }
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
        if (add_attributes(&f->m, at, at + n->size) < 0) return -1;
    }
    if (n->tag == T_BODY && !t->body) t->body = t->n - 1;
    if (traits & DRAWING) return pass_drawing(f, i);
    return n->first && !is_empty(n);
}

static int flatten_nodes(Flat *f, int32_t max_nodes) {
    const Parser *p = &f->p;
    Tree *t = f->m.tree;
    int32_t above = -1;
    for (int32_t i = p->nodes[0].first; i;) {
        const Dom *n = &p->nodes[i];
        if (n->kind == ELEMENT) {
            if (t->n >= max_nodes) { t->cut = 1; break; }
            int inside = flatten_element(f, i, above);
            if (inside < 0) return -1;
            if (inside) {
                above = t->n - 1;
                i = n->first;
                continue;
            }
        } else if (is_text_node(n) && above >= 0) {
            Span span;
            if (join_texts(f, &i, &span) < 0) return -1;
            if (t->n < max_nodes) {
                if (add_text(&f->m, above, span, &f->blank) < 0) return -1;
            } else {
                /* Only text that would have been a node is cut off. */
                const char *s = span.at < 0 ? t->page.data + ~span.at : t->source.data + span.at;
                if (!is_all_space(s, s + span.size) || t->state[above] & SPACED) { t->cut = 1; break; }
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
    return 0;
}

/* Parses and flattens a page; -1 without memory. It needs no interpreter lock. */
static int make_tree(Tree *t, const Source *page, const Lookup *references, const Lookup *tags, const Lookup *naming, Py_ssize_t max_nodes) {
    Flat f = {0};
    int failed = parse_source(&f.p, page, references, NULL);
    if (!failed) {
        int32_t most = max_nodes < INT32_MAX / 4 ? (int32_t)max_nodes : INT32_MAX / 4;
        /* The parser has no more use for its own characters: they become the tree's source. */
        t->source = f.p.own;
        f.p.own = (Buffer){0};
        t->limits = f.p.limits;
        t->is_quirky = f.p.is_quirky;
        memcpy(t->doctype, f.p.doctype, sizeof t->doctype);
        f.numbers = PyMem_Calloc((size_t)f.p.names.count + 1, sizeof(int32_t));
        if (f.numbers == NULL) no_memory();
        failed = maker_init(&f.m, t, tags, naming, most < f.p.count ? most : f.p.count) < 0 || f.numbers == NULL || flatten_nodes(&f, most) < 0 ? -1 : 0;
        failed = maker_end(&f.m, failed);
    }
    PyMem_Free(f.numbers);
    PyMem_Free(f.joined.data);
    parser_free(&f.p);
    return failed;
}

/* parse(html, max_nodes, tags, naming, references) -> Tree. `tags` says what tags mean (see nodes.h), `naming` has the attributes that
   name an element as its class does, `references` the named characters. */
PyObject *core_parse(PyObject *module, PyObject *args) {
    PyObject *html, *tags, *naming, *references;
    Py_ssize_t max_nodes;
    if (!PyArg_ParseTuple(args, "OnO!O!O!", &html, &max_nodes, &LookupType, &tags, &LookupType, &naming, &LookupType, &references)) return NULL;
    Source page;
    Tree *t = source_init(&page, html) < 0 ? NULL : new_tree();
    if (t == NULL) return NULL;
    int failed;
    t->page = page.text;
    t->page_owner = page.owner;
    Py_BEGIN_ALLOW_THREADS
    failed = make_tree(t, &page, (const Lookup *)references, (const Lookup *)tags, (const Lookup *)naming, max_nodes);
    Py_END_ALLOW_THREADS
    PyMem_Free(page.nulls);
    if (failed || list_tags(t, (const Lookup *)tags) < 0) Py_CLEAR(t);
    return (PyObject *)t;
}

/* parsing() -> (limits, is_quirky, doctype: its name, public and system identifier, each a str or None) */
PyObject *tree_parsing(Tree *t, PyObject *unused) {
    return Py_BuildValue("iNN", t->limits, PyBool_FromLong(t->is_quirky), doctype_of(t->doctype, t->source.data));
}

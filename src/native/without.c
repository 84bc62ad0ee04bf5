/* A page without some of its elements, as a tree of its own: what is left is numbered anew, and nothing is parsed again. */

#include "nodes.h"

/* The kept nodes of a page, in order; `number` gets the new number of each, -1 for what is gone. */
static int copy_nodes(Maker *m, const Tree *from, int32_t *number) {
    Tree *t = m->tree;
    int blank = 0;
    for (int32_t i = 0; i < from->n; i++) {
        int32_t above = i ? number[from->parent[i]] : -1, failed;
        if (i && above < 0) { number[i] = -1; continue; }
        blank |= from->gap[i];
        if (number[i] < 0) continue;
        if (from->tag[i]) {
            const Key *name = &from->tags.keys[from->tag[i]];
            const char *at = t->source.data + from->attrs[i].at, *stop = at + from->attrs[i].size;
            int32_t tag = tag_number(m, from->tags.bytes.data + name->at, name->size);
            failed = tag < 0 || add_element(m, above, tag, from->state[i], blank) < 0 || (stop > at && add_attributes(m, at, stop) < 0);
            blank = 0;
            if (i == from->body) t->body = t->n - 1;
        } else failed = add_text(m, above, from->attrs[i], &blank) < 0;
        if (failed) return -1;
        number[i] = t->n - 1;
    }
    for (int32_t i = t->n - 1; i > 0; i--)
        if (t->end[t->parent[i]] < t->end[i]) t->end[t->parent[i]] = t->end[i];
    return 0;
}

/* The elements of the drawings that are left. */
static int copy_drawn(Tree *t, const Tree *from, const int32_t *number) {
    if (!from->drawn_count) return 0;
    int32_t *copied = PyMem_Malloc(sizeof(int32_t) * (size_t)from->drawn_count); /* by number: the new one, -1 for what is gone */
    t->drawn = PyMem_Malloc(sizeof(Drawn) * (size_t)from->drawn_count);
    int failed = copied == NULL || t->drawn == NULL, fresh;
    if (failed) no_memory();
    for (int32_t k = 0; !failed && k < from->drawn_count; k++) {
        const Drawn *own = &from->drawn[k];
        int32_t above = own->above < 0 ? number[~own->above] : copied[own->above];
        copied[k] = -1;
        if (above < 0) continue;
        const Key *name = &from->drawn_tags.keys[own->tag];
        int32_t tag = table_put(&t->drawn_tags, from->drawn_tags.bytes.data + name->at, name->size, &fresh);
        failed = tag < 0;
        copied[k] = t->drawn_count;
        t->drawn[t->drawn_count++] = (Drawn){own->above < 0 ? ~above : above, tag, own->attrs};
    }
    t->drawn_room = t->drawn_count;
    PyMem_Free(copied);
    return failed ? -1 : 0;
}

/* -1 without memory; it needs no interpreter lock. */
static int make_without(Tree *t, const Tree *from, const Lookup *tags, const Lookup *naming, int32_t *number) {
    Maker m;
    t->cut = from->cut;
    t->limits = from->limits;
    t->is_quirky = from->is_quirky;
    memcpy(t->doctype, from->doctype, sizeof t->doctype);
    /* What is kept lies where it lay. */
    if (buffer_add(&t->source, from->source.data, from->source.size) < 0) return -1;
    if (t->page_owner) t->page = from->page;
    else if (buffer_add(&t->page, from->page.data, from->page.size) < 0) return -1;
    int failed = maker_init(&m, t, tags, naming, from->n) < 0 || copy_nodes(&m, from, number) < 0 || copy_drawn(t, from, number) < 0;
    return maker_end(&m, failed ? -1 : 0);
}

/* without(nodes, tags, naming) -> Tree: the page without some elements and all that is in them; the others as for parse() */
PyObject *tree_without(Tree *from, PyObject *args) {
    PyObject *nodes, *tags, *naming;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyList_Type, &nodes, &LookupType, &tags, &LookupType, &naming)) return NULL;
    int32_t *number = PyMem_Calloc((size_t)from->n + 1, sizeof(int32_t));
    Tree *t = number ? new_tree() : NULL;
    int failed = t == NULL;
    if (number == NULL) PyErr_NoMemory();
    for (Py_ssize_t k = 0; !failed && k < PyList_GET_SIZE(nodes); k++) {
        int32_t i = node_given(from, PyList_GET_ITEM(nodes, k));
        failed = i < 1;
        if (!failed) number[i] = -1;
        else if (!i) PyErr_SetString(PyExc_IndexError, "the root cannot be left out");
    }
    if (!failed) {
        t->page_owner = Py_XNewRef(from->page_owner);
        Py_BEGIN_ALLOW_THREADS
        failed = make_without(t, from, (const Lookup *)tags, (const Lookup *)naming, number);
        Py_END_ALLOW_THREADS
        failed = failed || list_tags(t, (const Lookup *)tags) < 0;
    }
    PyMem_Free(number);
    if (failed) Py_CLEAR(t);
    return (PyObject *)t;
}

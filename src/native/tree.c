/* The page flattened in document order: what Python sees of it. */

#include "nodes.h"

static const char *FOLDED[] = {"class", "rel", "rev", "headers", "accept-charset", "sizes", "accesskey",
    "archive", "sandbox", NULL};

Tree *new_tree(void) {
    Tree *t = PyObject_New(Tree, &TreeType);
    if (t) memset((char *)t + sizeof(PyObject), 0, sizeof(Tree) - sizeof(PyObject));
    return t;
}

static void tree_dealloc(Tree *t) {
    if (t->page_owner == NULL) PyMem_Free(t->page.data);
#define X(field, ...) PyMem_Free(t->field);
    NODE_COLUMNS(X)
    BLOCK_COLUMNS(X)
#undef X
    PyMem_Free(t->is_block);
    for (int32_t i = 0; t->holders && i < t->attr_names.count; i++) PyMem_Free(t->holders[i].list);
    PyMem_Free(t->holders);
    table_free(&t->tags); table_free(&t->classes); table_free(&t->idents); table_free(&t->names);
    table_free(&t->labels); table_free(&t->attr_names); table_free(&t->drawn_tags); table_free(&t->mentioned);
    PyMem_Free(t->drawn);
    PyMem_Free(t->places);
    Py_XDECREF(t->block_text); PyMem_Free(t->source.data); Py_XDECREF(t->page_owner); Py_XDECREF(t->tag_list);
    Py_XDECREF(t->attr_cache); Py_XDECREF(t->valued);
    PyObject_Free(t);
}

static PyObject *attributes_of(Tree *t, Py_ssize_t i) {
    const char *at = t->source.data + t->attrs[i].at;
    return attributes_in(at, at + t->attrs[i].size, FOLDED);
}

/* Read when asked for, and kept. */
static PyObject *attributes_at(Tree *t, int32_t i) {
    if (!t->tag[i] || !t->attrs[i].size) return PyDict_New();
    if (t->attr_cache == NULL && (t->attr_cache = PyDict_New()) == NULL) return NULL;
    PyObject *key = PyLong_FromLong(i), *known = key ? PyDict_GetItemWithError(t->attr_cache, key) : NULL;
    Py_XINCREF(known);
    if (known == NULL && !PyErr_Occurred() && (known = attributes_of(t, i)) && PyDict_SetItem(t->attr_cache, key, known) < 0)
        Py_CLEAR(known);
    Py_XDECREF(key);
    return known;
}

/* ---- columns, of which Python reads a few entries a page ---- */

enum { PARENT, END, DEPTH, TAG, ATTRIBUTES, CLASS, IDENT, TEXT_OF, CHARS, LINKS, WORDS, GAP, COLUMNS };

typedef struct {
    PyObject_HEAD
    Tree *tree;
    int kind;
} Column;

static Py_ssize_t column_length(Column *self) { return self->tree->n + (self->kind >= CHARS && self->kind <= WORDS); }

static PyObject *text_at(const Tree *t, int32_t i) {
    if (t->tag[i]) return PyUnicode_New(0, 0);
    Py_ssize_t n;
    const char *s = text_bytes(t, i, &n);
    return PyUnicode_DecodeUTF8(s, n, NULL);
}

static PyObject *column_item(Column *self, Py_ssize_t i) {
    Tree *t = self->tree;
    if (i < 0 || i >= column_length(self)) {
        PyErr_SetString(PyExc_IndexError, "no such node");
        return NULL;
    }
    switch (self->kind) {
    case PARENT: return PyLong_FromLong(t->parent[i]);
    case END: return PyLong_FromLong(t->end[i]);
    case DEPTH: return PyLong_FromLong(t->depth[i]);
    case TAG: return Py_NewRef(PyList_GET_ITEM(t->tag_list, t->tag[i]));
    case ATTRIBUTES: return attributes_at(t, (int32_t)i);
    case CLASS: return string_of(&t->classes, t->cls[i]);
    case IDENT: return string_of(&t->idents, t->ident[i]);
    case TEXT_OF: return text_at(t, (int32_t)i);
    case CHARS: return PyLong_FromLong(t->chars[i]);
    case LINKS: return PyLong_FromLong(t->links[i]);
    case WORDS: return PyLong_FromLong(t->words[i]);
    default: return PyBool_FromLong(t->gap[i]);
    }
}

static PyObject *column_subscript(Column *self, PyObject *key) {
    Py_ssize_t start, stop, step, length = column_length(self);
    if (!PySlice_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) return NULL;
        return column_item(self, i < 0 ? i + length : i);
    }
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) return NULL;
    Py_ssize_t count = PySlice_AdjustIndices(length, &start, &stop, step);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) {
        PyObject *item = column_item(self, start + k * step);
        if (item == NULL) { Py_CLEAR(list); break; }
        PyList_SET_ITEM(list, k, item);
    }
    return list;
}

static void column_dealloc(Column *self) {
    Py_DECREF(self->tree);
    PyObject_Free(self);
}

static PyObject *column_index(PyObject *self, PyObject *value) {
    Py_ssize_t i = PySequence_Index(self, value);
    return i < 0 ? NULL : PyLong_FromSsize_t(i);
}

static PyObject *column_count(PyObject *self, PyObject *value) {
    Py_ssize_t count = PySequence_Count(self, value);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyMethodDef column_methods[] = {
    {"index", column_index, METH_O, "The first node that has a value."},
    {"count", column_count, METH_O, "How many nodes have a value."},
    {NULL},
};

static PySequenceMethods column_sequence = {
    .sq_length = (lenfunc)column_length,
    .sq_item = (ssizeargfunc)column_item,
};

static PyMappingMethods column_mapping = {
    .mp_length = (lenfunc)column_length,
    .mp_subscript = (binaryfunc)column_subscript,
};

PyTypeObject ColumnType = {
    TYPE(Column, Column, Py_TPFLAGS_SEQUENCE, "One value of each node, made when asked for."),
    .tp_dealloc = (destructor)column_dealloc,
    .tp_as_sequence = &column_sequence,
    .tp_as_mapping = &column_mapping,
    .tp_methods = column_methods,
};

/* columns() -> parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut */
PyObject *tree_columns(Tree *t, PyObject *unused) {
    PyObject *columns = PyTuple_New(COLUMNS + 2), *body = PyLong_FromLong(t->body);
    if (columns == NULL || body == NULL) { Py_XDECREF(columns); Py_XDECREF(body); return NULL; }
    PyTuple_SET_ITEM(columns, COLUMNS, body);
    PyTuple_SET_ITEM(columns, COLUMNS + 1, PyBool_FromLong(t->cut));
    for (int kind = 0; columns && kind < COLUMNS; kind++) {
        Column *column = PyObject_New(Column, &ColumnType);
        if (column == NULL) { Py_CLEAR(columns); break; }
        column->tree = (Tree *)Py_NewRef((PyObject *)t);
        column->kind = kind;
        PyTuple_SET_ITEM(columns, kind, (PyObject *)column);
    }
    return columns;
}

/* deepest() -> int: of all nodes, 0 for a page without any */
PyObject *tree_deepest(Tree *t, PyObject *unused) {
    int32_t most = 0;
    for (int32_t i = 0; i < t->n; i++)
        if (t->depth[i] > most) most = t->depth[i];
    return PyLong_FromLong(most);
}

/* tag_counts() -> {tag: how many elements of the page have it} */
PyObject *tree_tag_counts(Tree *t, PyObject *unused) {
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
PyObject *tree_classes(Tree *t, PyObject *unused) { return strings_of(&t->classes, NULL); }

uint8_t *numbers_among(const Table *strings, PyObject *set) {
    uint8_t *wanted = PyMem_Calloc((size_t)strings->count + 1, 1);
    PyObject *names = wanted ? PyObject_GetIter(set) : PyErr_NoMemory(), *name;
    while (names && (name = PyIter_Next(names))) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(name, &n);
        int32_t number = s ? table_find(strings, s, n) : -1;
        if (number > 0) wanted[number] = 1;
        Py_DECREF(name);
        if (s == NULL) break;
    }
    Py_XDECREF(names);
    if (PyErr_Occurred()) { PyMem_Free(wanted); return NULL; }
    return wanted;
}

int32_t *numbers_of_tags(const Tree *t, PyObject *dict, Memory *memory) {
    int32_t *numbers = memory_new(memory, t->tags.count, sizeof *numbers);
    if (numbers == NULL) PyErr_NoMemory();
    for (int32_t k = 1; numbers && k < t->tags.count; k++) {
        PyObject *value = PyDict_GetItemWithError(dict, PyList_GET_ITEM(t->tag_list, k));
        if (value) numbers[k] = (int32_t)PyLong_AsLong(value);
        if (PyErr_Occurred()) return NULL;
    }
    return numbers;
}

/* The nodes whose string is in a set, in document order; number 0 is no string. */
static PyObject *nodes_among(const Tree *t, const Table *strings, const int32_t *numbers, PyObject *set) {
    uint8_t *wanted = numbers_among(strings, set);
    if (wanted == NULL) return NULL;
    int any = memchr(wanted, 1, (size_t)strings->count + 1) != NULL;
    PyObject *found = PyList_New(0);
    for (int32_t i = 0; found && any && i < t->n; i++) {
        if (!wanted[numbers[i]]) continue;
        if (append_new(found, PyLong_FromLong(i)) < 0) Py_CLEAR(found);
    }
    PyMem_Free(wanted);
    return found;
}

/* tagged(tags: set) -> [node]: the elements of these tags, in document order */
PyObject *tree_tagged(Tree *t, PyObject *tags) { return nodes_among(t, &t->tags, t->tag, tags); }

/* classed(values: set) -> [node]: the elements whose class is one of these, in document order */
PyObject *tree_classed(Tree *t, PyObject *values) { return nodes_among(t, &t->classes, t->cls, values); }

#define REMEMBERED 4096 /* nodes: more of them would be most of the page's memory */

/* valued(name) -> [(node, value)]: the nodes with an attribute, in document order */
PyObject *tree_valued(Tree *t, PyObject *name) {
    if (t->valued == NULL && (t->valued = PyDict_New()) == NULL) return NULL;
    PyObject *known = PyDict_GetItemWithError(t->valued, name);
    if (known != NULL || PyErr_Occurred()) return Py_XNewRef(known);
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(name, &n);
    PyObject *found = s ? PyList_New(0) : NULL;
    const Holders *h = s ? holders_of(t, s, n) : NULL;
    for (int32_t k = 0; found && k < h->count; k++) {
        PyObject *value = value_of(t->source.data + h->list[k].value.at, h->list[k].value.size, is_one_of(s, n, FOLDED));
        if (append_new(found, pair_of(h->list[k].node, value)) < 0) Py_CLEAR(found);
    }
    if (found && PyList_GET_SIZE(found) <= REMEMBERED && PyDict_SetItem(t->valued, name, found) < 0) Py_CLEAR(found);
    return found;
}

#define MOST_STATED 8

/* stated(tag, names) -> [(node, value, ...)]: the elements of a tag that have the first of some attributes, in document order, with
   the values of all, None for one that is missing */
PyObject *tree_stated(Tree *t, PyObject *args) {
    const char *tag;
    Py_ssize_t n;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "s#O!", &tag, &n, &PyTuple_Type, &names)) return NULL;
    const Holders *holders[MOST_STATED];
    int32_t number = table_find(&t->tags, tag, n), at[MOST_STATED] = {0};
    int has_words[MOST_STATED];
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count < 1 || count > MOST_STATED) { PyErr_SetString(PyExc_ValueError, "one to eight names are needed"); return NULL; }
    for (Py_ssize_t k = 0; k < count; k++) {
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(names, k), &n);
        if (name == NULL) return NULL;
        holders[k] = holders_of(t, name, n);
        has_words[k] = is_one_of(name, n, FOLDED);
    }
    PyObject *found = PyList_New(0);
    for (; found && at[0] < holders[0]->count; at[0]++) {
        int32_t node = holders[0]->list[at[0]].node;
        if (t->tag[node] != number) continue;
        PyObject *row = PyTuple_New(count + 1), *value = row ? PyLong_FromLong(node) : NULL;
        if (row) PyTuple_SET_ITEM(row, 0, value);
        for (Py_ssize_t k = 0; row && value && k < count; k++) {
            const Holders *h = holders[k];
            while (at[k] < h->count && h->list[at[k]].node < node) at[k]++;
            int has = at[k] < h->count && h->list[at[k]].node == node;
            value = has ? value_of(t->source.data + h->list[at[k]].value.at, h->list[at[k]].value.size, has_words[k]) : Py_NewRef(Py_None);
            PyTuple_SET_ITEM(row, k + 1, value);
        }
        if (value == NULL) Py_CLEAR(row);
        if (append_new(found, row) < 0) Py_CLEAR(found);
    }
    return found;
}

/* beginning(name, *starts) -> [node]: the elements whose attribute begins, as it is written, with one of some texts in any case */
PyObject *tree_beginning(Tree *t, PyObject *args) {
    Py_ssize_t count = PyTuple_GET_SIZE(args), n;
    if (count == 0) { PyErr_SetString(PyExc_TypeError, "the name of an attribute is needed"); return NULL; }
    const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(args, 0), &n), *start;
    const Holders *h = name ? holders_of(t, name, n) : NULL;
    PyObject *found = name ? PyList_New(0) : NULL;
    for (int32_t k = 0; found && k < h->count; k++) {
        Span value = h->list[k].value;
        for (Py_ssize_t j = 1, begins = 0; found && j < count && !begins; j++) {
            if ((start = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(args, j), &n)) == NULL) { Py_CLEAR(found); break; }
            begins = n <= value.size && strncasecmp(t->source.data + value.at, start, (size_t)n) == 0;
            if (begins && append_new(found, PyLong_FromLong(h->list[k].node)) < 0) Py_CLEAR(found);
        }
    }
    return found;
}

int put_shown(const Tree *t, Py_ssize_t first, Py_ssize_t stop, Folded *shown) {
    int32_t line_break = table_find(&t->tags, "br", 2);
    for (Py_ssize_t j = first; j < stop; j++) {
        /* What ends before this node: all that holds the one before it, and not this. */
        for (int32_t i = (int32_t)j - 1; !shown->gap && i >= first && i > t->parent[j]; i = t->parent[i])
            shown->gap = t->is_block[t->tag[i]] == 1;
        shown->gap |= t->gap[j] || t->is_block[t->tag[j]] == 1 || (line_break > 0 && t->tag[j] == line_break);
        if (t->chars[j + 1] == t->chars[j]) continue;
        Py_ssize_t n;
        const char *s = text_bytes(t, (int32_t)j, &n);
        if (put_folded(shown, s, n) < 0) return -1;
    }
    return 0;
}

/* shown(first, stop) -> str: the shown text from one node up to another, blocks apart, white space folded */
PyObject *tree_shown(Tree *t, PyObject *args) {
    Py_ssize_t first, stop;
    if (!PyArg_ParseTuple(args, "nn", &first, &stop)) return NULL;
    if (first < 0 || stop > t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    Folded shown = {0};
    int failed = put_shown(t, first, stop, &shown);
    PyObject *text = failed ? NULL : PyUnicode_DecodeUTF8(shown.text.data ? shown.text.data : "", shown.text.size, NULL);
    PyMem_Free(shown.text.data);
    return text;
}

/* speaking(first, stop) -> [node]: the texts that are shown, from one node up to another */
PyObject *tree_speaking(Tree *t, PyObject *args) {
    Py_ssize_t first, stop;
    if (!PyArg_ParseTuple(args, "nn", &first, &stop)) return NULL;
    if (first < 0 || stop > t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    PyObject *found = PyList_New(0);
    for (; found && first < stop; first++)
        if (t->chars[first + 1] > t->chars[first] && append_new(found, PyLong_FromSsize_t(first)) < 0) Py_CLEAR(found);
    return found;
}

static PyMethodDef tree_methods[] = {
#define X(name, flags, doc) {#name, (PyCFunction)tree_##name, flags, doc},
    TREE_METHODS(X)
#undef X
    {NULL},
};

PyTypeObject TreeType = {
    TYPE(Tree, Tree, 0, "A page flattened in document order."),
    .tp_dealloc = (destructor)tree_dealloc,
    .tp_methods = tree_methods,
};

/* Which values hold one of some parts, or are so long: most of a page's classes, links and texts say nothing that a reader
   looks for. */

#include "native.h"

#define MOST 32

typedef struct {
    const char *part[MOST];
    Py_ssize_t size[MOST];
    int count;
    /* The parts that may begin here (a bit each) or a byte before (32 bits up), if this byte stands here, or next. */
    uint64_t here[256], next[256];
} Parts;

static inline unsigned char lower(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* A byte of a part, in either case; behind its end any byte. */
static void may_be(uint64_t *table, const char *s, Py_ssize_t n, Py_ssize_t at, uint64_t bit) {
    if (at >= n) {
        for (int c = 0; c < 256; c++) table[c] |= bit;
        return;
    }
    unsigned char c = (unsigned char)s[at];
    table[c] |= bit;
    if (c >= 'a' && c <= 'z') table[c - 32] |= bit;
}

/* The parts of a tuple, which must outlive them. */
static int read_parts(PyObject *tuple, Parts *parts) {
    memset(parts, 0, sizeof *parts);
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > MOST) {
        PyErr_SetString(PyExc_TypeError, "parts must be a tuple of few strings");
        return -1;
    }
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(tuple); k++) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(tuple, k), &n);
        if (s == NULL) return -1;
        if (n == 0) { PyErr_SetString(PyExc_ValueError, "an empty part is in everything"); return -1; }
        uint64_t bit = (uint64_t)1 << parts->count;
        may_be(parts->here, s, n, 0, bit);
        may_be(parts->next, s, n, 1, bit);
        may_be(parts->here, s, n, 1, bit << 32);
        may_be(parts->next, s, n, 2, bit << 32);
        parts->part[parts->count] = s;
        parts->size[parts->count++] = n;
    }
    return 0;
}

static int is_at(const char *s, const char *part, Py_ssize_t n) {
    for (Py_ssize_t k = 0; k < n; k++)
        if (lower(s[k]) != (unsigned char)part[k]) return 0;
    return 1;
}

/* Those of the likely parts, a bit each, that stand here. */
static uint32_t parts_at(const Parts *parts, uint32_t likely, const char *s, const char *stop) {
    uint32_t found = 0;
    for (int k = 0; likely; k++, likely >>= 1)
        if (likely & 1 && parts->size[k] <= stop - s && is_at(s, parts->part[k], parts->size[k])) found |= (uint32_t)1 << k;
    return found;
}

/* The parts that stand in a value, as far as it is looked through: until there is one of the first, and one of the others.
   Every second byte is looked at, with the next: a part begins at one of these, or a byte before. */
static uint32_t parts_in(const Parts *parts, uint32_t first, const char *s, Py_ssize_t n) {
    const char *start = s, *stop = s + n;
    uint32_t others = ~first & (uint32_t)(((uint64_t)1 << parts->count) - 1), found = 0;
    for (; stop - s > 1; s += 2) {
        uint64_t likely = parts->here[(unsigned char)*s] & parts->next[(unsigned char)s[1]];
        if (!likely) continue;
        found |= parts_at(parts, (uint32_t)likely, s, stop);
        if (s > start) found |= parts_at(parts, (uint32_t)(likely >> 32), s - 1, stop);
        if (found & first && (found & others || !others)) return found;
    }
    /* Only a part of one byte or two is left to be found. */
    uint64_t likely = n ? parts->here[(unsigned char)stop[-1]] : 0;
    found |= parts_at(parts, (uint32_t)likely, stop - 1, stop);
    return n > 1 ? found | parts_at(parts, (uint32_t)(likely >> 32), stop - 2, stop) : found;
}

/* holding(name, parts) -> [node]: the elements whose attribute holds one of some parts, which are in lower case; letters of
   ASCII in either case */
PyObject *tree_holding(Tree *t, PyObject *args) {
    const char *name;
    Py_ssize_t n;
    PyObject *tuple;
    Parts parts;
    if (!PyArg_ParseTuple(args, "s#O", &name, &n, &tuple) || read_parts(tuple, &parts) < 0) return NULL;
    PyObject *found = PyList_New(0);
    int32_t number = table_find(&t->attr_names, name, n);
    if (found == NULL || number < 0) return found;
    Buffer plain = {0};
    for (int32_t k = 0; k < t->holders[number].count; k++) {
        const Holder *h = &t->holders[number].list[k];
        const char *value = t->source.data + h->value.at;
        Py_ssize_t size = h->value.size;
        if (memchr(value, '&', (size_t)size)) {
            plain.size = 0;
            int odd = add_unescaped(&plain, value, value + size);
            if (odd < 0) goto failed;
            if (!odd) { value = plain.data; size = plain.size; }
        }
        if (!parts_in(&parts, UINT32_MAX, value, size)) continue;
        PyObject *node = PyLong_FromLong(h->node);
        int added = node ? PyList_Append(found, node) : -1;
        Py_XDECREF(node);
        if (added < 0) goto failed;
    }
    PyMem_Free(plain.data);
    return found;
failed:
    PyMem_Free(plain.data);
    Py_DECREF(found);
    return NULL;
}

/* classes_holding(some, others) -> [str], [str]: the class values of the page that hold one of some parts, and those that hold
   one of others, each once */
PyObject *tree_classes_holding(Tree *t, PyObject *args) {
    PyObject *some, *others, *both, *found[2];
    if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &some, &PyTuple_Type, &others)) return NULL;
    Parts parts;
    both = PySequence_Concat(some, others);
    if (both == NULL || read_parts(both, &parts) < 0) { Py_XDECREF(both); return NULL; }
    uint32_t first = (uint32_t)(((uint64_t)1 << PyTuple_GET_SIZE(some)) - 1);
    found[0] = PyList_New(0);
    found[1] = PyList_New(0);
    int failed = found[0] == NULL || found[1] == NULL;
    for (int32_t k = 1; !failed && k < t->classes.count; k++) {
        uint32_t held = parts_in(&parts, first, t->classes.bytes.data + t->classes.keys[k].at, t->classes.keys[k].size);
        if (held & first) failed = PyList_Append(found[0], PyList_GET_ITEM(t->class_list, k)) < 0;
        if (!failed && held & ~first) failed = PyList_Append(found[1], PyList_GET_ITEM(t->class_list, k)) < 0;
    }
    Py_DECREF(both);
    PyObject *pair = failed ? NULL : PyTuple_Pack(2, found[0], found[1]);
    Py_XDECREF(found[0]);
    Py_XDECREF(found[1]);
    return pair;
}

/* sized(least, most) -> [node]: the texts that have so many characters, of which there are some */
PyObject *tree_sized(Tree *t, PyObject *args) {
    Py_ssize_t least, most;
    if (!PyArg_ParseTuple(args, "nn", &least, &most)) return NULL;
    Buffer scratch = {0};
    PyObject *found = PyList_New(0);
    for (int32_t i = 0; found && i < t->n; i++) {
        if (t->tag[i] || t->attrs[i].size < least) continue;
        Py_ssize_t n;
        const char *s = text_bytes(t, i, &n, &scratch);
        if (s == NULL) { Py_CLEAR(found); break; }
        if (n < least || n / 4 > most) continue;
        Py_ssize_t size = count_characters(s, n);
        if (size < least || size > most) continue;
        PyObject *node = PyLong_FromLong(i);
        if (node == NULL || PyList_Append(found, node) < 0) Py_CLEAR(found);
        Py_XDECREF(node);
    }
    PyMem_Free(scratch.data);
    return found;
}

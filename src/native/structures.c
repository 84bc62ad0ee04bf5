/* Which elements hold the blocks of a page. */

#include "native.h"

int32_t *numbers_of_tags(const Tree *t, PyObject *dict) {
    int32_t *numbers = PyMem_Calloc((size_t)t->tags.count + 1, sizeof *numbers);
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (numbers == NULL) { PyErr_NoMemory(); return NULL; }
    while (PyDict_Next(dict, &at, &key, &value)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(key, &n);
        int32_t tag = s ? table_find(&t->tags, s, n) : -1;
        if (tag > 0) numbers[tag] = (int32_t)PyLong_AsLong(value);
        if (PyErr_Occurred()) { PyMem_Free(numbers); return NULL; }
    }
    return numbers;
}

/* By tag number, what a dict of floats says of the tag, `other` for nothing; NULL without memory. For the caller to free. */
static double *limits_of_tags(const Tree *t, PyObject *dict, double other) {
    double *limits = PyMem_Malloc(sizeof *limits * ((size_t)t->tags.count + 1));
    if (limits == NULL) { PyErr_NoMemory(); return NULL; }
    for (int32_t k = 0; k <= t->tags.count; k++) limits[k] = other;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(key, &n);
        int32_t tag = s ? table_find(&t->tags, s, n) : -1;
        if (tag > 0) limits[tag] = PyFloat_AsDouble(value);
        if (PyErr_Occurred()) { PyMem_Free(limits); return NULL; }
    }
    return limits;
}

/* spans(least, longest, most, chances) -> [(node, start, stop, size, mass)]: the elements of the tags in a dict in which at
   least so many blocks begin, in document order; the first of these blocks, the one after the last, their words, each block
   being half a word more, and how much of that the chances, float64, say is content. Of the tags in a second dict only those
   whose blocks have on average no more words than it says, and less than a share of the page's. */
PyObject *tree_spans(Tree *t, PyObject *args) {
    PyObject *dict, *longest, *found = NULL;
    Py_buffer chances;
    double most;
    if (!PyArg_ParseTuple(args, "O!O!dy*", &PyDict_Type, &dict, &PyDict_Type, &longest, &most, &chances)) return NULL;
    int32_t n = t->blocks, *least = numbers_of_tags(t, dict), start = 0;
    double *size = PyMem_Malloc(sizeof(double) * 2 * ((size_t)n + 1)), *mass = size + n + 1;
    double *limits = least ? limits_of_tags(t, longest, -1) : NULL;
    const double *chance = chances.buf;
    if (size == NULL && least != NULL) PyErr_NoMemory();
    if (size == NULL || limits == NULL) goto out;
    if (chances.len != 8 * (Py_ssize_t)n) { PyErr_SetString(PyExc_ValueError, "not the chances of these blocks"); goto out; }
    size[0] = mass[0] = 0;
    for (int32_t b = 0; b < n; b++) {
        double words = t->block_words[b] + 0.5, own = chance[b] * words;
        size[b + 1] = size[b] + words;
        mass[b + 1] = mass[b] + own;
    }
    found = PyList_New(0);
    for (int32_t i = 0; found && i < t->n; i++) {
        int32_t few = least[t->tag[i]];
        if (!few) continue;
        start = blocks_before(t, i, start);
        if (n - start < few || t->first[start + few - 1] >= t->end[i]) continue;
        int32_t stop = blocks_before(t, t->end[i], start);
        double own = size[stop] - size[start], limit = limits[t->tag[i]];
        if (limit >= 0 && !(own < most * size[n] && own / (stop - start) <= limit)) continue;
        if (append_new(found, Py_BuildValue("iiidd", i, start, stop, own, mass[stop] - mass[start])) < 0) Py_CLEAR(found);
    }
out:
    PyMem_Free(least);
    PyMem_Free(limits);
    PyMem_Free(size);
    PyBuffer_Release(&chances);
    return found;
}

/* Which elements hold the blocks of a page, the longest of these, and those of the same text. */

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

#define MOST_TEXTS 32

/* longest(most) -> [block]: the longest blocks of which less than half is links, of equals the first, in document order */
PyObject *tree_longest(Tree *t, PyObject *args) {
    int most;
    int32_t longest[MOST_TEXTS], count = 0;
    if (!PyArg_ParseTuple(args, "i", &most)) return NULL;
    if (most < 1 || most > MOST_TEXTS) { PyErr_SetString(PyExc_ValueError, "from 1 to 32 blocks can be asked for"); return NULL; }
    for (int32_t b = 0; b < t->blocks; b++) {
        int32_t size = t->block_chars[b], least = 0;
        if (2 * (int64_t)t->block_links[b] >= size) continue;
        if (count == most) {
            /* The shortest makes room, of equals the last: they stand in document order. */
            for (int32_t k = 1; k < most; k++)
                if (t->block_chars[longest[k]] <= t->block_chars[longest[least]]) least = k;
            if (t->block_chars[longest[least]] >= size) continue;
            memmove(longest + least, longest + least + 1, sizeof *longest * (size_t)(most - least - 1));
            count--;
        }
        longest[count++] = b;
    }
    PyObject *found = PyList_New(count);
    for (int32_t k = 0; found && k < count; k++) {
        PyObject *number = PyLong_FromLong(longest[k]);
        if (number == NULL) { Py_CLEAR(found); break; }
        PyList_SET_ITEM(found, k, number);
    }
    return found;
}

/* repeated(words) -> [[block]]: blocks of the same text, each of so many words, that stand in different containers; in
   document order */
PyObject *tree_repeated(Tree *t, PyObject *args) {
    int least;
    if (!PyArg_ParseTuple(args, "i", &least)) return NULL;
    int32_t n = t->blocks, any = 0;
    int32_t *count = PyMem_Calloc((size_t)n + 1, sizeof *count), *last = NULL, *next = NULL, *holder = NULL;
    PyObject *found = count ? PyList_New(0) : PyErr_NoMemory();
    for (int32_t b = 0; found && b < n; b++) if (t->block_words[b] >= least) any |= ++count[t->text_number[b]] > 1;
    if (!found || !any) goto out;
    /* The blocks of each text, from the first on; and by node the text that has a block in it. */
    last = PyMem_Malloc(sizeof *last * (size_t)n);
    next = PyMem_Malloc(sizeof *next * (size_t)n);
    holder = PyMem_Calloc((size_t)t->n + 1, sizeof *holder);
    if (!last || !next || !holder) { Py_CLEAR(found); PyErr_NoMemory(); goto out; }
    memset(last, 0xFF, sizeof *last * (size_t)n);
    for (int32_t b = n - 1; b >= 0; b--) {
        int32_t number = t->text_number[b];
        next[b] = last[number];
        if (t->block_words[b] >= least) last[number] = b;
    }
    for (int32_t b = 0; found && b < n; b++) {
        int32_t number = t->text_number[b], apart = count[number] > 1;
        if (last[number] != b) continue; /* not the first */
        for (int32_t k = b; k >= 0 && apart; k = next[k]) {
            int32_t above = t->parent[t->owner[k]] + 1; /* the root has none */
            apart = holder[above] != number + 1;
            holder[above] = number + 1;
        }
        PyObject *members = apart ? PyList_New(0) : NULL;
        for (int32_t k = b; k >= 0 && apart && members; k = next[k]) {
            if (append_new(members, PyLong_FromLong(k)) < 0) Py_CLEAR(members);
        }
        if (apart && (members == NULL || PyList_Append(found, members) < 0)) Py_CLEAR(found);
        Py_XDECREF(members);
    }
out:
    PyMem_Free(count); PyMem_Free(last); PyMem_Free(next); PyMem_Free(holder);
    return found;
}

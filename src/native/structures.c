/* What structures.settle_structures() asks of a page: which blocks its tables, lists and headings hold; and
   language.longest_texts(). */

#include "native.h"

/* By tag number, what a dict says of the tag, 0 for nothing; NULL without memory. For the caller to free. */
static int32_t *numbers_of_tags(const Tree *t, PyObject *dict) {
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

/* How many blocks begin before a node, from a number on. */
static int32_t blocks_before(const Tree *t, int32_t node, int32_t from) {
    int32_t low = from, high = t->blocks;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (t->first[middle] < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* spans(least, chances) -> [(node, start, stop, size, mass)]: the elements of the tags in a dict in which at least so many
   blocks begin, in document order; the first of these blocks, the one after the last, their words, each block being half a
   word more, and how much of that the chances, float64, say is content */
PyObject *tree_spans(Tree *t, PyObject *args) {
    PyObject *dict, *found = NULL;
    Py_buffer chances;
    if (!PyArg_ParseTuple(args, "O!y*", &PyDict_Type, &dict, &chances)) return NULL;
    int32_t n = t->blocks, *least = numbers_of_tags(t, dict), start = 0;
    double *size = PyMem_Malloc(sizeof(double) * 2 * ((size_t)n + 1)), *mass = size + n + 1;
    const double *chance = chances.buf;
    if (size == NULL && least != NULL) PyErr_NoMemory();
    if (size == NULL || least == NULL) goto out;
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
        PyObject *span = Py_BuildValue("iiidd", i, start, stop, size[stop] - size[start], mass[stop] - mass[start]);
        if (span == NULL || PyList_Append(found, span) < 0) Py_CLEAR(found);
        Py_XDECREF(span);
    }
out:
    PyMem_Free(least);
    PyMem_Free(size);
    PyBuffer_Release(&chances);
    return found;
}

/* owned(tags: dict) -> [block]: the blocks whose owner has one of these tags */
PyObject *tree_owned(Tree *t, PyObject *args) {
    PyObject *dict;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &dict)) return NULL;
    int32_t *wanted = numbers_of_tags(t, dict);
    PyObject *found = wanted ? PyList_New(0) : NULL;
    for (int32_t b = 0; found && b < t->blocks; b++) {
        if (!wanted[t->tag[t->owner[b]]]) continue;
        PyObject *number = PyLong_FromLong(b);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    PyMem_Free(wanted);
    return found;
}

/* linked(longest, share) -> [node]: the elements of the tags in a dict that have at most so many nodes and at least this share
   of their text in links */
PyObject *tree_linked(Tree *t, PyObject *args) {
    PyObject *dict;
    double share;
    if (!PyArg_ParseTuple(args, "O!d", &PyDict_Type, &dict, &share)) return NULL;
    int32_t *longest = numbers_of_tags(t, dict);
    PyObject *found = longest ? PyList_New(0) : NULL;
    for (int32_t i = 0; found && i < t->n; i++) {
        int32_t most = longest[t->tag[i]], end = t->end[i];
        if (!most || end - i > most) continue;
        int32_t chars = t->chars[end] - t->chars[i];
        if ((chars ? (double)(t->links[end] - t->links[i]) / chars : 0.0) < share) continue;
        PyObject *number = PyLong_FromLong(i);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    PyMem_Free(longest);
    return found;
}

/* classes_with(part) -> {str}: the class values that have a part, letter for letter */
PyObject *tree_classes_with(Tree *t, PyObject *args) {
    const char *part;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "s#", &part, &n)) return NULL;
    PyObject *found = PySet_New(NULL);
    /* Most pages have none: all values, which lie side by side, are asked at once. */
    const Table *values = &t->classes;
    if (!values->bytes.size || !memmem(values->bytes.data, (size_t)values->bytes.size, part, (size_t)n)) return found;
    for (int32_t k = 1; found && k < values->count; k++)
        if (memmem(values->bytes.data + values->keys[k].at, (size_t)values->keys[k].size, part, (size_t)n)
            && PySet_Add(found, PyList_GET_ITEM(t->class_list, k)) < 0)
            Py_CLEAR(found);
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

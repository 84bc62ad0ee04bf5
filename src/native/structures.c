/* Which elements hold the blocks of a page, and which blocks have the same text. */

#include "native.h"

int32_t *numbers_of_tags(const Tree *t, PyObject *dict, Memory *memory) {
    int32_t *numbers = memory_new(memory, t->tags.count, sizeof *numbers);
    PyObject *key, *value;
    Py_ssize_t at = 0, n;
    if (numbers == NULL) { PyErr_NoMemory(); return NULL; }
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *s = PyUnicode_AsUTF8AndSize(key, &n);
        int32_t tag = s ? table_find(&t->tags, s, n) : -1;
        if (tag > 0) numbers[tag] = (int32_t)PyLong_AsLong(value);
        if (PyErr_Occurred()) return NULL;
    }
    return numbers;
}

/* What a dict of floats says of a tag, -1 for nothing. */
static double limit_of(const Tree *t, PyObject *dict, int32_t tag) {
    PyObject *limit = PyDict_GetItemWithError(dict, PyList_GET_ITEM(t->tag_list, tag));
    return limit ? PyFloat_AsDouble(limit) : -1;
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
    Memory memory = {0};
    int32_t n = t->blocks, *least = numbers_of_tags(t, dict, &memory), start = 0;
    double *size = memory_new(&memory, n, sizeof *size), *mass = memory_new(&memory, n, sizeof *mass);
    const double *chance = chances.buf;
    if (memory.failed) PyErr_NoMemory();
    if (memory.failed || least == NULL) goto out;
    if (chances.len != 8 * (Py_ssize_t)n) { PyErr_SetString(PyExc_ValueError, "not the chances of these blocks"); goto out; }
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
        double own = size[stop] - size[start], limit = limit_of(t, longest, t->tag[i]);
        if (limit >= 0 && !(own < most * size[n] && own / (stop - start) <= limit)) continue;
        if (append_new(found, Py_BuildValue("iiidd", i, start, stop, own, mass[stop] - mass[start])) < 0) Py_CLEAR(found);
    }
out:
    if (PyErr_Occurred()) Py_CLEAR(found);
    memory_free(&memory);
    PyBuffer_Release(&chances);
    return found;
}

/* repeated(words) -> [[block]]: blocks of the same text, each of so many words, that stand in different containers; in
   document order */
PyObject *tree_repeated(Tree *t, PyObject *args) {
    int least;
    if (!PyArg_ParseTuple(args, "i", &least)) return NULL;
    Memory memory = {0};
    int32_t n = t->blocks, any = 0, *count = memory_new(&memory, n, sizeof *count);
    PyObject *found = count ? PyList_New(0) : PyErr_NoMemory();
    for (int32_t b = 0; found && b < n; b++) if (t->block_words[b] >= least) any |= ++count[t->text_number[b]] > 1;
    if (!found || !any) goto out;
    /* The blocks of each text, from the first on; and by node the text that has a block in it. */
    int32_t *last = memory_new(&memory, n, sizeof *last), *next = memory_new(&memory, n, sizeof *next);
    int32_t *holder = memory_new(&memory, t->n, sizeof *holder);
    if (memory.failed) { Py_CLEAR(found); PyErr_NoMemory(); goto out; }
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
    memory_free(&memory);
    return found;
}

/* density.density_chances(): link, text and paragraph density with Readability-style propagation. */

#include "native.h"
#include <math.h>

enum { PARAGRAPH = 1, LEAF = 2, STRONG = 4 };
#define SHARES 4

static double link_density(const Tree *t, int32_t i) {
    int32_t chars = t->chars[t->end[i]] - t->chars[i];
    return chars ? (double)(t->links[t->end[i]] - t->links[i]) / chars : 0.0;
}

static int32_t commas_in(PyObject *text, Py_ssize_t limit) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int32_t count = 0;
    if (n > limit) n = limit;
    if (PyUnicode_IS_ASCII(text)) {
        const char *s = (const char *)PyUnicode_1BYTE_DATA(text);
        for (Py_ssize_t i = 0; i < n; i++) count += s[i] == ',' || s[i] == ';';
        return count;
    }
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        count += c < 0x80 ? c == ',' || c == ';' : c == 0xFF0C || c == 0x3001 || c == 0x060C || c == 0xFF1B;
    }
    return count;
}

/* The highest-scoring container, widened while its surroundings hold much more of the same; -1 for none. */
static int32_t best_container(const Tree *t, double *scores, uint8_t *scored, double sibling) {
    int32_t best = -1;
    for (int32_t i = 0; i < t->n; i++) {
        if (!scored[i]) continue;
        scores[i] *= 1 - link_density(t, i);
        if (best < 0 || scores[i] >= scores[best]) best = i;
    }
    while (best >= 0) {
        int32_t above = t->parent[best], count = 0;
        double beside = 0;
        if (above > 0)
            for (int32_t child = above + 1; child < t->end[above]; child = t->end[child])
                if (child != best) { beside += scores[child]; count++; }
        if (!count || beside < sibling * scores[best] || link_density(t, above) > 0.5) break;
        best = above;
        if (beside > scores[best]) scores[best] = beside;
    }
    return best;
}

/* density(removed, traits, shares, sibling, is_all) -> (chances, container); no chances unless all is wanted */
PyObject *tree_density(Tree *t, PyObject *args) {
    Py_buffer removed_;
    PyObject *traits_of, *result = NULL, *chances = NULL;
    double shares[SHARES], sibling;
    int is_all;
    if (!PyArg_ParseTuple(args, "y*O!(dddd)dp", &removed_, &PyDict_Type, &traits_of, &shares[0], &shares[1], &shares[2],
            &shares[3], &sibling, &is_all))
        return NULL;
    const uint8_t *removed = removed_.buf;
    double *scores = PyMem_Calloc((size_t)t->n + 1, sizeof(double));
    uint8_t *scored = PyMem_Calloc((size_t)t->n + 1, 1), *traits = PyMem_Calloc((size_t)t->tags.count + 1, 1);
    if (!scores || !scored || !traits) { PyErr_NoMemory(); goto out; }
    if (removed_.len != t->blocks) { PyErr_SetString(PyExc_ValueError, "not the blocks of this page"); goto out; }
    for (int32_t k = 1; k < t->tags.count; k++) {
        PyObject *bits = PyDict_GetItemWithError(traits_of, PyList_GET_ITEM(t->tag_list, k));
        if (PyErr_Occurred()) goto out;
        traits[k] = bits ? (uint8_t)PyLong_AsLong(bits) : 0;
    }
    for (int32_t b = 0; b < t->blocks; b++) {
        int32_t size = t->block_chars[b], owner = t->owner[b];
        int bits = traits[t->tag[owner]];
        if (size < 25 || !(bits & PARAGRAPH) || removed[b]) continue;
        double length = size / 100.0;
        int32_t commas = commas_in(PyList_GET_ITEM(t->block_text, b), 2000);
        double score = (1 + commas + (length < 3 ? length : 3)) * (1 - (double)t->block_links[b] / size);
        int32_t node = bits & LEAF ? t->parent[owner] : owner;
        for (int k = 0; k < SHARES && node > 0; k++) {
            scores[node] += shares[k] * score;
            scored[node] = 1;
            node = t->parent[node];
        }
    }
    int32_t best = best_container(t, scores, scored, sibling);
    if ((chances = PyList_New(is_all ? t->blocks : 0)) == NULL) goto out;
    for (int32_t b = 0; is_all && b < t->blocks; b++) {
        int32_t size = t->block_chars[b] > 1 ? t->block_chars[b] : 1;
        int inside = best >= 0 && t->first[b] >= best && t->first[b] < t->end[best];
        double x = -2.2 + (inside ? 3.4 : 0.0) + 0.9 * log1p(t->block_words[b]) - 3.5 * ((double)t->block_links[b] / size);
        if (traits[t->tag[t->owner[b]]] & STRONG) x += 0.8;
        if (removed[b]) x -= 4.0;
        if (!inside) x -= 1.6;
        PyObject *chance = PyFloat_FromDouble(1 / (1 + exp(-x)));
        if (chance == NULL) goto out;
        PyList_SET_ITEM(chances, b, chance);
    }
    result = best < 0 ? Py_BuildValue("OO", chances, Py_None) : Py_BuildValue("Oi", chances, (int)best);
out:
    Py_XDECREF(chances);
    PyMem_Free(scores);
    PyMem_Free(scored);
    PyMem_Free(traits);
    PyBuffer_Release(&removed_);
    return result;
}

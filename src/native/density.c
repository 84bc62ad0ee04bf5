/* The container that density.best_container() finds: link, text and paragraph density with Readability-style propagation. */

#include "native.h"

enum { PARAGRAPH = 1, LEAF = 2 };
#define SHARES 4

static double link_density(const Tree *t, int32_t i) {
    int32_t chars = t->chars[t->end[i]] - t->chars[i];
    return chars ? (double)(t->links[t->end[i]] - t->links[i]) / chars : 0.0;
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

/* density(removed, traits, shares, sibling, commas) -> the container, or -1: the blocks that are removed, a byte each; the bits of
   tags; what of a paragraph's score its ancestors get; the share of its score that what is beside a container must have for that
   to be widened; and the marks that count as commas */
PyObject *tree_density(Tree *t, PyObject *args) {
    Py_buffer removed_;
    PyObject *traits_of, *commas_, *result = NULL;
    double shares[SHARES], sibling;
    Marks commas;
    if (!PyArg_ParseTuple(args, "y*O!(dddd)dU", &removed_, &PyDict_Type, &traits_of, &shares[0], &shares[1], &shares[2],
            &shares[3], &sibling, &commas_))
        return NULL;
    const uint8_t *removed = removed_.buf;
    Memory memory = {0};
    double *scores = memory_new(&memory, t->n, sizeof *scores);
    uint8_t *scored = memory_new(&memory, t->n, 1);
    int32_t *traits = numbers_of_tags(t, traits_of, &memory);
    if (!traits || read_marks(commas_, &commas) < 0) goto out;
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    if (removed_.len != t->blocks) { PyErr_SetString(PyExc_ValueError, "not the blocks of this page"); goto out; }
    for (int32_t b = 0; b < t->blocks; b++) {
        int32_t size = t->block_chars[b], owner = t->owner[b], bits = traits[t->tag[owner]];
        if (size < 25 || !(bits & PARAGRAPH) || removed[b]) continue;
        double length = size / 100.0;
        int32_t count = count_marks(&commas, PyList_GET_ITEM(t->block_text, b), 2000);
        double score = (1 + count + (length < 3 ? length : 3)) * (1 - (double)t->block_links[b] / size);
        int32_t node = bits & LEAF ? t->parent[owner] : owner;
        for (int k = 0; k < SHARES && node > 0; k++) {
            scores[node] += shares[k] * score;
            scored[node] = 1;
            node = t->parent[node];
        }
    }
    result = PyLong_FromLong(best_container(t, scores, scored, sibling));
out:
    memory_free(&memory);
    PyBuffer_Release(&removed_);
    return result;
}

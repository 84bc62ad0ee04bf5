/* Which blocks an element holds (Page.range_of), which are kept (Page.kept), and what these measure (Page.measure). */

#include "native.h"

/* range_of(node) -> (start, stop): the blocks that begin inside it */
PyObject *tree_range_of(Tree *t, PyObject *number) {
    int32_t node = node_given(t, number);
    if (node < 0) return NULL;
    return pair_of(blocks_before(t, node, 0), PyLong_FromLong(blocks_before(t, t->end[node], 0)));
}

Py_ssize_t block_at(PyObject *kept, Py_ssize_t k, Py_ssize_t blocks) {
    Py_ssize_t b = PyLong_AsSsize_t(PyList_GET_ITEM(kept, k));
    if (b >= 0 && b < blocks) return b;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such block");
    return -1;
}

/* owned(tags: set) -> [block]: those that belong to an element of one of these tags, in order */
PyObject *tree_owned(Tree *t, PyObject *tags) {
    uint8_t *wanted = numbers_among(&t->tags, tags);
    PyObject *found = wanted ? PyList_New(0) : NULL;
    for (int32_t b = 0; found && b < t->blocks; b++)
        if (wanted[t->tag[t->owner[b]]] && append_new(found, PyLong_FromLong(b)) < 0) Py_CLEAR(found);
    PyMem_Free(wanted);
    return found;
}

/* kept(nodes, gone, among: list or None) -> [block]: those that begin inside any of some nodes, in order, without those that lie
   inside of any that goes, and of all but those among others */
PyObject *tree_kept(Tree *t, PyObject *args) {
    PyObject *given[2], *among, *found = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &given[0], &given[1], &among)) return NULL;
    if (among != Py_None && !PyList_Check(among)) { PyErr_SetString(PyExc_TypeError, "a list of blocks is needed"); return NULL; }
    uint8_t *is_kept = PyMem_Calloc((size_t)t->blocks + 1, 2), *is_among = is_kept + t->blocks;
    if (is_kept == NULL) return PyErr_NoMemory();
    for (int goes = 0; goes < 2; goes++) {
        PyObject *nodes = PyObject_GetIter(given[goes]), *number;
        while (nodes && (number = PyIter_Next(nodes))) {
            int32_t node = node_given(t, number);
            Py_DECREF(number);
            if (node < 0) break;
            int32_t end = t->end[node], b = blocks_before(t, node, 0), stop = blocks_before(t, end, 0);
            if (!goes) { if (b < stop) memset(is_kept + b, 1, (size_t)(stop - b)); }
            /* One that only begins with what goes stays. */
            else for (; b < stop; b++) if (t->last[b] < end) is_kept[b] = 0;
        }
        Py_XDECREF(nodes);
        if (PyErr_Occurred()) goto out;
    }
    for (Py_ssize_t k = 0; among != Py_None && k < PyList_GET_SIZE(among); k++) {
        Py_ssize_t b = block_at(among, k, t->blocks);
        if (b < 0) goto out;
        is_among[b] = 1;
    }
    found = PyList_New(0);
    for (int32_t b = 0; found && b < t->blocks; b++)
        if (is_kept[b] && (among == Py_None || is_among[b]) && append_new(found, PyLong_FromLong(b)) < 0) Py_CLEAR(found);
out:
    PyMem_Free(is_kept);
    return found;
}

/* By block, whether it is one of several in a single link: a card that leads somewhere, whose text is no link text; NULL without
   memory. For the caller to free. */
static uint8_t *blocks_of_cards(const Tree *t) {
    uint8_t *is_card = PyMem_Calloc((size_t)t->blocks + 1, 1);
    int32_t a = table_find(&t->tags, "a", 1), start = 0;
    if (is_card == NULL) { PyErr_NoMemory(); return NULL; }
    for (int32_t i = 0; a > 0 && i < t->n; i++) {
        if (t->tag[i] != a) continue;
        start = blocks_before(t, i, start);
        if (t->blocks - start < 2 || t->first[start + 1] >= t->end[i]) continue;
        int32_t stop = blocks_before(t, t->end[i], start);
        memset(is_card + start, 1, (size_t)(stop - start));
        i = t->end[i] - 1;
    }
    return is_card;
}

/* measure(kept: list, paragraph: the tags that are one, whatever they hold, prose: words of a block that is one anyway,
   with_cards: whether the text of a link around several blocks is link text)
   -> words, words of more text than links, paragraphs, chars, links, characters of the bare tags from the first to the last */
PyObject *tree_measure(Tree *t, PyObject *args) {
    PyObject *kept, *paragraph;
    int prose, with_cards;
    if (!PyArg_ParseTuple(args, "O!Oip", &PyList_Type, &kept, &paragraph, &prose, &with_cards)) return NULL;
    uint8_t *is_paragraph = numbers_among(&t->tags, paragraph), *is_card = is_paragraph && !with_cards ? blocks_of_cards(t) : NULL;
    if (is_paragraph == NULL || (is_card == NULL && !with_cards)) { PyMem_Free(is_paragraph); return NULL; }
    int64_t words = 0, unlinked = 0, paragraphs = 0, chars = 0, links = 0, markup = 0;
    int32_t at = -1;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(kept); k++) {
        Py_ssize_t b = block_at(kept, k, t->blocks);
        if (b < 0) break;
        for (at = at < 0 ? t->first[b] : at; at <= t->last[b]; at++)
            if (t->tag[at]) markup += 2 * PyUnicode_GET_LENGTH(PyList_GET_ITEM(t->tag_list, t->tag[at])) + 5;
        int64_t own = t->block_words[b], size = t->block_chars[b], linked = t->block_links[b];
        words += own;
        chars += size;
        links += is_card && is_card[b] ? 0 : linked;
        if (linked * 2 < size) unlinked += own;
        paragraphs += own >= prose || is_paragraph[t->tag[t->owner[b]]];
    }
    PyMem_Free(is_paragraph);
    PyMem_Free(is_card);
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("LLLLLL", (long long)words, (long long)unlinked, (long long)paragraphs, (long long)chars, (long long)links, (long long)markup);
}

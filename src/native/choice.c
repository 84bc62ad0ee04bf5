/* What a choice of blocks comes to: which blocks an element holds (Page.range_of), what the chosen ones measure (Page.measure),
   what markup stands between them (quality._markup), what is said around one (quality._around), and what the judge expects of them (judge.at_least, _expected, _expected_f1). */

#include "native.h"

/* The first block that begins at or after a node. */
static int32_t block_from(const Tree *t, int32_t node) {
    int32_t low = 0, high = t->blocks;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (t->first[middle] < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* range_of(node) -> (start, stop): the blocks that begin inside it */
PyObject *tree_range_of(Tree *t, PyObject *number) {
    long node = PyLong_AsLong(number);
    if (node < 0 || node >= t->n) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no such node");
        return NULL;
    }
    return pair_of(block_from(t, (int32_t)node), PyLong_FromLong(block_from(t, t->end[node])));
}

/* One of some blocks; -1 if it is none of so many. */
static Py_ssize_t block_at(PyObject *kept, Py_ssize_t k, Py_ssize_t blocks) {
    Py_ssize_t b = PyLong_AsSsize_t(PyList_GET_ITEM(kept, k));
    if (b >= 0 && b < blocks) return b;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such block");
    return -1;
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
            long node = PyLong_AsLong(number);
            Py_DECREF(number);
            if (node < 0 || node >= t->n) {
                if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no such node");
                break;
            }
            int32_t end = t->end[node], b = block_from(t, (int32_t)node), stop = block_from(t, end);
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
    Py_ssize_t count = 0;
    for (int32_t b = 0; b < t->blocks; b++) count += is_kept[b] &= among == Py_None || is_among[b];
    found = PyList_New(count);
    count = 0;
    for (int32_t b = 0; found && b < t->blocks; b++) {
        if (!is_kept[b]) continue;
        PyObject *number = PyLong_FromLong(b);
        if (number == NULL) { Py_CLEAR(found); break; }
        PyList_SET_ITEM(found, count++, number);
    }
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
   -> words, words of more text than links, paragraphs, chars, links */
PyObject *tree_measure(Tree *t, PyObject *args) {
    PyObject *kept, *paragraph;
    int prose, with_cards;
    if (!PyArg_ParseTuple(args, "O!Oip", &PyList_Type, &kept, &paragraph, &prose, &with_cards)) return NULL;
    uint8_t *is_paragraph = numbers_among(&t->tags, paragraph), *is_card = is_paragraph ? blocks_of_cards(t) : NULL;
    if (is_card == NULL) { PyMem_Free(is_paragraph); return NULL; }
    int64_t words = 0, unlinked = 0, paragraphs = 0, chars = 0, links = 0;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(kept); k++) {
        Py_ssize_t b = block_at(kept, k, t->blocks);
        if (b < 0) break;
        int64_t own = t->block_words[b], size = t->block_chars[b], linked = t->block_links[b];
        words += own;
        chars += size;
        links += with_cards || !is_card[b] ? linked : 0;
        if (linked * 2 < size) unlinked += own;
        paragraphs += own >= prose || is_paragraph[t->tag[t->owner[b]]];
    }
    PyMem_Free(is_paragraph);
    PyMem_Free(is_card);
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("LLLLL", (long long)words, (long long)unlinked, (long long)paragraphs, (long long)chars, (long long)links);
}

/* markup(start, stop) -> the characters of the bare tags of the elements from one node to before another */
PyObject *tree_markup(Tree *t, PyObject *args) {
    Py_ssize_t start, stop;
    if (!PyArg_ParseTuple(args, "nn", &start, &stop)) return NULL;
    if (start < 0 || stop > t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    int64_t size = 0;
    for (Py_ssize_t i = start; i < stop; i++)
        if (t->tag[i]) size += 2 * PyUnicode_GET_LENGTH(PyList_GET_ITEM(t->tag_list, t->tag[i])) + 5;
    return PyLong_FromLongLong((long long)size);
}

/* around(name, node) -> [node]: the element and those around it that have an attribute, outermost first */
PyObject *tree_around(Tree *t, PyObject *args) {
    const char *name;
    Py_ssize_t n, node;
    if (!PyArg_ParseTuple(args, "s#n", &name, &n, &node)) return NULL;
    int32_t number = table_find(&t->attr_names, name, n);
    PyObject *found = PyList_New(0);
    for (int32_t k = 0; found && number >= 0 && k < t->holders[number].count; k++) {
        int32_t i = t->holders[number].list[k].node;
        if (i > node) break;
        if (node >= t->end[i]) continue;
        PyObject *own = PyLong_FromLong(i);
        if (own == NULL || PyList_Append(found, own) < 0) Py_CLEAR(found);
        Py_XDECREF(own);
    }
    return found;
}

static int are_of_same_blocks(PyObject *chances, PyObject *words) {
    if (PyList_GET_SIZE(chances) == PyList_GET_SIZE(words)) return 1;
    PyErr_SetString(PyExc_ValueError, "not the chances of these blocks");
    return 0;
}

/* expected(chances, words, start, stop) -> (words expected, sum of chances, words) of the blocks from one to before another */
static PyObject *expected(PyObject *module, PyObject *args) {
    PyObject *chances, *words;
    Py_ssize_t start, stop;
    if (!PyArg_ParseTuple(args, "O!O!nn", &PyList_Type, &chances, &PyList_Type, &words, &start, &stop)) return NULL;
    if (!are_of_same_blocks(chances, words)) return NULL;
    if (start < 0 || stop > PyList_GET_SIZE(words)) { PyErr_SetString(PyExc_ValueError, "no such block"); return NULL; }
    double mass = 0, sum = 0;
    long long size = 0;
    for (Py_ssize_t b = start; b < stop; b++) {
        double chance = PyFloat_AsDouble(PyList_GET_ITEM(chances, b));
        long own = PyLong_AsLong(PyList_GET_ITEM(words, b));
        mass += chance * (double)own;
        sum += chance;
        size += own;
    }
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("ddL", mass, sum, size);
}

/* expected_f1(chances, words, kept, total) -> the F1 to be expected of keeping some blocks */
static PyObject *expected_f1(PyObject *module, PyObject *args) {
    PyObject *chances, *words, *kept;
    double total, right = 0, size = 0;
    if (!PyArg_ParseTuple(args, "O!O!O!d", &PyList_Type, &chances, &PyList_Type, &words, &PyList_Type, &kept, &total)) return NULL;
    if (!are_of_same_blocks(chances, words)) return NULL;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(kept); k++) {
        Py_ssize_t b = block_at(kept, k, PyList_GET_SIZE(words));
        if (b < 0) return NULL;
        double weight = (double)PyLong_AsLong(PyList_GET_ITEM(words, b)) + 0.5;
        right += PyFloat_AsDouble(PyList_GET_ITEM(chances, b)) * weight;
        size += weight;
    }
    if (PyErr_Occurred()) return NULL;
    return PyFloat_FromDouble(size + total ? 2 * right / (size + total) : 0.0);
}

/* at_least(chances, least) -> [block]: those that are so likely */
static PyObject *at_least(PyObject *module, PyObject *args) {
    PyObject *chances;
    double least;
    if (!PyArg_ParseTuple(args, "O!d", &PyList_Type, &chances, &least)) return NULL;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t b = 0; found && b < PyList_GET_SIZE(chances); b++) {
        double chance = PyFloat_AsDouble(PyList_GET_ITEM(chances, b));
        if (chance == -1.0 && PyErr_Occurred()) { Py_CLEAR(found); break; }
        if (!(chance >= least)) continue;
        PyObject *number = PyLong_FromSsize_t(b);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

PyMethodDef at_least_method = {"at_least", at_least, METH_VARARGS, "The blocks that are so likely."};
PyMethodDef expected_method = {"expected", expected, METH_VARARGS, "How much of some blocks is to be expected to be content."};
PyMethodDef expected_f1_method = {"expected_f1", expected_f1, METH_VARARGS, "The F1 to be expected of keeping some blocks."};

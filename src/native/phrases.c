/* Which of many phrases are in a text: one pass over it, in which hardly any place looks like the beginning of one. */

#include "native.h"

#define START 5 /* bytes that rule out most places */
#define MOST_COMPARED (4 << 20) /* pages may choose phrases that all begin alike: what is left then counts as not there */

static inline uint64_t start_at(const char *s, Py_ssize_t left) {
    uint64_t start = 0;
    if (left >= 8) memcpy(&start, s, 8);
    else memcpy(&start, s, (size_t)left);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return start << (8 * (8 - START));
#else
    return start >> (8 * (8 - START));
#endif
}

static inline uint64_t mixed(uint64_t start) { return start * 0x9E3779B97F4A7C15ull; }
static const char *phrase_at(const Phrases *p, int32_t k) { return p->texts.bytes.data + p->texts.keys[k].at; }

/* The slot of a start: its own, or an empty one. */
static uint32_t slot_of(const Phrases *p, uint64_t start) {
    uint32_t at = (uint32_t)(mixed(start) >> 20) & p->mask;
    while (p->slots[at] && start_at(phrase_at(p, p->slots[at] - 1), START) != start) at = (at + 1) & p->mask;
    return at;
}

int index_phrases(Phrases *p) {
    uint32_t slots = 16;
    while ((int64_t)slots < 2 * (int64_t)p->texts.count) slots *= 2;
    p->mask = slots - 1;
    p->slots = PyMem_Calloc(slots, sizeof *p->slots);
    p->next = PyMem_Calloc((size_t)p->texts.count + 1, sizeof *p->next);
    if (p->slots == NULL || p->next == NULL) { no_memory(); return -1; }
    for (int32_t k = 0; k < p->texts.count; k++) {
        if (p->texts.keys[k].size < START) continue; /* it is looked for by itself */
        uint64_t start = start_at(phrase_at(p, k), START), place = mixed(start) >> (64 - PHRASE_PLACES);
        uint32_t at = slot_of(p, start);
        p->next[k] = p->slots[at];
        p->slots[at] = k + 1;
        p->places[place / 64] |= (uint64_t)1 << place % 64;
    }
    return 0;
}

void phrases_free(Phrases *p) {
    table_free(&p->texts);
    PyMem_Free(p->slots);
    PyMem_Free(p->next);
}

uint8_t *find_phrases(const Phrases *p, const char *s, Py_ssize_t n) {
    uint8_t *found = PyMem_Calloc((size_t)p->texts.count + 1, 1);
    if (found == NULL) { no_memory(); return NULL; }
    int64_t left = MOST_COMPARED;
    for (Py_ssize_t i = 0; i + START <= n && left > 0; i++) {
        uint64_t start = start_at(s + i, n - i), place = mixed(start) >> (64 - PHRASE_PLACES);
        if (!(p->places[place / 64] >> place % 64 & 1)) continue;
        for (int32_t k = p->slots[slot_of(p, start)]; k && left > 0; k = p->next[k - 1], left--) {
            Py_ssize_t size = p->texts.keys[k - 1].size;
            if (!found[k - 1] && size <= n - i) found[k - 1] = memcmp(phrase_at(p, k - 1), s + i, (size_t)size) == 0;
        }
    }
    for (int32_t k = 0; k < p->texts.count; k++)
        if (p->texts.keys[k].size < START) found[k] = memmem(s, (size_t)n, phrase_at(p, k), (size_t)p->texts.keys[k].size) != NULL;
    return found;
}

/* ---- as Python has them ---- */

static PyObject *phrases_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *given;
    if (!PyArg_ParseTuple(args, "O", &given)) return NULL;
    Phrases *p = (Phrases *)type->tp_alloc(type, 0);
    PyObject *list = p ? PySequence_Fast(given, "phrases are a list of str") : NULL;
    int failed = list == NULL || table_init(&p->texts, (int32_t)PySequence_Fast_GET_SIZE(list)) < 0, fresh;
    for (Py_ssize_t k = 0; !failed && k < PySequence_Fast_GET_SIZE(list); k++) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(PySequence_Fast_GET_ITEM(list, k), &n);
        failed = s == NULL || table_put(&p->texts, s, n, &fresh) < 0;
    }
    Py_XDECREF(list);
    if (failed || index_phrases(p) < 0) Py_CLEAR(p);
    return (PyObject *)p;
}

static void phrases_dealloc(Phrases *p) {
    phrases_free(p);
    Py_TYPE(p)->tp_free((PyObject *)p);
}

/* within(text) -> [str]: those that are in a text, in the order of the list */
static PyObject *phrases_within(Phrases *p, PyObject *text) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    uint8_t *is_found = s ? find_phrases(p, s, n) : NULL;
    PyObject *found = is_found ? PyList_New(0) : NULL;
    for (int32_t k = 0; found && k < p->texts.count; k++)
        if (is_found[k] && append_new(found, PyUnicode_DecodeUTF8(phrase_at(p, k), p->texts.keys[k].size, NULL)) < 0) Py_CLEAR(found);
    PyMem_Free(is_found);
    return found;
}

static PyMethodDef phrases_methods[] = {
    {"within", (PyCFunction)phrases_within, METH_O, "The phrases that are in a text."},
    {NULL},
};

PyTypeObject PhrasesType = {
    TYPE(Phrases, Phrases, 0, "Phrases, to be looked for together."),
    .tp_new = phrases_new,
    .tp_dealloc = (destructor)phrases_dealloc,
    .tp_methods = phrases_methods,
};

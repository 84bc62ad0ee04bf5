/* Which of many fixed phrases are in a text: one pass over it, in which hardly any place looks like the beginning of one. */

#include "native.h"

#define START 5 /* bytes that rule out most places */
#define PLACES 15 /* bits */

typedef struct {
    const char *s;
    Py_ssize_t size;
    int32_t next; /* of the same start; -1 for none */
} Phrase;

typedef struct {
    PyObject_HEAD
    PyObject *texts; /* tuple of str, which own the bytes */
    Phrase *list;
    int32_t count, *slots; /* by start, the first of its phrases from 1; 0 where there is nothing */
    uint32_t mask;
    uint64_t places[(1 << PLACES) / 64]; /* one is set where a start may be */
} Phrases;

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

/* The slot of a start: its own, or an empty one. */
static uint32_t slot_of(const Phrases *p, uint64_t start) {
    uint32_t at = (uint32_t)(mixed(start) >> 20) & p->mask;
    while (p->slots[at] && start_at(p->list[p->slots[at] - 1].s, START) != start) at = (at + 1) & p->mask;
    return at;
}

static PyObject *phrases_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *given;
    if (!PyArg_ParseTuple(args, "O", &given)) return NULL;
    Phrases *p = (Phrases *)type->tp_alloc(type, 0);
    if (p == NULL || (p->texts = PySequence_Tuple(given)) == NULL) { Py_XDECREF(p); return NULL; }
    Py_ssize_t count = PyTuple_GET_SIZE(p->texts);
    uint32_t slots = 16;
    while ((Py_ssize_t)slots < 2 * count) slots *= 2;
    p->mask = slots - 1;
    p->slots = PyMem_Calloc(slots, sizeof *p->slots);
    p->list = PyMem_Calloc((size_t)count + 1, sizeof *p->list);
    if (p->slots == NULL || p->list == NULL) { Py_DECREF(p); return PyErr_NoMemory(); }
    for (; p->count < count; p->count++) {
        Phrase *own = &p->list[p->count];
        own->s = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(p->texts, p->count), &own->size);
        if (own->s == NULL) { Py_DECREF(p); return NULL; }
        if (own->size < START) continue; /* it is looked for by itself */
        uint64_t start = start_at(own->s, START), place = mixed(start) >> (64 - PLACES);
        uint32_t at = slot_of(p, start);
        own->next = p->slots[at] - 1;
        p->slots[at] = p->count + 1;
        p->places[place / 64] |= (uint64_t)1 << place % 64;
    }
    return (PyObject *)p;
}

static void phrases_dealloc(Phrases *p) {
    PyMem_Free(p->slots);
    PyMem_Free(p->list);
    Py_XDECREF(p->texts);
    Py_TYPE(p)->tp_free((PyObject *)p);
}

static void look_through(const Phrases *p, const char *s, Py_ssize_t n, uint8_t *found) {
    for (Py_ssize_t i = 0; i + START <= n; i++) {
        uint64_t start = start_at(s + i, n - i), place = mixed(start) >> (64 - PLACES);
        if (!(p->places[place / 64] >> place % 64 & 1)) continue;
        for (int32_t k = p->slots[slot_of(p, start)] - 1; k >= 0; k = p->list[k].next)
            if (!found[k] && p->list[k].size <= n - i && memcmp(p->list[k].s, s + i, (size_t)p->list[k].size) == 0) found[k] = 1;
    }
}

/* within(text) -> [str]: those that are in a text, in the order of the list */
static PyObject *phrases_within(Phrases *p, PyObject *text) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    if (s == NULL) return NULL;
    uint8_t *is_found = PyMem_Calloc((size_t)p->count + 1, 1);
    if (is_found == NULL) return PyErr_NoMemory();
    look_through(p, s, n, is_found);
    PyObject *found = PyList_New(0);
    for (int32_t k = 0; found && k < p->count; k++) {
        const Phrase *own = &p->list[k];
        if (own->size < START) is_found[k] = memmem(s, (size_t)n, own->s, (size_t)own->size) != NULL;
        if (is_found[k] && PyList_Append(found, PyTuple_GET_ITEM(p->texts, k)) < 0) Py_CLEAR(found);
    }
    PyMem_Free(is_found);
    return found;
}

static PyMethodDef phrases_methods[] = {
    {"within", (PyCFunction)phrases_within, METH_O, "The phrases that are in a text."},
    {NULL},
};

PyTypeObject PhrasesType = {
    TYPE(Phrases, Phrases, 0, "Fixed phrases, to be looked for together."),
    .tp_new = phrases_new,
    .tp_dealloc = (destructor)phrases_dealloc,
    .tp_methods = phrases_methods,
};

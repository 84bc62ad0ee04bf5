/* The steps of a CSS selector, as selectors.py gives them. */

#include "selector.h"

/* Keeps a text, with a sign before it where that is not 0 and in lower case if wanted; there is room for it. */
static Span keep(Buffer *to, char sign, const char *s, Py_ssize_t n, int is_lower) {
    Span span = {to->size, (int32_t)(n + (sign != 0))};
    if (sign) to->data[to->size++] = sign;
    if (is_lower) lowered(to->data + to->size, s, n);
    else memcpy(to->data + to->size, s, (size_t)n);
    to->size += n;
    return span;
}

/* How many sets there are after a step; -1 when it needs more than there are, or may not be one more. */
static int sets_after(const Step *step, int sets) {
    int makes_one = step->act == UNION || step->act == BOTH || step->act == EXCEPT || (step->act == IS_NTH && step->flags & AMONG);
    if (sets < (step->act == EVERY ? 0 : 1 + makes_one)) return -1;
    sets += (step->act == EVERY) - makes_one;
    return sets <= MOST_SETS - 2 ? sets : -1;
}

static int read_step(Selector *to, PyObject *given, int *sets) {
    static const char SIGNS[ACTS] = {[HAS_CLASS] = '.', [HAS_IDENT] = '#', [HAS_ATTRIBUTE] = '['};
    Step step = {0};
    const char *name, *value;
    Py_ssize_t name_size, value_size;
    if (!PyTuple_Check(given)) { PyErr_SetString(PyExc_TypeError, "a step must be a tuple"); return -1; }
    if (!PyArg_ParseTuple(given, "is#s#iiii", &step.act, &name, &name_size, &value, &value_size, &step.how, &step.flags, &step.a, &step.b))
        return -1;
    if (step.act < 0 || step.act >= ACTS || name_size + value_size > INT32_MAX / 4 || (*sets = sets_after(&step, *sets)) < 0) {
        PyErr_SetString(PyExc_ValueError, "no step that can be taken there");
        return -1;
    }
    if (to->count >= to->room && list_grow((void **)&to->steps, &to->room, sizeof step) < 0) return -1;
    if (buffer_reserve(&to->text, 2 * (name_size + value_size) + 1) < 0) return -1;
    Span key = keep(&to->text, SIGNS[step.act], name, name_size, 1);
    step.key = (Key){hash_bytes(to->text.data + key.at, key.size), key.at, key.size};
    step.word = keep(&to->text, 0, name, name_size, 0);
    step.value = keep(&to->text, 0, value, value_size, 0);
    step.lower = keep(&to->text, 0, value, value_size, 1);
    to->steps[to->count++] = step;
    return 0;
}

/* Selector([[(act, name, value, how, flags, a, b)]]): the steps of each alternative */
static PyObject *selector_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *given, *list;
    if (!PyArg_ParseTuple(args, "O", &given)) return NULL;
    if ((list = PySequence_Fast(given, "a selector is made of alternatives")) == NULL) return NULL;
    Selector *self = (Selector *)type->tp_alloc(type, 0);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    if (self && (self->alternatives = PyMem_Calloc((size_t)count + 1, sizeof *self->alternatives)) == NULL) PyErr_NoMemory();
    for (Py_ssize_t k = 0; k < count && !PyErr_Occurred(); k++) {
        PyObject *steps = PySequence_Fast(PySequence_Fast_GET_ITEM(list, k), "an alternative must be a list of steps");
        Alternative *own = &self->alternatives[self->alternative_count++];
        int sets = 0, failed = steps == NULL;
        own->first = self->count;
        for (Py_ssize_t i = 0; !failed && i < PySequence_Fast_GET_SIZE(steps); i++)
            failed = read_step(self, PySequence_Fast_GET_ITEM(steps, i), &sets) < 0;
        own->last = self->count;
        if (!failed && sets != 1) PyErr_SetString(PyExc_ValueError, "an alternative must come to one set");
        Py_XDECREF(steps);
    }
    Py_DECREF(list);
    if (PyErr_Occurred()) Py_CLEAR(self);
    return (PyObject *)self;
}

static void selector_dealloc(Selector *self) {
    PyMem_Free(self->text.data);
    PyMem_Free(self->steps);
    PyMem_Free(self->alternatives);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

PyTypeObject SelectorType = {
    TYPE(Selector, Selector, 0, "A CSS selector as steps."),
    .tp_new = selector_new,
    .tp_dealloc = (destructor)selector_dealloc,
};

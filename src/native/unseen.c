/* sanitize._is_suspect(): characters that are taken out or replaced before text leaves. */

#include "native.h"

static inline int is_selector(Py_UCS4 c) { return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF); }

static inline int is_suspect_wide(Py_UCS4 c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x206F) || (c >= 0xD800 && c <= 0xDFFF)
           || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE00FF) || (c >= 0xE01F0 && c <= 0xE0FFF);
}

static inline int is_control(Py_UCS4 c) { return ((c < 32) & (c != '\t') & (c != '\n') & (c != '\r')) | ((c >= 127) & (c <= 159)); }

/* What may be one, told without a branch: the loops below have no end of their own, so they are done many at a time. */
#define WITHIN(c, low, high) ((unsigned)((c) - (low)) <= (high) - (low))
#define MAY_BE(c) (is_control(c) | WITHIN(c, 0x202A, 0x202E) | WITHIN(c, 0x2066, 0x206F) | WITHIN(c, 0xD800, 0xDFFF) \
                   | WITHIN(c, 0xFE00, 0xFE0F) | WITHIN(c, 0xFFF9, 0xFFFB) | WITHIN(c, 0xE0000, 0xE0FFF))

static int may_hold(int kind, const void *data, Py_ssize_t n) {
    int found = 0;
    if (kind == PyUnicode_1BYTE_KIND) {
        for (const Py_UCS1 *s = data, *stop = s + n; s < stop; s++) found |= is_control(*s);
    } else if (kind == PyUnicode_2BYTE_KIND) {
        for (const Py_UCS2 *s = data, *stop = s + n; s < stop; s++) { unsigned c = *s; found |= MAY_BE(c); }
    } else {
        for (const Py_UCS4 *s = data, *stop = s + n; s < stop; s++) { unsigned c = *s; found |= MAY_BE(c); }
    }
    return found;
}

/* is_suspect(text) -> bool */
static PyObject *is_suspect(PyObject *module, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a str is expected");
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    if (!may_hold(kind, data, n)) Py_RETURN_FALSE;
    int after_selector = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 160 ? is_control(c) : c >= 0x202A && is_suspect_wide(c)) Py_RETURN_TRUE;
        int selects = c >= 0xFE00 && is_selector(c);
        if (selects && after_selector) Py_RETURN_TRUE;
        after_selector = selects;
    }
    Py_RETURN_FALSE;
}

PyMethodDef unseen_method = {"is_suspect", is_suspect, METH_O, "Whether a text holds what is taken out or replaced before it leaves."};

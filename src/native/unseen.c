/* sanitize._is_suspect() and sanitize.strip_invisible(): characters that are taken out or replaced before text leaves. */

#include "native.h"

static inline int is_selector(Py_UCS4 c) { return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF); }

static inline int is_suspect_wide(Py_UCS4 c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x206F) || (c >= 0xD800 && c <= 0xDFFF)
           || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE00FF) || (c >= 0xE01F0 && c <= 0xE0FFF);
}

static inline int is_control(Py_UCS4 c) { return ((c < 32) & (c != '\t') & (c != '\n') & (c != '\r')) | ((c >= 127) & (c <= 159)); }

/* Whether a piece of text may hold one, told without a branch and in numbers as wide as its characters, so that compilers
   look at many at a time; first whether it holds more than plain characters, since most pieces do not. */
#define PIECE 64
#define WITHIN(low, high) ((unit)(c - (low)) <= (high) - (low))
#define IS_PLAIN (WITHIN(' ', '~') | (c == '\n'))
#define IS_CONTROL (((c < 32) & (c != '\t') & (c != '\n') & (c != '\r')) | WITHIN(127, 159))
#define IS_HIDDEN (WITHIN(0x202A, 0x202E) | WITHIN(0x2066, 0x206F) | WITHIN(0xD800, 0xDFFF) | WITHIN(0xFE00, 0xFE0F) | WITHIN(0xFFF9, 0xFFFB))
#define ANY(size, test) do { found = 0; for (int k = 0; k < (size); k++) { const unit c = s[k]; found |= (test) ? 1 : 0; } } while (0)
#define LOOKER(name, type, test) \
    static int name(const void *text, Py_ssize_t from, Py_ssize_t size) { \
        typedef type unit; \
        const unit *s = (const unit *)text + from; \
        unit found; \
        if (size == PIECE) ANY(PIECE, !IS_PLAIN); /* of a known size: without a rest */ \
        else ANY(size, !IS_PLAIN); \
        if (found) ANY(size, test); \
        return found; \
    }

LOOKER(may_hold_1, uint8_t, IS_CONTROL)
LOOKER(may_hold_2, uint16_t, IS_CONTROL | IS_HIDDEN)
LOOKER(may_hold_4, uint32_t, IS_CONTROL | IS_HIDDEN | WITHIN(0xE0000, 0xE0FFF))

/* is_suspect(text) -> bool */
static PyObject *is_suspect(PyObject *module, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a str is expected");
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int (*may_hold)(const void *, Py_ssize_t, Py_ssize_t) = kind == PyUnicode_1BYTE_KIND ? may_hold_1 : kind == PyUnicode_2BYTE_KIND ? may_hold_2 : may_hold_4;
    for (Py_ssize_t from = 0; from < n; from += PIECE) {
        Py_ssize_t stop = n - from < PIECE ? n : from + PIECE;
        if (!may_hold(data, from, stop - from)) continue;
        int after_selector = from && is_selector(PyUnicode_READ(kind, data, from - 1));
        for (Py_ssize_t i = from; i < stop; i++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, i);
            if (c < 160 ? is_control(c) : c >= 0x202A && is_suspect_wide(c)) Py_RETURN_TRUE;
            int selects = c >= 0xFE00 && is_selector(c);
            if (selects && after_selector) Py_RETURN_TRUE;
            after_selector = selects;
        }
    }
    Py_RETURN_FALSE;
}

PyMethodDef unseen_method = {"is_suspect", is_suspect, METH_O, "Whether a text holds what is taken out or replaced before it leaves."};

static inline int is_spacing(Py_UCS4 c) { return c == 0x0B || c == 0x0C || (c >= 0x1C && c <= 0x1F) || c == 0x85; }

/* visible(text) -> (text, how many characters were taken out), or None when it holds half of a surrogate pair */
static PyObject *visible(PyObject *module, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a str is expected");
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text), kept = 0;
    int kind = PyUnicode_KIND(text), after_selector = 0;
    const void *data = PyUnicode_DATA(text);
    void *to = PyMem_Malloc((size_t)(n + 1) * (size_t)kind);
    if (to == NULL) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c >= 0xD800 && c <= 0xDFFF) {
            PyMem_Free(to);
            Py_RETURN_NONE;
        }
        if (c < 160 && is_spacing(c)) c = ' ';
        else if (c < 160 ? is_control(c) : is_suspect_wide(c)) continue;
        int selects = c >= 0xFE00 && is_selector(c);
        if (!(selects && after_selector)) PyUnicode_WRITE(kind, to, kept++, c);
        after_selector = selects;
    }
    PyObject *seen = PyUnicode_FromKindAndData(kind, to, kept);
    PyMem_Free(to);
    return seen ? Py_BuildValue("Nn", seen, n - kept) : NULL;
}

PyMethodDef visible_method = {"visible", visible, METH_O, "A text without what is taken out or replaced before it leaves."};

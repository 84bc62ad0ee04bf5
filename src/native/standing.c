/* Which texts may stand in another: most do not, and a few letters of each tell. */

#include "native.h"

#define GRAM 6       /* letters that are looked at together */
#define PLACES 65536 /* bits, one of which is set where such letters of the whole fall */
#define LONGEST_START 64

static inline uint32_t place_of(const Py_UCS4 *letters) {
    uint32_t h = 0;
    for (int k = 0; k < GRAM; k++) h = h * 0x01000193u + letters[k];
    return h * 0x9E3779B1u >> 16;
}

/* The first `most` characters of a text, without white space and in small letters; -1 where only Python knows these. */
static int small_start(PyObject *text, Py_ssize_t most, Py_UCS4 *start) {
    int kind = PyUnicode_KIND(text), count = 0;
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t k = 0; k < most; k++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        if (c == 0x130 || c == 0x3A3) return -1; /* two letters; another at the end of a word */
        if (!Py_UNICODE_ISSPACE(c)) start[count++] = Py_UNICODE_TOLOWER(c);
    }
    return count;
}

/* standing(whole, texts, size) -> [number]: the texts of at least so many characters that may begin in the whole, which is in
   small letters and without white space, with these; others certainly do not */
static PyObject *standing(PyObject *module, PyObject *args) {
    PyObject *whole, *texts;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "UO!n", &whole, &PyList_Type, &texts, &size)) return NULL;
    if (size < 0 || size > LONGEST_START) { PyErr_SetString(PyExc_ValueError, "a start is no longer than 64 characters"); return NULL; }
    uint64_t *seen = PyMem_Calloc(PLACES / 64, sizeof(uint64_t));
    PyObject *found = seen ? PyList_New(0) : PyErr_NoMemory();
    int kind = PyUnicode_KIND(whole);
    const void *data = PyUnicode_DATA(whole);
    Py_UCS4 letters[LONGEST_START];
    for (Py_ssize_t at = 0; found && at + GRAM <= PyUnicode_GET_LENGTH(whole); at++) {
        for (int k = 0; k < GRAM; k++) letters[k] = PyUnicode_READ(kind, data, at + k);
        uint32_t place = place_of(letters);
        seen[place / 64] |= (uint64_t)1 << place % 64;
    }
    for (Py_ssize_t b = 0; found && b < PyList_GET_SIZE(texts); b++) {
        PyObject *text = PyList_GET_ITEM(texts, b);
        if (!PyUnicode_Check(text)) { PyErr_SetString(PyExc_TypeError, "texts must be strings"); Py_CLEAR(found); break; }
        if (PyUnicode_GET_LENGTH(text) < size) continue;
        int count = small_start(text, size, letters), may = 1;
        for (int k = 0; may && k + GRAM <= count; k += GRAM) {
            uint32_t place = place_of(letters + k);
            may = seen[place / 64] >> place % 64 & 1;
        }
        if (!may) continue;
        PyObject *number = PyLong_FromSsize_t(b);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    PyMem_Free(seen);
    return found;
}

PyMethodDef standing_method = {"standing", standing, METH_VARARGS, "The texts that may begin in another."};

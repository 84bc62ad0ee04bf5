/* Which texts begin in another: one pass over it, however many texts there are. */

#include "native.h"

#define LONGEST_START 64
#define PLACES 65536 /* bits, one of which is set where the start of a text falls */
#define FACTOR 0x01000193u

static inline uint32_t place_of(uint32_t sum) { return sum * 0x9E3779B1u >> 16; }

/* The first `size` characters of a text other than white space, in small letters, among twice as many; NULL without an error
   where it has not so many. */
static PyObject *start_of(PyObject *text, Py_ssize_t size, uint32_t *sum) {
    Py_UCS4 letters[LONGEST_START];
    Py_ssize_t count = 0, most = Py_MIN(PyUnicode_GET_LENGTH(text), 2 * size);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    *sum = 0;
    for (Py_ssize_t k = 0; k < most && count < size; k++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        if (Py_UNICODE_ISSPACE(c)) continue;
        letters[count] = Py_UNICODE_TOLOWER(c);
        *sum = *sum * FACTOR + letters[count++];
    }
    return count < size ? NULL : PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, letters, count);
}

/* Those of the starts that stand in the whole. A sum that goes along tells most places where none does; a set, whose hashes no
   page can foresee, decides about the others. */
static PyObject *those_in(PyObject *whole, PyObject *starts, const uint64_t *places, Py_ssize_t size) {
    PyObject *there = PySet_New(NULL);
    int kind = PyUnicode_KIND(whole);
    const void *data = PyUnicode_DATA(whole);
    uint32_t sum = 0, last = 1;
    for (Py_ssize_t k = 0; k < size; k++) last *= FACTOR;
    for (Py_ssize_t end = 0; there && end < PyUnicode_GET_LENGTH(whole); end++) {
        sum = sum * FACTOR + PyUnicode_READ(kind, data, end);
        if (end >= size) sum -= last * PyUnicode_READ(kind, data, end - size);
        uint32_t place = place_of(sum);
        if (end + 1 < size || !(places[place / 64] >> place % 64 & 1)) continue;
        PyObject *start = PyUnicode_Substring(whole, end + 1 - size, end + 1);
        int is = start ? PySet_Contains(starts, start) : -1;
        if (is < 0 || (is && PySet_Add(there, start) < 0)) Py_CLEAR(there);
        Py_XDECREF(start);
    }
    return there;
}

/* standing(whole, texts, size) -> [number]: the texts whose first `size` letters stand in the whole, which is in small letters
   and without white space */
static PyObject *standing(PyObject *module, PyObject *args) {
    PyObject *whole, *texts, *there = NULL, *found = NULL;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "UO!n", &whole, &PyList_Type, &texts, &size)) return NULL;
    if (size < 1 || size > LONGEST_START) { PyErr_SetString(PyExc_ValueError, "a start has 1 to 64 characters"); return NULL; }
    Py_ssize_t count = PyList_GET_SIZE(texts);
    uint64_t *places = PyMem_Calloc(PLACES / 64, sizeof(uint64_t));
    PyObject **of = PyMem_Calloc(count + 1, sizeof(PyObject *)), *starts = PySet_New(NULL);
    if (places == NULL || of == NULL || starts == NULL) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t b = 0; b < count; b++) {
        PyObject *text = PyList_GET_ITEM(texts, b);
        uint32_t sum;
        if (!PyUnicode_Check(text)) { PyErr_SetString(PyExc_TypeError, "texts must be strings"); goto done; }
        of[b] = start_of(text, size, &sum);
        if (of[b] == NULL && PyErr_Occurred()) goto done;
        if (of[b] == NULL) continue;
        places[place_of(sum) / 64] |= (uint64_t)1 << place_of(sum) % 64;
        if (PySet_Add(starts, of[b]) < 0) goto done;
    }
    there = those_in(whole, starts, places, size);
    found = there ? PyList_New(0) : NULL;
    for (Py_ssize_t b = 0; found && b < count; b++) {
        int is = of[b] ? PySet_Contains(there, of[b]) : 0;
        PyObject *number = is > 0 ? PyLong_FromSsize_t(b) : NULL;
        if (is < 0 || (is && (number == NULL || PyList_Append(found, number) < 0))) Py_CLEAR(found);
        Py_XDECREF(number);
    }
done:
    for (Py_ssize_t b = 0; of && b < count; b++) Py_XDECREF(of[b]);
    Py_XDECREF(starts);
    Py_XDECREF(there);
    PyMem_Free(of);
    PyMem_Free(places);
    return found;
}

PyMethodDef standing_method = {"standing", standing, METH_VARARGS, "The texts that begin in another."};

/* Which texts begin in another: one pass over it, however many texts there are. */

#include "search.h"

#define LONGEST_START (LONGEST_PIECE / 4)

/* The first `size` characters of a text other than white space, in small letters, among twice as many, as UTF-8; 0 bytes where
   it has not so many. */
static Py_ssize_t start_of(PyObject *text, Py_ssize_t size, char *start) {
    Py_ssize_t count = 0, most = Py_MIN(PyUnicode_GET_LENGTH(text), 2 * size);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    char *to = start;
    for (Py_ssize_t k = 0; k < most && count < size; k++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        if (Py_UNICODE_ISSPACE(c)) continue;
        to = put_utf8(to, Py_UNICODE_TOLOWER(c));
        count++;
    }
    return count < size ? 0 : to - start;
}

/* standing(whole, texts, size) -> [number]: the texts whose first `size` letters stand in the whole, which is in small letters
   and without white space */
PyObject *core_standing(PyObject *module, PyObject *args) {
    PyObject *text, *texts, *numbers = NULL;
    Py_ssize_t whole_size, size;
    if (!PyArg_ParseTuple(args, "UO!n", &text, &PyList_Type, &texts, &size)) return NULL;
    const char *whole = PyUnicode_AsUTF8AndSize(text, &whole_size);
    if (whole == NULL) return NULL;
    if (size < 1 || size > LONGEST_START) { PyErr_SetString(PyExc_ValueError, "a start has 1 to 64 characters"); return NULL; }
    Search search;
    Py_ssize_t count = PyList_GET_SIZE(texts);
    int32_t *of = PyMem_Malloc(sizeof *of * (size_t)(count + 1));
    uint8_t *found = NULL;
    if (search_init(&search, whole, whole_size, 0) < 0 || of == NULL) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t b = 0; b < count; b++) {
        text = PyList_GET_ITEM(texts, b);
        char start[LONGEST_PIECE];
        if (!PyUnicode_Check(text)) { PyErr_SetString(PyExc_TypeError, "texts must be strings"); goto done; }
        Py_ssize_t n = start_of(text, size, start);
        of[b] = n ? search_piece(&search, start, n) : IS_NOT_THERE;
        if (of[b] == SEARCH_FAILED) goto done;
    }
    found = search_waiting(&search);
    numbers = found ? PyList_New(0) : NULL;
    for (Py_ssize_t b = 0; numbers && b < count; b++) {
        if (of[b] < 0 || !found[of[b]]) continue;
        if (append_new(numbers, PyLong_FromSsize_t(b)) < 0) Py_CLEAR(numbers);
    }
done:
    search_free(&search);
    PyMem_Free(of);
    PyMem_Free(found);
    return numbers;
}

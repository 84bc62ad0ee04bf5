/* Strings to UTF-8, a vector at a time where they are plain: most of a page is. */

#include "native.h"

#define STEP 16

/* Where the text ends that was written at `to`; NULL when it holds half of a surrogate pair. Copies of the characters, since
   compilers do not work on several at a time where `to` might be among them. */
#define ENCODER(name, type, foreign)                                                   \
    static char *name(char *to, const type *s, Py_ssize_t n) {                         \
        const type *stop = s + n;                                                      \
        while (s < stop) {                                                             \
            while (stop - s >= STEP) {                                                 \
                uint64_t words[STEP * sizeof(type) / 8], any = 0;                      \
                memcpy(words, s, sizeof words);                                        \
                for (size_t k = 0; k < sizeof words / 8; k++) any |= words[k];         \
                if (any & foreign) break;                                              \
                type wide[STEP];                                                       \
                char plain[STEP];                                                      \
                memcpy(wide, s, sizeof wide);                                          \
                for (int k = 0; k < STEP; k++) plain[k] = (char)wide[k];               \
                memcpy(to, plain, STEP);                                               \
                s += STEP;                                                             \
                to += STEP;                                                            \
            }                                                                          \
            for (const type *end = stop - s < STEP ? stop : s + STEP; s < end; s++) {  \
                if (sizeof(type) > 1 && *s >= 0xD800 && *s <= 0xDFFF) return NULL;     \
                to = put_utf8(to, *s);                                                 \
            }                                                                          \
        }                                                                              \
        return to;                                                                     \
    }

/* The bits that no character of ASCII has, in as many as fit. */
ENCODER(encode_1, Py_UCS1, 0x8080808080808080u)
ENCODER(encode_2, Py_UCS2, 0xFF80FF80FF80FF80u)
ENCODER(encode_4, Py_UCS4, 0xFFFFFF80FFFFFF80u)

int add_utf8(Buffer *b, PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (PyUnicode_IS_ASCII(text)) return buffer_add(b, PyUnicode_DATA(text), n);
    int kind = PyUnicode_KIND(text);
    /* A character of 1, 2 or 4 bytes takes at most 2, 3 or 4. */
    if (buffer_reserve(b, n * (kind == PyUnicode_4BYTE_KIND ? 4 : kind + 1)) < 0) return -1;
    char *to = b->data + b->size;
    const void *data = PyUnicode_DATA(text);
    char *end = kind == PyUnicode_1BYTE_KIND ? encode_1(to, data, n)
        : kind == PyUnicode_2BYTE_KIND       ? encode_2(to, data, n)
                                             : encode_4(to, data, n);
    if (end == NULL) return 1;
    b->size = end - b->data;
    return 0;
}

/* dom.count_of(): how often a character stands in a text. So many at a time that a byte can hold the count: compilers
   then compare as many at once as fit into a register. */
#define COUNTER(name, type)                                                          \
    static Py_ssize_t name(const type *s, Py_ssize_t n, Py_UCS4 wanted) {            \
        Py_ssize_t all = 0;                                                          \
        for (Py_ssize_t at = 0; at < n; at += 128) {                                 \
            Py_ssize_t size = n - at < 128 ? n - at : 128;                           \
            uint8_t some = 0;                                                        \
            for (Py_ssize_t i = 0; i < size; i++) some += s[at + i] == (type)wanted; \
            all += some;                                                             \
        }                                                                            \
        return all;                                                                  \
    }

COUNTER(count_1, Py_UCS1)
COUNTER(count_2, Py_UCS2)
COUNTER(count_4, Py_UCS4)

static PyObject *count_of(PyObject *module, PyObject *args) {
    PyObject *text;
    int wanted;
    if (!PyArg_ParseTuple(args, "OC", &text, &wanted)) return NULL;
    if (Py_TYPE(text) == &Utf8Type && wanted < 0x80) {
        PyObject *bytes = ((Utf8 *)text)->data;
        return PyLong_FromSsize_t(count_1((const Py_UCS1 *)PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes), (Py_UCS4)wanted));
    }
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "text must be a str, or Utf8 if the character is ASCII");
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    const void *data = PyUnicode_DATA(text);
    int kind = PyUnicode_KIND(text);
    Py_ssize_t found = 0;
    if ((Py_UCS4)wanted > PyUnicode_MAX_CHAR_VALUE(text)) found = 0;
    else if (kind == PyUnicode_1BYTE_KIND) found = count_1(data, n, (Py_UCS4)wanted);
    else if (kind == PyUnicode_2BYTE_KIND) found = count_2(data, n, (Py_UCS4)wanted);
    else found = count_4(data, n, (Py_UCS4)wanted);
    return PyLong_FromSsize_t(found);
}

PyMethodDef count_method = {"count_of", count_of, METH_VARARGS, "How often a character stands in a text."};

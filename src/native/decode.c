/* Pages in UTF-8: most are, and the core reads them as they are. */

#include "native.h"

#define STEP 16

static inline int is_plain(const unsigned char *s) {
    uint64_t words[STEP / 8];
    memcpy(words, s, STEP);
    return ((words[0] | words[1]) & 0x8080808080808080u) == 0;
}

/* The size of the well-formed sequence at `s`, which is not ASCII; 0 where there is none. */
static inline int sequence(const unsigned char *s, const unsigned char *stop) {
#define FOLLOWS(at, least, most) (stop - s > at && s[at] >= least && s[at] <= most)
    unsigned char c = *s;
    if (c < 0xC2) return 0;
    if (c < 0xE0) return FOLLOWS(1, 0x80, 0xBF) ? 2 : 0;
    if (c < 0xF0) return FOLLOWS(1, (c == 0xE0 ? 0xA0 : 0x80), (c == 0xED ? 0x9F : 0xBF)) && FOLLOWS(2, 0x80, 0xBF) ? 3 : 0;
    if (c > 0xF4) return 0;
    return FOLLOWS(1, (c == 0xF0 ? 0x90 : 0x80), (c == 0xF4 ? 0x8F : 0xBF)) && FOLLOWS(2, 0x80, 0xBF) && FOLLOWS(3, 0x80, 0xBF)
        ? 4 : 0;
#undef FOLLOWS
}

/* How many characters there are; -1 where the bytes are not well formed. */
static Py_ssize_t measure(const unsigned char *s, Py_ssize_t n) {
    const unsigned char *stop = s + n;
    Py_ssize_t more = 0;
    while (s < stop) {
        while (stop - s >= STEP && is_plain(s)) s += STEP;
        for (const unsigned char *end = stop - s < STEP ? stop : s + STEP; s < end;) {
            if (*s < 0x80) { s++; continue; }
            int size = sequence(s, stop);
            if (size == 0) return -1;
            more += size - 1;
            s += size;
        }
    }
    return n - more;
}

static PyObject *utf8_str(Utf8 *self) { return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(self->data), PyBytes_GET_SIZE(self->data), NULL); }

static Py_ssize_t utf8_length(Utf8 *self) { return self->length; }

static PyObject *utf8_data(Utf8 *self, void *unused) { return Py_NewRef(self->data); }

/* count(character) -> how often a character of ASCII is in it: so many at a time as a byte can count, which compilers do at once */
static PyObject *utf8_count(Utf8 *self, PyObject *character) {
    Py_ssize_t size, n = PyBytes_GET_SIZE(self->data), all = 0;
    const char *wanted = PyUnicode_AsUTF8AndSize(character, &size), *s = PyBytes_AS_STRING(self->data);
    if (wanted == NULL) return NULL;
    if (size != 1) { PyErr_SetString(PyExc_ValueError, "needs one character of ASCII"); return NULL; }
    for (Py_ssize_t at = 0; at < n; at += 128) {
        uint8_t some = 0;
        for (Py_ssize_t i = at; i < (n - at < 128 ? n : at + 128); i++) some += s[i] == *wanted;
        all += some;
    }
    return PyLong_FromSsize_t(all);
}

static void utf8_dealloc(Utf8 *self) {
    Py_DECREF(self->data);
    PyObject_Free(self);
}

static PyGetSetDef utf8_members[] = {
    {"data", (getter)utf8_data, NULL, "The bytes.", NULL},
    {NULL},
};

static PyMethodDef utf8_methods[] = {
    {"count", (PyCFunction)utf8_count, METH_O, "How often a character of ASCII is in it."},
    {NULL},
};

static PySequenceMethods utf8_sequence = {.sq_length = (lenfunc)utf8_length};

PyTypeObject Utf8Type = {
    TYPE(Utf8, Utf8, 0, "Text as well-formed UTF-8; its length is in characters, and str() decodes it."),
    .tp_dealloc = (destructor)utf8_dealloc,
    .tp_str = (reprfunc)utf8_str,
    .tp_getset = utf8_members,
    .tp_methods = utf8_methods,
    .tp_as_sequence = &utf8_sequence,
};

/* utf8(bytes) -> Utf8 | None: None where they are not well formed */
PyObject *core_utf8(PyObject *module, PyObject *data) {
    if (!PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "data must be bytes");
        return NULL;
    }
    Py_ssize_t length = measure((const unsigned char *)PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    if (length < 0) Py_RETURN_NONE;
    Utf8 *self = PyObject_New(Utf8, &Utf8Type);
    if (self == NULL) return NULL;
    self->data = Py_NewRef(data);
    self->length = length;
    return (PyObject *)self;
}

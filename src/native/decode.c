/* Pages in UTF-8: most are, and the core reads them as they are. Where Python has to, they are decoded a vector at a time:
   its own decoder does not know how wide the characters will be, and writes the page anew when it meets wider ones. */

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

/* How many characters there are, and the first byte that begins the highest; -1 where the bytes are not well formed. */
static Py_ssize_t measure(const unsigned char *s, Py_ssize_t n, unsigned char *highest) {
    const unsigned char *stop = s + n;
    Py_ssize_t more = 0;
    unsigned char high = 0;
    while (s < stop) {
        while (stop - s >= STEP && is_plain(s)) s += STEP;
        for (const unsigned char *end = stop - s < STEP ? stop : s + STEP; s < end;) {
            if (*s < 0x80) { s++; continue; }
            int size = sequence(s, stop);
            if (size == 0) return -1;
            if (*s > high) high = *s;
            more += size - 1;
            s += size;
        }
    }
    *highest = high;
    return n - more;
}

#define DECODER(name, type)                                                                              \
    static void name(type *to, const unsigned char *s, Py_ssize_t n) {                                   \
        const unsigned char *stop = s + n;                                                               \
        while (s < stop) {                                                                               \
            while (stop - s >= STEP && is_plain(s)) {                                                    \
                unsigned char plain[STEP];                                                               \
                memcpy(plain, s, STEP);                                                                  \
                for (int k = 0; k < STEP; k++) to[k] = plain[k];                                         \
                s += STEP;                                                                               \
                to += STEP;                                                                              \
            }                                                                                            \
            for (const unsigned char *end = stop - s < STEP ? stop : s + STEP; s < end;) {               \
                int size;                                                                                \
                *to++ = (type)decode_one((const char *)s, &size);                                        \
                s += size;                                                                               \
            }                                                                                            \
        }                                                                                                \
    }

DECODER(decode_1, Py_UCS1)
DECODER(decode_2, Py_UCS2)
DECODER(decode_4, Py_UCS4)

static PyObject *utf8_str(Utf8 *self) {
    const unsigned char *s = (const unsigned char *)PyBytes_AS_STRING(self->data);
    Py_ssize_t n = PyBytes_GET_SIZE(self->data);
    PyObject *text = PyUnicode_New(self->length, self->most);
    if (text == NULL || n == 0) return text;
    if (self->most == 0x7F) memcpy(PyUnicode_DATA(text), s, (size_t)n);
    else if (self->most == 0xFF) decode_1(PyUnicode_DATA(text), s, n);
    else if (self->most == 0xFFFF) decode_2(PyUnicode_DATA(text), s, n);
    else decode_4(PyUnicode_DATA(text), s, n);
    return text;
}

static Py_ssize_t utf8_length(Utf8 *self) { return self->length; }

static PyObject *utf8_data(Utf8 *self, void *unused) { return Py_NewRef(self->data); }

static void utf8_dealloc(Utf8 *self) {
    Py_DECREF(self->data);
    PyObject_Free(self);
}

/* Pickled and copied as its bytes. */
static PyObject *utf8_reduce(Utf8 *self, PyObject *unused) {
    PyObject *core = PyImport_ImportModule("duramen._native"), *make = core ? PyObject_GetAttrString(core, "utf8") : NULL;
    Py_XDECREF(core);
    return make ? Py_BuildValue("N(O)", make, self->data) : NULL;
}

static PyMethodDef utf8_methods[] = {
    {"__reduce__", (PyCFunction)utf8_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef utf8_members[] = {
    {"data", (getter)utf8_data, NULL, "The bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PySequenceMethods utf8_sequence = {.sq_length = (lenfunc)utf8_length};

PyTypeObject Utf8Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Utf8",
    .tp_basicsize = sizeof(Utf8),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Text as well-formed UTF-8; its length is in characters, and str() decodes it.",
    .tp_dealloc = (destructor)utf8_dealloc,
    .tp_str = (reprfunc)utf8_str,
    .tp_methods = utf8_methods,
    .tp_getset = utf8_members,
    .tp_as_sequence = &utf8_sequence,
};

/* utf8(bytes) -> Utf8 | None: None where they are not well formed */
static PyObject *utf8_of(PyObject *module, PyObject *data) {
    if (!PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "data must be bytes");
        return NULL;
    }
    unsigned char highest;
    Py_ssize_t length = measure((const unsigned char *)PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), &highest);
    if (length < 0) Py_RETURN_NONE;
    Utf8 *self = PyObject_New(Utf8, &Utf8Type);
    if (self == NULL) return NULL;
    self->data = Py_NewRef(data);
    self->length = length;
    self->most = highest == 0 ? 0x7F : highest < 0xC4 ? 0xFF : highest < 0xF0 ? 0xFFFF : 0x10FFFF;
    return (PyObject *)self;
}

PyMethodDef utf8_method = {"utf8", utf8_of, METH_O, "Bytes that are well-formed UTF-8; None for others."};

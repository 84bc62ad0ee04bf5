/* Characters that hide or reorder what a person reads, which are taken out before text leaves: control characters,
   bidirectional overrides and isolates, tag characters, deprecated format characters and annotation marks. A second variation
   selector in a row selects nothing and is a known place for hidden bytes. Joiners, directional marks and soft hyphens are part
   of ordinary text. */

#include "content.h"

static inline int is_selector(Py_UCS4 c) { return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF); }

static inline int is_hidden(Py_UCS4 c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x206F) || (c >= 0xFFF9 && c <= 0xFFFB)
           || (c >= 0xE0000 && c <= 0xE00FF) || (c >= 0xE01F0 && c <= 0xE0FFF);
}

static inline int is_control(Py_UCS4 c) { return (c < 32 && c != '\t' && c != '\n' && c != '\r') || (c >= 127 && c <= 159); }

/* Controls that part words. */
static inline int is_spacing(Py_UCS4 c) { return c == 0x0B || c == 0x0C || (c >= 0x1C && c <= 0x1F) || c == 0x85; }

Py_ssize_t strip_hidden(Buffer *text, int *changed) {
    const char *s = text->data, *stop = s + text->size;
    char *to = text->data;
    Py_ssize_t removed = 0;
    int step, after_selector = 0;
    for (; s < stop; s += step) {
        Py_ssize_t plain = printable_bytes(s, stop);
        if (plain) {
            if (to != s) memmove(to, s, (size_t)plain);
            to += plain;
            s += plain;
            step = 0;
            after_selector = 0;
            continue;
        }
        Py_UCS4 c = decode_one(s, &step);
        if (c >= 0xD800 && c <= 0xDFFF) {
            /* Two halves that belong together are one character, one alone is none. */
            Py_UCS4 low = stop - s >= 6 && (unsigned char)s[3] == 0xED ? decode_one(s + 3, &step) : 0;
            int is_whole = c < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF;
            c = is_whole ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
            step = is_whole ? 6 : 3;
            *changed = 1;
        }
        int is_selecting = is_selector(c);
        if (c < 160 && is_spacing(c)) {
            *to++ = ' ';
            *changed = 1;
        } else if ((c < 160 ? is_control(c) : is_hidden(c)) || (is_selecting && after_selector)) {
            removed++;
            *changed = 1;
            if (!is_selecting) continue;
        } else {
            to = put_utf8(to, c);
        }
        after_selector = is_selecting;
    }
    text->size = to - text->data;
    return removed;
}

/* visible(text) -> (text, how many characters were taken out) */
PyObject *core_visible(PyObject *module, PyObject *text) {
    if (!PyUnicode_Check(text)) { PyErr_SetString(PyExc_TypeError, "a str is expected"); return NULL; }
    if (PyUnicode_IS_ASCII(text)) {
        const char *s = (const char *)PyUnicode_1BYTE_DATA(text);
        Py_ssize_t n = PyUnicode_GET_LENGTH(text);
        if (printable_bytes(s, s + n) == n) return Py_BuildValue("Oi", text, 0);
    }
    PyObject *encoded = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"), *seen = NULL;
    /* A copy: Python may share a bytes object with others, as it does with those of a single byte. */
    Buffer bytes = {0};
    int changed = 0;
    Py_ssize_t removed = 0;
    if (encoded && buffer_add(&bytes, PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded)) == 0) {
        removed = strip_hidden(&bytes, &changed);
        seen = changed ? PyUnicode_DecodeUTF8(bytes.size ? bytes.data : "", bytes.size, NULL) : Py_NewRef(text);
    }
    Py_XDECREF(encoded);
    PyMem_Free(bytes.data);
    return seen ? Py_BuildValue("Nn", seen, removed) : NULL;
}

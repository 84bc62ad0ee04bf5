/* Sanitized HTML read once more, by someone who did not write it: is it what the policy allows and nothing else, and does it
   parse into what is written? It knows the one form in which such HTML is written, and accepts no other; what it does not
   accept is looked at by the HTML library and its own sanitizer. */

#include "html.h"

typedef struct {
    PyObject_HEAD
    Table tags, names, schemes;
    uint8_t *allowed;    /* by tag and name */
    uint8_t *is_address; /* by name */
    PyObject *references;
} Reader;

extern PyTypeObject ReaderType;

static int is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

static const char *name_end(const char *s, const char *stop) {
    while (s < stop && is_name_letter(*s)) s++;
    return s;
}

/* Where characters end, at `<` or a quote; NULL where one of them is not written as the parser writes it. */
static const char *characters_end(const char *s, const char *stop, char end) {
    for (; s < stop && *s != end; s++) {
        Py_ssize_t length, size;
        if (*s == '<' || *s == '>' || *s == '\r' || *s == 0) return NULL;
        if (*s == '&') {
            if (read_escape(s, stop, &length, &size) == NULL) return NULL;
            s += length - 1;
        }
    }
    return s;
}

/* Whether an address is relative, or of a scheme that is allowed; one that has to be thought about is not. */
static int is_safe_address(const Reader *r, const char *s, const char *stop) {
    const char *p = s;
    for (; p < stop && *p != '/' && *p != '?' && *p != '#'; p++) {
        if (*p == ':') return table_find(&r->schemes, s, p - s) >= 0;
        if ((unsigned char)*p <= ' ' || *p == '&' || *p == '\\' || (unsigned char)*p >= 0x7F) return 0;
    }
    /* Two slashes at the beginning lead to another host. */
    return p < stop && (p > s || stop - p < 2 || (p[1] != '/' && p[1] != '\\'));
}

/* Reads a start tag's attributes; returns where its text begins, or NULL. */
static const char *read_attributes(const Reader *r, const char *s, const char *stop, int32_t tag) {
    while (s < stop && *s == ' ') {
        const char *name = s + 1, *equals = name_end(name, stop);
        if (stop - equals < 2 || equals[0] != '=' || equals[1] != '"') return NULL;
        int32_t number = table_find(&r->names, name, equals - name);
        if (number < 0 || !r->allowed[(size_t)tag * (size_t)r->names.count + (size_t)number]) return NULL;
        const char *value = equals + 2, *end = characters_end(value, stop, '"');
        if (end == NULL || end == stop || (r->is_address[number] && !is_safe_address(r, value, end))) return NULL;
        s = end + 1;
    }
    return s < stop && *s == '>' ? s + 1 : NULL;
}

static int is_allowed(const Reader *r, const char *s, const char *stop) {
    while (s < stop) {
        if ((s = characters_end(s, stop, '<')) == NULL) return 0;
        if (s == stop) return 1;
        int is_end = stop - s > 1 && s[1] == '/';
        const char *name = s + 1 + is_end, *end = name_end(name, stop);
        int32_t tag = table_find(&r->tags, name, end - name);
        if (tag < 0) return 0;
        if (is_end) s = end < stop && *end == '>' ? end + 1 : NULL;
        else s = read_attributes(r, end, stop, tag);
        if (s == NULL) return 0;
    }
    return 1;
}

#define BEFORE "<!DOCTYPE html><html><head></head><body>"
#define BEHIND "</body></html>"

/* 1 when it is parsed into what is written, 0 when it is not or that is not known, -1 without memory */
static int is_read_back(const Reader *r, const char *s, Py_ssize_t n) {
    Buffer page = {0}, out = {0};
    Parser p = {0};
    int done = -1;
    if (n > INT32_MAX / 16) return 0;
    if (buffer_reserve(&page, n + 64) < 0 || buffer_add(&page, BEFORE, sizeof BEFORE - 1) < 0 || buffer_add(&page, s, n) < 0
        || buffer_add(&page, BEHIND, sizeof BEHIND - 1) < 0)
        goto out;
    done = parse_page(&p, (const Lookup *)r->references, &page, 0);
    if (done == 1 && write_tree(&p, &out) < 0) done = -1;
    if (done == 1) done = out.size == page.size && memcmp(out.data, page.data, (size_t)out.size) == 0;
out:
    parser_free(&p);
    PyMem_Free(page.data);
    PyMem_Free(out.data);
    return done;
}

/* accepts(html) -> bool */
static PyObject *reader_accepts(Reader *self, PyObject *html) {
    Py_ssize_t n;
    if (!PyUnicode_Check(html)) { PyErr_SetString(PyExc_TypeError, "html must be a str"); return NULL; }
    Buffer page = {0};
    const char *s = NULL;
    int done = 0;
    if (PyUnicode_IS_ASCII(html)) {
        s = PyUnicode_DATA(html);
        n = PyUnicode_GET_LENGTH(html);
    } else if ((done = add_utf8(&page, html)) == 0) {
        s = page.data;
        n = page.size;
    }
    if (s != NULL) done = is_allowed(self, s, s + n) ? is_read_back(self, s, n) : 0;
    else if (done > 0) done = 0;
    PyMem_Free(page.data);
    return done < 0 ? NULL : PyBool_FromLong(done);
}

static int put_names(Table *table, PyObject *names) {
    PyObject *each = PyObject_GetIter(names), *name;
    while (each && (name = PyIter_Next(each))) {
        Py_ssize_t n;
        int fresh;
        const char *s = PyUnicode_AsUTF8AndSize(name, &n);
        int failed = s == NULL || table_put(table, s, n, &fresh) < 0;
        Py_DECREF(name);
        if (failed) break;
    }
    Py_XDECREF(each);
    return PyErr_Occurred() ? -1 : 0;
}

static int allow(Reader *r, PyObject *attributes, PyObject *addresses) {
    PyObject *tag, *names;
    Py_ssize_t at = 0;
    while (PyDict_Next(attributes, &at, &tag, &names))
        if (put_names(&r->names, names) < 0) return -1;
    if (put_names(&r->tags, attributes) < 0) return -1;
    r->allowed = PyMem_Calloc((size_t)r->tags.count * (size_t)r->names.count + 1, 1);
    r->is_address = PyMem_Calloc((size_t)r->names.count + 1, 1);
    if (r->allowed == NULL || r->is_address == NULL) { PyErr_NoMemory(); return -1; }
    Table own;
    at = 0;
    for (int32_t k = 0; PyDict_Next(attributes, &at, &tag, &names); k++) {
        if (table_init(&own, 16) < 0 || put_names(&own, names) < 0) { table_free(&own); return -1; }
        for (int32_t i = 0; i < own.count; i++)
            r->allowed[(size_t)k * (size_t)r->names.count
                       + (size_t)table_find(&r->names, own.bytes.data + own.keys[i].at, own.keys[i].size)] = 1;
        table_free(&own);
    }
    if (table_init(&own, 16) < 0 || put_names(&own, addresses) < 0) { table_free(&own); return -1; }
    for (int32_t i = 0; i < own.count; i++) {
        int32_t number = table_find(&r->names, own.bytes.data + own.keys[i].at, own.keys[i].size);
        if (number >= 0) r->is_address[number] = 1;
    }
    table_free(&own);
    return 0;
}

static void reader_dealloc(Reader *r) {
    table_free(&r->tags);
    table_free(&r->names);
    table_free(&r->schemes);
    PyMem_Free(r->allowed);
    PyMem_Free(r->is_address);
    Py_XDECREF(r->references);
    PyObject_Free(r);
}

/* Reader(attributes: {tag: names}, addresses: names of attributes that hold one, schemes, references) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *attributes, *addresses, *schemes, *references;
    if (!PyArg_ParseTuple(args, "O!OOO!", &PyDict_Type, &attributes, &addresses, &schemes, &LookupType, &references)) return NULL;
    Reader *r = PyObject_New(Reader, &ReaderType);
    if (r == NULL) return NULL;
    memset((char *)r + sizeof(PyObject), 0, sizeof(Reader) - sizeof(PyObject));
    r->references = Py_NewRef(references);
    if (table_init(&r->tags, 64) < 0 || table_init(&r->names, 64) < 0 || table_init(&r->schemes, 8) < 0
        || put_names(&r->schemes, schemes) < 0 || allow(r, attributes, addresses) < 0) {
        Py_DECREF(r);
        return NULL;
    }
    return (PyObject *)r;
}

static PyMethodDef reader_methods[] = {
    {"accepts", (PyCFunction)reader_accepts, METH_O, "Whether sanitized HTML is surely what it should be."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject ReaderType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Reader",
    .tp_basicsize = sizeof(Reader),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A reader of sanitized HTML that trusts no writer.",
    .tp_new = reader_new,
    .tp_dealloc = (destructor)reader_dealloc,
    .tp_methods = reader_methods,
};

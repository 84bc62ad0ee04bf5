/* Attributes and characters as the parser writes them. */

#include "native.h"

const char *find_attribute(const Tag *tag, const char *name, Py_ssize_t name_size, Py_ssize_t *size) {
    Attribute a;
    for (const char *s = tag->attrs; s < tag->attrs_end;) {
        s = next_attribute(s, tag->attrs_end, &a);
        *size = a.size;
        if (a.named == name_size && memcmp(a.name, name, (size_t)name_size) == 0) return a.value;
    }
    return NULL;
}

const char *read_escape(const char *s, const char *stop, Py_ssize_t *length, Py_ssize_t *size) {
    static const struct { const char *name, *stands_for; } escapes[] = {
        {"&amp;", "&"}, {"&nbsp;", "\xC2\xA0"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""},
    };
    for (size_t k = 0; k < sizeof escapes / sizeof *escapes; k++) {
        *length = (Py_ssize_t)strlen(escapes[k].name);
        if (stop - s >= *length && memcmp(s, escapes[k].name, (size_t)*length) == 0) {
            *size = (Py_ssize_t)strlen(escapes[k].stands_for);
            return escapes[k].stands_for;
        }
    }
    return NULL;
}

int add_unescaped(Buffer *b, const char *s, const char *stop) {
    while (s < stop) {
        const char *escape = memchr(s, '&', (size_t)(stop - s));
        if (buffer_add(b, s, (escape ? escape : stop) - s) < 0) return -1;
        if (escape == NULL) return 0;
        Py_ssize_t length, size;
        const char *means = read_escape(escape, stop, &length, &size);
        if (means == NULL) return 1;
        if (buffer_add(b, means, size) < 0) return -1;
        s = escape + length;
    }
    return 0;
}

static const uint8_t ESCAPED[256] = {['&'] = 1, ['<'] = 1, ['>'] = 1, [0xC2] = 1, ['"'] = 2};

int add_markup(Buffer *b, const char *s, Py_ssize_t n, int quotes) {
    const char *stop = s + n;
    int escaped = quotes ? 3 : 1;
    while (s < stop) {
        const char *from = s;
        while (s < stop && !(ESCAPED[(uint8_t)*s] & escaped)) s++;
        if (buffer_add(b, from, s - from) < 0) return -1;
        if (s == stop) return 0;
        const char *escape = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '"' ? "&quot;" : NULL;
        if (*s == '\xC2' && s + 1 < stop && s[1] == '\xA0') { escape = "&nbsp;"; s++; }
        if ((escape ? buffer_add(b, escape, (Py_ssize_t)strlen(escape)) : buffer_put(b, *s)) < 0) return -1;
        s++;
    }
    return 0;
}

int is_all_space(const char *s, const char *stop) {
    for (int step; s < stop; s += step)
        if (!is_space_at(s, &step)) return 0;
    return 1;
}

/* ---- values for Python ---- */

int is_one_of(const char *s, Py_ssize_t n, const char **names) {
    for (; *names; names++)
        if ((Py_ssize_t)strlen(*names) == n && memcmp(*names, s, (size_t)n) == 0) return 1;
    return 0;
}

int is_folded(const char *s, Py_ssize_t n) {
    char before = ' ';
    for (Py_ssize_t i = 0; i < n; before = s[i++])
        if (s[i] == '&' || (is_html_space(s[i]) && (s[i] != ' ' || before == ' '))) return 0;
    return before != ' ';
}

void fold_words(Buffer *b) {
    Py_ssize_t to = 0;
    int gap = 0;
    for (Py_ssize_t i = 0; i < b->size; i++) {
        if (is_html_space(b->data[i])) { gap = 1; continue; }
        if (gap && to) b->data[to++] = ' ';
        gap = 0;
        b->data[to++] = b->data[i];
    }
    b->size = to;
}

PyObject *value_of(const char *s, Py_ssize_t n, int has_words) {
    if (has_words ? is_folded(s, n) : !memchr(s, '&', (size_t)n)) return PyUnicode_DecodeUTF8(s, n, "surrogatepass");
    Buffer plain = {0};
    int failed = add_unescaped(&plain, s, s + n) < 0;
    if (has_words) fold_words(&plain);
    PyObject *value = buffer_str(&plain);
    if (failed) Py_CLEAR(value);
    return value;
}

PyObject *attributes_in(const char *s, const char *stop, const char **folded) {
    PyObject *found = PyDict_New();
    for (Attribute a; found && s < stop;) {
        s = next_attribute(s, stop, &a);
        PyObject *name = PyUnicode_DecodeUTF8(a.name, a.named, "surrogatepass");
        PyObject *value = value_of(a.value, a.size, folded && is_one_of(a.name, a.named, folded));
        if (name == NULL || value == NULL || PyDict_SetItem(found, name, value) < 0) Py_CLEAR(found);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return found;
}

/* What a page says of itself: its <meta>, and the elements that may carry its title, its authors and its dates. */

#include "nodes.h"

/* ---- text as str sees it ---- */

/* Whether white space stands at `s`, and how many bytes it has. */
static inline int is_space_at(const char *s, int *size) {
    if ((unsigned char)*s < 0x80) { *size = 1; return is_plain_space((unsigned char)*s); }
    return Py_UNICODE_ISSPACE(decode_one(s, size));
}

/* str.strip() */
static void strip(const char **s, Py_ssize_t *n) {
    const char *stop = *s + *n;
    int size;
    while (*s < stop && is_space_at(*s, &size)) *s += size;
    while (*s < stop) {
        const char *last = stop - 1;
        while (((unsigned char)*last & 0xC0) == 0x80) last--;
        if (!is_space_at(last, &size)) break;
        stop = last;
    }
    *n = stop - *s;
}

static int is_ascii(const char *s, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++)
        if ((unsigned char)s[i] >= 0x80) return 0;
    return 1;
}

/* The bytes of a value with its references resolved; NULL without memory. */
static const char *plain_value(const char *s, Py_ssize_t *n, Buffer *scratch) {
    if (!memchr(s, '&', (size_t)*n)) return s;
    if (unescape_into(scratch, s, *n) < 0) return NULL;
    *n = scratch->size;
    return scratch->data;
}

/* ---- <meta> ---- */

#define WORDS_OF_A_NAME 4

typedef struct {
    PyObject *word[2 * WORDS_OF_A_NAME];
    int count;
} Words;

static int has_word(const Words *words, PyObject *word) {
    for (int k = 0; k < words->count; k++)
        if (PyUnicode_Compare(words->word[k], word) == 0) return 1;
    return 0;
}

/* Adds the first words of a name in lower case, each once; -1 without memory. */
static int add_words(Words *words, const char *s, Py_ssize_t n, Buffer *scratch) {
    PyObject *lower = NULL;
    if ((s = plain_value(s, &n, scratch)) == NULL) return -1;
    if (is_ascii(s, n)) {
        if (n && s != scratch->data) {
            scratch->size = 0;
            if (buffer_add(scratch, s, n) < 0) return -1;
            s = scratch->data;
        }
        if (n) lowered(scratch->data, s, n);
    } else {
        PyObject *name = PyUnicode_DecodeUTF8(s, n, NULL);
        lower = name ? PyObject_CallMethod(name, "lower", NULL) : NULL;
        Py_XDECREF(name);
        if (lower == NULL || (s = PyUnicode_AsUTF8AndSize(lower, &n)) == NULL) { Py_XDECREF(lower); return -1; }
    }
    const char *stop = s + n;
    int failed = 0, size;
    for (int k = 0; !failed && k < WORDS_OF_A_NAME; k++) {
        while (s < stop && is_space_at(s, &size)) s += size;
        const char *start = s;
        while (s < stop && !is_space_at(s, &size)) s += size;
        if (s == start) break;
        PyObject *word = PyUnicode_DecodeUTF8(start, s - start, NULL);
        if (word && !has_word(words, word)) words->word[words->count++] = word;
        else Py_XDECREF(word);
        failed = word == NULL;
    }
    Py_XDECREF(lower);
    return failed ? -1 : 0;
}

/* Adds a value to those of a name; -1 without memory. */
static int add_value(PyObject *found, PyObject *name, PyObject *value, Py_ssize_t most_values) {
    PyObject *old = PyDict_GetItemWithError(found, name);
    if (old == NULL && PyErr_Occurred()) return -1;
    Py_ssize_t count = old ? PyTuple_GET_SIZE(old) : 0;
    if (count >= most_values) return 0;
    PyObject *values = PyTuple_New(count + 1);
    if (values == NULL) return -1;
    for (Py_ssize_t k = 0; k < count; k++) PyTuple_SET_ITEM(values, k, Py_NewRef(PyTuple_GET_ITEM(old, k)));
    PyTuple_SET_ITEM(values, count, Py_NewRef(value));
    int failed = PyDict_SetItem(found, name, values);
    Py_DECREF(values);
    return failed;
}

enum { CONTENT, PROPERTY, NAME, ITEMPROP, HTTP_EQUIV, SAID };
static const struct { const char *name; Py_ssize_t size; } SAYING[SAID] = {
    {"content", 7}, {"property", 8}, {"name", 4}, {"itemprop", 8}, {"http-equiv", 10}};

/* metas(most_names, most_values, most_chars) -> {name: (value, ...)}: as structured._read_meta() */
PyObject *tree_metas(Tree *t, PyObject *args) {
    Py_ssize_t most_names, most_values, most_chars;
    if (!PyArg_ParseTuple(args, "nnn", &most_names, &most_values, &most_chars)) return NULL;
    PyObject *found = PyDict_New();
    int32_t tag = table_find(&t->tags, "meta", 4), number = table_find(&t->attr_names, "content", 7);
    Buffer scratch = {0};
    for (int32_t k = 0; found && tag > 0 && number >= 0 && k < t->holders[number].count; k++) {
        int32_t i = t->holders[number].list[k].node;
        if (t->tag[i] != tag) continue;
        Span said[SAID] = {0};
        const char *at = t->source.data + t->attrs[i].at, *stop = at + t->attrs[i].size, *own, *value;
        Py_ssize_t own_size, n;
        while (next_attribute(&at, stop, &own, &own_size, &value, &n) > 0)
            for (int j = 0; j < SAID; j++)
                if (SAYING[j].size == own_size && memcmp(SAYING[j].name, own, (size_t)own_size) == 0)
                    said[j] = (Span){value - t->source.data, (int32_t)n};
        n = said[CONTENT].size;
        if ((value = plain_value(t->source.data + said[CONTENT].at, &n, &scratch)) == NULL) { Py_CLEAR(found); break; }
        strip(&value, &n);
        if (n == 0) continue;
        PyObject *text = PyUnicode_DecodeUTF8(value, head_bytes(value, n, most_chars), NULL);
        /* In the body an itemprop belongs to some item, perhaps a reader's review. */
        int named = said[PROPERTY].size ? PROPERTY : said[NAME].size ? NAME : i < t->body && said[ITEMPROP].size ? ITEMPROP : HTTP_EQUIV;
        Words words = {{0}, 0};
        int failed = text == NULL || add_words(&words, t->source.data + said[named].at, said[named].size, &scratch) < 0;
        if (!failed && named == PROPERTY && said[NAME].size)
            failed = add_words(&words, t->source.data + said[NAME].at, said[NAME].size, &scratch) < 0;
        for (int j = 0; j < words.count; j++) {
            int is_full = !failed && PyDict_GET_SIZE(found) >= most_names;
            if (is_full) {
                int known = PyDict_Contains(found, words.word[j]);
                if (known < 0) failed = 1;
                if (known == 0) break;
            }
            if (!failed) failed = add_value(found, words.word[j], text, most_values) < 0;
        }
        for (int j = 0; j < words.count; j++) Py_DECREF(words.word[j]);
        Py_XDECREF(text);
        if (failed) Py_CLEAR(found);
    }
    PyMem_Free(scratch.data);
    return found;
}

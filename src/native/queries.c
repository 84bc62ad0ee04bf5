/* What a page has of what it is searched for: names, words of names, and texts. All that is searched for comes from the caller. */

#include "nodes.h"

/* ---- words of names ---- */

#define LONGEST_VALUE 500 /* characters of a value that are read */
#define MOST_KINDS 16

static int bits_of_word(const Lookup *words, const char *s, const char *stop) {
    double value;
    return stop > s && lookup_value(words, s, stop - s, &value) >= 0 ? (int)value : 0;
}

/* The bits of all words of a value, and of all pairs of words with a hyphen between them. A capital letter after a small one begins
   a word, as if a hyphen came before it. `plain` has room for twice the value. */
static int bits_of_value(const Lookup *words, const char *s, Py_ssize_t n, char *plain) {
    char *to = plain, *word = plain, *pair = NULL;
    int bits = 0;
    for (Py_ssize_t i = 0; i <= n; i++) {
        char c = i < n ? s[i] : ' ';
        int is_capital = i && is_upper(c) && is_lower(s[i - 1]), is_between = c == '-' || c == '_' || is_plain_space((unsigned char)c);
        if (is_capital || is_between) {
            bits |= bits_of_word(words, word, to);
            if (pair) bits |= bits_of_word(words, pair, to);
            pair = to > word && c != '_' && (is_capital || c == '-') ? word : NULL;
            *to++ = '-';
            word = to;
        }
        if (!is_between) *to++ = is_upper(c) ? (char)(c + 32) : c;
    }
    return bits;
}

/* with_words(attribute, lookup, kinds) -> ([node], ...): the elements whose class or id has words that the lookup has, in document
   order: a list for each bit that the words have, from the lowest, of which there are so many */
PyObject *tree_with_words(Tree *t, PyObject *args) {
    const char *attribute;
    Lookup *words;
    int kinds, any = 0;
    if (!PyArg_ParseTuple(args, "sO!i", &attribute, &LookupType, &words, &kinds)) return NULL;
    int is_class = strcmp(attribute, "class") == 0;
    if ((!is_class && strcmp(attribute, "id") != 0) || kinds < 0 || kinds > MOST_KINDS) {
        PyErr_SetString(PyExc_ValueError, "needs class or id, a lookup, and a number of bits");
        return NULL;
    }
    const Table *values = is_class ? &t->classes : &t->idents;
    const int32_t *numbers = is_class ? t->cls : t->ident;
    int *bits = PyMem_Calloc((size_t)values->count + 1, sizeof(int));
    PyObject *found = bits ? PyTuple_New(kinds) : PyErr_NoMemory();
    for (int k = 0; found && k < kinds; k++) {
        PyObject *list = PyList_New(0);
        if (list) PyTuple_SET_ITEM(found, k, list);
        else Py_CLEAR(found);
    }
    Buffer plain = {0};
    for (int32_t k = 1; found && k < values->count; k++) {
        const char *s = values->bytes.data + values->keys[k].at;
        Py_ssize_t n = head_bytes(s, values->keys[k].size, LONGEST_VALUE);
        if (2 * n + 1 > plain.room && buffer_reserve(&plain, 2 * n + 1) < 0) Py_CLEAR(found);
        else any |= bits[k] = bits_of_value(words, s, n, plain.data);
    }
    for (int32_t i = 0; found && any && i < t->n; i++)
        for (int k = 0, left = bits[numbers[i]]; found && left && k < kinds; k++, left >>= 1)
            if (left & 1 && append_new(PyTuple_GET_ITEM(found, k), PyLong_FromLong(i)) < 0) Py_CLEAR(found);
    PyMem_Free(bits);
    PyMem_Free(plain.data);
    return found;
}

/* ---- texts ---- */

#define MOST_PARTS 64

typedef struct {
    const char *parts[MOST_PARTS];
    Py_ssize_t sizes[MOST_PARTS];
    uint64_t beginning_with[256]; /* a bit for each part that begins with a byte */
} Parts;

static inline int begins_with_any(const Parts *p, const char *s, const char *stop) {
    for (uint64_t left = p->beginning_with[(unsigned char)*s]; left; left &= left - 1) {
        int k = __builtin_ctzll(left);
        if (stop - s >= p->sizes[k] && memcmp(s, p->parts[k], (size_t)p->sizes[k]) == 0) return 1;
    }
    return 0;
}

static PyObject *texts_with(const Tree *t, PyObject *parts, int at_start) {
    Parts p = {0};
    Py_ssize_t count = PyTuple_GET_SIZE(parts), n;
    if (count > MOST_PARTS) { PyErr_SetString(PyExc_ValueError, "too many parts"); return NULL; }
    for (Py_ssize_t k = 0; k < count; k++) {
        if ((p.parts[k] = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(parts, k), &p.sizes[k])) == NULL) return NULL;
        p.beginning_with[(unsigned char)p.parts[k][0]] |= (uint64_t)1 << k;
    }
    PyObject *found = PyList_New(0);
    for (int32_t i = 0; found && i < t->n; i++) {
        if (t->chars[i + 1] == t->chars[i]) continue;
        const char *s = text_bytes(t, i, &n), *stop = s + n;
        int step = 1, is_with = 0;
        if (at_start) while (s < stop && is_space_at(s, &step)) s += step;
        for (const char *last = at_start && s < stop ? s + 1 : stop; s < last && !is_with; s++) is_with = begins_with_any(&p, s, stop);
        if (is_with && append_new(found, PyLong_FromLong(i)) < 0) Py_CLEAR(found);
    }
    return found;
}

/* texts_holding(*parts) -> [node]: the shown texts that hold one of some parts, letter for letter, in document order */
PyObject *tree_texts_holding(Tree *t, PyObject *parts) { return texts_with(t, parts, 0); }

/* texts_beginning(*parts) -> [node]: those that begin with one, behind any white space */
PyObject *tree_texts_beginning(Tree *t, PyObject *parts) { return texts_with(t, parts, 1); }

/* What the canonical form has to know of the editable tree, each at one call: what a draft holds, and what the children of an
   element are. Which tags and class words matter is given as lookups. */

#include "dom.h"

enum { SHOWN_TEXT = 1, OTHER_ELEMENT = 2 }; /* kinds of children, below those of the lookup */
#define KIND_WIDTH 6
#define KIND_BITS ((1 << KIND_WIDTH) - 1)

static int is_zero_width(Py_UCS4 c) { return (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF || c == 0xAD; }

static int is_blank_bytes(const char *s, Py_ssize_t n) {
    int step;
    for (const char *stop = s + n; s < stop; s += step)
        if (!is_space_at(s, &step) && !is_zero_width(decode_one(s, &step))) return 0;
    return 1;
}

static int is_blank(const Node *n) {
    Py_ssize_t size = n->size;
    const char *s = has_set_text(n) ? PyUnicode_AsUTF8AndSize(n->value, &size) : n->bytes;
    if (s == NULL) PyErr_Clear(); /* half of a surrogate pair, which is not blank */
    return s && is_blank_bytes(s, size);
}

/* The bits that a lookup has for an element's tag, -1 for none. */
static int tag_bits(const Lookup *tags, const Node *n) {
    Py_ssize_t size;
    double bits;
    const char *name = PyUnicode_AsUTF8AndSize(n->tag, &size);
    if (name == NULL) { PyErr_Clear(); return -1; }
    return lookup_value(tags, name, size, &bits) < 0 ? -1 : (int)bits;
}

/* ---- next_unsettled ---- */

/* SHOWN_TEXT for a text that is not blank, OTHER_ELEMENT for an element whose tag the lookup lacks, the lowest bits of others. */
static int kinds_inside(const Node *element, const Lookup *tags) {
    int kinds = 0;
    for (const Node *child = element->first; child; child = child->next) {
        if (is_text(child)) {
            if (!(kinds & SHOWN_TEXT) && !is_blank(child)) kinds |= SHOWN_TEXT;
        } else if (is_element(child)) {
            int bits = tag_bits(tags, child);
            kinds |= bits < 0 ? OTHER_ELEMENT : bits & KIND_BITS;
        }
    }
    return kinds;
}

/* next_unsettled(elements: list, before: int, tags: Lookup) -> (place, kinds of children) of the last element before a place that
   does not have the children that its tag asks for: one of some kinds, and none of others, which the lookup has in higher bits.
   The place is -1 when there is none. */
PyObject *core_next_unsettled(PyObject *module, PyObject *args) {
    PyObject *elements;
    Py_ssize_t at;
    const Lookup *tags;
    int kinds = 0;
    if (!PyArg_ParseTuple(args, "O!nO!", &PyList_Type, &elements, &at, &LookupType, &tags)) return NULL;
    if (at > PyList_GET_SIZE(elements)) at = PyList_GET_SIZE(elements);
    while (--at >= 0) {
        const Node *n = (const Node *)PyList_GET_ITEM(elements, at);
        if (!is_element(n)) { PyErr_SetString(PyExc_TypeError, "elements are expected"); return NULL; }
        int bits = tag_bits(tags, n), wanted = bits >> KIND_WIDTH & KIND_BITS, barred = bits >> 2 * KIND_WIDTH & KIND_BITS;
        kinds = kinds_inside(n, tags);
        if (bits < 0 || (wanted && !(kinds & wanted)) || kinds & barred) break;
    }
    return Py_BuildValue("ni", at, kinds);
}

/* ---- inline_runs ---- */

/* Makes one line feed of the blank texts from `first` up to `stop`. */
static int fold_blank(Node *first, const Node *stop) {
    if (has_set_text(first) || first->size != 1 || *first->bytes != '\n') {
        PyObject *line = PyUnicode_FromStringAndSize("\n", 1);
        if (line == NULL) return -1;
        Py_XSETREF(first->value, line);
        first->bytes = NULL;
    }
    for (Node *n; (n = first->next) != stop;) {
        unlink_node(n);
        Py_DECREF(n);
    }
    return 0;
}

static int add_run(PyObject *runs, Node *first, const Node *stop) {
    PyObject *run = PyList_New(0);
    int failed = run == NULL;
    for (Node *n = first; n != stop && !failed; n = n->next) failed = PyList_Append(run, (PyObject *)n) < 0;
    if (!failed) failed = PyList_Append(runs, run) < 0;
    Py_XDECREF(run);
    return failed ? -1 : 0;
}

/* inline_runs(element, tags: Lookup, block: int) -> the runs of children between those whose tag has the bit `block`, as lists;
   runs of blank text are not among them, but become one line feed each. */
PyObject *core_inline_runs(PyObject *module, PyObject *args) {
    Node *element;
    const Lookup *tags;
    int block;
    if (!PyArg_ParseTuple(args, "O!O!i", &ElementType, &element, &LookupType, &tags, &block)) return NULL;
    PyObject *runs = PyList_New(0);
    if (runs == NULL) return NULL;
    Node *first = NULL;
    int is_bare = 1;
    for (Node *n = element->first;; n = n->next) {
        int bits = n && is_element(n) ? tag_bits(tags, n) : 0;
        if (n && !(bits > 0 && bits & block)) {
            if (first == NULL) { first = n; is_bare = 1; }
            is_bare = is_bare && is_text(n) && is_blank(n);
            continue;
        }
        if (first && (is_bare ? fold_blank(first, n) : add_run(runs, first, n)) < 0) { Py_DECREF(runs); return NULL; }
        first = NULL;
        if (n == NULL) return runs;
    }
}

/* ---- survey ---- */

/* Gives the attributes that are sought the values that an element has for them, with character references; NULL without one. */
static void read_sought(const Node *n, Attribute *sought, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *value = n->value ? PyDict_GetItemString(n->value, sought[k].name) : NULL;
        sought[k].value = value && PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &sought[k].size) : NULL;
        if (value && sought[k].value == NULL) PyErr_Clear();
    }
    Attribute a;
    for (const char *s = n->bytes, *stop = n->value ? s : s + n->size; s < stop;) {
        s = next_attribute(s, stop, &a);
        for (Py_ssize_t k = 0; k < count; k++)
            if (a.named == sought[k].named && memcmp(a.name, sought[k].name, (size_t)a.named) == 0) {
                sought[k].value = a.value;
                sought[k].size = a.size;
            }
    }
}

/* The bits of all the words of a class. */
static long word_bits(const Lookup *words, const char *s, Py_ssize_t n) {
    long bits = 0;
    char word[64];
    double value;
    for (const char *stop = s + n, *end; s < stop; s = end) {
        while (s < stop && is_plain_space((unsigned char)*s)) s++;
        end = word_end(s, stop);
        Py_ssize_t size = end - s;
        if (size && size <= (Py_ssize_t)sizeof word && lookup_value(words, word, lowered(word, s, size), &value) >= 0) bits |= (long)value;
    }
    return bits;
}

#define MOST_NAMES 8

/* survey(root, words: Lookup, names: tuple) -> (the tags that there are, [(element, bits of its class words)], by name the elements
   with that attribute); comments are taken out */
PyObject *core_survey(PyObject *module, PyObject *args) {
    Node *root;
    const Lookup *words;
    PyObject *names;
    Attribute sought[MOST_NAMES + 1] = {{.name = "class", .named = 5}};
    uint64_t seen[T_KNOWN / 64 + 1] = {0};
    if (!PyArg_ParseTuple(args, "O!O!O!", &ElementType, &root, &LookupType, &words, &PyTuple_Type, &names)) return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count > MOST_NAMES) { PyErr_SetString(PyExc_ValueError, "too many names"); return NULL; }
    PyObject *tags = PySet_New(NULL), *named = PyList_New(0), *with = PyTuple_New(count);
    int failed = tags == NULL || named == NULL || with == NULL;
    for (Py_ssize_t k = 0; k < count && !failed; k++) {
        PyObject *list = PyList_New(0);
        sought[k + 1].name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(names, k), &sought[k + 1].named);
        failed = list == NULL || sought[k + 1].name == NULL;
        PyTuple_SET_ITEM(with, k, list);
    }
    for (Node *n = root->first, *after; n && !failed; n = after) {
        after = following(n, root);
        if (is_text(n)) continue;
        if (!is_element(n)) {
            unlink_node(n);
            Py_DECREF(n);
            continue;
        }
        uint64_t bit = n->number ? (uint64_t)1 << n->number % 64 : 0;
        if (!(seen[n->number / 64] & bit)) failed = PySet_Add(tags, n->tag) < 0;
        seen[n->number / 64] |= bit;
        if (!n->size && !n->value) continue;
        read_sought(n, sought, count + 1);
        long bits = sought->value ? word_bits(words, sought->value, sought->size) : 0;
        if (bits && !failed) {
            PyObject *pair = Py_BuildValue("Ol", n, bits);
            failed = pair == NULL || PyList_Append(named, pair) < 0;
            Py_XDECREF(pair);
        }
        for (Py_ssize_t k = 0; k < count && !failed; k++)
            if (sought[k + 1].value) failed = PyList_Append(PyTuple_GET_ITEM(with, k), (PyObject *)n) < 0;
    }
    PyObject *result = failed ? NULL : PyTuple_Pack(3, tags, named, with);
    Py_XDECREF(tags);
    Py_XDECREF(named);
    Py_XDECREF(with);
    return result;
}

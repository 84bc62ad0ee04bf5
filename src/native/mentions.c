/* Which names a page has, as selectors write them: what names another matches nothing, and need not be looked for. */

#include "nodes.h"

int mention(Table *t, char sign, const char *s, Py_ssize_t n, Buffer *scratch) {
    const char *stop = s + n;
    while (s < stop) {
        const char *end = stop;
        if (sign == '.') {
            while (s < stop && is_plain_space((unsigned char)*s)) s++;
            if ((end = word_end(s, stop)) == s) break;
        }
        scratch->size = 0;
        if ((sign && buffer_put(scratch, sign) < 0) || buffer_reserve(scratch, end - s) < 0) return -1;
        scratch->size += lowered(scratch->data + scratch->size, s, end - s);
        int fresh;
        if (table_put(t, scratch->data, scratch->size, &fresh) < 0) return -1;
        s = end;
    }
    return 0;
}

static int mention_all(Table *to, char sign, const Table *from, Buffer *scratch) {
    for (int32_t k = 0; k < from->count; k++)
        if (mention(to, sign, from->bytes.data + from->keys[k].at, from->keys[k].size, scratch) < 0) return -1;
    return 0;
}

int mention_names(Tree *t) {
    Buffer scratch = {0};
    int failed = table_init(&t->mentioned, 512) < 0 || mention_all(&t->mentioned, '.', &t->classes, &scratch) < 0
        || mention_all(&t->mentioned, '#', &t->idents, &scratch) < 0;
    PyMem_Free(scratch.data);
    if (failed) table_free(&t->mentioned);
    return failed ? -1 : 0;
}

static int32_t number_of(const Table *t, PyObject *word) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(word, &n);
    return s ? table_find(t, s, n) : -1;
}

/* alike(tag, cls, ident) -> [node]: the elements of which all three are so written */
PyObject *tree_alike(Tree *t, PyObject *args) {
    PyObject *tag, *cls, *ident;
    if (!PyArg_ParseTuple(args, "UUU", &tag, &cls, &ident)) return NULL;
    int32_t tag_number = number_of(&t->tags, tag), cls_number = number_of(&t->classes, cls);
    int32_t ident_number = number_of(&t->idents, ident);
    if (PyErr_Occurred()) return NULL;
    PyObject *found = PyList_New(0);
    if (tag_number <= 0 || cls_number < 0 || ident_number < 0) return found;
    for (int32_t i = 0; found && i < t->n; i++) {
        if (t->tag[i] != tag_number || t->cls[i] != cls_number || t->ident[i] != ident_number) continue;
        PyObject *number = PyLong_FromLong(i);
        if (number == NULL || PyList_Append(found, number) < 0) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

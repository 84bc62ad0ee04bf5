/* Which names a page has, as selectors write them: what names another matches nothing, and need not be looked for. */

#include "nodes.h"

#define LONGEST_SRC 500 /* characters of a script's address that are looked at */

static int add_found(const Lookup *asked, const Buffer *name, PyObject *found) {
    if (!lookup_has(asked, name->data, name->size)) return 0;
    PyObject *word = PyUnicode_DecodeUTF8(name->data, name->size, NULL);
    int failed = word ? PySet_Add(found, word) : -1;
    Py_XDECREF(word);
    return failed;
}

static int find_named(const Table *from, char sign, const Lookup *asked, Buffer *scratch, PyObject *found) {
    for (int32_t k = 1; k < from->count; k++) {
        const char *s = from->bytes.data + from->keys[k].at, *stop = s + from->keys[k].size;
        while (s < stop) {
            const char *end = sign == '.' ? memchr(s, ' ', (size_t)(stop - s)) : NULL;
            if (end == NULL) end = stop;
            if (sign && end - s >= 4) {
                /* Its ends alone mostly tell that it is none of them. */
                char start[4] = {sign, s[0], s[1], s[2]};
                uint32_t first, last;
                memcpy(&first, start, 4);
                memcpy(&last, end - 4, 4);
                if (!sieve_marked(&asked->sieve, sieve_mark_of(first, last, end - s + 1))) { s = end + 1; continue; }
            }
            scratch->size = 0;
            if ((sign && buffer_put(scratch, sign) < 0) || buffer_add(scratch, s, end - s) < 0) return -1;
            if (add_found(asked, scratch, found) < 0) return -1;
            s = end + 1;
        }
    }
    return 0;
}

/* Scripts by "/file" and "/folder/file", whatever comes before these or is asked for. */
static int find_files(const Tree *t, const Lookup *asked, Buffer *scratch, Buffer *plain, PyObject *found) {
    int32_t tag = table_find(&t->tags, "script", 6), number = table_find(&t->attr_names, "src", 3);
    for (int32_t k = 0; tag > 0 && number >= 0 && k < t->holders[number].count; k++) {
        const Holder *h = &t->holders[number].list[k];
        if (t->tag[h->node] != tag) continue;
        const char *s = t->source.data + h->value.at;
        Py_ssize_t n = h->value.size;
        if (memchr(s, '&', (size_t)n)) {
            if (unescape_into(plain, s, n) < 0) return -1;
            s = plain->data;
            n = plain->size;
        }
        const char *stop = s + head_bytes(s, n, LONGEST_SRC), *end = s;
        while (end < stop && *end != '?' && *end != '#') end++;
        const char *name = end;
        while (name > s && name[-1] != '/') name--;
        const char *folder = name > s ? name - 1 : name;
        while (folder > s && folder[-1] != '/') folder--;
        for (int j = 0; j < 2; j++) {
            scratch->size = 0;
            if (buffer_put(scratch, '/') < 0 || (j && name == s && buffer_put(scratch, '/') < 0)
                || buffer_add(scratch, j ? folder : name, end - (j ? folder : name)) < 0 || add_found(asked, scratch, found) < 0)
                return -1;
        }
    }
    return 0;
}

/* named(lookup) -> {name}: those of its names, each a "tag", ".class", "#id", "/file" or "/folder/file" of a script, that an
   element has */
PyObject *tree_named(Tree *t, PyObject *args) {
    Lookup *asked;
    if (!PyArg_ParseTuple(args, "O!", &LookupType, &asked)) return NULL;
    PyObject *found = PySet_New(NULL);
    Buffer scratch = {0}, plain = {0};
    if (found && (find_named(&t->tags, 0, asked, &scratch, found) < 0 || find_named(&t->classes, '.', asked, &scratch, found) < 0
            || find_named(&t->idents, '#', asked, &scratch, found) < 0 || find_files(t, asked, &scratch, &plain, found) < 0))
        Py_CLEAR(found);
    PyMem_Free(scratch.data);
    PyMem_Free(plain.data);
    return found;
}

/* What is not content, by the rows of removals.toml. */

#include "native.h"

#define SURE 1
#define SIGN 2 /* a row that holds for what shows a sign or two, no more */

#define NONE -1
#define UNREAD -2 /* of a name that was not looked up yet */

/* The rows that a node falls under, by number. */
typedef struct {
    int16_t form, role, other, listed;
} Given;

#define FOUND (sizeof(Given) / sizeof(int16_t)) /* kinds of what the caller finds */

typedef struct {
    const Tree *tree;
    Given *given;         /* by node */
    int32_t *of_tag;      /* by tag */
    int32_t *of_name;     /* by name, looked up when needed: what lies in a removed node never is */
    uint8_t *is_never;    /* by tag: no name or list may remove it */
    const Lookup *names, *beginnings;
    const uint8_t *kinds; /* by row */
    int16_t rows;
} Rows;

static int read_tags(Rows *r, const Lookup *tags, PyObject *never, Memory *memory) {
    const Tree *t = r->tree;
    r->given = memory_new(memory, t->n, sizeof *r->given);
    r->of_tag = memory_new(memory, t->tags.count, sizeof *r->of_tag);
    r->of_name = memory_new(memory, t->names.count, sizeof *r->of_name);
    if (memory->failed) { PyErr_NoMemory(); return -1; }
    if ((r->is_never = numbers_among(&t->tags, never)) == NULL) return -1;
    memset(r->given, 0xFF, sizeof *r->given * (size_t)(t->n + 1));
    for (int32_t k = 0; k < t->names.count; k++) r->of_name[k] = k ? UNREAD : NONE;
    for (int32_t k = 0; k < t->tags.count; k++) {
        double row;
        const Key *tag = &t->tags.keys[k];
        r->of_tag[k] = k && lookup_value(tags, t->tags.bytes.data + tag->at, tag->size, &row) >= 0 ? (int32_t)row : NONE;
    }
    return 0;
}

/* What the caller found of one kind, {node: row}; `to` is the first node's. */
static int read_found(const Rows *r, PyObject *found, int16_t *to) {
    PyObject *node, *number;
    for (Py_ssize_t at = 0; PyDict_Next(found, &at, &node, &number);) {
        int32_t i = node_given(r->tree, node);
        long row = i < 0 ? -1 : PyLong_AsLong(number);
        if (row < 0 || row >= r->rows) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such row");
            return -1;
        }
        to[i * FOUND] = (int16_t)row;
    }
    return 0;
}

/* The row of a node: a form's, a sure name's, by tag, by role, by any name, otherwise; a list's where none is sure. */
static int32_t row_of(Rows *r, int32_t i) {
    const Tree *t = r->tree;
    const Given *own = &r->given[i];
    int32_t tag = t->tag[i], name = t->name[i], row = r->of_tag[tag] >= 0 ? r->of_tag[tag] : own->role;
    if (name && !r->is_never[tag]) {
        if (r->of_name[name] == UNREAD) r->of_name[name] = row_of_name(t, name, r->names, r->beginnings);
        if (r->of_name[name] >= 0 && (row < 0 || r->kinds[r->of_name[name]] & SURE)) row = r->of_name[name];
    }
    if (row < 0) row = own->other;
    if (own->form >= 0) row = own->form;
    return own->listed >= 0 && !r->is_never[tag] && (row < 0 || !(r->kinds[row] & SURE)) ? r->rows : row;
}

/* Whether an element shows more than so many signs; -1 without memory. */
static int is_text(const Tree *t, int32_t i, Py_ssize_t most) {
    /* At most half of the characters are the white space behind words. */
    if (t->chars[t->end[i]] - t->chars[i] > 2 * most) return 1;
    Folded shown = {{0}};
    int failed = put_shown(t, i, t->end[i], &shown), is_more = count_characters(shown.text.data, shown.text.size) > most;
    PyMem_Free(shown.text.data);
    return failed ? -1 : is_more;
}

static PyObject *topmost(Rows *r, double limit, Py_ssize_t sign) {
    const Tree *t = r->tree;
    PyObject *found = PyList_New(0);
    for (int32_t i = t->body + 1; found && i < t->n; i++) {
        int32_t row = t->tag[i] ? row_of(r, i) : NONE;
        if (row < 0) continue;
        int is_more = row < r->rows && r->kinds[row] & SIGN ? is_text(t, i, sign) : 0;
        if (is_more < 0) { Py_CLEAR(found); break; }
        if (is_more) continue;
        int is_rescued = t->chars[t->end[i]] - t->chars[i] > limit;
        if (append_new(found, Py_BuildValue("iiO", (int)i, (int)row, is_rescued ? Py_True : Py_False)) < 0) Py_CLEAR(found);
        if (!is_rescued) i = t->end[i] - 1;
    }
    return found;
}

/* removable(rows, never, found, limit, sign) -> [(node, row, whether it is put back)]: the topmost nodes that a row matches, in
   document order; rows are tags, names, how these begin, and what each row is; found has what matches by form, by role, otherwise
   and by filter lists, {node: row} each. One more than the last row means filter lists. What shows more than `limit` characters
   is put back. */
PyObject *tree_removable(Tree *t, PyObject *args) {
    Lookup *tags, *names, *beginnings;
    PyObject *never, *forms, *roles, *others, *listed, *found = NULL;
    const char *kinds;
    Py_ssize_t rows, sign;
    double limit;
    if (!PyArg_ParseTuple(args, "(O!O!O!y#)O(O!O!O!O!)dn", &LookupType, &tags, &LookupType, &names, &LookupType, &beginnings, &kinds, &rows,
            &never, &PyDict_Type, &forms, &PyDict_Type, &roles, &PyDict_Type, &others, &PyDict_Type, &listed, &limit, &sign))
        return NULL;
    if (rows >= INT16_MAX) { PyErr_SetString(PyExc_ValueError, "too many rows"); return NULL; }
    Memory memory = {0};
    Rows r = {.tree = t, .names = names, .beginnings = beginnings, .kinds = (const uint8_t *)kinds, .rows = (int16_t)rows};
    if (read_tags(&r, tags, never, &memory) == 0 && read_found(&r, forms, &r.given->form) == 0 && read_found(&r, roles, &r.given->role) == 0
        && read_found(&r, others, &r.given->other) == 0 && read_found(&r, listed, &r.given->listed) == 0)
        found = topmost(&r, limit, sign);
    memory_free(&memory);
    PyMem_Free(r.is_never);
    return found;
}

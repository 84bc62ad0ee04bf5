/* dom.formatting_cost(): what formatting elements that stay open may be repeated into. */

#include "native.h"

static const struct { char name[8]; int size; } NAMES[] = {
    {"a", 1}, {"b", 1}, {"big", 3}, {"code", 4}, {"em", 2}, {"font", 4}, {"i", 1}, {"nobr", 4}, {"s", 1}, {"small", 5},
    {"strike", 6}, {"strong", 6}, {"tt", 2}, {"u", 1},
};
#define COUNT 14
#define LONGEST 6
#define ALIKE 3  /* parsers repeat at most three that are alike */
#define WIDTH 32 /* so many characters of a tag weigh as much as an element */

typedef struct {
    int64_t weight;
    Py_ssize_t below; /* the one of the same name that was opened before, -1 for none */
} Opened;

static inline int is_space(Py_UCS4 c) { return c <= ' ' && is_html_space((char)c); }

/* The letters that their names begin with: most tags are told by that. */
#define FIRST_LETTERS (1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 5 | 1u << 8 | 1u << 13 | 1u << 18 | 1u << 19 | 1u << 20) /* a b c e f i n s t u */

/* The next place of an ASCII character at or after `i`; `n` for none. Searched byte by byte, which libraries do a vector at
   a time: a byte that is only a part of another character is passed over. */
static inline Py_ssize_t next_of(char wanted, int kind, const void *data, Py_ssize_t i, Py_ssize_t n) {
    const char *bytes = data;
    while (i < n) {
        const char *at = memchr(bytes + i * kind, wanted, (size_t)((n - i) * kind));
        if (at == NULL) return n;
        i = (at - bytes) / kind;
        if (PyUnicode_READ(kind, data, i) == (Py_UCS4)wanted) return i;
        i++;
    }
    return n;
}

/* Where a tag ends, quotes heeded: at its ">", or at the end of the page. */
static inline Py_ssize_t tag_end(int kind, const void *data, Py_ssize_t i, Py_ssize_t n) {
    while (i < n) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c == '>') return i;
        i++;
        if (c != '=') continue;
        while (i < n && is_space(PyUnicode_READ(kind, data, i))) i++;
        if (i >= n) break;
        Py_UCS4 quote = PyUnicode_READ(kind, data, i);
        if (quote != '"' && quote != '\'') continue;
        i = next_of((char)quote, kind, data, i + 1, n) + 1;
    }
    return n;
}

/* The cost, `most` if it is more, -1 without memory; inlined for each width of a page's characters. */
static inline __attribute__((always_inline)) int64_t cost_of(int kind, const void *data, Py_ssize_t n, Py_ssize_t characters,
                                                             int64_t most) {
    Py_ssize_t looked = 0, count = 0, room = 0, top[COUNT];
    int64_t alike[COUNT] = {0}, depth = 0, cost = 0;
    Opened *opened = NULL;
    for (int k = 0; k < COUNT; k++) top[k] = -1;
    for (Py_ssize_t i = 0; i < n && cost < most; i++) {
        if ((i = next_of('<', kind, data, i, n)) >= n) break;
        int64_t before = depth;
        cost += depth;
        Py_ssize_t j = i + 1;
        int is_end = j < n && PyUnicode_READ(kind, data, j) == '/', size = 0, k = 0;
        Py_UCS4 first = j + is_end < n ? (PyUnicode_READ(kind, data, j + is_end) | 32) - 'a' : 32;
        if (first > 25 || !(FIRST_LETTERS >> first & 1)) continue;
        char name[LONGEST + 1];
        for (j += is_end; j < n && size <= LONGEST; j++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, j) | 32;
            if (c < 'a' || c > 'z') break;
            name[size++] = (char)c;
        }
        if (!size || size > LONGEST || j >= n) continue;
        Py_UCS4 after = PyUnicode_READ(kind, data, j);
        if (!is_space(after) && after != '/' && after != '>') continue;
        while (k < COUNT && (NAMES[k].size != size || memcmp(NAMES[k].name, name, (size_t)size) != 0)) k++;
        if (k == COUNT) continue;
        int is_single = k == 0 || k == 7; /* a second <a> or <nobr> closes the first */
        if (is_end || is_single) {
            if (top[k] >= 0) { depth -= opened[top[k]].weight; top[k] = opened[top[k]].below; }
            else if (alike[k] > 0 && alike[k]-- <= ALIKE) depth--;
        }
        if (is_end) continue;
        cost -= before; /* it opens no block, so it repeats nothing */
        if (after == '>') {
            if (alike[k]++ < ALIKE) depth++;
            continue;
        }
        Py_ssize_t end = tag_end(kind, data, j, n);
        Py_ssize_t length = n > characters ? count_characters((const char *)data + i, end - i) : end - i;
        looked += length;
        if (looked > 4 * characters) { cost = most; break; }
        if (count >= room) {
            room = room ? room * 2 : 64;
            Opened *grown = PyMem_Realloc(opened, sizeof(Opened) * (size_t)room);
            if (grown == NULL) { PyMem_Free(opened); PyErr_NoMemory(); return -1; }
            opened = grown;
        }
        opened[count] = (Opened){1 + length / WIDTH, top[k]};
        depth += opened[count].weight;
        top[k] = count++;
    }
    PyMem_Free(opened);
    return cost < most ? cost : most;
}

/* formatting_cost(html, most) -> int, `most` if it is more */
static PyObject *formatting_cost(PyObject *module, PyObject *args) {
    PyObject *html;
    long long most;
    if (!PyArg_ParseTuple(args, "OL", &html, &most)) return NULL;
    int64_t cost;
    if (Py_TYPE(html) == &Utf8Type) {
        const Utf8 *page = (const Utf8 *)html;
        cost = cost_of(1, PyBytes_AS_STRING(page->data), PyBytes_GET_SIZE(page->data), page->length, most);
    } else if (PyUnicode_Check(html)) {
        Py_ssize_t n = PyUnicode_GET_LENGTH(html);
        const void *data = PyUnicode_DATA(html);
        int kind = PyUnicode_KIND(html);
        cost = kind == 1 ? cost_of(1, data, n, n, most) : kind == 2 ? cost_of(2, data, n, n, most) : cost_of(4, data, n, n, most);
    } else {
        PyErr_SetString(PyExc_TypeError, "html must be a str or Utf8");
        return NULL;
    }
    return cost < 0 ? NULL : PyLong_FromLongLong(cost);
}

PyMethodDef formatting_method = {"formatting_cost", formatting_cost, METH_VARARGS, "What open formatting elements may cost."};

/* begun_with(html, letters) -> int: how many "<" one of two letters follows, in either case */
static PyObject *begun_with(PyObject *module, PyObject *args) {
    PyObject *html;
    int one, other;
    if (!PyArg_ParseTuple(args, "U(CC)", &html, &one, &other)) return NULL;
    Py_ssize_t n = PyUnicode_GET_LENGTH(html), count = 0;
    int kind = PyUnicode_KIND(html);
    const void *data = PyUnicode_DATA(html);
    for (Py_ssize_t i = next_of('<', kind, data, 0, n); i + 1 < n; i = next_of('<', kind, data, i + 1, n)) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i + 1) | 32;
        count += c == (Py_UCS4)one || c == (Py_UCS4)other;
    }
    return PyLong_FromSsize_t(count);
}

PyMethodDef begun_method = {"begun_with", begun_with, METH_VARARGS, "How many tags may begin with one of two letters."};

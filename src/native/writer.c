/* sanitize._write() with nesting.Writer: what the policy names, written so that a parser reads back the same tree. */

#include "native.h"

enum { VOID_TAG = 1, CLOSES_P = 2, BOUNDS_P = 4, KEPT_EMPTY = 8, ONLY_IN_TABLE = 16, STRAY_BLOCK = 32, HEADING_TAG = 64 };
enum { ITEM = 1, ENTRY = 2, HEADING = 4, LINK = 8, IMPLIED = 16, TABLE = 32, PRE = 64, AROUND = 15 };
/* The bits of nesting.py. */

typedef struct {
    PyObject *name, *fixed, *parts, *missing; /* the last two only of tables and their parts */
    const char *utf8;
    Py_ssize_t size;
    int traits, keeps, adds;
} Form;

typedef struct {
    int32_t form;
    PyObject *required, *checks;
} Rule;

typedef struct {
    PyObject_HEAD
    PyObject *tags, *forms_given, *fixed, *parts, *missing; /* keep what the structures point at */
    PyObject *addresses; /* attributes that hold an address, and the most characters it may have */
    Table names, sources; /* of forms, of rules */
    Form *forms;
    Rule *rules;
    Py_ssize_t depth;
    int32_t p, li, dd, dt, a, rt, rp, ruby, pre, div;
} Writer;

typedef struct {
    int32_t form;
    Py_ssize_t at, inside; /* where its start tag begins and ends */
    int bits;
    Py_ssize_t paragraph;
} Opened;

typedef struct {
    int32_t rule;
    Py_ssize_t before;
} Walked;

typedef struct {
    const Writer *w;
    Buffer out, rest;
    Opened *opened;
    Walked *walked;
    Py_ssize_t open, open_room, walk, walk_room;
} Work;

static int push(Work *k, int32_t form, const char *rest, Py_ssize_t rest_size, int implied) {
    const Form *f = &k->w->forms[form];
    if (k->open >= k->open_room && list_grow((void **)&k->opened, &k->open_room, sizeof(Opened)) < 0) return -1;
    const Opened *last = &k->opened[k->open - 1];
    Py_ssize_t paragraph = form == k->w->p ? k->open : f->traits & BOUNDS_P ? 0 : last->paragraph;
    Opened *made = &k->opened[k->open];
    *made = (Opened){form, k->out.size, 0, (last->bits & f->keeps) | f->adds | implied, paragraph};
    k->open++;
    if (buffer_put(&k->out, '<') < 0 || buffer_add(&k->out, f->utf8, f->size) < 0
        || buffer_add(&k->out, rest, rest_size) < 0 || buffer_put(&k->out, '>') < 0)
        return -1;
    made->inside = k->out.size;
    return 0;
}

static int close_last(Work *k) {
    const Opened *last = &k->opened[--k->open];
    const Form *f = &k->w->forms[last->form];
    if (last->inside == k->out.size && !(f->traits & KEPT_EMPTY)) {
        k->out.size = last->at;
        return 0;
    }
    return buffer_add(&k->out, "</", 2) < 0 || buffer_add(&k->out, f->utf8, f->size) < 0 ? -1 : buffer_put(&k->out, '>');
}

/* A paragraph turns out to hold a block: it has been a division all along. */
static int widen(Work *k, Py_ssize_t place) {
    Opened *p = &k->opened[place];
    if (buffer_reserve(&k->out, 2) < 0) return -1;
    char *from = k->out.data + p->at + 2;
    memmove(from + 2, from, (size_t)(k->out.size - p->at - 2));
    memcpy(k->out.data + p->at, "<div", 4);
    k->out.size += 2;
    p->inside += 2;
    p->form = k->w->div;
    p->paragraph = 0;
    for (Py_ssize_t i = place + 1; i < k->open; i++) {
        k->opened[i].at += 2;
        k->opened[i].inside += 2;
    }
    return 0;
}

static int has(PyObject *set, const Form *f) { return f ? PySet_Contains(set, f->name) : 0; }

/* Makes room where a table is open for an element, or for text when there is no form; *to is what may be written there,
   -2 when nothing may. */
static int settle(Work *k, const Form *f, int32_t form, int32_t *to) {
    int is_flow = f == NULL || !(f->traits & ONLY_IN_TABLE);
    const Form *parent;
    for (;;) {
        const Opened *last = &k->opened[k->open - 1];
        parent = last->form < 0 ? NULL : &k->w->forms[last->form];
        int fits = parent == NULL || parent->parts == NULL ? is_flow : has(parent->parts, f);
        if (fits < 0) return -1;
        if (!(last->bits & IMPLIED) || fits) break;
        if (close_last(k) < 0) return -1;
    }
    *to = form;
    if (parent == NULL || parent->parts == NULL) {
        if (!is_flow) *to = f->traits & STRAY_BLOCK ? k->w->div : -2;
        return 0;
    }
    int fits = has(parent->parts, f);
    if (fits) return fits < 0 ? -1 : 0;
    PyObject *key = is_flow ? PyUnicode_FromString("") : Py_NewRef(f->name);
    PyObject *missing = key ? PyDict_GetItemWithError(parent->missing, key) : NULL;
    Py_XDECREF(key);
    if (missing == NULL) {
        *to = -2;
        return PyErr_Occurred() ? -1 : 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(missing); i++) {
        Py_ssize_t size;
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(missing, i), &size);
        if (name == NULL || push(k, table_find(&k->w->names, name, size), "", 0, IMPLIED) < 0) return -1;
    }
    return 0;
}

static int open_element(Work *k, int32_t form, const char *rest, Py_ssize_t rest_size) {
    const Writer *w = k->w;
    const Form *f = &w->forms[form];
    if (f->traits & ONLY_IN_TABLE || k->opened[k->open - 1].bits & (TABLE | IMPLIED)) {
        int32_t settled;
        if (settle(k, f, form, &settled) < 0) return -1;
        if (settled == -2) return 0;
        if (settled != form) { form = settled; f = &w->forms[form]; rest_size = 0; }
    }
    if (k->open > w->depth && !(f->traits & (ONLY_IN_TABLE | VOID_TAG))) return 0;
    const Opened *last = &k->opened[k->open - 1];
    Py_ssize_t paragraph = last->paragraph;
    int bits = last->bits;
    if (bits & AROUND) {
        if ((form == w->li && bits & ITEM) || ((form == w->dd || form == w->dt) && bits & ENTRY)) {
            form = w->div;
            f = &w->forms[form];
            rest_size = 0;
        } else if ((form == w->a && bits & LINK) || (f->traits & HEADING_TAG && bits & HEADING)) {
            return 0;
        }
    }
    if (f->traits & CLOSES_P) {
        if (paragraph && k->opened[paragraph].form == w->p && widen(k, paragraph) < 0) return -1;
    } else if ((form == w->rt || form == w->rp) && last->form != w->ruby) {
        return 0;
    }
    if (!(f->traits & VOID_TAG)) return push(k, form, rest, rest_size, 0);
    return buffer_put(&k->out, '<') < 0 || buffer_add(&k->out, f->utf8, f->size) < 0
            || buffer_add(&k->out, rest, rest_size) < 0 ? -1 : buffer_put(&k->out, '>');
}

static int write_text(Work *k, const char *s, const char *stop) {
    const Opened *last = &k->opened[k->open - 1];
    if (last->bits & TABLE) {
        int32_t to;
        if (is_all_space(s, stop, 1)) return 0;
        if (settle(k, NULL, -1, &to) < 0) return -1;
        if (to == -2) return 0;
    } else if (last->bits & PRE && last->form == k->w->pre && last->inside == k->out.size && *s == '\n') {
        /* The parser skips one line break after this tag. */
        if (buffer_put(&k->out, '\n') < 0) return -1;
    }
    return buffer_add(&k->out, s, stop - s);
}

/* Whether a value is an address in which there is nothing to mend, as sanitize._PLAIN_ADDRESS says. */
static int is_plain_address(const char *s, Py_ssize_t size) {
    const char *stop = s + size;
    if (size > 8 && memcmp(s, "https://", 8) == 0) s += 8;
    else if (size > 7 && memcmp(s, "http://", 7) == 0) s += 7;
    else return 0;
    if (!((*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z'))) return 0;
    for (; s < stop; s++) {
        Py_ssize_t length, means_size;
        if (*s < '!' || *s > '~' || *s == '<' || *s == '>' || *s == '"') return 0;
        if (*s != '&') continue;
        const char *means = read_escape(s, stop, &length, &means_size);
        if (means == NULL || *means == '\xC2') return 0;
        s += length - 1;
    }
    return 1;
}

static int add_written(Buffer *b, const char *name, Py_ssize_t name_size, const char *value, Py_ssize_t size) {
    return buffer_put(b, ' ') < 0 || buffer_add(b, name, name_size) < 0 || buffer_add(b, "=\"", 2) < 0
                   || buffer_add(b, value, size) < 0 || buffer_put(b, '"') < 0 ? -1 : 0;
}

/* The attributes that pass their checks, as they are written; 1 when they are not written as the parser does. */
static int read_attributes(Work *k, const Rule *rule, const Tag *tag) {
    k->rest.size = 0;
    if (tag->attrs == tag->attrs_end) return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rule->checks); i++) {
        PyObject *pair = PyTuple_GET_ITEM(rule->checks, i);
        Py_ssize_t name_size, size;
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(pair, 0), &name_size);
        if (name == NULL) return -1;
        const char *raw = find_attribute(tag, name, name_size, &size);
        if (raw == NULL) continue;
        PyObject *most = PyDict_GetItemWithError(k->w->addresses, PyTuple_GET_ITEM(pair, 0));
        if (most == NULL && PyErr_Occurred()) return -1;
        if (most != NULL && size <= PyLong_AsSsize_t(most) && is_plain_address(raw, size)) {
            if (add_written(&k->rest, name, name_size, raw, size) < 0) return -1;
            continue;
        }
        Buffer value = {0};
        int unknown = add_unescaped(&value, raw, raw + size);
        if (unknown) { PyMem_Free(value.data); return unknown; }
        PyObject *given = PyUnicode_DecodeUTF8(value.data, value.size, NULL);
        PyMem_Free(value.data);
        PyObject *kept = given ? PyObject_CallOneArg(PyTuple_GET_ITEM(pair, 1), given) : NULL;
        Py_XDECREF(given);
        if (kept == NULL) return -1;
        int failed = 0;
        if (kept != Py_None) {
            const char *s = PyUnicode_AsUTF8AndSize(kept, &size);
            failed = s == NULL || buffer_put(&k->rest, ' ') < 0 || buffer_add(&k->rest, name, name_size) < 0
                     || buffer_add(&k->rest, "=\"", 2) < 0 || add_markup(&k->rest, s, size, 1) < 0
                     || buffer_put(&k->rest, '"') < 0;
        }
        Py_DECREF(kept);
        if (failed) return -1;
    }
    return 0;
}

static int begins_with(const Buffer *b, PyObject *text) {
    Py_ssize_t size;
    const char *s = PyUnicode_AsUTF8AndSize(text, &size);
    return s == NULL ? -1 : b->size >= size && memcmp(b->data, s, (size_t)size) == 0;
}

static int write_start(Work *k, int32_t number, const Tag *tag) {
    const Rule *rule = &k->w->rules[number];
    Py_ssize_t before = k->open, size;
    int unknown = read_attributes(k, rule, tag);
    if (unknown) return unknown;
    int wanted = rule->required == Py_None ? 1 : begins_with(&k->rest, rule->required);
    if (wanted < 0) return -1;
    if (wanted) {
        PyObject *fixed = k->w->forms[rule->form].fixed;
        const char *s = fixed ? PyUnicode_AsUTF8AndSize(fixed, &size) : NULL;
        if (fixed && (s == NULL || buffer_add(&k->rest, s, size) < 0)) return -1;
        if (open_element(k, rule->form, k->rest.data ? k->rest.data : "", k->rest.size) < 0) return -1;
    }
    if (k->w->forms[rule->form].traits & VOID_TAG) {
        while (k->open > before) if (close_last(k) < 0) return -1;
        return 0;
    }
    if (k->walk >= k->walk_room && list_grow((void **)&k->walked, &k->walk_room, sizeof(Walked)) < 0) return -1;
    k->walked[k->walk++] = (Walked){number, before};
    return 0;
}

/* 1 when written, 0 when the HTML holds what is not written here, -1 after an error. */
static int write_all(Work *k, const char *s, const char *stop) {
    while (s < stop) {
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL) next = stop;
            int failed = k->opened[k->open - 1].bits & (TABLE | PRE) ? write_text(k, s, next) : buffer_add(&k->out, s, next - s);
            if (failed < 0) return -1;
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        int32_t number = s ? table_find(&k->w->sources, tag.name, tag.size) : -1;
        if (number < 0) return 0;
        if (!tag.is_end) {
            int unknown = write_start(k, number, &tag);
            if (unknown) return unknown < 0 ? -1 : 0;
            continue;
        }
        if (!k->walk || k->walked[k->walk - 1].rule != number) return 0;
        Py_ssize_t before = k->walked[--k->walk].before;
        while (k->open > before) if (close_last(k) < 0) return -1;
    }
    if (k->walk) return 0;
    while (k->open > 1) if (close_last(k) < 0) return -1;
    return 1;
}

static PyObject *writer_write(Writer *self, PyObject *html) {
    Py_ssize_t size;
    const char *s = markup_bytes(html, &size);
    if (s == NULL) Py_RETURN_NONE;
    Work k = {.w = self};
    PyObject *result = NULL;
    if (list_grow((void **)&k.opened, &k.open_room, sizeof(Opened)) == 0) {
        k.opened[k.open++] = (Opened){-1, -1, -1, 0, 0};
        int done = write_all(&k, s, s + size);
        if (done > 0) result = PyBytes_FromStringAndSize(k.out.data ? k.out.data : "", k.out.size);
        else if (done == 0) result = Py_NewRef(Py_None);
    }
    PyMem_Free(k.out.data); PyMem_Free(k.rest.data); PyMem_Free(k.opened); PyMem_Free(k.walked);
    return result;
}

static int32_t named(const Writer *w, const char *name) { return table_find(&w->names, name, (Py_ssize_t)strlen(name)); }

static int read_forms(Writer *w) {
    PyObject *name, *value;
    Py_ssize_t at = 0;
    int fresh;
    while (PyDict_Next(w->forms_given, &at, &name, &value)) {
        Form *f = &w->forms[w->names.count];
        f->name = name;
        f->utf8 = PyUnicode_AsUTF8AndSize(name, &f->size);
        if (f->utf8 == NULL || !PyArg_ParseTuple(value, "iii", &f->traits, &f->keeps, &f->adds)) return -1;
        f->fixed = PyDict_GetItemWithError(w->fixed, name);
        f->parts = PyDict_GetItemWithError(w->parts, name);
        f->missing = PyDict_GetItemWithError(w->missing, name);
        if (PyErr_Occurred() || table_put(&w->names, f->utf8, f->size, &fresh) < 0) return -1;
    }
    return 0;
}

static int read_rules(Writer *w) {
    PyObject *source, *value;
    Py_ssize_t at = 0, size;
    int fresh;
    while (PyDict_Next(w->tags, &at, &source, &value)) {
        PyObject *tag;
        Rule *rule = &w->rules[w->sources.count];
        if (!PyArg_ParseTuple(value, "UOO!", &tag, &rule->required, &PyTuple_Type, &rule->checks)) return -1;
        const char *s = PyUnicode_AsUTF8AndSize(tag, &size);
        if (s == NULL || (rule->form = table_find(&w->names, s, size)) < 0) {
            if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "nothing is known of how to nest <%U>", tag);
            return -1;
        }
        s = PyUnicode_AsUTF8AndSize(source, &size);
        if (s == NULL || table_put(&w->sources, s, size, &fresh) < 0) return -1;
    }
    return 0;
}

/* Writer(tags: by tag of the page (tag to write, how its attributes must begin, ((name, check), ...)),
   forms: by tag (traits, bits kept, bits added), fixed attributes by tag, parts of tables, what is missing in them, depth) */
static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Writer *w = (Writer *)type->tp_alloc(type, 0);
    if (w == NULL) return NULL;
    PyObject *given[6];
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!n", &PyDict_Type, &given[0], &PyDict_Type, &given[1], &PyDict_Type, &given[2],
                          &PyDict_Type, &given[3], &PyDict_Type, &given[4], &PyDict_Type, &given[5], &w->depth)) {
        Py_DECREF(w);
        return NULL;
    }
    w->tags = Py_NewRef(given[0]); w->forms_given = Py_NewRef(given[1]); w->fixed = Py_NewRef(given[2]);
    w->parts = Py_NewRef(given[3]); w->missing = Py_NewRef(given[4]); w->addresses = Py_NewRef(given[5]);
    Py_ssize_t forms = PyDict_GET_SIZE(w->forms_given), rules = PyDict_GET_SIZE(w->tags);
    w->forms = PyMem_Calloc((size_t)forms + 1, sizeof(Form));
    w->rules = PyMem_Calloc((size_t)rules + 1, sizeof(Rule));
    if (w->forms == NULL || w->rules == NULL) PyErr_NoMemory();
    if (PyErr_Occurred() || table_init(&w->names, (int32_t)forms) < 0 || table_init(&w->sources, (int32_t)rules) < 0
        || read_forms(w) < 0 || read_rules(w) < 0) {
        Py_DECREF(w);
        return NULL;
    }
    w->p = named(w, "p"); w->li = named(w, "li"); w->dd = named(w, "dd"); w->dt = named(w, "dt"); w->a = named(w, "a");
    w->rt = named(w, "rt"); w->rp = named(w, "rp"); w->ruby = named(w, "ruby"); w->pre = named(w, "pre");
    w->div = named(w, "div");
    return (PyObject *)w;
}

static void writer_dealloc(Writer *w) {
    table_free(&w->names);
    table_free(&w->sources);
    PyMem_Free(w->forms);
    PyMem_Free(w->rules);
    Py_XDECREF(w->tags); Py_XDECREF(w->forms_given); Py_XDECREF(w->fixed); Py_XDECREF(w->parts); Py_XDECREF(w->missing);
    Py_XDECREF(w->addresses);
    Py_TYPE(w)->tp_free((PyObject *)w);
}

static PyMethodDef writer_methods[] = {
    {"write", (PyCFunction)writer_write, METH_O, "What may leave of HTML as the parser writes it, in UTF-8; None for what is not so written."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject WriterType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Writer",
    .tp_basicsize = sizeof(Writer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The sanitizer's last walk.",
    .tp_new = writer_new,
    .tp_dealloc = (destructor)writer_dealloc,
    .tp_methods = writer_methods,
};

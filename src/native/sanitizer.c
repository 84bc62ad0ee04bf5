/* The sanitizer: what the policy names, written so that a parser reads back the same tree.

   HTML is parsed, and what is allowed is written from scratch. Then the result is parsed again: unless that tree is written as
   the very same bytes, it is sanitized once more, so often as the caller wants. */

#include "content.h"

enum { VOID_TAG = 1, ENDS_P = 2, BOUNDS_P = 4, KEPT_EMPTY = 8, ONLY_IN_TABLE = 16, STRAY_BLOCK = 32, HEADING_TAG = 64 };
enum { ITEM = 1, ENTRY = 2, HEADING = 4, LINK = 8, ADDED = 16, TABLE = 32, PRE = 64, AROUND = 15 };
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
    PyObject *given;     /* the arguments, which keep what all of these point at */
    PyObject *tags, *forms_given, *fixed, *parts, *missing;
    PyObject *addresses; /* attributes that hold an address, and the most characters it may have */
    PyObject *dropped;   /* tags that go with all that is inside */
    const Lookup *references;
    Table names, sources; /* of forms, of rules */
    Form *forms;
    Rule *rules;
    Py_ssize_t depth, rounds;
    int32_t p, li, dd, dt, a, rt, rp, ruby, pre, div;
} Sanitizer;

typedef struct {
    int32_t form;
    Py_ssize_t at, inside; /* where its start tag begins and ends */
    int bits;
    Py_ssize_t paragraph;
} Opened;

enum { NOT_LOOKED_UP, UNWRAPPED, DROPPED, FIRST_RULE };

typedef struct {
    const Sanitizer *w;
    Buffer out, rest, value;
    Opened *opened;
    Py_ssize_t *walked; /* for each element around: how many were open before it */
    int32_t *rules;     /* by the parser's number of a tag: FIRST_RULE and more, or one of the above */
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
        if (!(last->bits & ADDED) || fits) break;
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
        if (name == NULL || push(k, table_find(&k->w->names, name, size), "", 0, ADDED) < 0) return -1;
    }
    return 0;
}

static int open_element(Work *k, int32_t form, const char *rest, Py_ssize_t rest_size) {
    const Sanitizer *w = k->w;
    const Form *f = &w->forms[form];
    if (f->traits & ONLY_IN_TABLE || k->opened[k->open - 1].bits & (TABLE | ADDED)) {
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
    if (f->traits & ENDS_P) {
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
    if (s == stop) return 0;
    if (last->bits & TABLE) {
        int32_t to;
        if (is_all_space(s, stop)) return 0;
        if (settle(k, NULL, -1, &to) < 0) return -1;
        if (to == -2) return 0;
    } else if (last->bits & PRE && last->form == k->w->pre && last->inside == k->out.size && *s == '\n') {
        /* The parser skips one line break after this tag. */
        if (buffer_put(&k->out, '\n') < 0) return -1;
    }
    return add_markup(&k->out, s, stop - s, 0);
}

/* Whether a value is an address in which there is nothing to repair, as sanitize._PLAIN_ADDRESS says. */
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

/* The attributes that pass their checks, as they are written. */
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
        k->value.size = 0;
        if (add_unescaped(&k->value, raw, raw + size) < 0) return -1;
        PyObject *given = PyUnicode_DecodeUTF8(k->value.size ? k->value.data : "", k->value.size, NULL);
        PyObject *kept = given ? PyObject_CallOneArg(PyTuple_GET_ITEM(pair, 1), given) : NULL;
        Py_XDECREF(given);
        if (kept == NULL) return -1;
        int failed = 0;
        if (kept != Py_None) {
            const char *s = PyUnicode_AsUTF8AndSize(kept, &size);
            k->value.size = 0;
            failed = s == NULL || add_markup(&k->value, s, size, 1) < 0
                     || add_written(&k->rest, name, name_size, k->value.size ? k->value.data : "", k->value.size) < 0;
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

/* What becomes of an element. */
static int32_t rule_of(Work *k, const Parser *p, const Dom *n) {
    int32_t *known = &k->rules[n->tag], size;
    if (n->space != IN_HTML) return DROPPED;
    if (*known == NOT_LOOKED_UP) {
        const char *name = tag_name(p, n->tag, &size);
        int32_t number = table_find(&k->w->sources, name, size);
        if (number < 0) {
            PyObject *tag = PyUnicode_DecodeUTF8(name, size, NULL);
            int is_dropped = tag ? PySet_Contains(k->w->dropped, tag) : -1;
            Py_XDECREF(tag);
            if (is_dropped < 0) return -1;
            *known = is_dropped ? DROPPED : UNWRAPPED;
        } else *known = FIRST_RULE + number;
    }
    return *known;
}

static int write_start(Work *k, const Rule *rule, const Tag *tag) {
    Py_ssize_t size;
    if (read_attributes(k, rule, tag) < 0) return -1;
    int wanted = rule->required == Py_None ? 1 : begins_with(&k->rest, rule->required);
    if (wanted <= 0) return wanted;
    PyObject *fixed = k->w->forms[rule->form].fixed;
    const char *s = fixed ? PyUnicode_AsUTF8AndSize(fixed, &size) : NULL;
    if (fixed && (s == NULL || buffer_add(&k->rest, s, size) < 0)) return -1;
    return open_element(k, rule->form, k->rest.data ? k->rest.data : "", k->rest.size);
}

static int close_down_to(Work *k, Py_ssize_t before) {
    while (k->open > before) if (close_last(k) < 0) return -1;
    return 0;
}

/* Writes what is allowed of a tree. */
static int write_allowed(Work *k, const Parser *p) {
    const Dom *nodes = p->nodes;
    k->out.size = 0;
    k->open = 1;
    k->walk = 0;
    PyMem_Free(k->rules);
    k->rules = PyMem_Calloc((size_t)p->names.count + 1, sizeof *k->rules);
    if (k->rules == NULL) { PyErr_NoMemory(); return -1; }
    for (int32_t i = nodes[p->root].first; i;) {
        const Dom *n = &nodes[i];
        if (is_text_node(n)) {
            const char *s = node_bytes(p, n);
            if (write_text(k, s, s + n->size) < 0) return -1;
        } else if (n->kind == ELEMENT) {
            int32_t rule = rule_of(k, p, n);
            if (rule < 0) return -1;
            if (rule != DROPPED) {
                Py_ssize_t before = k->open;
                Tag tag = node_tag(p, n);
                if (rule >= FIRST_RULE && write_start(k, &k->w->rules[rule - FIRST_RULE], &tag) < 0) return -1;
                if (n->first && !is_empty(n)) {
                    if (k->walk >= k->walk_room && list_grow((void **)&k->walked, &k->walk_room, sizeof *k->walked) < 0) return -1;
                    k->walked[k->walk++] = before;
                    i = n->first;
                    continue;
                }
                if (close_down_to(k, before) < 0) return -1;
            }
        }
        while (!nodes[i].next && nodes[i].parent != p->root) {
            i = nodes[i].parent;
            if (close_down_to(k, k->walked[--k->walk]) < 0) return -1;
        }
        i = nodes[i].next;
    }
    return close_down_to(k, 1);
}

/* Parses what was written: 1 when it is read back as it is, 0 when it has to be written again, -1 without memory. */
static int read_back(Content *c, Buffer *html, const Lookup *references) {
    Buffer again = {0};
    int changed = unify_lines(html), same = -1;
    strip_hidden(html, &changed);
    if (buffer_put(html, 0) < 0) return -1;
    html->size--;
    if (parse_written(c, html, references) == 0 && write_tree(&c->parser, c->parser.root, &again) == 0)
        same = !changed && again.size == html->size && (!again.size || memcmp(again.data, html->data, (size_t)again.size) == 0);
    PyMem_Free(again.data);
    return same;
}

/* sanitize(html: str or bytes in UTF-8) -> (str, whether it is read back as it is) */
static PyObject *sanitizer_sanitize(Sanitizer *self, PyObject *html) {
    Work k = {.w = self};
    Content c;
    Buffer read = {0}; /* what the tree was parsed from */
    int done = parse_content(&c, html, self->references);
    if (done == 0) done = list_grow((void **)&k.opened, &k.open_room, sizeof(Opened));
    if (done == 0) k.opened[0] = (Opened){-1, -1, -1, 0, 0};
    for (Py_ssize_t turn = 0; done == 0 && turn <= self->rounds; turn++) {
        if ((done = write_allowed(&k, &c.parser)) < 0) break;
        content_free(&c);
        Buffer written = k.out;
        k.out = read;
        read = written;
        Py_BEGIN_ALLOW_THREADS
        done = read_back(&c, &read, self->references);
        Py_END_ALLOW_THREADS
    }
    PyObject *written = done < 0 ? NULL : PyUnicode_DecodeUTF8(read.size ? read.data : "", read.size, NULL);
    PyObject *result = written ? Py_BuildValue("NO", written, done ? Py_True : Py_False) : NULL;
    content_free(&c);
    PyMem_Free(read.data); PyMem_Free(k.out.data); PyMem_Free(k.rest.data); PyMem_Free(k.value.data);
    PyMem_Free(k.opened); PyMem_Free(k.walked); PyMem_Free(k.rules);
    return result;
}

static int32_t named(const Sanitizer *w, const char *name) { return table_find(&w->names, name, (Py_ssize_t)strlen(name)); }

static int read_forms(Sanitizer *w) {
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

static int read_rules(Sanitizer *w) {
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

/* Sanitizer(tags: by tag of the page (tag to write, how its attributes must begin, ((name, check), ...)),
   forms: by tag (traits, bits kept, bits added), fixed attributes by tag, parts of tables, what is missing in them,
   limits of addresses by attribute, tags that are dropped, depth, rounds, references) */
static PyObject *sanitizer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Sanitizer *w = (Sanitizer *)type->tp_alloc(type, 0);
    if (w == NULL) return NULL;
    w->given = Py_NewRef(args);
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!O!nnO!", &PyDict_Type, &w->tags, &PyDict_Type, &w->forms_given, &PyDict_Type, &w->fixed,
                          &PyDict_Type, &w->parts, &PyDict_Type, &w->missing, &PyDict_Type, &w->addresses, &PyFrozenSet_Type, &w->dropped,
                          &w->depth, &w->rounds, &LookupType, &w->references)) {
        Py_DECREF(w);
        return NULL;
    }
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

static void sanitizer_dealloc(Sanitizer *w) {
    table_free(&w->names);
    table_free(&w->sources);
    PyMem_Free(w->forms);
    PyMem_Free(w->rules);
    Py_XDECREF(w->given);
    Py_TYPE(w)->tp_free((PyObject *)w);
}

static PyMethodDef sanitizer_methods[] = {
    {"sanitize", (PyCFunction)sanitizer_sanitize, METH_O, "The part of HTML that the policy allows."},
    {NULL},
};

PyTypeObject SanitizerType = {
    TYPE(Sanitizer, Sanitizer, 0, "An allow-list for HTML."),
    .tp_new = sanitizer_new,
    .tp_dealloc = (destructor)sanitizer_dealloc,
    .tp_methods = sanitizer_methods,
};

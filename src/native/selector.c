/* Reading a CSS selector: names, attributes, combinators, and the few pseudo-classes that look no further than the page's
   structure. What else a selector may hold is left to the HTML parser's own selectors. */

#include "selector.h"

#define LONGEST 5000
#define MOST_FRAMES 4
#define MOST_PARTS 8 /* compounds inside :has() */
#define MOST_GROUPS 16

/* Their values are matched in any case, on elements of HTML (the standard's list, in order). */
static const char *ANY_CASE[] = {"accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear",
    "codetype", "color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang",
    "http-equiv", "lang", "language", "link", "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap",
    "readonly", "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target", "text", "type", "valign",
    "valuetype", "vlink", NULL};

typedef enum { TOP, NOT, IS, HAS } Kind;

/* What is being read: the whole selector, or what stands between the parentheses of a pseudo-class. */
typedef struct {
    Kind kind;
    int32_t began;   /* the first step between the parentheses */
    int32_t start;   /* of the alternative */
    int32_t part;    /* the first step of the compound */
    int is_positive; /* whether what it names must be on the page */
    int any;         /* whether the compound has something in it */
    int alternatives;
    int parts;
    struct { int32_t first; Act from; } of[MOST_PARTS]; /* compounds of an alternative of :has() */
} Frame;

typedef struct {
    Selector *into;
    const char *at; /* ends with a zero */
    Frame frames[MOST_FRAMES];
    int depth;
    int16_t groups;
} Reader;

/* These return 1 when done, 0 when the selector is not one that is read here, -1 without memory. */
#define DO(call) do { int done_ = (call); if (done_ < 1) return done_; } while (0)

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }

static int skip_space(Reader *r) {
    const char *from = r->at;
    while (is_html_space(*r->at)) r->at++;
    return r->at > from;
}

/* The size of the name at `s`, 0 if there is none. */
static Py_ssize_t name_size(const char *s) {
    const char *p = s + (*s == '-');
    if (!is_letter(*p)) return 0;
    while (is_name(*p)) p++;
    return p - s;
}

static Step *add_step(Reader *r, Act act) {
    Selector *to = r->into;
    if (to->count >= to->room && list_grow((void **)&to->steps, &to->room, sizeof *to->steps) < 0) return NULL;
    Step *step = &to->steps[to->count++];
    memset(step, 0, sizeof *step);
    step->act = (uint8_t)act;
    step->depth = (int16_t)r->depth;
    return step;
}

static int keep(Selector *to, const char *s, Py_ssize_t n, int in_lower_case, Span *span) {
    if (buffer_reserve(&to->text, n) < 0) return -1;
    *span = (Span){to->text.size, (int32_t)n};
    if (in_lower_case) lowered(to->text.data + to->text.size, s, n);
    else memcpy(to->text.data + to->text.size, s, (size_t)n);
    to->text.size += n;
    return 1;
}

/* A name, which the step that is added needs. */
static int add_name(Reader *r, Act act, char sign, const char *s, Py_ssize_t n) {
    if (!n) return 0;
    Step *step = add_step(r, act);
    if (step == NULL) return -1;
    Selector *to = r->into;
    step->needed = (uint8_t)r->frames[r->depth].is_positive;
    step->key.at = to->text.size;
    if (sign && buffer_put(&to->text, sign) < 0) return -1;
    Span lower;
    DO(keep(to, s, n, 1, &lower));
    step->key.size = (int32_t)(n + (sign != 0));
    step->key.hash = hash_bytes(to->text.data + step->key.at, step->key.size);
    r->frames[r->depth].any = 1;
    r->at = s + n;
    return keep(to, s, n, 0, &step->word);
}

/* Of a name in lower case. */
static int is_any_case(const char *s, Py_ssize_t n) {
    for (const char **name = ANY_CASE; *name; name++)
        if ((Py_ssize_t)strlen(*name) == n && memcmp(*name, s, (size_t)n) == 0) return 1;
    return 0;
}

static int read_attribute(Reader *r) {
    r->at++;
    skip_space(r);
    DO(add_name(r, HAS_ATTRIBUTE, '[', r->at, name_size(r->at)));
    Selector *to = r->into;
    Step *step = &to->steps[to->count - 1];
    skip_space(r);
    if (*r->at != ']') {
        step->how = (uint8_t)*r->at;
        if (*r->at != '=') {
            if (!*r->at || !strchr("~|^$*", *r->at) || *++r->at != '=') return 0;
        }
        r->at++;
        skip_space(r);
        const char *value = r->at, *stop;
        if (*value == '"' || *value == '\'') {
            for (stop = value + 1; *stop && *stop != *value && !strchr("\\\n\r\f", *stop);) stop++;
            if (*stop != *value) return 0;
            r->at = stop + 1;
            value++;
        } else {
            r->at = stop = value + name_size(value);
            if (stop == value) return 0;
        }
        step->folding = is_any_case(to->text.data + step->key.at + 1, step->key.size - 1) ? 2 : 0;
        DO(keep(to, value, stop - value, 0, &step->value));
        DO(keep(to, value, stop - value, 1, &step->lower));
        skip_space(r);
        if (*r->at == 'i' || *r->at == 'I' || *r->at == 's' || *r->at == 'S') {
            step->folding = *r->at == 'i' || *r->at == 'I';
            r->at++;
            skip_space(r);
        }
    }
    if (*r->at != ']') return 0;
    r->at++;
    return 1;
}

static int open_frame(Reader *r, Kind kind) {
    if (r->depth + 1 >= MOST_FRAMES) return 0;
    const Frame *outer = &r->frames[r->depth];
    for (int k = 0; kind == HAS && k <= r->depth; k++)
        if (r->frames[k].kind == HAS) return 0;
    r->depth++;
    r->frames[r->depth] = (Frame){
        .kind = kind, .began = (int32_t)r->into->count, .is_positive = kind == HAS && outer->is_positive,
    };
    return 1;
}

/* 2 when a parenthesis was opened */
static int read_pseudo_class(Reader *r) {
    static const struct { const char *name; Kind kind; } opening[] = {{"not", NOT}, {"is", IS}, {"where", IS}, {"has", HAS}};
    const char *name = ++r->at;
    Py_ssize_t size = name_size(name);
    r->at += size;
    r->frames[r->depth].any = 1;
    if (*r->at == '(') {
        r->at++;
        for (size_t k = 0; k < sizeof opening / sizeof *opening; k++)
            if ((Py_ssize_t)strlen(opening[k].name) == size && strncasecmp(opening[k].name, name, (size_t)size) == 0) {
                DO(open_frame(r, opening[k].kind));
                return 2;
            }
        return 0;
    }
    int is_only = size == 10 && strncasecmp(name, "only-child", 10) == 0;
    int is_last = is_only || (size == 10 && strncasecmp(name, "last-child", 10) == 0);
    int is_first = is_only || (size == 11 && strncasecmp(name, "first-child", 11) == 0);
    if ((is_first && !add_step(r, IS_FIRST)) || (is_last && !add_step(r, IS_LAST))) return -1;
    return is_first || is_last;
}

/* :has() is answered from what is inside to what is around it: its compounds are put in reverse order. */
static int reverse_parts(Reader *r, Frame *f) {
    static const Act back[] = {[BELOW] = AROUND, [CHILDREN] = PARENTS, [NEXT] = BEFORE, [LATER] = EARLIER};
    Selector *to = r->into;
    int32_t count = (int32_t)to->count - f->start;
    Step *steps = PyMem_Malloc(sizeof(Step) * (size_t)(count + 1));
    if (steps == NULL) { PyErr_NoMemory(); return -1; }
    memcpy(steps, to->steps + f->start, sizeof(Step) * (size_t)count);
    to->count = f->start;
    int failed = add_step(r, EVERY) == NULL;
    int32_t stop = f->start + count;
    for (int k = f->parts - 1; k >= 0 && !failed; stop = f->of[k--].first) {
        for (int32_t i = f->of[k].first; i < stop && !failed; i++) {
            Step *step = add_step(r, EVERY);
            if (step) *step = steps[i - f->start];
            else failed = 1;
        }
        failed = failed || add_step(r, back[f->of[k].from]) == NULL;
    }
    PyMem_Free(steps);
    return failed ? -1 : 1;
}

/* The names that the last compound asks for by itself belong together. */
static void group_names(Reader *r, const Frame *f) {
    r->groups++;
    for (Py_ssize_t i = f->part; i < r->into->count; i++)
        if (r->into->steps[i].depth == r->depth && r->into->steps[i].key.size) r->into->steps[i].group = r->groups;
}

static int end_alternative(Reader *r) {
    Frame *f = &r->frames[r->depth];
    Selector *to = r->into;
    if (f->kind == TOP || f->kind == HAS) group_names(r, f);
    if (f->kind == HAS) DO(reverse_parts(r, f));
    f->alternatives++;
    if (f->kind != TOP) return f->alternatives > 1 && add_step(r, UNION) == NULL ? -1 : 1;
    int16_t before = to->alternative_count ? to->alternatives[to->alternative_count - 1].last_group : 0;
    if (r->groups - before > MOST_GROUPS) return 0;
    if (to->alternative_count >= to->alternative_room
        && list_grow((void **)&to->alternatives, &to->alternative_room, sizeof *to->alternatives) < 0)
        return -1;
    to->alternatives[to->alternative_count++] = (Alternative){f->start, (int32_t)to->count, before, r->groups};
    return 1;
}

/* The combinator at `at`, BELOW for none. */
static Act read_combinator(Reader *r) {
    skip_space(r);
    Act found = *r->at == '>' ? CHILDREN : *r->at == '+' ? NEXT : *r->at == '~' ? LATER : BELOW;
    if (found != BELOW) r->at++;
    skip_space(r);
    return found;
}

static int begin_part(Reader *r, Act from) {
    Frame *f = &r->frames[r->depth];
    if (f->kind == HAS) {
        if (f->parts >= MOST_PARTS) return 0;
        f->of[f->parts].first = (int32_t)r->into->count;
        f->of[f->parts++].from = from;
    } else if (!add_step(r, from)) return -1; /* EVERY for the first */
    f->part = (int32_t)r->into->count;
    f->any = *r->at == '*';
    if (f->any) r->at++;
    else if (is_letter(*r->at) || *r->at == '-') return add_name(r, HAS_TAG, 0, r->at, name_size(r->at));
    return 1;
}

static int begin_alternative(Reader *r) {
    Frame *f = &r->frames[r->depth];
    f->start = (int32_t)r->into->count;
    f->parts = 0;
    skip_space(r);
    return begin_part(r, f->kind == HAS ? read_combinator(r) : EVERY);
}

/* The end of a compound: the next one, the next alternative, or the end of the parenthesis; 2 at the end of all. */
static int end_part(Reader *r) {
    Frame *f = &r->frames[r->depth];
    if (!f->any) return 0;
    int apart = skip_space(r);
    if (*r->at == ',') {
        r->at++;
        DO(end_alternative(r));
        return begin_alternative(r);
    }
    if (*r->at == ')' && r->depth) {
        r->at++;
        DO(end_alternative(r));
        if (f->kind == HAS && f->alternatives > 1) /* one of them is enough */
            for (Py_ssize_t i = f->began; i < r->into->count; i++) r->into->steps[i].needed = 0;
        r->depth--;
        return add_step(r, f->kind == NOT ? EXCEPT : BOTH) ? 1 : -1;
    }
    if (!*r->at) {
        if (r->depth) return 0;
        DO(end_alternative(r));
        return 2;
    }
    if (!apart && !strchr(">+~", *r->at)) return 0;
    return begin_part(r, read_combinator(r));
}

static int read_selector(Reader *r) {
    DO(begin_alternative(r));
    for (;;) {
        int done;
        switch (*r->at) {
        case '.': done = add_name(r, HAS_CLASS, '.', r->at + 1, name_size(r->at + 1)); break;
        case '#': done = add_name(r, HAS_IDENT, '#', r->at + 1, name_size(r->at + 1)); break;
        case '[': done = read_attribute(r); break;
        case ':':
            done = read_pseudo_class(r);
            if (done == 2) done = begin_alternative(r);
            break;
        default:
            done = end_part(r);
            if (done == 2) return 1;
        }
        if (done < 1) return done;
    }
}

/* selector(text) -> Selector, or None for one with more in it than is read here */
static PyObject *compile_selector(PyObject *module, PyObject *text) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    if (s == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (n > LONGEST || (Py_ssize_t)strlen(s) < n) Py_RETURN_NONE;
    Selector *self = PyObject_New(Selector, &SelectorType);
    if (self == NULL) return NULL;
    memset((char *)self + sizeof(PyObject), 0, sizeof(Selector) - sizeof(PyObject));
    Reader r = {.into = self, .at = s, .frames = {{.kind = TOP, .is_positive = 1}}};
    int done = read_selector(&r);
    if (done == 1) return (PyObject *)self;
    Py_DECREF(self);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef selector_method = {"selector", compile_selector, METH_O, "Read a CSS selector; None for one that is not read here."};

static void selector_dealloc(Selector *self) {
    PyMem_Free(self->text.data);
    PyMem_Free(self->steps);
    PyMem_Free(self->alternatives);
    PyObject_Free(self);
}

PyTypeObject SelectorType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Selector",
    .tp_basicsize = sizeof(Selector),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A CSS selector, read.",
    .tp_dealloc = (destructor)selector_dealloc,
};

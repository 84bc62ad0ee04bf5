/* Reading a CSS selector (https://www.w3.org/TR/selectors-4/): all that can be answered from a page's elements. */

#include "selector.h"

#define MOST_PARTS 32 /* compounds of one alternative of :has() */

/* Their values are matched in any case (the HTML standard's list). */
static const char *ANY_CASE[] = {"accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear",
    "codetype", "color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang",
    "http-equiv", "lang", "language", "link", "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap",
    "readonly", "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target", "text", "type", "valign",
    "valuetype", "vlink", NULL};

/* Pseudo-classes that other selectors say as well. */
static const struct { const char *name, *meaning; } SHORT_FOR[] = {
    {"first-child", ":nth-child(1)"}, {"last-child", ":nth-last-child(1)"}, {"only-child", ":nth-child(1):nth-last-child(1)"},
    {"first-of-type", ":nth-of-type(1)"}, {"last-of-type", ":nth-last-of-type(1)"},
    {"only-of-type", ":nth-of-type(1):nth-last-of-type(1)"}, {"link", ":is(a,area)[href]"}, {"any-link", ":is(a,area)[href]"},
    {"checked", "input:is([type=checkbox],[type=radio])[checked],option[selected]"}, {"default", ":checked"},
    {"disabled", ":is(button,input,select,textarea,optgroup,option,fieldset)[disabled]"},
    {"enabled", ":is(button,input,select,textarea,optgroup,option,fieldset):not([disabled])"},
    {"required", ":is(input,select,textarea)[required]"}, {"optional", ":is(input,select,textarea):not([required])"},
    {"read-write", ":is(input,textarea):not([readonly],[disabled]),[contenteditable]:not([contenteditable=false])"},
    {"read-only", ":not(:read-write)"}, {"open", ":is(details,dialog)[open]"}, {"defined", "*"},
};

/* Those that depend on what a reader does with the page: they match nothing. */
static const char *OF_A_READER[] = {"active", "autofill", "current", "focus", "focus-visible", "focus-within", "fullscreen",
    "future", "hover", "in-range", "indeterminate", "invalid", "modal", "muted", "out-of-range", "past", "paused",
    "picture-in-picture", "placeholder-shown", "playing", "popover-open", "seeking", "stalled", "target", "target-within",
    "user-invalid", "user-valid", "valid", "visited", NULL};

/* What is being read: the whole selector, or what is between the parentheses of a pseudo-class. */
typedef enum { TOP, NOT, IS, HAS } Kind;

typedef struct {
    Selector *into;
    const char *at; /* ends with a zero */
    int depth;
    int is_positive;   /* whether what is named must be on the page */
    const char *fault; /* what is wrong, at `at` */
} Reader;

/* These return 1 when done, 0 when the selector is faulty, -1 without memory. */
#define DO(call) do { int done_ = (call); if (done_ < 1) return done_; } while (0)

static int read_list(Reader *r, Kind kind);

static int fail(Reader *r, const char *fault) {
    if (r->fault == NULL) r->fault = fault;
    return 0;
}

static int skip_space(Reader *r) {
    const char *from = r->at, *end;
    for (;;) {
        while (is_html_space(*r->at)) r->at++;
        if (r->at[0] != '/' || r->at[1] != '*' || (end = strstr(r->at + 2, "*/")) == NULL) return r->at > from;
        r->at = end + 2;
    }
}

static Step *add_step(Reader *r, Act act) {
    Selector *to = r->into;
    if (to->count >= to->room && list_grow((void **)&to->steps, &to->room, sizeof *to->steps) < 0) return NULL;
    Step *step = &to->steps[to->count++];
    memset(step, 0, sizeof *step);
    step->act = (uint8_t)act;
    return step;
}

/* ---- names and strings ---- */

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A backslash: the character of a number in hexadecimal, or the next one as it is. */
static int read_escape_into(Reader *r, Buffer *to) {
    uint32_t code = 0;
    int digits = 0;
    for (r->at++; digits < 6; digits++, r->at++) {
        char c = (char)(*r->at | 32);
        if (!is_digit(*r->at) && !(c >= 'a' && c <= 'f')) break;
        code = code * 16 + (uint32_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (!digits) return *r->at && buffer_put(to, *r->at++) < 0 ? -1 : 1;
    if (is_html_space(*r->at)) r->at++;
    if (!code || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
    char bytes[4];
    return buffer_add(to, bytes, put_utf8(bytes, code) - bytes) < 0 ? -1 : 1;
}

/* A name; with `is_value` it may begin with a digit, as filter lists write it. */
static int read_name(Reader *r, Span *name, int is_value) {
    Buffer *to = &r->into->text;
    name->at = to->size;
    const char *first = r->at + (*r->at == '-');
    if (!is_letter(*first) && *first != '\\' && !(*first == '-' && first > r->at) && !(is_value && is_digit(*r->at)))
        return fail(r, "expected a name");
    for (;;) {
        if (*r->at == '\\') DO(read_escape_into(r, to));
        else if (is_letter(*r->at) || is_digit(*r->at) || *r->at == '-') {
            if (buffer_put(to, *r->at++) < 0) return -1;
        } else break;
    }
    name->size = (int32_t)(to->size - name->at);
    return 1;
}

static int read_string(Reader *r, Span *value) {
    Buffer *to = &r->into->text;
    char quote = *r->at++;
    value->at = to->size;
    while (*r->at != quote) {
        if (!*r->at || *r->at == '\n') return fail(r, "expected a closing quote");
        if (r->at[0] == '\\' && r->at[1] == '\n') r->at += 2;
        else if (*r->at == '\\') DO(read_escape_into(r, to));
        else if (buffer_put(to, *r->at++) < 0) return -1;
    }
    r->at++;
    value->size = (int32_t)(to->size - value->at);
    return 1;
}

static int keep_lower(Selector *to, Span from, Span *lower) {
    if (buffer_reserve(&to->text, from.size) < 0) return -1;
    *lower = (Span){to->text.size, from.size};
    to->text.size += lowered(to->text.data + to->text.size, to->text.data + from.at, from.size);
    return 1;
}

/* A name, and the step that looks for it. */
static int add_name(Reader *r, Act act, char sign) {
    Selector *to = r->into;
    Span word, lower;
    DO(read_name(r, &word, act == HAS_IDENT));
    Py_ssize_t at = to->text.size;
    if (sign && buffer_put(&to->text, sign) < 0) return -1;
    DO(keep_lower(to, word, &lower));
    Step *step = add_step(r, act);
    if (step == NULL) return -1;
    step->word = word;
    step->needed = (uint8_t)r->is_positive;
    step->key = (Key){.at = at, .size = word.size + (sign != 0)};
    step->key.hash = hash_bytes(to->text.data + at, step->key.size);
    return 1;
}

/* A prefix and a "|" before a name: HTML's own elements have none, so that only "any" and "none" say something. */
static int skip_namespace(Reader *r) {
    if (r->at[0] == '*' && r->at[1] == '|' && r->at[2] != '=') r->at += 2;
    else if (r->at[0] == '|' && r->at[1] != '=') r->at++;
    return 1;
}

static int is_any_case(const char *s, Py_ssize_t n) {
    for (const char **name = ANY_CASE; *name; name++)
        if ((Py_ssize_t)strlen(*name) == n && memcmp(*name, s, (size_t)n) == 0) return 1;
    return 0;
}

static int read_attribute(Reader *r) {
    r->at++;
    skip_space(r);
    skip_namespace(r);
    DO(add_name(r, HAS_ATTRIBUTE, '['));
    Selector *to = r->into;
    Step *step = &to->steps[to->count - 1];
    skip_space(r);
    if (*r->at != ']') {
        step->how = (uint8_t)*r->at;
        if (*r->at && strchr("~|^$*", *r->at)) r->at++;
        if (*r->at != '=') return fail(r, "expected ], = or one of ~= |= ^= $= *=");
        r->at++;
        skip_space(r);
        DO(*r->at == '"' || *r->at == '\'' ? read_string(r, &step->value) : read_name(r, &step->value, 1));
        DO(keep_lower(to, step->value, &step->lower));
        step->folding = (uint8_t)is_any_case(to->text.data + step->key.at + 1, step->key.size - 1);
        skip_space(r);
        char flag = (char)(*r->at | 32);
        if (flag == 'i' || flag == 's') {
            step->folding = flag == 'i';
            r->at++;
            skip_space(r);
        }
    }
    if (*r->at != ']') return fail(r, "expected ]");
    r->at++;
    return 1;
}

/* ---- pseudo-classes ---- */

static int is_named(const char *s, Py_ssize_t n, const char *name) {
    return (Py_ssize_t)strlen(name) == n && strncasecmp(s, name, (size_t)n) == 0;
}

/* What is between parentheses: it leaves one set on top of the one that it is compared with. */
static int read_inside(Reader *r, Kind kind) {
    if (++r->depth > MOST_NESTED) return fail(r, "too many parentheses inside each other");
    int was = r->is_positive;
    r->is_positive = was && kind == HAS;
    DO(read_list(r, kind));
    r->is_positive = was;
    r->depth--;
    return 1;
}

static int close_parenthesis(Reader *r) {
    skip_space(r);
    if (*r->at != ')') return fail(r, "expected )");
    r->at++;
    return 1;
}

/* A number with its sign, which may stand apart from it where `is_apart`; without digits it is 1. */
static int read_number(Reader *r, int is_apart, int32_t *number) {
    int sign = *r->at == '-' ? -1 : 1;
    if (*r->at == '-' || *r->at == '+') r->at++;
    if (is_apart) skip_space(r);
    const char *from = r->at;
    int32_t value = 0;
    for (; is_digit(*r->at); r->at++) value = value < 100000000 ? value * 10 + (*r->at - '0') : value;
    *number = sign * (r->at > from ? value : 1);
    return r->at > from;
}

static int read_places(Reader *r, int32_t *a, int32_t *b) {
    skip_space(r);
    *a = *b = 0;
    if (strncasecmp(r->at, "odd", 3) == 0 || strncasecmp(r->at, "even", 4) == 0) {
        *b = (*r->at | 32) == 'o';
        *a = 2;
        r->at += *b ? 3 : 4;
        return 1;
    }
    int has_digits = read_number(r, 0, a);
    if ((*r->at | 32) != 'n') {
        *b = *a;
        *a = 0;
        return has_digits ? 1 : fail(r, "expected a number, odd, even, or a formula such as 2n+1");
    }
    r->at++;
    skip_space(r);
    if (*r->at != '+' && *r->at != '-') return 1;
    return read_number(r, 1, b) ? 1 : fail(r, "expected a number");
}

static int read_nth(Reader *r, int is_last, int is_of_type) {
    int32_t a, b;
    DO(read_places(r, &a, &b));
    skip_space(r);
    int is_among = !is_of_type && strncasecmp(r->at, "of", 2) == 0 && is_html_space(r->at[2]);
    if (is_among) {
        r->at += 2;
        DO(read_inside(r, NOT)); /* a list that forgives nothing */
    } else DO(close_parenthesis(r));
    Step *step = add_step(r, IS_NTH);
    if (step == NULL) return -1;
    step->is_last = (uint8_t)is_last;
    step->is_of_type = (uint8_t)is_of_type;
    step->is_among = (uint8_t)is_among;
    step->a = a;
    step->b = b;
    return 1;
}

/* :lang(en, "fr") or :dir(rtl), which is inherited, too */
static int read_inherited(Reader *r, const char *attribute) {
    if (add_step(r, EVERY) == NULL || add_step(r, NOTHING) == NULL) return -1;
    for (int is_more = 1; is_more;) {
        Span value, lower;
        skip_space(r);
        DO(*r->at == '"' || *r->at == '\'' ? read_string(r, &value) : read_name(r, &value, 0));
        DO(keep_lower(r->into, value, &lower));
        Step *step = add_step(r, EVERY) ? add_step(r, INHERITS) : NULL;
        if (step == NULL) return -1;
        step->lower = lower;
        step->word = (Span){r->into->text.size, (int32_t)strlen(attribute)};
        if (buffer_add(&r->into->text, attribute, step->word.size) < 0 || add_step(r, UNION) == NULL) return -1;
        skip_space(r);
        if ((is_more = *r->at == ',')) r->at++;
    }
    DO(close_parenthesis(r));
    return add_step(r, BOTH) ? 1 : -1;
}

static int read_function(Reader *r, const char *name, Py_ssize_t n) {
    static const struct { const char *name; Kind kind; } LISTS[] = {
        {"not", NOT}, {"is", IS}, {"where", IS}, {"matches", IS}, {"has", HAS}};
    for (size_t k = 0; k < sizeof LISTS / sizeof *LISTS; k++)
        if (is_named(name, n, LISTS[k].name)) {
            DO(read_inside(r, LISTS[k].kind));
            return add_step(r, LISTS[k].kind == NOT ? EXCEPT : BOTH) ? 1 : -1;
        }
    static const char *PLACES[] = {"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"};
    for (int k = 0; k < 4; k++)
        if (is_named(name, n, PLACES[k])) return read_nth(r, k & 1, k & 2);
    if (is_named(name, n, "lang")) return read_inherited(r, "lang");
    if (is_named(name, n, "dir")) return read_inherited(r, "dir");
    r->at = name;
    return fail(r, "unknown pseudo-class");
}

static int read_pseudo_class(Reader *r) {
    static const struct { const char *name; Act act; } PLAIN[] = {{"root", IS_ROOT}, {"scope", IS_SCOPE}, {"empty", IS_EMPTY}};
    const char *name = ++r->at;
    if (*name == ':') return fail(r, "a pseudo-element is no element");
    while (is_letter(*r->at) || is_digit(*r->at) || *r->at == '-') r->at++;
    Py_ssize_t n = r->at - name;
    if (*r->at == '(') {
        r->at++;
        return read_function(r, name, n);
    }
    for (size_t k = 0; k < sizeof PLAIN / sizeof *PLAIN; k++)
        if (is_named(name, n, PLAIN[k].name)) return add_step(r, PLAIN[k].act) ? 1 : -1;
    for (const char **word = OF_A_READER; *word; word++)
        if (is_named(name, n, *word)) return add_step(r, NOTHING) ? 1 : -1;
    for (size_t k = 0; k < sizeof SHORT_FOR / sizeof *SHORT_FOR; k++)
        if (is_named(name, n, SHORT_FOR[k].name)) {
            Reader meaning = {.into = r->into, .at = SHORT_FOR[k].meaning, .depth = r->depth + 1};
            if (meaning.depth > MOST_NESTED) return fail(r, "too many parentheses inside each other");
            DO(read_list(&meaning, TOP));
            return add_step(r, BOTH) ? 1 : -1;
        }
    r->at = name;
    return fail(r, "unknown pseudo-class");
}

/* ---- compounds and what is between them ---- */

static int read_compound(Reader *r) {
    const char *from = r->at;
    skip_namespace(r);
    if (*r->at == '*') r->at++;
    else if (is_letter(*r->at) || *r->at == '-' || *r->at == '\\' || r->at > from) DO(add_name(r, HAS_TAG, 0));
    for (;;) switch (*r->at) {
        case '.': r->at++; DO(add_name(r, HAS_CLASS, '.')); break;
        case '#': r->at++; DO(add_name(r, HAS_IDENT, '#')); break;
        case '[': DO(read_attribute(r)); break;
        case ':': DO(read_pseudo_class(r)); break;
        default: return r->at > from ? 1 : fail(r, "expected a selector");
    }
}

/* The combinator at `at`, BELOW for none. */
static Act read_combinator(Reader *r) {
    skip_space(r);
    Act found = *r->at == '>' ? CHILDREN : *r->at == '+' ? NEXT : *r->at == '~' ? LATER : BELOW;
    if (found != BELOW) r->at++;
    skip_space(r);
    return found;
}

typedef struct {
    int32_t first; /* step */
    Act from;      /* the combinator before it */
} Part;

/* :has() is answered from what is inside to what is around it: its compounds are put in reverse order. */
static int reverse_parts(Reader *r, const Part *parts, int count) {
    static const Act BACK[] = {[BELOW] = AROUND, [CHILDREN] = PARENTS, [NEXT] = BEFORE, [LATER] = EARLIER};
    Selector *to = r->into;
    int32_t first = parts[0].first, size = (int32_t)to->count - first, stop = (int32_t)to->count;
    Step *steps = PyMem_Malloc(sizeof(Step) * (size_t)(size + 1));
    if (steps == NULL) { PyErr_NoMemory(); return -1; }
    memcpy(steps, to->steps + first, sizeof(Step) * (size_t)size);
    to->count = first;
    int failed = add_step(r, EVERY) == NULL;
    for (int k = count - 1; k >= 0 && !failed; stop = parts[k--].first) {
        for (int32_t i = parts[k].first; i < stop && !failed; i++) {
            Step *step = add_step(r, EVERY);
            if (step) *step = steps[i - first];
            else failed = 1;
        }
        failed = failed || add_step(r, BACK[parts[k].from]) == NULL;
    }
    PyMem_Free(steps);
    return failed ? -1 : 1;
}

/* One alternative, up to the comma or parenthesis behind it. */
static int read_alternative(Reader *r, Kind kind) {
    Part parts[MOST_PARTS];
    int count = 0;
    skip_space(r);
    for (Act from = kind == HAS ? read_combinator(r) : EVERY;; from = read_combinator(r)) {
        if (kind != HAS && add_step(r, from) == NULL) return -1;
        if (kind == HAS && count == MOST_PARTS) return fail(r, "too many parts inside :has()");
        if (kind == HAS) parts[count++] = (Part){(int32_t)r->into->count, from};
        DO(read_compound(r));
        const char *end = r->at;
        int is_apart = skip_space(r);
        if (!*r->at || *r->at == ',' || *r->at == ')') break;
        if (!is_apart && !strchr(">+~", *r->at)) return fail(r, "expected a combinator, a comma or the end");
        r->at = end;
    }
    return kind == HAS ? reverse_parts(r, parts, count) : 1;
}

/* To the comma or parenthesis that ends an alternative. */
static void skip_alternative(Reader *r) {
    int open = 0;
    for (; *r->at && (open || (*r->at != ',' && *r->at != ')')); r->at++) {
        if (*r->at == '\\' && r->at[1]) r->at++;
        else if (*r->at == '"' || *r->at == '\'') {
            const char *end = strchr(r->at + 1, *r->at);
            if (end) r->at = end;
        } else if (*r->at == '(' || *r->at == '[') open++;
        else if ((*r->at == ')' || *r->at == ']') && open) open--;
    }
}

static int keep_alternative(Selector *to, int32_t first) {
    if (to->alternative_count >= to->alternative_room
        && list_grow((void **)&to->alternatives, &to->alternative_room, sizeof *to->alternatives) < 0)
        return -1;
    to->alternatives[to->alternative_count++] = (Alternative){first, (int32_t)to->count};
    return 1;
}

/* Alternatives up to the end, or up to the closing parenthesis. Of :is() those that are faulty are left out. */
static int read_list(Reader *r, Kind kind) {
    Selector *to = r->into;
    int32_t began = (int32_t)to->count;
    int count = 0;
    for (;; r->at++) {
        int32_t first = (int32_t)to->count;
        int depth = r->depth, done = read_alternative(r, kind);
        if (done < 0 || (done == 0 && kind != IS)) return done;
        if (done == 0) {
            skip_alternative(r);
            r->fault = NULL;
            r->depth = depth;
            to->count = first;
        } else if (!r->depth) DO(keep_alternative(to, first));
        else if (count++ && add_step(r, UNION) == NULL) return -1;
        if (*r->at != ',') break;
    }
    if (kind == HAS && count > 1) /* one of them is enough */
        for (Py_ssize_t i = began; i < to->count; i++) to->steps[i].needed = 0;
    if (kind == IS && !count && (add_step(r, EVERY) == NULL || add_step(r, NOTHING) == NULL)) return -1;
    return kind == TOP ? *r->at ? fail(r, "expected no parenthesis") : 1 : close_parenthesis(r);
}

PyObject *SelectorSyntaxError;

/* selector(text) -> Selector; SelectorSyntaxError for what is none */
static PyObject *compile_selector(PyObject *module, PyObject *text) {
    Py_ssize_t n;
    const char *s = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &n) : NULL;
    if (s == NULL) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) PyErr_SetString(SelectorSyntaxError, "half of a surrogate pair is no character");
        else if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a selector must be a str");
        return NULL;
    }
    if ((Py_ssize_t)strlen(s) < n) { PyErr_SetString(SelectorSyntaxError, "a selector cannot hold a null character"); return NULL; }
    Selector *self = PyObject_New(Selector, &SelectorType);
    if (self == NULL) return NULL;
    memset((char *)self + sizeof(PyObject), 0, sizeof(Selector) - sizeof(PyObject));
    Reader r = {.into = self, .at = s, .is_positive = 1};
    int done = read_list(&r, TOP);
    if (done == 1) return (PyObject *)self;
    Py_DECREF(self);
    if (done == 0) PyErr_Format(SelectorSyntaxError, "%s at character %zd", r.fault, count_characters(s, r.at - s) + 1);
    return NULL;
}

PyMethodDef selector_method = {"selector", compile_selector, METH_O, "Read a CSS selector."};

int add_selector_error(PyObject *module) {
    SelectorSyntaxError = PyErr_NewExceptionWithDoc("duramen.dom.SelectorSyntaxError", "A text that is no CSS selector.", PyExc_ValueError, NULL);
    return SelectorSyntaxError ? PyModule_AddObjectRef(module, "SelectorSyntaxError", SelectorSyntaxError) : -1;
}

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

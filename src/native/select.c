/* What a CSS selector finds on a page: each step is one pass over the nodes, so that no page makes it slow. */

#include "selector.h"

typedef struct {
    Tree *tree;
    const Selector *selector;
    int32_t template; /* the number of the tag, -1 where the page has none */
    int has_math;
    uint8_t *sets[MOST_SETS], *spare; /* one byte a node */
    int depth;
    Buffer scratch;
} Search;

/* Steps return 1, 0 when only the parser's own document can tell, -1 without memory. */

static const char *text_of(const Search *s, Span span) { return s->selector->text.data + span.at; }

static int is_same(const char *a, const char *b, Py_ssize_t n, int folding) {
    if (!folding) return memcmp(a, b, (size_t)n) == 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        char x = a[i], y = b[i];
        if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
        if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
        if (x != y) return 0;
    }
    return 1;
}

/* Whether a page's tag, class, id or attribute is named so, in any case. */
static int is_mentioned(Tree *t, const Step *step, const char *key) {
    if (step->act == HAS_TAG) return table_find_hashed(&t->tags, key, step->key.size, step->key.hash) > 0;
    if (step->act == HAS_ATTRIBUTE) return table_find(&t->attr_names, key + 1, step->key.size - 1) >= 0;
    if (t->mentioned.slots == NULL && mention_names(t) < 0) return -1;
    return table_find_hashed(&t->mentioned, key, step->key.size, step->key.hash) >= 0;
}

/* Whether something inside a drawing may have the class, id or value that a step asks for. */
static int is_drawn(const Search *s, const Step *step) {
    const Table *drawn = &s->tree->drawn;
    const char *key = s->selector->text.data + step->key.at, *value = text_of(s, step->lower);
    if (table_find_hashed(drawn, key, step->key.size, step->key.hash) < 0) return 0;
    char sign = step->key.size == 6 && memcmp(key, "[class", 6) == 0 ? '.'
        : step->key.size == 3 && memcmp(key, "[id", 3) == 0 ? '#' : 0;
    if (!sign || !step->lower.size) return 1;
    for (int32_t k = 0; k < step->lower.size; k++)
        if (is_plain_space((unsigned char)value[k])) return 1;
    for (int32_t k = 0; k < drawn->count; k++) {
        const char *name = drawn->bytes.data + drawn->keys[k].at;
        if (*name == sign && memmem(name, (size_t)drawn->keys[k].size, value, (size_t)step->lower.size)) return 1;
    }
    return 0;
}

/* Whether an alternative may find something (1), nothing (0), or something inside a drawing, which is one node here (2). */
static int weigh(Search *s, const Alternative *a) {
    const Table *drawn = &s->tree->drawn;
    const Step *steps = s->selector->steps;
    for (int32_t k = a->first; k < a->last; k++) {
        if (!steps[k].needed) continue;
        const char *key = s->selector->text.data + steps[k].key.at;
        int found = is_mentioned(s->tree, &steps[k], key);
        if (found < 0) return -1;
        if (!found && table_find_hashed(drawn, key, steps[k].key.size, steps[k].key.hash) < 0) return 0;
    }
    for (int16_t group = a->groups + 1; group <= a->last_group && drawn->count; group++) {
        int all = 1;
        for (int32_t k = a->first; k < a->last && all; k++)
            if (steps[k].group == group) all = is_drawn(s, &steps[k]);
        if (all) return 2;
    }
    return 1;
}

/* ---- names ---- */

/* Which of a table's strings are a word, or have it among their words. Without a doctype the case of classes and ids does not
   count: where that would make a difference, the parser has to tell. */
static int find_word(const Table *strings, int is_class, const char *word, Py_ssize_t n, uint8_t *found) {
    for (int32_t k = 1; k < strings->count; k++) {
        const char *at = strings->bytes.data + strings->keys[k].at, *stop = at + strings->keys[k].size;
        int exact = 0, folded = 0;
        while (at < stop && !exact) {
            const char *end = is_class ? memchr(at, ' ', (size_t)(stop - at)) : NULL;
            if (end == NULL) end = stop;
            if (end - at == n && is_same(at, word, n, 1)) {
                folded = 1;
                exact = is_same(at, word, n, 0);
            }
            at = end + 1;
        }
        if (folded != exact) return 0;
        found[k] = (uint8_t)exact;
    }
    return 1;
}

static int keep_named(Search *s, uint8_t *set, const Step *step) {
    const Tree *t = s->tree;
    int is_class = step->act == HAS_CLASS;
    const Table *strings = is_class ? &t->classes : &t->idents;
    const int32_t *numbers = is_class ? t->cls : t->ident;
    uint8_t *found = PyMem_Calloc((size_t)strings->count + 1, 1);
    if (found == NULL) { PyErr_NoMemory(); return -1; }
    int done = find_word(strings, is_class, text_of(s, step->word), step->word.size, found);
    for (int32_t i = 0; done && i < t->n; i++) set[i] &= found[numbers[i]];
    PyMem_Free(found);
    return done;
}

static void keep_tagged(Search *s, uint8_t *set, const Step *step) {
    const Tree *t = s->tree;
    int32_t tag = table_find_hashed(&t->tags, s->selector->text.data + step->key.at, step->key.size, step->key.hash);
    for (int32_t i = 0; i < t->n; i++) set[i] &= t->tag[i] == tag;
}


static int is_value(int how, const char *s, Py_ssize_t n, const char *wanted, Py_ssize_t size) {
    switch (how) {
    case '=': return n == size && memcmp(s, wanted, (size_t)n) == 0;
    case '^': return size && n >= size && memcmp(s, wanted, (size_t)size) == 0;
    case '$': return size && n >= size && memcmp(s + n - size, wanted, (size_t)size) == 0;
    case '*': return size && n >= size && memmem(s, (size_t)n, wanted, (size_t)size) != NULL;
    case '|': return n >= size && memcmp(s, wanted, (size_t)size) == 0 && (n == size || s[size] == '-');
    }
    for (const char *stop = s + n, *end; s < stop; s = end + 1) {
        for (end = s; end < stop && !is_html_space(*end);) end++;
        if (end - s == size && size && memcmp(s, wanted, (size_t)size) == 0) return 1;
    }
    return 0;
}

/* Whether an attribute's value is as wanted; 2 when only the parser can tell. */
static int has_value(Search *s, const Step *step, const Holder *holder) {
    const Tree *t = s->tree;
    const char *value = t->source.data + holder->value.at;
    Py_ssize_t n = holder->value.size;
    if (n && (step->folding || memchr(value, '&', (size_t)n))) {
        s->scratch.size = 0;
        int failed = add_unescaped(&s->scratch, value, value + n);
        if (failed) return failed < 0 ? -1 : 2;
        value = s->scratch.data;
        n = s->scratch.size;
    }
    const char *wanted = text_of(s, step->value);
    if (!step->folding) return is_value(step->how, value, n, wanted, step->value.size);
    int exact = is_value(step->how, value, n, wanted, step->value.size);
    if (n) lowered(s->scratch.data, value, n);
    int folded = is_value(step->how, value, n, text_of(s, step->lower), step->lower.size);
    if (exact == folded || step->folding == 1) return folded;
    /* The case counts on elements that are not HTML. */
    const Key *tag = &t->tags.keys[t->tag[holder->node]];
    return s->has_math || (tag->size == 3 && memcmp(t->tags.bytes.data + tag->at, "svg", 3) == 0) ? 2 : folded;
}

static int keep_with_attribute(Search *s, uint8_t *set, const Step *step) {
    const Tree *t = s->tree;
    int32_t number = table_find(&t->attr_names, s->selector->text.data + step->key.at + 1, step->key.size - 1);
    const Holders *holders = number >= 0 ? &t->holders[number] : NULL;
    for (int32_t k = 0; holders && k < holders->count; k++) {
        if (!set[holders->list[k].node]) continue;
        int found = step->how ? has_value(s, step, &holders->list[k]) : 1;
        if (found < 0 || found == 2) return found < 0 ? -1 : 0;
        if (found) set[holders->list[k].node] = 2;
    }
    for (int32_t i = 0; i < t->n; i++) set[i] >>= 1;
    return 1;
}

/* ---- places ---- */

/* A template's content hangs below a fragment of its own, not below the template. */
static int is_apart(const Search *s, int32_t parent) { return s->template >= 0 && s->tree->tag[parent] == s->template; }

/* `met`: what is known of a parent's children so far, all zero at first. */
static void keep_first(const Tree *t, uint8_t *set, uint8_t *met) {
    for (int32_t i = 1; i < t->n; i++) {
        if (!t->tag[i]) continue;
        set[i] &= !met[t->parent[i]];
        met[t->parent[i]] = 1;
    }
}

static void keep_last(const Tree *t, uint8_t *set, uint8_t *met) {
    for (int32_t i = t->n - 1; i > 0; i--) {
        if (!t->tag[i]) continue;
        set[i] &= !met[t->parent[i]];
        met[t->parent[i]] = 1;
    }
}

/* From elements to those below or behind them; `to` is all zero at first. */
static void go_down(const Search *s, Act act, const uint8_t *from, uint8_t *to) {
    const Tree *t = s->tree;
    for (int32_t i = 1; i < t->n; i++) {
        if (!t->tag[i]) continue;
        int32_t above = t->parent[i];
        to[i] = act == BELOW ? from[above] | to[above] : from[above] && !is_apart(s, above);
    }
}

static void go_up(const Search *s, Act act, const uint8_t *from, uint8_t *to) {
    const Tree *t = s->tree;
    for (int32_t i = t->n - 1; i > 0; i--)
        if ((from[i] || (act == AROUND && to[i])) && !is_apart(s, t->parent[i])) to[t->parent[i]] = 1;
}

static void go_aside(const Search *s, Act act, const uint8_t *from, uint8_t *to, uint8_t *met) {
    const Tree *t = s->tree;
    int is_back = act == BEFORE || act == EARLIER, is_any = act == LATER || act == EARLIER;
    for (int32_t k = 1; k < t->n; k++) {
        int32_t i = is_back ? t->n - k : k;
        if (!t->tag[i]) continue;
        uint8_t *mark = &met[t->parent[i]];
        to[i] = *mark;
        *mark = is_any ? *mark | from[i] : from[i];
    }
}

/* ---- all steps of an alternative ---- */

static uint8_t *put_set(Search *s) {
    uint8_t **set = &s->sets[s->depth];
    if (s->depth + 1 >= MOST_SETS) { PyErr_SetString(PyExc_RuntimeError, "a selector of too many parts"); return NULL; }
    if (*set == NULL && (*set = PyMem_Malloc((size_t)s->tree->n)) == NULL) { PyErr_NoMemory(); return NULL; }
    s->depth++;
    return *set;
}

/* From one set to another by where elements stand. */
static int go(Search *s, Act act) {
    size_t n = (size_t)s->tree->n;
    uint8_t *from = s->sets[s->depth - 1], *to = s->spare, *met;
    memset(to, 0, n);
    if (act == BELOW || act == CHILDREN) go_down(s, act, from, to);
    else if (act == AROUND || act == PARENTS) go_up(s, act, from, to);
    else {
        if ((met = put_set(s)) == NULL) return -1;
        s->depth--;
        memset(met, 0, n);
        go_aside(s, act, from, to, met);
    }
    s->sets[s->depth - 1] = to;
    s->spare = from;
    return 1;
}

static int take(Search *s, const Step *step) {
    const Tree *t = s->tree;
    uint8_t *set = s->depth ? s->sets[s->depth - 1] : NULL;
    switch (step->act) {
    case EVERY:
        if ((set = put_set(s)) == NULL) return -1;
        for (int32_t i = 0; i < t->n; i++) set[i] = t->tag[i] != 0;
        return 1;
    case HAS_TAG: keep_tagged(s, set, step); return 1;
    case HAS_CLASS: case HAS_IDENT: return keep_named(s, set, step);
    case HAS_ATTRIBUTE: return keep_with_attribute(s, set, step);
    case IS_FIRST: case IS_LAST:
        memset(s->spare, 0, (size_t)t->n);
        (step->act == IS_FIRST ? keep_first : keep_last)(t, set, s->spare);
        return 1;
    case UNION: case BOTH: case EXCEPT:
        s->depth--;
        uint8_t *under = s->sets[s->depth - 1];
        for (int32_t i = 0; i < t->n; i++)
            under[i] = step->act == UNION ? under[i] | set[i] : step->act == BOTH ? under[i] & set[i] : under[i] & !set[i];
        return 1;
    default: return go(s, (Act)step->act);
    }
}

/* Adds what an alternative finds to the set at the bottom. */
static int add_found(Search *s, const Alternative *a, int32_t from, int32_t stop) {
    s->depth = 1;
    for (int32_t k = a->first; k < a->last; k++) {
        int done = take(s, &s->selector->steps[k]);
        if (done < 1) return done;
        if (s->depth == 2 && !memchr(s->sets[1], 1, (size_t)s->tree->n)) return 1;
    }
    for (int32_t i = from; i < stop; i++) s->sets[0][i] |= s->sets[1][i];
    return 1;
}

static int search(Search *s, int32_t from, int32_t stop, int *any) {
    Tree *t = s->tree;
    for (Py_ssize_t k = 0; k < s->selector->alternative_count; k++) {
        const Alternative *a = &s->selector->alternatives[k];
        int hope = weigh(s, a);
        if (hope < 0) return -1;
        if (hope == 2) return 0;
        if (!hope) continue;
        if (!*any) {
            *any = 1;
            s->template = table_find(&t->tags, "template", 8);
            s->has_math = table_find(&t->tags, "math", 4) > 0;
            if (s->has_math && s->template >= 0) return 0; /* one of them may be no template of HTML */
            if (put_set(s) == NULL) return -1;
            if ((s->spare = PyMem_Malloc((size_t)t->n)) == NULL) { PyErr_NoMemory(); return -1; }
            memset(s->sets[0], 0, (size_t)t->n);
        }
        int done = add_found(s, a, from, stop);
        if (done < 1) return done;
    }
    return 1;
}

/* select(selector, within) -> [node]: what a selector finds below or at a node, in document order; None when only the
   parser's own document can tell */
PyObject *tree_select(Tree *t, PyObject *args) {
    Selector *selector;
    Py_ssize_t within;
    if (!PyArg_ParseTuple(args, "O!n", &SelectorType, &selector, &within)) return NULL;
    PyObject *found = PyList_New(0);
    if (found == NULL || within < 0 || within >= t->n || !t->tag[within]) return found;
    Search s = {.tree = t, .selector = selector};
    int any = 0, done = t->cut ? 0 : search(&s, (int32_t)within, t->end[within], &any);
    for (int32_t i = (int32_t)within; done == 1 && any && i < t->end[within]; i++) {
        if (!s.sets[0][i]) continue;
        PyObject *number = PyLong_FromLong(i);
        if (number == NULL || PyList_Append(found, number) < 0) done = -1;
        Py_XDECREF(number);
    }
    for (int k = 0; k < MOST_SETS; k++) PyMem_Free(s.sets[k]);
    PyMem_Free(s.spare);
    PyMem_Free(s.scratch.data);
    if (done == 1) return found;
    Py_DECREF(found);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

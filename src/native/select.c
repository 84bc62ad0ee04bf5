/* What a CSS selector finds on a page: each step is one pass over the nodes, so that no page makes it slow.

   A drawing is one node of the tree, but selectors see what is inside it: where a page has any, the steps are taken over all
   nodes and the elements of the drawings among them. */

#include "selector.h"

typedef struct {
    Tree *tree;
    const Selector *selector;
    int32_t n, scope;
    const int32_t *parent; /* by place */
    const int32_t *node;   /* by place: a node, or ~ the number of an element of a drawing; NULL where places are nodes */
    const int32_t *place;  /* by node; NULL likewise */
    uint8_t *sets[MOST_SETS], *spare; /* one byte a place */
    int depth;
    Buffer scratch;
} Search;

/* Most functions return 1, or -1 without memory. */

static const char *text_of(const Search *s, Span span) { return s->selector->text.data + span.at; }
static inline int32_t node_at(const Search *s, int32_t i) { return s->node ? s->node[i] : i; }
static inline int is_element(const Search *s, int32_t i) {
    int32_t node = node_at(s, i);
    return node < 0 || s->tree->tag[node];
}

static int is_same(const char *a, const char *b, Py_ssize_t n, int folding) {
    return folding ? strncasecmp(a, b, (size_t)n) == 0 : memcmp(a, b, (size_t)n) == 0;
}

/* ---- names that a page has ---- */

/* Notes a tag (sign 0), the words of a class ('.'), an id ('#') or an attribute's name ('['), in lower case. */
static int mention(Table *t, char sign, const char *s, Py_ssize_t n, Buffer *scratch) {
    if (buffer_reserve(scratch, n + 1) < 0) return -1;
    int fresh, signs = sign != 0;
    *scratch->data = sign;
    for (const char *stop = s + n, *end; s < stop; s = end) {
        end = stop;
        if (sign == '.') {
            while (s < stop && is_plain_space((unsigned char)*s)) s++;
            if ((end = word_end(s, stop)) == s) break;
        }
        if (table_put(t, scratch->data, signs + lowered(scratch->data + signs, s, end - s), &fresh) < 0) return -1;
    }
    return 1;
}

static int mention_all(Table *to, char sign, const Table *from, Buffer *scratch) {
    for (int32_t k = 0; k < from->count; k++)
        if (mention(to, sign, from->bytes.data + from->keys[k].at, from->keys[k].size, scratch) < 0) return -1;
    return 1;
}

static int mention_drawn(Tree *t, Buffer *scratch) {
    Attribute a;
    for (int32_t k = 0; k < t->drawn_count; k++) {
        const char *at = t->source.data + t->drawn[k].attrs.at, *stop = at + t->drawn[k].attrs.size;
        while (at < stop) {
            at = next_attribute(at, stop, &a);
            char sign = a.named == 5 && memcmp(a.name, "class", 5) == 0 ? '.' : a.named == 2 && memcmp(a.name, "id", 2) == 0 ? '#' : 0;
            if (mention(&t->mentioned, '[', a.name, a.named, scratch) < 0) return -1;
            /* References in them are so rare that they may be looked for in vain. */
            if (sign && mention(&t->mentioned, sign, a.value, a.size, scratch) < 0) return -1;
        }
    }
    return 1;
}

static int mention_names(Tree *t) {
    Buffer scratch = {0};
    int done = table_init(&t->mentioned, 1024) < 0 || mention_all(&t->mentioned, 0, &t->tags, &scratch) < 0
            || mention_all(&t->mentioned, 0, &t->drawn_tags, &scratch) < 0 || mention_all(&t->mentioned, '.', &t->classes, &scratch) < 0
            || mention_all(&t->mentioned, '#', &t->idents, &scratch) < 0 || mention_all(&t->mentioned, '[', &t->attr_names, &scratch) < 0
            || mention_drawn(t, &scratch) < 0 ? -1 : 1;
    PyMem_Free(scratch.data);
    if (done < 0) table_free(&t->mentioned);
    return done;
}

/* named(names) -> [str]: those of a lookup's names, each a "tag", ".class" or "#id" in lower case, that an element has in any case */
PyObject *tree_named(Tree *t, PyObject *names) {
    if (Py_TYPE(names) != &LookupType) { PyErr_SetString(PyExc_TypeError, "a lookup is needed"); return NULL; }
    if (t->mentioned.slots == NULL && mention_names(t) < 0) return NULL;
    PyObject *found = PyList_New(0);
    for (int32_t k = 0; found && k < t->mentioned.count; k++) {
        if (lookup_sieved((Lookup *)names, t->mentioned.keys[k].hash) < 0) continue;
        if (append_new(found, string_of(&t->mentioned, k)) < 0) Py_CLEAR(found);
    }
    return found;
}

/* Whether the page has all names that an alternative needs. */
static int may_find(const Search *s, const Alternative *a) {
    for (Py_ssize_t k = a->first; k < a->last; k++) {
        const Step *step = &s->selector->steps[k];
        const char *key = s->selector->text.data + step->key.at;
        if (step->flags & NEEDED && table_find_hashed(&s->tree->mentioned, key, step->key.size, step->key.hash) < 0) return 0;
    }
    return 1;
}

/* ---- drawings ---- */

/* All nodes in document order, and the elements of each drawing behind it. */
static int list_places(Tree *t) {
    int32_t n = t->n + t->drawn_count, k = 0, at = 0;
    int32_t *places = PyMem_Malloc(sizeof(int32_t) * (2 * (size_t)n + (size_t)t->n));
    int32_t *began = PyMem_Malloc(sizeof(int32_t) * ((size_t)t->drawn_count + 1));
    if (places == NULL || began == NULL) { PyMem_Free(places); PyMem_Free(began); PyErr_NoMemory(); return -1; }
    int32_t *parent = places, *node = places + n, *place = node + n;
    for (int32_t i = 0; i < t->n; i++) {
        node[at] = i;
        parent[at] = t->parent[i] < 0 ? -1 : place[t->parent[i]];
        place[i] = at++;
        /* Elements of a drawing are listed in document order: the first of each has the drawing itself above it. */
        for (; k < t->drawn_count && (t->drawn[k].above >= 0 || ~t->drawn[k].above == i); k++, at++) {
            node[at] = ~k;
            parent[at] = t->drawn[k].above < 0 ? place[i] : began[t->drawn[k].above];
            began[k] = at;
        }
    }
    PyMem_Free(began);
    t->places = places;
    return 1;
}

/* The value of an attribute of a drawing's element, as it is written; NULL without it. */
static const char *drawn_value(const Tree *t, int32_t k, const char *wanted, Py_ssize_t n, Py_ssize_t *size) {
    const char *at = t->source.data + t->drawn[k].attrs.at, *stop = at + t->drawn[k].attrs.size;
    Attribute a;
    while (at < stop) {
        at = next_attribute(at, stop, &a);
        *size = a.size;
        if (a.named == n && strncasecmp(a.name, wanted, (size_t)n) == 0) return a.value;
    }
    return NULL;
}

/* ---- values ---- */

static int is_value(int how, const char *s, Py_ssize_t n, const char *wanted, Py_ssize_t size, int folding) {
    switch (how) {
    case '=': return n == size && is_same(s, wanted, n, folding);
    case '^': return size && n >= size && is_same(s, wanted, size, folding);
    case '$': return size && n >= size && is_same(s + n - size, wanted, size, folding);
    case '|': return n >= size && is_same(s, wanted, size, folding) && (n == size || s[size] == '-');
    case '*': /* of a value that was made lower, if the case does not count */
        return size && n >= size && memmem(s, (size_t)n, wanted, (size_t)size) != NULL;
    }
    for (const char *stop = s + n, *end; s < stop; s = end + 1) {
        for (end = s; end < stop && !is_html_space(*end);) end++;
        if (end - s == size && size && is_same(s, wanted, size, folding)) return 1;
    }
    return 0;
}

/* Whether a value, given as it is written, is as a step wants it. */
static int has_value(Search *s, const Step *step, const char *value, Py_ssize_t n) {
    if (!step->how) return 1;
    Span wanted = step->flags & ANY_CASE ? step->lower : step->value;
    int is_escaped = n && memchr(value, '&', (size_t)n) != NULL, is_lowered = step->flags & ANY_CASE && step->how == '*' && n;
    if (is_escaped || is_lowered) {
        s->scratch.size = 0;
        if (add_unescaped(&s->scratch, value, value + n) < 0) return -1;
        value = s->scratch.data;
        n = s->scratch.size;
        if (is_lowered) lowered(s->scratch.data, value, n);
    }
    return is_value(step->how, value, n, text_of(s, wanted), wanted.size, step->flags & ANY_CASE);
}

/* ---- names ---- */

static void keep_tagged(Search *s, uint8_t *set, const Step *step) {
    const Tree *t = s->tree;
    const char *key = s->selector->text.data + step->key.at;
    int32_t tag = table_find_hashed(&t->tags, key, step->key.size, step->key.hash);
    int32_t drawn = table_find_hashed(&t->drawn_tags, key, step->key.size, step->key.hash);
    if (s->node == NULL) for (int32_t i = 0; i < s->n; i++) set[i] &= t->tag[i] == tag;
    else for (int32_t i = 0; i < s->n; i++) set[i] &= s->node[i] >= 0 ? t->tag[s->node[i]] == tag : t->drawn[~s->node[i]].tag == drawn;
}

/* Classes and ids: in quirks mode their case does not count. */
static int keep_named(Search *s, uint8_t *set, const Step *step) {
    const Tree *t = s->tree;
    int is_class = step->act == HAS_CLASS, how = is_class ? '~' : '=';
    const Table *strings = is_class ? &t->classes : &t->idents;
    const int32_t *numbers = is_class ? t->cls : t->ident;
    const char *word = text_of(s, step->word);
    uint8_t *found = PyMem_Calloc((size_t)strings->count + 1, 1);
    if (found == NULL) { PyErr_NoMemory(); return -1; }
    for (int32_t k = 1; k < strings->count; k++)
        found[k] = (uint8_t)is_value(how, strings->bytes.data + strings->keys[k].at, strings->keys[k].size, word, step->word.size, t->is_quirky);
    for (int32_t i = 0; i < s->n; i++) {
        int32_t node = node_at(s, i);
        if (node >= 0) { set[i] &= found[numbers[node]]; continue; }
        Py_ssize_t size;
        const char *value = set[i] ? drawn_value(t, ~node, is_class ? "class" : "id", is_class ? 5 : 2, &size) : NULL;
        set[i] = value && is_value(how, value, size, word, step->word.size, t->is_quirky);
    }
    PyMem_Free(found);
    return 1;
}

/* Marks (2) the elements of a set that have an attribute of exactly this name, with the value that a step wants. */
static int mark_holders(Search *s, uint8_t *set, const Step *step, const char *name, Py_ssize_t n) {
    const Holders *holders = holders_of(s->tree, name, n);
    for (int32_t k = 0; holders && k < holders->count; k++) {
        const Holder *h = &holders->list[k];
        uint8_t *at = &set[s->place ? s->place[h->node] : h->node];
        int found = *at ? has_value(s, step, s->tree->source.data + h->value.at, h->value.size) : 0;
        if (found < 0) return -1;
        if (found) *at = 2;
    }
    return 1;
}

static int keep_with_attribute(Search *s, uint8_t *set, const Step *step) {
    const char *lower = s->selector->text.data + step->key.at + 1, *word = text_of(s, step->word);
    Py_ssize_t n = step->word.size;
    if (mark_holders(s, set, step, lower, n) < 0) return -1;
    /* SVG and MathML have names that are not in lower case. */
    if (memcmp(lower, word, (size_t)n) != 0 && mark_holders(s, set, step, word, n) < 0) return -1;
    for (int32_t i = 0; i < s->n; i++) {
        if (set[i] == 1 && node_at(s, i) < 0) {
            Py_ssize_t size;
            const char *value = drawn_value(s->tree, ~node_at(s, i), lower, n, &size);
            int found = value ? has_value(s, step, value, size) : 0;
            if (found < 0) return -1;
            set[i] = found ? 2 : 0;
        }
        set[i] >>= 1;
    }
    return 1;
}

/* Elements whose nearest ancestor with an attribute, or they themselves, have this value, or one that goes on with "-". */
static int keep_inheriting(Search *s, uint8_t *set, const Step *step) {
    const char *name = text_of(s, step->word), *wanted = text_of(s, step->lower);
    uint8_t *state = s->spare; /* 1 has it, 2 has another */
    int is_direction = step->word.size == 3;
    memset(state, 0, (size_t)s->n);
    const Holders *holders = holders_of(s->tree, name, step->word.size);
    for (int32_t k = 0; holders && k < holders->count; k++) {
        const Holder *h = &holders->list[k];
        if (is_direction && h->value.size != 3) continue; /* no direction */
        int has = is_value('|', s->tree->source.data + h->value.at, h->value.size, wanted, step->lower.size, 1);
        state[s->place ? s->place[h->node] : h->node] = has ? 1 : 2;
    }
    /* Without any, text runs from left to right. */
    if (!state[0] && is_direction) state[0] = step->lower.size == 3 && memcmp(wanted, "ltr", 3) == 0 ? 1 : 2;
    for (int32_t i = 0; i < s->n; i++) {
        if (!state[i] && i) state[i] = state[s->parent[i]];
        set[i] &= state[i] == 1;
    }
    return 1;
}

/* ---- places ---- */

/* A number for an element's parent and tag, less than there are places; -1 without memory. */
static int32_t type_of(const Search *s, Table *types, int32_t i) {
    const Tree *t = s->tree;
    int32_t node = node_at(s, i), both[2] = {s->parent[i], node >= 0 ? t->tag[node] : ~t->drawn[~node].tag};
    int fresh;
    return table_put(types, (const char *)both, sizeof both, &fresh);
}

static int is_place(const Step *step, int64_t place) {
    int64_t beyond = place - step->b;
    return step->a == 0 ? beyond == 0 : beyond % step->a == 0 && beyond / step->a >= 0;
}

static int keep_nth(Search *s, uint8_t *set, const uint8_t *among, const Step *step) {
    Table types = {0};
    int32_t *counts = PyMem_Calloc((size_t)s->n + 1, sizeof(int32_t));
    int done = counts == NULL || table_init(&types, 16) < 0 ? -1 : 1;
    if (counts == NULL) PyErr_NoMemory();
    for (int32_t k = 0; k < s->n && done > 0; k++) {
        int32_t i = step->flags & FROM_END ? s->n - 1 - k : k;
        if (!is_element(s, i)) continue;
        int32_t group = step->flags & OF_TYPE ? type_of(s, &types, i) : s->parent[i] + 1;
        if (group < 0) done = -1;
        else if (among && !among[i]) set[i] = 0;
        else set[i] &= is_place(step, ++counts[group]);
    }
    table_free(&types);
    PyMem_Free(counts);
    return done;
}

/* Elements with neither elements nor text in them; white space is no text, as in Selectors Level 4. */
static void keep_empty(const Search *s, uint8_t *set) {
    for (int32_t i = 1; i < s->n; i++) set[s->parent[i]] = 0;
}

/* From elements to those below or behind them; `to` is all zero at first. */
static void go_down(const Search *s, Act act, const uint8_t *from, uint8_t *to) {
    for (int32_t i = 1; i < s->n; i++) {
        if (!is_element(s, i)) continue;
        int32_t above = s->parent[i];
        to[i] = act == BELOW ? from[above] | to[above] : from[above];
    }
}

static void go_up(const Search *s, Act act, const uint8_t *from, uint8_t *to) {
    for (int32_t i = s->n - 1; i > 0; i--)
        if (from[i] || (act == AROUND && to[i])) to[s->parent[i]] = 1;
}

static void go_aside(const Search *s, Act act, const uint8_t *from, uint8_t *to, uint8_t *met) {
    int is_back = act == BEFORE || act == EARLIER, is_any = act == LATER || act == EARLIER;
    for (int32_t k = 1; k < s->n; k++) {
        int32_t i = is_back ? s->n - k : k;
        if (!is_element(s, i)) continue;
        uint8_t *mark = &met[s->parent[i]];
        to[i] = *mark;
        *mark = is_any ? *mark | from[i] : from[i];
    }
}

/* ---- all steps of an alternative ---- */

static uint8_t *put_set(Search *s) {
    uint8_t **set = &s->sets[s->depth];
    if (*set == NULL && (*set = PyMem_Malloc((size_t)s->n)) == NULL) { PyErr_NoMemory(); return NULL; }
    s->depth++;
    return *set;
}

/* From one set to another by where elements are. */
static int go(Search *s, Act act) {
    uint8_t *from = s->sets[s->depth - 1], *to = s->spare, *met;
    memset(to, 0, (size_t)s->n);
    if (act == BELOW || act == CHILDREN) go_down(s, act, from, to);
    else if (act == AROUND || act == PARENTS) go_up(s, act, from, to);
    else {
        if ((met = put_set(s)) == NULL) return -1;
        s->depth--;
        memset(met, 0, (size_t)s->n);
        go_aside(s, act, from, to, met);
    }
    s->sets[s->depth - 1] = to;
    s->spare = from;
    return 1;
}

static int take(Search *s, const Step *step) {
    uint8_t *set = s->depth ? s->sets[s->depth - 1] : NULL, *under = s->depth > 1 ? s->sets[s->depth - 2] : NULL;
    switch (step->act) {
    case EVERY:
        if ((set = put_set(s)) == NULL) return -1;
        for (int32_t i = 0; i < s->n; i++) set[i] = (uint8_t)is_element(s, i);
        return 1;
    case NOTHING: memset(set, 0, (size_t)s->n); return 1;
    case HAS_TAG: keep_tagged(s, set, step); return 1;
    case HAS_CLASS: case HAS_IDENT: return keep_named(s, set, step);
    case HAS_ATTRIBUTE: return keep_with_attribute(s, set, step);
    case INHERITS: return keep_inheriting(s, set, step);
    case IS_EMPTY: keep_empty(s, set); return 1;
    case IS_ROOT: case IS_SCOPE: {
        int32_t only = step->act == IS_ROOT ? 0 : s->place ? s->place[s->scope] : s->scope;
        uint8_t was = set[only];
        memset(set, 0, (size_t)s->n);
        set[only] = was;
        return 1;
    }
    case IS_NTH:
        if (!(step->flags & AMONG)) return keep_nth(s, set, NULL, step);
        s->depth--;
        return keep_nth(s, under, set, step);
    case UNION: case BOTH: case EXCEPT:
        s->depth--;
        for (int32_t i = 0; i < s->n; i++)
            under[i] = step->act == UNION ? under[i] | set[i] : step->act == BOTH ? under[i] & set[i] : under[i] & !set[i];
        return 1;
    default: return go(s, (Act)step->act);
    }
}

/* Adds what an alternative finds to the set at the bottom. */
static int add_found(Search *s, const Alternative *a) {
    s->depth = 1;
    for (Py_ssize_t k = a->first; k < a->last; k++) {
        if (take(s, &s->selector->steps[k]) < 0) return -1;
        if (s->depth == 2 && !memchr(s->sets[1], 1, (size_t)s->n)) return 1;
    }
    for (int32_t i = 0; i < s->n; i++) s->sets[0][i] |= s->sets[1][i];
    return 1;
}

/* What is found inside a drawing counts as the drawing. */
static void gather_drawings(const Search *s) {
    for (int32_t i = s->n - 1; s->node && i > 0; i--)
        if (s->node[i] < 0 && s->sets[0][i]) s->sets[0][s->parent[i]] = 1;
}

static int begin_search(Search *s) {
    Tree *t = s->tree;
    if (t->drawn_count && t->places == NULL && list_places(t) < 0) return -1;
    s->n = t->n + t->drawn_count;
    s->parent = t->drawn_count ? t->places : t->parent;
    s->node = t->drawn_count ? t->places + s->n : NULL;
    s->place = t->drawn_count ? t->places + 2 * (Py_ssize_t)s->n : NULL;
    if (put_set(s) == NULL) return -1;
    if ((s->spare = PyMem_Malloc((size_t)s->n)) == NULL) { PyErr_NoMemory(); return -1; }
    memset(s->sets[0], 0, (size_t)s->n);
    return 1;
}

static PyObject *list_found(const Search *s, int32_t from, int32_t stop) {
    PyObject *found = PyList_New(0);
    for (int32_t i = from; found && s->n && i < stop; i++) {
        if (!s->sets[0][s->place ? s->place[i] : i]) continue;
        if (append_new(found, PyLong_FromLong(i)) < 0) Py_CLEAR(found);
    }
    return found;
}

/* select(selector, within) -> [node]: what a selector finds below or at a node, in document order */
PyObject *tree_select(Tree *t, PyObject *args) {
    Selector *selector;
    Py_ssize_t within;
    if (!PyArg_ParseTuple(args, "O!n", &SelectorType, &selector, &within)) return NULL;
    if (within < 0 || within >= t->n || !t->tag[within]) return PyList_New(0);
    if (t->mentioned.slots == NULL && mention_names(t) < 0) return NULL;
    Search s = {.tree = t, .selector = selector, .scope = (int32_t)within};
    int done = 1;
    for (Py_ssize_t k = 0; k < selector->alternative_count && done > 0; k++) {
        const Alternative *a = &selector->alternatives[k];
        if (may_find(&s, a)) done = !s.n && begin_search(&s) < 0 ? -1 : add_found(&s, a);
    }
    if (done > 0 && s.n) gather_drawings(&s);
    PyObject *found = done > 0 ? list_found(&s, (int32_t)within, t->end[within]) : NULL;
    for (int k = 0; k < MOST_SETS; k++) PyMem_Free(s.sets[k]);
    PyMem_Free(s.spare);
    PyMem_Free(s.scratch.data);
    return found;
}

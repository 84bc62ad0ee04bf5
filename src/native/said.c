/* What a page says of itself: its <meta>, and the elements that may carry its title, its authors and its dates. */

#include "nodes.h"

/* ---- text as str sees it ---- */

/* Whether white space stands at `s`, and how many bytes it has. */
static inline int is_space_at(const char *s, int *size) {
    if ((unsigned char)*s < 0x80) { *size = 1; return is_plain_space((unsigned char)*s); }
    return Py_UNICODE_ISSPACE(decode_one(s, size));
}

/* str.strip() */
static void strip(const char **s, Py_ssize_t *n) {
    const char *stop = *s + *n;
    int size;
    while (*s < stop && is_space_at(*s, &size)) *s += size;
    while (*s < stop) {
        const char *last = stop - 1;
        while (((unsigned char)*last & 0xC0) == 0x80) last--;
        if (!is_space_at(last, &size)) break;
        stop = last;
    }
    *n = stop - *s;
}

static int is_ascii(const char *s, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++)
        if ((unsigned char)s[i] >= 0x80) return 0;
    return 1;
}

/* The bytes of a value with its references resolved; NULL without memory. */
static const char *plain_value(const char *s, Py_ssize_t *n, Buffer *scratch) {
    if (!memchr(s, '&', (size_t)*n)) return s;
    if (unescape_into(scratch, s, *n) < 0) return NULL;
    *n = scratch->size;
    return scratch->data;
}

/* ---- <meta> ---- */

#define WORDS_OF_A_NAME 4

typedef struct {
    PyObject *word[2 * WORDS_OF_A_NAME];
    int count;
} Words;

static int has_word(const Words *words, PyObject *word) {
    for (int k = 0; k < words->count; k++)
        if (PyUnicode_Compare(words->word[k], word) == 0) return 1;
    return 0;
}

/* Adds the first words of a name in lower case, each once; -1 without memory. */
static int add_words(Words *words, const char *s, Py_ssize_t n, Buffer *scratch) {
    PyObject *lower = NULL;
    if ((s = plain_value(s, &n, scratch)) == NULL) return -1;
    if (is_ascii(s, n)) {
        if (n && s != scratch->data) {
            scratch->size = 0;
            if (buffer_add(scratch, s, n) < 0) return -1;
            s = scratch->data;
        }
        if (n) lowered(scratch->data, s, n);
    } else {
        PyObject *name = PyUnicode_DecodeUTF8(s, n, NULL);
        lower = name ? PyObject_CallMethod(name, "lower", NULL) : NULL;
        Py_XDECREF(name);
        if (lower == NULL || (s = PyUnicode_AsUTF8AndSize(lower, &n)) == NULL) { Py_XDECREF(lower); return -1; }
    }
    const char *stop = s + n;
    int failed = 0, size;
    for (int k = 0; !failed && k < WORDS_OF_A_NAME; k++) {
        while (s < stop && is_space_at(s, &size)) s += size;
        const char *start = s;
        while (s < stop && !is_space_at(s, &size)) s += size;
        if (s == start) break;
        PyObject *word = PyUnicode_DecodeUTF8(start, s - start, NULL);
        if (word && !has_word(words, word)) words->word[words->count++] = word;
        else Py_XDECREF(word);
        failed = word == NULL;
    }
    Py_XDECREF(lower);
    return failed ? -1 : 0;
}

/* Adds a value to those of a name; -1 without memory. */
static int add_value(PyObject *found, PyObject *name, PyObject *value, Py_ssize_t most_values) {
    PyObject *old = PyDict_GetItemWithError(found, name);
    if (old == NULL && PyErr_Occurred()) return -1;
    Py_ssize_t count = old ? PyTuple_GET_SIZE(old) : 0;
    if (count >= most_values) return 0;
    PyObject *values = PyTuple_New(count + 1);
    if (values == NULL) return -1;
    for (Py_ssize_t k = 0; k < count; k++) PyTuple_SET_ITEM(values, k, Py_NewRef(PyTuple_GET_ITEM(old, k)));
    PyTuple_SET_ITEM(values, count, Py_NewRef(value));
    int failed = PyDict_SetItem(found, name, values);
    Py_DECREF(values);
    return failed;
}

enum { CONTENT, PROPERTY, NAME, ITEMPROP, HTTP_EQUIV, SAID };
static const struct { const char *name; Py_ssize_t size; } SAYING[SAID] = {
    {"content", 7}, {"property", 8}, {"name", 4}, {"itemprop", 8}, {"http-equiv", 10}};

/* metas(most_names, most_values, most_chars) -> {name: (value, ...)}: as structured._read_meta() */
PyObject *tree_metas(Tree *t, PyObject *args) {
    Py_ssize_t most_names, most_values, most_chars;
    if (!PyArg_ParseTuple(args, "nnn", &most_names, &most_values, &most_chars)) return NULL;
    PyObject *found = PyDict_New();
    int32_t tag = table_find(&t->tags, "meta", 4), number = table_find(&t->attr_names, "content", 7);
    Buffer scratch = {0};
    for (int32_t k = 0; found && tag > 0 && number >= 0 && k < t->holders[number].count; k++) {
        int32_t i = t->holders[number].list[k].node;
        if (t->tag[i] != tag) continue;
        Span said[SAID] = {0};
        const char *at = t->source.data + t->attrs[i].at, *stop = at + t->attrs[i].size, *own, *value;
        Py_ssize_t own_size, n;
        while (next_attribute(&at, stop, &own, &own_size, &value, &n) > 0)
            for (int j = 0; j < SAID; j++)
                if (SAYING[j].size == own_size && memcmp(SAYING[j].name, own, (size_t)own_size) == 0)
                    said[j] = (Span){value - t->source.data, (int32_t)n};
        n = said[CONTENT].size;
        if ((value = plain_value(t->source.data + said[CONTENT].at, &n, &scratch)) == NULL) { Py_CLEAR(found); break; }
        strip(&value, &n);
        if (n == 0) continue;
        PyObject *text = PyUnicode_DecodeUTF8(value, head_bytes(value, n, most_chars), NULL);
        /* In the body an itemprop belongs to some item, perhaps a reader's review. */
        int named = said[PROPERTY].size ? PROPERTY : said[NAME].size ? NAME : i < t->body && said[ITEMPROP].size ? ITEMPROP : HTTP_EQUIV;
        Words words = {{0}, 0};
        int failed = text == NULL || add_words(&words, t->source.data + said[named].at, said[named].size, &scratch) < 0;
        if (!failed && named == PROPERTY && said[NAME].size)
            failed = add_words(&words, t->source.data + said[NAME].at, said[NAME].size, &scratch) < 0;
        for (int j = 0; j < words.count; j++) {
            int is_full = !failed && PyDict_GET_SIZE(found) >= most_names;
            if (is_full) {
                int known = PyDict_Contains(found, words.word[j]);
                if (known < 0) failed = 1;
                if (known == 0) break;
            }
            if (!failed) failed = add_value(found, words.word[j], text, most_values) < 0;
        }
        for (int j = 0; j < words.count; j++) Py_DECREF(words.word[j]);
        Py_XDECREF(text);
        if (failed) Py_CLEAR(found);
    }
    PyMem_Free(scratch.data);
    return found;
}

/* ---- elements that the standard gives a meaning ---- */

/* An element's href, empty where it has none. */
static PyObject *href_of(const Tree *t, int32_t i, Buffer *scratch) {
    const char *at = t->source.data + t->attrs[i].at, *stop = at + t->attrs[i].size, *name, *value;
    Py_ssize_t name_size, n;
    while (next_attribute(&at, stop, &name, &name_size, &value, &n) > 0) {
        if (name_size != 4 || memcmp(name, "href", 4) != 0) continue;
        const char *s = plain_value(value, &n, scratch);
        return s ? PyUnicode_DecodeUTF8(s, n, NULL) : NULL;
    }
    return PyUnicode_New(0, 0);
}

static int add_number(PyObject *list, int32_t i) {
    PyObject *number = PyLong_FromLong(i);
    int failed = number ? PyList_Append(list, number) : -1;
    Py_XDECREF(number);
    return failed;
}

/* Lists of the nodes that have a mark, in document order: by tag, or by node, where `own` is not NULL; marks begin with 1. */
static PyObject *lists_of(const Tree *t, const uint8_t *by_tag, const uint8_t *own, int marks) {
    PyObject *lists = PyTuple_New(marks);
    for (int k = 0; lists && k < marks; k++) {
        PyObject *list = PyList_New(0);
        if (list == NULL) Py_CLEAR(lists);
        else PyTuple_SET_ITEM(lists, k, list);
    }
    for (int32_t i = 0; lists && i < t->n; i++) {
        const int32_t *tag = t->tag + i;
        uint32_t four = 0;
        if (own) memcpy(&four, own + i, 4); /* it has room for it */
        if (!four && t->n - i >= 4 && !(by_tag[tag[0]] | by_tag[tag[1]] | by_tag[tag[2]] | by_tag[tag[3]])) { i += 3; continue; }
        int found = by_tag[*tag] | (own ? own[i] : 0);
        for (int k = 0; found; k++, found >>= 1)
            if (found & 1 && add_number(PyTuple_GET_ITEM(lists, k), i) < 0) { Py_CLEAR(lists); break; }
    }
    return lists;
}

static void mark_tag(const Tree *t, uint8_t *by_tag, const char *tag, int mark) {
    int32_t number = table_find(&t->tags, tag, (Py_ssize_t)strlen(tag));
    if (number > 0) by_tag[number] |= (uint8_t)mark;
}

static int is_value(const char *s, Py_ssize_t n, const char *wanted) {
    return (Py_ssize_t)strlen(wanted) == n && memcmp(s, wanted, (size_t)n) == 0;
}

enum { MAIN = 1, ARTICLE = 2, BODY = 4 };

/* What publishing systems call the body in RDFa, as in semantic.py. */
static const char *BODIES[] = {"articleBody", "schema:articleBody", "schema:text", "content:encoded", NULL};

/* Whether a word of a value is one of some. */
static int says_any(const char *s, Py_ssize_t n, const char **words) {
    const char *stop = s + n;
    int size;
    while (s < stop) {
        while (s < stop && is_space_at(s, &size)) s += size;
        const char *start = s;
        while (s < stop && !is_space_at(s, &size)) s += size;
        if (is_among(start, s - start, words)) return 1;
    }
    return 0;
}

/* The links into the page that stand before so many of its shown characters. */
static PyObject *jumps_before(const Tree *t, int32_t top) {
    const Holders *addresses = holders_of(t, "href", 4);
    int32_t tag = table_find(&t->tags, "a", 1);
    PyObject *found = PyList_New(0);
    for (int32_t k = 0; found && tag > 0 && k < addresses->count; k++) {
        const Holder *h = &addresses->list[k];
        if (t->chars[h->node] >= top) break;
        if (t->tag[h->node] == tag && h->value.size && t->source.data[h->value.at] == '#' && add_number(found, h->node) < 0) Py_CLEAR(found);
    }
    return found;
}

/* landmarks(top) -> mains, articles, bodies, jumps: the elements that are so by tag or role, those that are marked as the
   article's body, and the links into the page before so many of its characters */
PyObject *tree_landmarks(Tree *t, PyObject *top) {
    long before = PyLong_AsLong(top);
    if (before == -1 && PyErr_Occurred()) return NULL;
    uint8_t *by_tag = PyMem_Calloc((size_t)t->tags.count + 1, 1), *own = PyMem_Calloc((size_t)t->n + 4, 1);
    Buffer scratch = {0};
    PyObject *found = NULL;
    if (by_tag == NULL || own == NULL) { PyErr_NoMemory(); goto out; }
    mark_tag(t, by_tag, "main", MAIN);
    mark_tag(t, by_tag, "article", ARTICLE);
    const Holders *roles = holders_of(t, "role", 4), *items = holders_of(t, "itemprop", 8), *named = holders_of(t, "property", 8);
    for (int32_t k = 0; k < roles->count; k++) {
        const char *s = t->source.data + roles->list[k].value.at;
        Py_ssize_t n = roles->list[k].value.size;
        own[roles->list[k].node] |= is_value(s, n, "main") ? MAIN : is_value(s, n, "article") ? ARTICLE : 0;
    }
    for (int32_t k = 0; k < items->count; k++) {
        const Holder *h = &items->list[k];
        if (memmem(t->source.data + h->value.at, (size_t)h->value.size, "articleBody", 11)) own[h->node] |= BODY;
    }
    for (int32_t k = 0; k < named->count; k++) {
        const Holder *h = &named->list[k];
        Py_ssize_t n = h->value.size;
        const char *s = plain_value(t->source.data + h->value.at, &n, &scratch);
        if (s == NULL) goto out;
        if (says_any(s, n, BODIES)) own[h->node] |= BODY;
    }
    found = lists_of(t, by_tag, own, 4);
    PyObject *jumps = found ? jumps_before(t, (int32_t)Py_MIN(before, INT32_MAX)) : NULL;
    if (jumps == NULL) { Py_CLEAR(found); goto out; }
    PyTuple_SetItem(found, 3, jumps);
out:
    PyMem_Free(by_tag);
    PyMem_Free(own);
    PyMem_Free(scratch.data);
    return found;
}

/* ---- where titles, authors, dates and licences may stand ---- */

#define WORDS_OF_A_REL 5
static const char *LINK_RELS[] = {"canonical", "license", "licence", "image_src", NULL};
static const char *ANCHOR_RELS[] = {"author", "tag", "license", "licence", NULL};

/* links.append((word, href)) */
static int add_link(const Tree *t, int32_t i, const char *word, Py_ssize_t n, PyObject *links, Buffer *scratch) {
    PyObject *rel = PyUnicode_DecodeUTF8(word, n, NULL), *href = rel ? href_of(t, i, scratch) : NULL;
    PyObject *pair = href ? PyTuple_Pack(2, rel, href) : NULL;
    int failed = pair ? PyList_Append(links, pair) : -1;
    Py_XDECREF(rel);
    Py_XDECREF(href);
    Py_XDECREF(pair);
    return failed;
}

/* rels.setdefault(word, []).append(i), once for each element */
static int add_anchor(int32_t i, const char *word, Py_ssize_t n, PyObject *rels) {
    PyObject *rel = PyUnicode_DecodeUTF8(word, n, NULL), *empty = rel ? PyList_New(0) : NULL;
    PyObject *list = empty ? PyDict_SetDefault(rels, rel, empty) : NULL;
    Py_ssize_t count = list ? PyList_GET_SIZE(list) : 0;
    int failed = list == NULL;
    if (!failed && (count == 0 || PyLong_AsLong(PyList_GET_ITEM(list, count - 1)) != i)) failed = add_number(list, i) < 0;
    Py_XDECREF(rel);
    Py_XDECREF(empty);
    return failed ? -1 : 0;
}

static int add_related(const Tree *t, PyObject *links, PyObject *rels) {
    const Holders *related = holders_of(t, "rel", 3);
    int32_t link = table_find(&t->tags, "link", 4), anchor = table_find(&t->tags, "a", 1);
    Buffer lower = {0}, scratch = {0};
    Span idle = {0}; /* what the last link said that says nothing: mostly the next says the same */
    int failed = 0, size;
    for (int32_t k = 0; !failed && k < related->count; k++) {
        int32_t i = related->list[k].node;
        int is_link = link > 0 && t->tag[i] == link, told = 0;
        if (!is_link && (anchor <= 0 || t->tag[i] != anchor)) continue;
        Span value = related->list[k].value;
        if (!is_link && value.size == idle.size && memcmp(t->source.data + value.at, t->source.data + idle.at, (size_t)value.size) == 0)
            continue;
        Py_ssize_t n = value.size;
        const char *s = plain_value(t->source.data + value.at, &n, &scratch), *stop;
        lower.size = 0;
        if (s == NULL || buffer_reserve(&lower, n + 1) < 0) { failed = 1; break; }
        lowered(lower.data, s, n);
        s = lower.data;
        stop = s + n;
        for (int words = 0; !failed && s < stop && (!is_link || words < WORDS_OF_A_REL);) {
            while (s < stop && is_space_at(s, &size)) s += size;
            const char *start = s;
            while (s < stop && !is_space_at(s, &size)) s += size;
            words += s > start;
            if (is_link && is_among(start, s - start, LINK_RELS)) failed = add_link(t, i, start, s - start, links, &scratch) < 0;
            if (!is_link && is_among(start, s - start, ANCHOR_RELS)) {
                failed = add_anchor(i, start, s - start, rels) < 0;
                told = 1;
            }
        }
        if (!is_link && !told) idle = value;
    }
    PyMem_Free(lower.data);
    PyMem_Free(scratch.data);
    return failed ? -1 : 0;
}

/* noted() -> h1, time, address, title, links, rels: the elements of these tags, <link> as (rel, href), and <a> as {rel: [node]},
   by the words of rel that matter */
PyObject *tree_noted(Tree *t, PyObject *unused) {
    uint8_t *by_tag = PyMem_Calloc((size_t)t->tags.count + 1, 1);
    if (by_tag == NULL) return PyErr_NoMemory();
    mark_tag(t, by_tag, "h1", 1);
    mark_tag(t, by_tag, "time", 2);
    mark_tag(t, by_tag, "address", 4);
    mark_tag(t, by_tag, "title", 8);
    PyObject *found = lists_of(t, by_tag, NULL, 6), *rels = found ? PyDict_New() : NULL;
    PyMem_Free(by_tag);
    if (rels == NULL) { Py_XDECREF(found); return NULL; }
    PyTuple_SetItem(found, 5, rels);
    if (add_related(t, PyTuple_GET_ITEM(found, 4), rels) < 0) Py_CLEAR(found);
    return found;
}

/* ---- what stands aside ---- */

enum { UNKNOWN, UNTOLD, INSIDE, ASIDE }; /* of a node; names are UNKNOWN, UNTOLD or ASIDE */

static const char *MAIN_IDS[] = {"main", "content", "main-content", "maincontent", "article", "primary", NULL};

typedef struct {
    Tree *tree;
    PyObject *is_name_aside;
    int32_t footer, aside, nav, article, div; /* numbers of tags, 0 for one that the page has not */
} Around;

/* Whether a name tells of something aside, by Python's own word; -1 after an error. Number 0 is no name. */
static int names_aside(const Around *a, uint8_t *known, PyObject *names, int32_t number) {
    if (number == 0) return 0;
    if (known[number] == UNKNOWN) {
        PyObject *told = PyObject_CallOneArg(a->is_name_aside, PyList_GET_ITEM(names, number));
        int is_aside = told ? PyObject_IsTrue(told) : -1;
        Py_XDECREF(told);
        if (is_aside < 0) return -1;
        known[number] = is_aside ? ASIDE : UNTOLD;
    }
    return known[number] == ASIDE;
}

/* What a node is below one of which it is known; -1 after an error. */
static int state_below(const Around *a, int32_t i, int above) {
    const Tree *t = a->tree;
    int32_t tag = t->tag[i];
    if (above == ASIDE) return ASIDE;
    if (tag && tag == a->footer) return above == UNTOLD ? ASIDE : INSIDE;
    /* What holds most of the page is nothing beside it, whatever it is called. */
    if (2 * (int64_t)(t->chars[t->end[i]] - t->chars[i]) <= t->chars[t->n]) {
        int is_aside = tag && (tag == a->aside || tag == a->nav);
        if (!is_aside) is_aside = names_aside(a, t->aside + t->n, t->class_list, t->cls[i]);
        if (!is_aside) is_aside = names_aside(a, t->aside + t->n + t->classes.count, t->ident_list, t->ident[i]);
        if (is_aside) return is_aside < 0 ? -1 : ASIDE;
    }
    if (above != UNTOLD || !tag) return above;
    const Key *ident = &t->idents.keys[t->ident[i]];
    int is_main = tag == a->div && is_among(t->idents.bytes.data + ident->at, ident->size, MAIN_IDS);
    return tag == a->article || is_main ? INSIDE : UNTOLD;
}

static int32_t tag_of(const Tree *t, const char *name) {
    int32_t number = table_find(&t->tags, name, (Py_ssize_t)strlen(name));
    return number > 0 ? number : 0;
}

/* aside(node, title, is_name_aside) -> bool: as places.Places.is_aside() */
PyObject *tree_aside(Tree *t, PyObject *args) {
    Py_ssize_t node, title;
    PyObject *is_name_aside;
    if (!PyArg_ParseTuple(args, "nnO", &node, &title, &is_name_aside)) return NULL;
    if (node < 0 || node >= t->n || title >= t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    if (t->aside == NULL) {
        t->aside = PyMem_Calloc((size_t)t->n + (size_t)t->classes.count + (size_t)t->idents.count, 1);
        if (t->aside == NULL) return PyErr_NoMemory();
        t->aside_title = (int32_t)title;
    } else if (t->aside_title != title) {
        memset(t->aside, UNKNOWN, (size_t)t->n);
        t->aside_title = (int32_t)title;
    }
    int32_t i = (int32_t)node, count = 0;
    for (; i > t->body && t->aside[i] == UNKNOWN && !(i <= title && title < t->end[i]); i = t->parent[i]) count++;
    int state = t->aside[i] == UNKNOWN ? UNTOLD : t->aside[i];
    if (count == 0) return PyBool_FromLong(state == ASIDE);
    int32_t *path = PyMem_Malloc(sizeof(int32_t) * (size_t)count);
    if (path == NULL) return PyErr_NoMemory();
    i = (int32_t)node;
    for (int32_t k = 0; k < count; k++, i = t->parent[i]) path[k] = i;
    Around around = {t, is_name_aside, tag_of(t, "footer"), tag_of(t, "aside"), tag_of(t, "nav"), tag_of(t, "article"), tag_of(t, "div")};
    while (count > 0 && state >= 0) {
        i = path[--count];
        state = state_below(&around, i, state);
        if (state >= 0) t->aside[i] = (uint8_t)state;
    }
    PyMem_Free(path);
    return state < 0 ? NULL : PyBool_FromLong(state == ASIDE);
}

/* inside(node) -> 2 inside an <article>, 1 inside <main> or its older forms, else 0: as places.Places.inside() */
PyObject *tree_inside(Tree *t, PyObject *node) {
    Py_ssize_t i = PyNumber_AsSsize_t(node, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) return NULL;
    if (i < 0 || i >= t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    int32_t article = tag_of(t, "article"), main = tag_of(t, "main");
    int found = 0;
    for (; i > t->body; i = t->parent[i]) {
        if (!t->tag[i]) continue;
        if (t->tag[i] == article) return PyLong_FromLong(2);
        const Key *ident = &t->idents.keys[t->ident[i]];
        found |= t->tag[i] == main || (t->ident[i] && is_among(t->idents.bytes.data + ident->at, ident->size, MAIN_IDS));
    }
    return PyLong_FromLong(found);
}

/* spoken(first, stop) -> [(node, text, link, href)]: the texts that are shown, from one node up to another, each with the link
   that it stands in, or its parent does, and where that leads; -1 and "" where it is none */
PyObject *tree_spoken(Tree *t, PyObject *args) {
    Py_ssize_t first, stop;
    if (!PyArg_ParseTuple(args, "nn", &first, &stop)) return NULL;
    if (first < 0 || stop > t->n) { PyErr_SetString(PyExc_IndexError, "no such node"); return NULL; }
    int32_t anchor = tag_of(t, "a");
    PyObject *found = PyList_New(0);
    Buffer scratch = {0};
    for (Py_ssize_t i = first; found && i < stop; i++) {
        if (t->chars[i + 1] == t->chars[i]) continue;
        int32_t link = t->parent[i];
        if (t->tag[link] != anchor && t->parent[link] >= 0) link = t->parent[link];
        if (!anchor || t->tag[link] != anchor) link = -1;
        Py_ssize_t n;
        const char *s = text_bytes(t, (int32_t)i, &n, &scratch);
        PyObject *text = s ? PyUnicode_DecodeUTF8(s, n, NULL) : NULL;
        PyObject *href = text ? (link < 0 ? PyUnicode_New(0, 0) : href_of(t, link, &scratch)) : NULL;
        PyObject *row = href ? Py_BuildValue("(nOiO)", i, text, link, href) : NULL;
        if (row == NULL || PyList_Append(found, row) < 0) Py_CLEAR(found);
        Py_XDECREF(text);
        Py_XDECREF(href);
        Py_XDECREF(row);
    }
    PyMem_Free(scratch.data);
    return found;
}

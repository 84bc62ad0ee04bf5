/* The sums of two classical algorithms, Readability and the stopwords: which blocks they look at, what each element scores and
   which one wins. The words, tags and weights are those of find/classical. */

#include "native.h"

enum { UNLIKELY = 1, MAYBE = 2, POSITIVE = 4, NEGATIVE = 8, NAUGHTY = 16, SHARE = 32 };
enum { PARAGRAPH = 1, NEVER_UNLIKELY = 2, NAUGHTY_TAG = 4, NEVER_NAUGHTY = 8, SCORED = 16, DIVISION = 32, IS_P = 64 };
enum { UNLIKELY_ROLE = 1, HIDDEN = 2 };

#define NAMES 600 /* characters of class and id values, as core.split_names() reads them */
#define LEVELS 5
#define RANKED 5

/* What each string of class or id values says, as bits: its words' parts alone, and each with the one before it; -1 without memory. */
static int read_names(const Lookup *meanings, const Table *names, Buffer *parts, uint8_t *bits) {
    for (int32_t k = 1; k < names->count; k++) {
        const char *s = names->bytes.data + names->keys[k].at, *stop = s + head_bytes(s, names->keys[k].size, NAMES);
        for (int step = 1; s < stop; s += s < stop ? step : 0) {
            const char *word = s;
            while (s < stop && !is_space_at(s, &step)) s += step;
            if (split_word(word, s - word, parts) < 0) return -1;
            for (Py_ssize_t before = -1, at = 0, next; at < parts->size; before = at, at = next) {
                next = (const char *)memchr(parts->data + at, ' ', (size_t)(parts->size - at)) - parts->data + 1;
                for (Py_ssize_t from = at; from >= 0; from = from == at ? before : -1) {
                    double says;
                    if (lookup_value(meanings, parts->data + from, next - 1 - from, &says) >= 0) bits[k] |= (uint8_t)says;
                }
            }
        }
    }
    return 0;
}

typedef struct {
    Tree *t;
    int32_t *before;                    /* by node: how many blocks begin before it */
    int64_t *chars, *links, *stops;     /* running totals over the blocks that are shown */
    int32_t *of_tag, *base;             /* by tag */
    uint8_t *cls, *ident;               /* by class and id value: what its names say */
    int32_t *stated;
    PyObject *commas; /* the characters that are one */
    uint8_t *shown;
    double *score;
    uint8_t *has_score;
} Classic;

static int64_t within(const Classic *c, const int64_t *totals, int32_t i) {
    return totals[c->before[c->t->end[i]]] - totals[c->before[i]];
}

/* Whether a block begins inside an element. */
static int holds_blocks(const Classic *c, int32_t i) {
    int32_t end = c->t->end[i];
    return end > i + 1 && c->before[end] > c->before[i];
}

static void hide(Classic *c, int32_t i) {
    for (int32_t b = c->before[i]; b < c->before[c->t->end[i]]; b++) c->shown[b] = 0;
}

/* What an element's class and id say. */
static uint8_t named(const Classic *c, int32_t i) { return c->cls[c->t->cls[i]] | c->ident[c->t->ident[i]]; }

static int weight(const Classic *c, int32_t i) {
    uint8_t cls = c->cls[c->t->cls[i]], ident = c->ident[c->t->ident[i]];
    return 25 * (!!(cls & POSITIVE) - !!(cls & NEGATIVE)) + 25 * (!!(ident & POSITIVE) - !!(ident & NEGATIVE));
}

static double share_of_links(const Classic *c, int32_t i) {
    int64_t chars = within(c, c->chars, i);
    return chars ? (double)within(c, c->links, i) / (double)chars : 0.0;
}

/* One node below another, or the same. */
static int is_above(const Tree *t, int32_t above, int32_t i) { return above < i && i < t->end[above]; }

/* With `strip` elements of unlikely names are not looked at; with `weigh` names count. */
static int32_t readability_top(Classic *c, int strip, int weigh) {
    Tree *t = c->t;
    static const double shares[LEVELS] = {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 9, 1.0 / 12};
    int32_t stop = 0;
    memset(c->shown, 1, (size_t)t->blocks + 1);
    for (int32_t i = 0; i < t->n; i++) {
        if (i < stop || !t->tag[i] || !t->attrs[i].size || !holds_blocks(c, i)) continue;
        int unlikely = 0;
        if (strip && !(c->of_tag[t->tag[i]] & NEVER_UNLIKELY)) {
            unlikely = (c->stated[i] & UNLIKELY_ROLE) || (named(c, i) & (UNLIKELY | MAYBE)) == UNLIKELY;
        }
        if (unlikely || (i != t->body && (c->stated[i] & HIDDEN))) {
            hide(c, i);
            stop = t->end[i];
        }
    }
    for (int32_t b = 0; b < t->blocks; b++) {
        c->chars[b + 1] = c->chars[b] + (c->shown[b] ? t->block_chars[b] : 0);
        c->links[b + 1] = c->links[b] + (c->shown[b] ? t->block_links[b] : 0);
    }
    memset(c->has_score, 0, (size_t)t->n + 1);
    for (int32_t b = 0; b < t->blocks; b++) {
        int32_t size = t->block_chars[b], owner = t->owner[b];
        int32_t traits = c->of_tag[t->tag[owner]];
        if (size < 25 || !c->shown[b] || !(traits & PARAGRAPH)) continue;
        Py_ssize_t commas = count_among(PyList_GET_ITEM(t->block_text, b), c->commas, PY_SSIZE_T_MAX);
        double score = 2 + (double)commas + (size / 100 < 3 ? size / 100 : 3);
        int loose = (traits & DIVISION) && t->chars[t->end[owner]] - t->chars[owner] > size;
        int32_t node = loose ? owner : t->parent[owner];
        for (int k = 0; k < LEVELS && node > 0; k++, node = t->parent[node]) {
            if (!c->has_score[node]) {
                c->has_score[node] = 1;
                c->score[node] = c->base[t->tag[node]] + (weigh ? weight(c, node) : 0);
            }
            c->score[node] += shares[k] * score;
        }
    }
    int32_t ranked[RANKED], count = 0;
    for (int32_t i = 0; i < t->n; i++) {
        if (!c->has_score[i]) continue;
        c->score[i] = c->score[i] * (1 - share_of_links(c, i));
        int32_t at = count < RANKED ? count++ : RANKED;
        while (at > 0 && c->score[ranked[at - 1]] < c->score[i]) {
            if (at < RANKED) ranked[at] = ranked[at - 1];
            at--;
        }
        if (at < RANKED) ranked[at] = i;
    }
    if (!count || c->score[ranked[0]] <= 0) return t->body;
    int32_t top = ranked[0], rivals[RANKED], rival_count = 0;
    for (int32_t k = 1; k < count; k++)
        if (c->score[ranked[k]] >= 0.75 * c->score[top]) rivals[rival_count++] = ranked[k];
    if (rival_count >= 3) {
        for (int32_t above = t->parent[top]; above > t->body; above = t->parent[above]) {
            int sharing = 0;
            for (int32_t k = 0; k < rival_count; k++) sharing += is_above(t, above, rivals[k]);
            if (sharing >= 3) { top = above; break; }
        }
    }
    double last = c->has_score[top] ? c->score[top] : 0.0, floor = last / 3;
    for (int32_t above = t->parent[top]; above > t->body; above = t->parent[above]) {
        if (!c->has_score[above]) continue;
        if (c->score[above] < floor) break;
        if (c->score[above] > last) { top = above; break; }
        last = c->score[above];
    }
    while (t->parent[top] > t->body && within(c, c->chars, top) == within(c, c->chars, t->parent[top])) top = t->parent[top];
    return top;
}

/* The square of how far a paragraph in the last quarter is down. */
static double boost_of(int64_t place, int64_t all, int near_prose, int64_t *boosts) {
    double boost = 0, punished = (double)all * 0.25;
    if (near_prose) boost = 50.0 / (double)++*boosts;
    int64_t left = all - place;
    if (all > 15 && (double)left <= punished) {
        boost = -((punished - (double)left) * (punished - (double)left));
        if (boost < -40) boost = 5.0;
    }
    return boost;
}

static int32_t stopwords_top(Classic *c, const float *share) {
    Tree *t = c->t;
    int32_t stop = 0, a = table_find(&t->tags, "a", 1);
    memset(c->shown, 1, (size_t)t->blocks + 1);
    for (int32_t i = 0; i < t->n; i++) {
        int32_t traits = c->of_tag[t->tag[i]];
        if (i < stop || !t->tag[i] || (traits & NEVER_NAUGHTY) || !holds_blocks(c, i)) continue;
        int naughty = (traits & NAUGHTY_TAG) || (t->attrs[i].size && (named(c, i) & NAUGHTY));
        if (naughty && 2 * (int64_t)(t->chars[t->end[i]] - t->chars[i]) < t->chars[t->n]) {
            hide(c, i);
            stop = t->end[i];
        }
    }
    /* How many function words a block has, while it counts; 0 else. */
    int64_t wordy = 0, boosts = 0, place = 0;
    for (int32_t b = 0; b < t->blocks; b++) {
        int64_t found = c->shown[b] ? (int64_t)((double)share[b] * t->block_words[b]) : 0, links = t->block_links[b] > 0;
        for (int32_t i = t->first[b]; i <= t->last[b]; i++) links += a > 0 && t->tag[i] == a;
        int mostly_links = t->block_chars[b] > 0 && (double)t->block_links[b] / t->block_chars[b] * (double)links >= 1;
        c->stops[b] = found > 2 && (c->of_tag[t->tag[t->owner[b]]] & SCORED) && !mostly_links ? found : 0;
        wordy += c->stops[b] > 0;
    }
    memset(c->has_score, 0, (size_t)t->n + 1);
    int32_t last_prose = -4;
    for (int32_t b = 0; b < t->blocks; b++) {
        if (!c->stops[b]) continue;
        double gain = (double)c->stops[b] + boost_of(place++, wordy, b - last_prose <= 3, &boosts);
        if (c->stops[b] > 5) last_prose = b;
        int32_t owner = t->owner[b];
        int loose = !(c->of_tag[t->tag[owner]] & IS_P) && t->chars[t->end[owner]] - t->chars[owner] > t->block_chars[b];
        int32_t node = loose ? owner : t->parent[owner];
        for (int k = 0; k < 2 && node > 0; k++, node = t->parent[node]) {
            if (!c->has_score[node]) { c->has_score[node] = 1; c->score[node] = 0; }
            c->score[node] += (k ? 0.5 : 1.0) * gain;
        }
    }
    int32_t top = -1;
    for (int32_t i = 0; i < t->n; i++) if (c->has_score[i] && (top < 0 || c->score[i] > c->score[top])) top = i;
    return top;
}

/* (top, shown, scores, says): the element that wins, -1 for none; a byte a block, whether it was looked at; the elements that
   have a score, with it; a byte a node: what its names weigh, from 0 to 4, where 2 is nothing, and 8 if its class shares */
static PyObject *details_of(Classic *c, int32_t top) {
    Tree *t = c->t;
    PyObject *scores = PyDict_New(), *says = PyBytes_FromStringAndSize(NULL, t->n);
    for (int32_t i = 0; scores && says && i < t->n; i++) {
        int names = t->tag[i] ? weight(c, i) / 25 + 2 + (c->cls[t->cls[i]] & SHARE ? 8 : 0) : 2;
        PyBytes_AS_STRING(says)[i] = (char)names;
        if (!c->has_score[i]) continue;
        PyObject *node = PyLong_FromLong(i), *score = PyFloat_FromDouble(c->score[i]);
        if (node == NULL || score == NULL || PyDict_SetItem(scores, node, score) < 0) Py_CLEAR(scores);
        Py_XDECREF(node);
        Py_XDECREF(score);
    }
    if (scores && says) return Py_BuildValue("iy#NN", (int)top, c->shown, (Py_ssize_t)t->blocks, scores, says);
    Py_XDECREF(scores);
    Py_XDECREF(says);
    return NULL;
}

/* containers(tables, share, commas, stated) -> (readability's, the stopwords'): nodes, -1 for none
   containers(tables, share, commas, stated, which, strip, weigh) -> details of readability's (which 0) or of the stopwords' (which 1)

   tables: names as Lookup of bits, tags and bases as dict by tag; share float32: of function words, commas: the characters that are one */
PyObject *tree_containers(Tree *t, PyObject *args) {
    Lookup *names;
    PyObject *tags, *bases, *stated, *commas, *result = NULL;
    Py_buffer share;
    int which = -1, strip = 1, weigh = 1;
    if (!PyArg_ParseTuple(args, "(O!O!O!)y*UO!|ipp", &LookupType, &names, &PyDict_Type, &tags, &PyDict_Type, &bases, &share, &commas,
            &PyDict_Type, &stated, &which, &strip, &weigh))
        return NULL;
    Buffer parts = {0};
    Memory memory = {0};
    Classic c = {.t = t, .commas = commas};
    if (share.len != 4 * (Py_ssize_t)t->blocks) { PyErr_SetString(PyExc_ValueError, "not a share for each block"); goto out; }
#define NEW(p, count) p = memory_new(&memory, (count) + 1, sizeof *(p))
    NEW(c.before, t->n); NEW(c.chars, t->blocks); NEW(c.links, t->blocks); NEW(c.stops, t->blocks);
    NEW(c.shown, t->blocks); NEW(c.score, t->n); NEW(c.has_score, t->n); NEW(c.stated, t->n);
    NEW(c.cls, t->classes.count); NEW(c.ident, t->idents.count);
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    if (read_names(names, &t->classes, &parts, c.cls) < 0 || read_names(names, &t->idents, &parts, c.ident) < 0) goto out;
    if ((c.of_tag = numbers_of_tags(t, tags, &memory)) == NULL || (c.base = numbers_of_tags(t, bases, &memory)) == NULL) goto out;
    if (read_bits(t, stated, c.stated) < 0) goto out;
    count_blocks_before(t, c.before);
    if (which < 0) {
        int32_t readability = readability_top(&c, strip, weigh), stopwords = stopwords_top(&c, share.buf);
        result = Py_BuildValue("ii", (int)readability, (int)stopwords);
    } else result = details_of(&c, which ? stopwords_top(&c, share.buf) : readability_top(&c, strip, weigh));
out:
    memory_free(&memory);
    PyMem_Free(parts.data);
    PyBuffer_Release(&share);
    return result;
}

/* Text blocks (blocks.segment), and the words inside names. */

#include "native.h"

/* ---- blocks ---- */

/* Whether the eight bytes at `s` are ASCII without other white space than single spaces, or any control characters. */
static inline int is_running(const char *s) {
    uint64_t x;
    memcpy(&x, s, 8);
    if (x & EACH(0x80)) return 0;
    uint64_t low = ~(x + EACH(0x80 - 33)) & EACH(0x80), spaces = ~((x ^ EACH(' ')) + EACH(0x7F)) & EACH(0x80);
    return low == spaces && !(spaces & spaces << 8);
}

int put_folded(Folded *f, const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    if (buffer_reserve(&f->text, n + 1) < 0) return -1;
    char *to = f->text.data + f->text.size;
    f->any = 1;
    while (s < stop) {
        int step;
        if (is_space_at(s, &step)) {
            f->gap = 1;
            s += step;
            continue;
        }
        if (f->gap && to > f->text.data) *to++ = ' ';
        f->gap = 0;
        /* Several words at once, where nothing has to be folded between them. */
        for (; stop - s >= 8 && *s != ' ' && is_running(s); s += 8, to += 8) memcpy(to, s, 8);
        while (s < stop && !is_space_at(s, &step)) while (step--) *to++ = *s++;
        if (to[-1] == ' ') { to--; f->gap = 1; }
    }
    f->text.size = to - f->text.data;
    return 0;
}

/* What blocks are cut with, while the interpreter lock is released. */
typedef struct {
    Tree *t;
    Folded f;
    Table texts;   /* of all blocks, each once */
    int32_t room;
} Cutter;

static int close_block(Cutter *c, int32_t owner, int32_t first, int32_t last) {
    Tree *t = c->t;
    Folded *f = &c->f;
    if (f->text.size) {
        if (t->blocks >= c->room) {
            c->room = c->room ? c->room * 2 : 256;
#define X(field) \
            int32_t *field = PyMem_Realloc(t->field, sizeof(int32_t) * (size_t)c->room); \
            if (field == NULL) { no_memory(); return -1; } \
            t->field = field;
            BLOCK_COLUMNS(X)
#undef X
        }
        int32_t b = t->blocks++;
        t->owner[b] = owner;
        t->first[b] = first;
        t->last[b] = last;
        t->block_chars[b] = t->chars[last + 1] - t->chars[first];
        t->block_links[b] = t->links[last + 1] - t->links[first];
        t->block_words[b] = t->words[last + 1] - t->words[first];
        int fresh;
        if ((t->text_number[b] = table_put(&c->texts, f->text.data, f->text.size, &fresh)) < 0) return -1;
    }
    f->text.size = 0;
    f->gap = f->any = 0;
    return 0;
}

/* Cuts the shown text into blocks; -1 without memory. `holder` has room for a number a node. */
static int cut_blocks(Cutter *c, int32_t *holder) {
    Tree *t = c->t;
    Folded *f = &c->f;
    int32_t current = -1, start = 0, stop = 0, br = table_find(&t->tags, "br", 2);
    for (int32_t i = 0; i < t->n; i++) {
        int32_t tag = t->tag[i];
        if (tag) {
            if (t->is_block[tag]) {
                holder[i] = i;
            } else {
                holder[i] = i ? holder[t->parent[i]] : 0;
                if (f->any && (t->gap[i] || tag == br)) f->gap = 1;
            }
            continue;
        }
        if (t->chars[i + 1] == t->chars[i]) {
            if (f->any) f->gap = 1;
            continue;
        }
        int32_t mine = holder[t->parent[i]];
        int apart = mine != current || !f->any;
        /* An empty block-level element parts two texts, as <hr> or an image block does. */
        for (int32_t j = stop + 1; !apart && j < i; j++) apart = t->tag[j] && t->is_block[t->tag[j]] == 1 && t->end[j] <= i;
        if (apart) {
            if (f->any && close_block(c, current, start, stop) < 0) return -1;
            current = mine;
            start = i;
        }
        stop = i;
        if (t->gap[i]) f->gap = 1;
        Py_ssize_t n;
        const char *s = text_bytes(t, i, &n);
        if (put_folded(f, s, n) < 0) return -1;
    }
    return f->any ? close_block(c, current, start, stop) : 0;
}

/* segment() -> owner, first, last, text, chars, links, words */
PyObject *tree_segment(Tree *t, PyObject *unused) {
    Cutter c = {.t = t};
    int32_t *holder = PyMem_Malloc(sizeof(int32_t) * (size_t)(t->n + 1));
    int failed = holder == NULL;
    Py_CLEAR(t->block_text);
#define X(field) \
    PyMem_Free(t->field); \
    t->field = NULL;
    BLOCK_COLUMNS(X)
#undef X
    t->blocks = 0;
    if (failed) PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        failed = table_init(&c.texts, 256) < 0 || cut_blocks(&c, holder) < 0;
        Py_END_ALLOW_THREADS
    }
    /* Blocks that say the same share their text. */
    PyObject *texts = failed ? NULL : strings_of(&c.texts, NULL);
    t->block_text = texts ? PyList_New(t->blocks) : NULL;
    for (int32_t b = 0; t->block_text && b < t->blocks; b++)
        PyList_SET_ITEM(t->block_text, b, Py_NewRef(PyList_GET_ITEM(texts, t->text_number[b])));
    Py_XDECREF(texts);
    PyMem_Free(c.f.text.data);
    table_free(&c.texts);
    PyMem_Free(holder);
    if (t->block_text == NULL) { t->blocks = 0; return NULL; }
    Py_ssize_t n = t->blocks;
    return Py_BuildValue("NNNONNN", list_of(t->owner, n), list_of(t->first, n), list_of(t->last, n), t->block_text,
        list_of(t->block_chars, n), list_of(t->block_links, n), list_of(t->block_words, n));
}

Py_ssize_t count_among(PyObject *text, PyObject *wanted, Py_ssize_t limit) {
    Py_ssize_t size = Py_MIN(PyUnicode_GET_LENGTH(text), limit), count = 0;
    for (Py_ssize_t k = 0; k < PyUnicode_GET_LENGTH(wanted); k++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(wanted, k);
        if (c > PyUnicode_MAX_CHAR_VALUE(text)) continue;
        for (Py_ssize_t at = 0; (at = PyUnicode_FindChar(text, c, at, size, 1)) >= 0; at++) count++;
    }
    return count;
}

/* counted(blocks: list, characters, limit) -> [int]: how many of the first so many characters of each block's text are among some */
PyObject *tree_counted(Tree *t, PyObject *args) {
    PyObject *blocks, *wanted;
    Py_ssize_t limit;
    if (!PyArg_ParseTuple(args, "O!Un", &PyList_Type, &blocks, &wanted, &limit)) return NULL;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t k = 0; found && k < PyList_GET_SIZE(blocks); k++) {
        Py_ssize_t b = block_at(blocks, k, t->blocks);
        PyObject *count = b < 0 ? NULL : PyLong_FromSsize_t(count_among(PyList_GET_ITEM(t->block_text, b), wanted, limit));
        if (append_new(found, count) < 0) Py_CLEAR(found);
    }
    return found;
}

/* ---- words inside names ---- */

#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

enum { SMALL = 1, CAPITAL_LETTER = 2, NUMERAL = 4 };
static const uint8_t letter_of[256] = {['a' ... 'z'] = SMALL, ['A' ... 'Z'] = CAPITAL_LETTER, ['0' ... '9'] = NUMERAL};

/* Where the parts of class and id values begin and end: from `at` on, of a run of letters that ends at `letters`. */
typedef struct {
    const char *s;
    Py_ssize_t n, at, letters, stop;
    uint8_t seen;
} Parting;

/* How far it is to the next white space, or to the end. */
static Py_ssize_t unspaced(const char *s, const char *stop) {
    const char *at = s;
    for (int step; at < stop && !is_space_at(at, &step); at += step) continue;
    return at - s;
}

/* The size of the next part, 0 at the end. */
static inline Py_ssize_t next_part(Parting *p, Py_ssize_t *from) {
    const char *s = p->s;
    if (p->at >= p->letters) {
        Py_ssize_t i = p->stop, n = p->n;
        while (i < n && !letter_of[(uint8_t)s[i]]) i++;
        if (i >= n) return 0;
        uint8_t letter, seen = 0;
        Py_ssize_t stop = i;
        while (stop < n && (letter = letter_of[(uint8_t)s[stop]]) != 0) { seen |= letter; stop++; }
        p->at = i;
        p->letters = p->stop = stop;
        if (seen & NUMERAL) {
            /* Letters, then perhaps a number, which is left out; numbers elsewhere hold all together. */
            Py_ssize_t letters = i;
            while (letters < stop && !IS_DIGIT(s[letters])) letters++;
            Py_ssize_t digits = letters;
            while (digits < stop && IS_DIGIT(s[digits])) digits++;
            if (letters == i || digits < stop) seen = 0;
            else p->letters = letters;
        }
        p->seen = seen;
    }
    Py_ssize_t at = p->at, end = p->letters;
    if (p->seen & CAPITAL_LETTER) {
        /* camelCase parts the letters. */
        Py_ssize_t low = at + (s[at] < 'a');
        end = low;
        while (end < p->letters && s[end] >= 'a') end++;
        if (end == low) {
            end = at;
            while (end < p->letters && s[end] < 'a') end++;
            if (end < p->letters) end--;
        }
    }
    *from = at;
    p->at = end;
    return end - at;
}

int split_word(const char *s, Py_ssize_t n, Buffer *out) {
    Parting parting = {.s = s, .n = n};
    out->size = 0;
    /* At worst every letter is a part of its own. */
    if (buffer_reserve(out, 2 * n + 1) < 0) return -1;
    char *to = out->data;
    for (Py_ssize_t from, size; (size = next_part(&parting, &from)) > 0;) {
        to += lowered(to, s + from, size);
        *to++ = ' ';
    }
    out->size = to - out->data;
    return 0;
}

#define LONGEST_VALUE 600 /* characters of a class and id value that names are looked for in */

/* split_names(names) -> the parts of each word of a class or id value, a tuple for each */
PyObject *core_split_names(PyObject *module, PyObject *names) {
    Py_ssize_t n, size;
    const char *s = PyUnicode_AsUTF8AndSize(names, &n), *stop;
    PyObject *words = s ? PyList_New(0) : NULL;
    if (s) stop = s + head_bytes(s, n, LONGEST_VALUE);
    for (int step; words && s < stop; s += size ? size : step) {
        size = is_space_at(s, &step) ? 0 : unspaced(s, stop);
        if (!size) continue;
        PyObject *parts = PyList_New(0);
        Parting parting = {.s = s, .n = size};
        char small[4 * LONGEST_VALUE];
        for (Py_ssize_t from, part; parts && (part = next_part(&parting, &from)) > 0;)
            if (append_new(parts, PyUnicode_FromStringAndSize(small, lowered(small, s + from, part))) < 0) Py_CLEAR(parts);
        PyObject *word = parts ? PyList_AsTuple(parts) : NULL;
        Py_XDECREF(parts);
        if (append_new(words, word) < 0) Py_CLEAR(words);
    }
    PyObject *all = words ? PyList_AsTuple(words) : NULL;
    Py_XDECREF(words);
    return all;
}

typedef struct {
    int32_t row, size; /* -1 and 0 for none */
} Match;

typedef struct {
    const char *s; /* in lower case */
    int32_t size, most; /* how many parts a name has at most that begins with it */
} Part;

typedef struct {
    const Lookup *rows, *beginnings;
    Part parts[LONGEST_VALUE]; /* of the word that is looked at */
    int32_t count, longest;    /* the most that one of them has */
    char small[LONGEST_VALUE], joined[2 * LONGEST_VALUE];
} Names;

/* The row of a name of so many parts, from one of the word's on; -1 without any. */
static int32_t row_of_parts(Names *names, const Part *part, int32_t size) {
    double row;
    const char *s = part->s;
    Py_ssize_t n = part->size;
    if (size > 1) {
        char *to = names->joined;
        for (int32_t k = 0; k < size; k++) {
            if (k) *to++ = ' ';
            memcpy(to, part[k].s, (size_t)part[k].size);
            to += part[k].size;
        }
        s = names->joined;
        n = to - s;
    }
    return lookup_value(names->rows, s, n, &row) < 0 ? -1 : (int32_t)row;
}

/* The end of a word: its longest name, of equals the first, is the value's if no word before has one as long. */
static void match_word(Names *names, Match *best) {
    for (int32_t size = names->longest < names->count ? names->longest : names->count; size > best->size; size--)
        for (int32_t j = 0; j + size <= names->count; j++) {
            int32_t row = names->parts[j].most < size ? -1 : row_of_parts(names, &names->parts[j], size);
            if (row < 0) continue;
            *best = (Match){row, size};
            return;
        }
}

static int has_space(const char *s, const char *stop) { return unspaced(s, stop) < stop - s; }

/* The row that a class and id value falls under: that of the longest name in it. */
static Match match_names(Names *names, const char *s, Py_ssize_t n) {
    Parting parting = {.s = s, .n = n};
    Match best = {-1, 0};
    Py_ssize_t from, size, end = 0;
    char *small = names->small;
    names->count = names->longest = 0;
    while ((size = next_part(&parting, &from)) > 0) {
        const char *part = s + from;
        if (names->count && has_space(s + end, part)) {
            if (names->longest > best.size) match_word(names, &best);
            names->count = names->longest = 0;
            small = names->small;
        }
        end = from + size;
        if (parting.seen & CAPITAL_LETTER || !parting.seen) {
            lowered(small, part, size);
            part = small;
            small += size;
        }
        double most;
        if (lookup_value(names->beginnings, part, size, &most) < 0) most = 0;
        names->parts[names->count++] = (Part){part, (int32_t)size, (int32_t)most};
        if (most > names->longest) names->longest = (int32_t)most;
    }
    if (names->longest > best.size) match_word(names, &best);
    return best;
}

int32_t row_of_name(const Tree *t, int32_t name, const Lookup *rows, const Lookup *beginnings) {
    Names names;
    names.rows = rows;
    names.beginnings = beginnings;
    const char *s = t->names.bytes.data + t->names.keys[name].at;
    return match_names(&names, s, head_bytes(s, t->names.keys[name].size, LONGEST_VALUE)).row;
}

static inline char plain_letter(char c) {
    return c == '_' ? '-' : letter_of[(uint8_t)c] == CAPITAL_LETTER ? (char)(c + 32) : c;
}

/* How much of a class word is left without the hash that CSS modules append. */
static Py_ssize_t plain_size(const char *s, Py_ssize_t n) {
    Py_ssize_t begin = n;
    while (begin > 0 && letter_of[(uint8_t)s[begin - 1]]) begin--;
    if (n - begin < 5 || begin == 0 || (s[begin - 1] != '-' && s[begin - 1] != '_')) return n;
    int telling = 0;
    for (Py_ssize_t i = begin; i < n; i++)
        telling |= IS_DIGIT(s[i]) || (i + 1 < n && s[i] >= 'a' && s[i + 1] >= 'A' && s[i + 1] <= 'Z');
    if (!telling) return n;
    n = begin - 1;
    return n > 0 && s[n - 1] == s[n] ? n - 1 : n;
}

/* plain_name(word) -> a class word without such a hash, in lower case, its parts joined by hyphens */
PyObject *core_plain_name(PyObject *module, PyObject *word) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(word, &n);
    PyObject *plain = s ? PyBytes_FromStringAndSize(s, plain_size(s, n)) : NULL;
    if (plain == NULL) return NULL;
    char *to = PyBytes_AS_STRING(plain);
    for (Py_ssize_t k = 0; k < PyBytes_GET_SIZE(plain); k++) to[k] = plain_letter(to[k]);
    PyObject *text = PyUnicode_DecodeUTF8(to, PyBytes_GET_SIZE(plain), NULL);
    Py_DECREF(plain);
    return text;
}

#define LONGEST_NAME 80

static int has_name(const Table *t, int32_t k, const Lookup *names) {
    const char *s = t->bytes.data + t->keys[k].at, *stop = s + t->keys[k].size, *end;
    char plain[LONGEST_NAME];
    for (; s < stop; s = end) {
        while (s < stop && is_plain_space((unsigned char)*s)) s++;
        end = word_end(s, stop);
        if (end == s || end - s > LONGEST_NAME) continue;
        Py_ssize_t size = plain_size(s, end - s);
        if (size >= 4) {
            /* The ends mostly tell that it is not there. */
            uint32_t first, last;
            for (int k = 0; k < 4; k++) { plain[k] = plain_letter(s[k]); plain[4 + k] = plain_letter(s[size - 4 + k]); }
            memcpy(&first, plain, 4);
            memcpy(&last, plain + 4, 4);
            if (!sieve_marked(&names->sieve, sieve_mark_of(first, last, size))) continue;
        }
        for (Py_ssize_t k = 0; k < size; k++) plain[k] = plain_letter(s[k]);
        if (lookup_has(names, plain, size)) return 1;
    }
    return 0;
}

/* matching_words(names) -> [(node, is_ident)]: the class and id values in the body with a word that the lookup has. */
PyObject *tree_matching_words(Tree *t, PyObject *args) {
    Lookup *names;
    if (!PyArg_ParseTuple(args, "O!", &LookupType, &names)) return NULL;
    PyObject *found = PyList_New(0);
    for (int j = 0; found && j < 2; j++) {
        const Table *table = j ? &t->idents : &t->classes;
        const int32_t *numbers = j ? t->ident : t->cls;
        uint8_t *has = PyMem_Malloc((size_t)table->count + 1);
        if (has == NULL) { Py_CLEAR(found); PyErr_NoMemory(); break; }
        int any = 0;
        for (int32_t k = 0; k < table->count; k++) any |= has[k] = (uint8_t)has_name(table, k, names);
        for (int32_t i = t->body + 1; found && any && i < t->n; i++) {
            if (!numbers[i] || !has[numbers[i]]) continue;
            if (append_new(found, pair_of(i, PyLong_FromLong(j))) < 0) Py_CLEAR(found);
        }
        PyMem_Free(has);
    }
    return found;
}

/* ---- the classical algorithm MCE ---- */

/* mce() -> the node that mce.mce() keeps, or -1 */
PyObject *tree_mce(Tree *t, PyObject *unused) {
    int32_t n = t->n, end = n ? t->end[t->body] : 0, best = -1, most_children = 0, most_text = 0;
    Memory memory = {0};
    int32_t *holder = memory_new(&memory, n, sizeof *holder), *children = memory_new(&memory, n, sizeof *children);
    int32_t *own = memory_new(&memory, n, sizeof *own);
    int64_t levels = 0, count = 0;
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    for (int32_t i = 0; i < n; i++) holder[i] = t->body;
    for (int32_t i = t->body + 1; i < end; i++) {
        if (!t->tag[i] || t->chars[t->end[i]] == t->chars[i]) continue;
        int32_t above = holder[t->parent[i]];
        if (!t->is_block[t->tag[i]]) { holder[i] = above; continue; }
        holder[i] = i;
        if (++children[above] > most_children) most_children = children[above];
        levels += t->depth[i];
        count++;
    }
    if (!count) goto out;
    for (int32_t b = 0; b < t->blocks; b++) {
        int32_t o = t->owner[b], node = children[o] || t->parent[o] < 0 ? o : holder[t->parent[o]];
        if (children[node] && (own[node] += t->block_chars[b]) > most_text) most_text = own[node];
    }
    double mean = (double)levels / (double)count, furthest = 0, best_score = -1;
    for (int32_t i = 0; i < n; i++) {
        if (!children[i]) continue;
        double distance = t->depth[i] > mean ? t->depth[i] - mean : mean - t->depth[i];
        if (distance > furthest) furthest = distance;
    }
    furthest += 1;
    if (!most_text) most_text = 1;
    for (int32_t i = 0; i < n; i++) {
        if (!children[i]) continue;
        double distance = t->depth[i] > mean ? t->depth[i] - mean : mean - t->depth[i];
        double score = ((double)children[i] / most_children) * ((double)own[i] / most_text) * (1 - distance / furthest);
        if (score > best_score) { best_score = score; best = i; }
    }
out:
    memory_free(&memory);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(best);
}

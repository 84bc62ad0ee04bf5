/* Text blocks (blocks.segment), what their texts say (evidence._shape), and the words inside names. */

#include "native.h"
#include "search.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- blocks ---- */

/* Whether one of the characters beyond ASCII is white space. */
static int has_wide_space(const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    while (s < stop) {
        uint64_t eight;
        if (stop - s >= 8 && (memcpy(&eight, s, 8), !(eight & 0x8080808080808080ull))) { s += 8; continue; }
        int step = 1;
        if ((unsigned char)*s >= 0x80 && Py_UNICODE_ISSPACE(decode_one(s, &step))) return 1;
        s += step;
    }
    return 0;
}

#define EACH(byte) ((byte) * 0x0101010101010101ull)

/* The high bits of bytes that are zero, and maybe of next ones. */
static inline uint64_t zeros(uint64_t eight) { return (eight - EACH(1)) & ~eight & EACH(0x80); }

/* Whether all white space in a text is single spaces: eight bytes at a time, each beside the next; rather no than wrongly yes. */
static int looks_folded(const char *s, Py_ssize_t n) {
    uint64_t odd = 0, wide = 0, eight, next;
    Py_ssize_t i = 0;
    for (; i + 9 <= n; i += 8) {
        memcpy(&eight, s + i, 8);
        memcpy(&next, s + i + 1, 8);
        odd |= ((eight - EACH(' ')) & ~eight & EACH(0x80)) | (zeros(eight ^ EACH(' ')) & zeros(next ^ EACH(' ')));
        wide |= eight;
    }
    for (; i + 1 < n; i++) {
        uint8_t c = (uint8_t)s[i];
        odd |= (c < ' ') | ((c == ' ') & (s[i + 1] == ' '));
        wide |= c;
    }
    return !odd && (!(wide & EACH(0x80)) || !has_wide_space(s, n));
}

int put_folded(Folded *f, const char *s, Py_ssize_t n) {
    const char *stop = s + n, *run;
    f->any = 1;
    while (s < stop && is_plain_space((unsigned char)*s)) { f->gap = 1; s++; }
    const char *end = stop;
    while (end > s && is_plain_space((unsigned char)end[-1])) end--;
    if (s < end && looks_folded(s, end - s)) {
        if (f->gap && f->text.size && buffer_put(&f->text, ' ') < 0) return -1;
        f->gap = end < stop;
        return buffer_add(&f->text, s, end - s);
    }
    while (s < stop) {
        unsigned char c = (unsigned char)*s;
        int step = 1;
        if (c < 0x80 ? is_plain_space(c) : Py_UNICODE_ISSPACE(decode_one(s, &step))) {
            f->gap = 1;
            s += step;
            continue;
        }
        run = s;
        do {
            s += step;
            if (s >= stop) break;
            c = (unsigned char)*s;
            step = 1;
        } while (!(c < 0x80 ? is_plain_space(c) : Py_UNICODE_ISSPACE(decode_one(s, &step))));
        if (f->gap && f->text.size && buffer_put(&f->text, ' ') < 0) return -1;
        f->gap = 0;
        if (buffer_add(&f->text, run, s - run) < 0) return -1;
    }
    return 0;
}

static int close_block(Tree *t, Folded *f, int32_t *room, int32_t owner, int32_t first, int32_t last) {
    if (f->text.size) {
        if (t->blocks >= *room) {
            int32_t more = *room ? *room * 2 : 256;
            int32_t **fields[] = {&t->owner, &t->first, &t->last, &t->block_chars, &t->block_links, &t->block_words};
            for (int k = 0; k < 6; k++) {
                int32_t *grown = PyMem_Realloc(*fields[k], sizeof(int32_t) * (size_t)more);
                if (grown == NULL) { PyErr_NoMemory(); return -1; }
                *fields[k] = grown;
            }
            *room = more;
        }
        int32_t b = t->blocks++;
        t->owner[b] = owner;
        t->first[b] = first;
        t->last[b] = last;
        t->block_chars[b] = t->chars[last + 1] - t->chars[first];
        t->block_links[b] = t->links[last + 1] - t->links[first];
        t->block_words[b] = t->words[last + 1] - t->words[first];
        PyObject *text = PyUnicode_DecodeUTF8(f->text.data, f->text.size, NULL);
        if (text == NULL || PyList_Append(t->block_text, text) < 0) { Py_XDECREF(text); return -1; }
        Py_DECREF(text);
    }
    f->text.size = 0;
    f->gap = f->any = 0;
    return 0;
}

static PyObject *ints(const int32_t *values, Py_ssize_t n) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *value = PyLong_FromLong(values[i]);
        if (value == NULL) { Py_CLEAR(list); break; }
        PyList_SET_ITEM(list, i, value);
    }
    return list;
}

/* segment() -> owner, first, last, text, chars, links, words */
PyObject *tree_segment(Tree *t, PyObject *unused) {
    int32_t room = 0, current = -1, start = 0, stop = 0;
    int32_t *holder = PyMem_Malloc(sizeof(int32_t) * (size_t)(t->n + 1));
    int32_t br = table_find(&t->tags, "br", 2);
    Folded f = {{0}};
    Buffer scratch = {0};
    int failed = 0;
    Py_XDECREF(t->block_text);
    t->block_text = PyList_New(0);
    t->blocks = 0;
    PyMem_Free(t->owner); PyMem_Free(t->first); PyMem_Free(t->last);
    PyMem_Free(t->block_chars); PyMem_Free(t->block_links); PyMem_Free(t->block_words);
    t->owner = t->first = t->last = t->block_chars = t->block_links = t->block_words = NULL;
    if (holder == NULL || t->block_text == NULL) { failed = 1; PyErr_NoMemory(); }
    for (int32_t i = 0; !failed && i < t->n; i++) {
        int32_t tag = t->tag[i];
        if (tag) {
            if (t->is_block[tag]) {
                holder[i] = i;
            } else {
                holder[i] = i ? holder[t->parent[i]] : 0;
                if (f.any && (t->gap[i] || tag == br)) f.gap = 1;
            }
            continue;
        }
        if (t->chars[i + 1] == t->chars[i]) {
            if (f.any) f.gap = 1;
            continue;
        }
        int32_t mine = holder[t->parent[i]];
        int apart = mine != current || !f.any;
        if (!apart) {
            /* An empty block-level element parts two texts, as <hr> or an image block does. */
            for (int32_t j = stop + 1; j < i; j++)
                if (t->tag[j] && t->is_block[t->tag[j]] == 1 && t->end[j] <= i) { apart = 1; break; }
        }
        if (apart) {
            if (f.any && close_block(t, &f, &room, current, start, stop) < 0) { failed = 1; break; }
            current = mine;
            start = i;
        }
        stop = i;
        if (t->gap[i]) f.gap = 1;
        Py_ssize_t n;
        const char *s = text_bytes(t, i, &n, &scratch);
        if (s == NULL || put_folded(&f, s, n) < 0) failed = 1;
    }
    if (!failed && f.any) failed = close_block(t, &f, &room, current, start, stop) < 0;
    PyMem_Free(f.text.data);
    PyMem_Free(scratch.data);
    PyMem_Free(holder);
    if (failed) return NULL;
    Py_ssize_t n = t->blocks;
    return Py_BuildValue("NNNONNN", ints(t->owner, n), ints(t->first, n), ints(t->last, n), t->block_text,
        ints(t->block_chars, n), ints(t->block_links, n), ints(t->block_words, n));
}

/* ---- words inside names ---- */

/* leaning(lookup, weights, rows, body, out): to out, float32 (columns), the sum of the weights' rows, float32 (rows, columns),
   of the words inside class values and, each after "body:", inside the names of the body, by a lookup, each once, and of
   some further rows, in their order */
PyObject *tree_leaning(Tree *t, PyObject *args) {
    Lookup *lookup;
    Py_buffer weights, out;
    PyObject *further, *result = NULL;
    const char *body;
    Py_ssize_t body_size;
    if (!PyArg_ParseTuple(args, "O!y*O!s#w*", &LookupType, &lookup, &weights, &PyList_Type, &further, &body, &body_size, &out)) return NULL;
    Py_ssize_t columns = out.len / 4, rows = columns ? weights.len / out.len : 0;
    uint8_t *wanted = PyMem_Calloc((size_t)rows + 1, 1);
    char word[NAME_LIMIT + 5] = "body:";
    double row;
    if (wanted == NULL) { PyErr_NoMemory(); goto out; }
    for (int32_t k = 0; k < t->classes.count; k++) {
        /* Number 0 is no class: there the body is looked at. */
        const char *s = k ? t->classes.bytes.data + t->classes.keys[k].at : body;
        Py_ssize_t n = head_bytes(s, k ? t->classes.keys[k].size : body_size, NAME_LIMIT), size;
        for (Py_ssize_t at = 0; (size = next_token(s, n, &at)) > 0; at += size) {
            int32_t number = k ? lookup_letters(lookup, s + at, size, word + 5, &row)
                               : lookup_value(lookup, word, 5 + lowered(word + 5, s + at, size), &row);
            if (number >= 0 && row >= 0 && row < (double)rows) wanted[(Py_ssize_t)row] = 1;
        }
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(further); k++) {
        Py_ssize_t number = PyLong_AsSsize_t(PyList_GET_ITEM(further, k));
        if (number < 0 || number >= rows) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row"); goto out; }
        wanted[number] = 1;
    }
    float *sums = out.buf;
    memset(sums, 0, (size_t)out.len);
    for (const uint8_t *next = wanted; (next = memchr(next, 1, (size_t)(wanted + rows - next))) != NULL; next++) {
        const float *values = (const float *)weights.buf + (next - wanted) * columns;
        for (Py_ssize_t k = 0; k < columns; k++) sums[k] += values[k];
    }
    result = Py_NewRef(Py_None);
out:
    PyMem_Free(wanted);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&out);
    return result;
}

#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

enum { SMALL = 1, CAPITAL_LETTER = 2, NUMERAL = 4 };
static const uint8_t letter_of[256] = {['a' ... 'z'] = SMALL, ['A' ... 'Z'] = CAPITAL_LETTER, ['0' ... '9'] = NUMERAL};

/* Where the parts of class and id values begin and end: from `at` on, of a run of letters that ends at `letters`. */
typedef struct {
    const char *s;
    Py_ssize_t n, at, letters, stop;
    uint8_t seen;
} Parting;

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

int split_word(const char *s, Py_ssize_t n, Buffer *out, int32_t *count) {
    Parting parting = {.s = s, .n = n};
    out->size = 0;
    *count = 0;
    /* At worst every letter is a part of its own. */
    if (buffer_reserve(out, 2 * n + 1) < 0) return -1;
    char *to = out->data;
    for (Py_ssize_t from, size; (size = next_part(&parting, &from)) > 0; ++*count) {
        to += lowered(to, s + from, size);
        *to++ = ' ';
    }
    out->size = to - out->data;
    return 0;
}

#define LONGEST_VALUE 600 /* characters of a class and id value that names are looked for in */

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

static int has_space(const char *s, const char *stop) {
    while (s < stop) {
        int step = 1;
        if ((unsigned char)*s < 0x80 ? is_plain_space((unsigned char)*s) : Py_UNICODE_ISSPACE(decode_one(s, &step))) return 1;
        s += step;
    }
    return 0;
}

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

/* How much of a class word is left without the hash that CSS modules append (tables.plain_name). */
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

#define LONGEST_NAME 80

/* Which names there may be, by their first four letters: most words begin with others. */
typedef struct {
    uint64_t bits[64];
    int any_short; /* a name of fewer letters may be what is left of any word */
} Starts;

/* The same for letters in either case, and for the hyphen and the underscore: by the bits that they have in common. */
static inline uint32_t start_place(const char *four) {
    uint32_t first;
    memcpy(&first, four, 4);
    return (first & 0x0D0D0D0Du) * 0x9E3779B1u >> 20;
}

static void read_starts(const Lookup *names, Starts *starts) {
    memset(starts, 0, sizeof *starts);
    for (int32_t k = 0; k < names->table.count; k++) {
        const Key *key = &names->table.keys[k];
        if (key->size < 4) { starts->any_short = 1; continue; }
        uint32_t place = start_place(names->table.bytes.data + key->at);
        starts->bits[place / 64] |= (uint64_t)1 << place % 64;
    }
}

static int has_name(const Table *t, int32_t k, const Lookup *names, const Starts *starts) {
    const char *s = t->bytes.data + t->keys[k].at, *stop = s + t->keys[k].size, *end;
    char plain[LONGEST_NAME];
    for (; s < stop; s = end) {
        while (s < stop && is_plain_space((unsigned char)*s)) s++;
        end = word_end(s, stop);
        if (end == s || end - s > LONGEST_NAME || (end - s < 4 && !starts->any_short)) continue;
        /* Lower-case, hyphens for underscores: the ends first, which mostly tell that it is no such name. */
        if (!starts->any_short) {
            uint32_t place = start_place(s);
            if (!(starts->bits[place / 64] >> place % 64 & 1)) continue;
        }
        Py_ssize_t size = plain_size(s, end - s);
        if (size >= 4) {
            char ends[8];
            uint32_t first, last;
            for (int k = 0; k < 4; k++) { ends[k] = plain_letter(s[k]); ends[4 + k] = plain_letter(s[size - 4 + k]); }
            memcpy(&first, ends, 4);
            memcpy(&last, ends + 4, 4);
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
    Starts starts;
    read_starts(names, &starts);
    PyObject *found = PyList_New(0);
    for (int j = 0; found && j < 2; j++) {
        const Table *table = j ? &t->idents : &t->classes;
        const int32_t *numbers = j ? t->ident : t->cls;
        uint8_t *has = PyMem_Malloc((size_t)table->count + 1);
        if (has == NULL) { Py_CLEAR(found); PyErr_NoMemory(); break; }
        int any = 0;
        for (int32_t k = 0; k < table->count; k++) any |= has[k] = (uint8_t)has_name(table, k, names, &starts);
        for (int32_t i = t->body + 1; found && any && i < t->n; i++) {
            if (!numbers[i] || !has[numbers[i]]) continue;
            PyObject *pair = pair_of(i, PyLong_FromLong(j));
            if (pair == NULL || PyList_Append(found, pair) < 0) Py_CLEAR(found);
            Py_XDECREF(pair);
        }
        PyMem_Free(has);
    }
    return found;
}

/* Characters below a node, a linked one for two less. */
#define WEIGHT(t, i) ((t)->chars[(t)->end[i]] - (t)->chars[i] - 2 * ((t)->links[(t)->end[i]] - (t)->links[i]))

/* heaviest(names) -> [(node, is_ident, weight)]: of the elements in the body that have the same class or id value, with a word
   that the lookup has, the first that weighs most, if that is something */
PyObject *tree_heaviest(Tree *t, PyObject *args) {
    Lookup *names;
    if (!PyArg_ParseTuple(args, "O!", &LookupType, &names)) return NULL;
    Starts starts;
    read_starts(names, &starts);
    PyObject *found = PyList_New(0);
    for (int j = 0; found && j < 2; j++) {
        const Table *table = j ? &t->idents : &t->classes;
        const int32_t *numbers = j ? t->ident : t->cls;
        int32_t *best = PyMem_Malloc(sizeof(int32_t) * ((size_t)table->count + 1)), any = 0;
        if (best == NULL) { Py_CLEAR(found); PyErr_NoMemory(); break; }
        /* -1 for a value without such a word; 0 as long as none of its elements weighs anything. */
        for (int32_t k = 0; k < table->count; k++) any |= (best[k] = has_name(table, k, names, &starts) - 1) == 0;
        best[0] = -1;
        for (int32_t i = t->body + 1; any && i < t->n; i++) {
            int32_t *held = &best[numbers[i]];
            if (*held < 0) continue;
            if (WEIGHT(t, i) > (*held ? WEIGHT(t, *held) : 0)) *held = i;
        }
        for (int32_t k = 1; found && any && k < table->count; k++) {
            if (best[k] <= 0) continue;
            PyObject *row = Py_BuildValue("(iii)", best[k], j, WEIGHT(t, best[k]));
            if (row == NULL || PyList_Append(found, row) < 0) Py_CLEAR(found);
            Py_XDECREF(row);
        }
        PyMem_Free(best);
    }
    return found;
}

/* ---- the classical algorithm MCE ---- */

/* mce() -> the node that mce.mce() keeps, or -1 */
PyObject *tree_mce(Tree *t, PyObject *unused) {
    int32_t n = t->n, end = n ? t->end[t->body] : 0, best = -1, most_children = 0, most_text = 0;
    int32_t *holder = PyMem_Malloc(sizeof(int32_t) * (size_t)(n + 1)), *children = PyMem_Calloc((size_t)n + 1, sizeof(int32_t));
    int32_t *own = PyMem_Calloc((size_t)n + 1, sizeof(int32_t));
    int64_t levels = 0, count = 0;
    if (!holder || !children || !own) { PyErr_NoMemory(); goto out; }
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
    PyMem_Free(holder);
    PyMem_Free(children);
    PyMem_Free(own);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(best);
}

/* ---- the classical algorithm Boilerpipe ---- */

/* wordy_blocks() -> [bool]: boilerpipe.content_blocks() */
PyObject *tree_wordy_blocks(Tree *t, PyObject *unused) {
    PyObject *found = PyList_New(t->blocks);
    double before = 0;
    for (int32_t b = 0; found && b < t->blocks; b++) {
        double links = t->block_chars[b] ? (double)t->block_links[b] / t->block_chars[b] : 0.0;
        int32_t words = t->block_words[b], previous = b ? t->block_words[b - 1] : 0;
        int32_t next = b + 1 < t->blocks ? t->block_words[b + 1] : 0;
        int is_content = before > 0.555556 ? words > 40 || next > 17 : words > 16 || next > 15 || previous > 4;
        PyList_SET_ITEM(found, b, PyBool_FromLong(links <= 0.333333 && is_content));
        before = links;
    }
    return found;
}

/* ---- shape ---- */

#define HEAD 200
#define STEP 16
#define PLACES ((4 * HEAD + 63) / 64)
#define BODY_PROBE 60
#define SEARCHED_SINGLY (8 << 20) /* bytes: some two milliseconds */
#define KNOWN_WORDS 25
#define SHORT_BLOCK 8 /* words */

enum { PUNCTUATION, SENTENCE_END, DIGITS, UPPER, CAPITAL, DATE, MONEY, COPYRIGHT, SEPARATORS, QUESTION, COPIES,
    TITLE_COVER, DESCRIPTION_COVER, BODY_COVER, WORD_MEAN, WORD_LOW, WORD_HIGH, FUNCTION_WORDS, SHAPES };

static int is_punctuation(Py_UCS4 c) {
    switch (c) {
        case '.': case ',': case ';': case ':': case '!': case '?': case 0x3002: case 0xFF0C: case 0x3001: case 0xFF1B:
        case 0xFF1A: case 0xFF01: case 0xFF1F: case 0x060C: case 0x061B: case 0x061F: case 0x0964: return 1;
        default: return 0;
    }
}

static int is_separator(Py_UCS4 c) {
    return c == '|' || c == 0xBB || c == 0x203A || c == 0xB7 || c == 0x2022 || c == 0x2192 || c == 0x2190;
}

static int is_capital(Py_UCS4 c) {
    return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE) || (c >= 0x391 && c <= 0x3A9) || (c >= 0x410 && c <= 0x42F);
}

static int is_ending(Py_UCS4 c) {
    return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x061F || c == 0x0964 || c == 0x2026;
}

static int is_closing(Py_UCS4 c) {
    return c == '"' || c == '\'' || c == 0x201D || c == 0x2019 || c == ')' || c == ']' || c == 0xBB;
}

/* What a plain character is: a part of a word, and what is counted of it, each count a byte of its own. */
#define COUNTED(count, shift) ((uint32_t)(count) >> (shift) & 0xFF)
enum { OF_MARKS = 0, OF_DIGITS = 8, OF_CAPITALS = 16, OF_BARS = 24 };
static const uint32_t counted_as[128] = {
    ['.'] = 1u << OF_MARKS, [','] = 1u << OF_MARKS, [';'] = 1u << OF_MARKS, [':'] = 1u << OF_MARKS, ['!'] = 1u << OF_MARKS,
    ['?'] = 1u << OF_MARKS, ['0' ... '9'] = 1u << OF_DIGITS, ['A' ... 'Z'] = 1u << OF_CAPITALS, ['|'] = 1u << OF_BARS,
};
static const uint8_t in_word[128] = {['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1, ['_'] = 1};

static inline int is_word(Py_UCS4 c) {
    if (c < 0x80) return in_word[c];
    /* What most texts have, without asking Python: letters of Europe, and signs. */
    if (c >= 0xC0 && c <= 0x24F) return c != 0xD7 && c != 0xF7;
    if (c >= 0x2000 && c < 0x2070) return 0;
    return Py_UNICODE_ISALNUM(c);
}

/* Whether a text in lower case has the word in it, anywhere: its fourth letter is the rarest. */
static int says_copyright(const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    for (const char *y = s; (y = memchr(y, 'y', (size_t)(stop - y))) != NULL; y++)
        if (y - s >= 3 && stop - y >= 6 && memcmp(y - 3, "copyright", 9) == 0) return 1;
    return 0;
}

static int ends_sentence(PyObject *text) {
    Py_ssize_t i = PyUnicode_GET_LENGTH(text);
    while (i > 0 && is_closing(PyUnicode_READ_CHAR(text, i - 1))) i--;
    return i > 0 && is_ending(PyUnicode_READ_CHAR(text, i - 1));
}

#define AT(k) ((k) < n ? PyUnicode_READ(kind, data, k) : 0)
#define IS_SPELLED(k, a, b, c) (AT(k) == (a) && AT((k) + 1) == (b) && AT((k) + 2) == (c) && !is_word(AT((k) + 3)))

/* page_marks.DATE: a year, two numbers with a point, slash or colon between, "ago", or the sign for a year. */
static int has_date_in(PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int before = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c == 0x5E74) return 1;
        int word = is_word(c);
        if (word && !before) {
            if (c == 'a' && IS_SPELLED(i, 'a', 'g', 'o')) return 1;
            if (Py_UNICODE_ISDECIMAL(c)) {
                Py_UCS4 next = AT(i + 1);
                if (((c == '1' && next == '9') || (c == '2' && next == '0')) && Py_UNICODE_ISDECIMAL(AT(i + 2))
                    && Py_UNICODE_ISDECIMAL(AT(i + 3)) && !is_word(AT(i + 4)))
                    return 1;
                Py_ssize_t k = Py_UNICODE_ISDECIMAL(next) ? i + 2 : i + 1;
                Py_UCS4 sign = AT(k);
                if ((sign == '.' || sign == '/' || sign == ':') && Py_UNICODE_ISDECIMAL(AT(k + 1))) {
                    Py_ssize_t stop = Py_UNICODE_ISDECIMAL(AT(k + 2)) ? k + 3 : k + 2;
                    if (!is_word(AT(stop))) return 1;
                }
            }
        }
        before = word;
    }
    return 0;
}

/* The same for plain text that does not say "ago". */
static int has_date_in_plain(const char *s, Py_ssize_t n) {
#define DIGIT_AT(k) ((k) < n && IS_DIGIT(s[k]))
#define ENDS_AT(k) ((k) >= n || !in_word[(uint8_t)s[k]])
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!IS_DIGIT(s[i]) || (i && in_word[(uint8_t)s[i - 1]])) continue;
        int is_two = DIGIT_AT(i + 1);
        if (is_two && ((s[i] == '1' && s[i + 1] == '9') || (s[i] == '2' && s[i + 1] == '0')) && DIGIT_AT(i + 2) && DIGIT_AT(i + 3)
            && ENDS_AT(i + 4))
            return 1;
        Py_ssize_t k = i + 1 + is_two;
        if (k < n && (s[k] == '.' || s[k] == '/' || s[k] == ':') && DIGIT_AT(k + 1) && ENDS_AT(DIGIT_AT(k + 2) ? k + 3 : k + 2)) return 1;
    }
    return 0;
}

/* page_marks.MONEY: a currency's sign or letters. */
static int has_money_in(PyObject *text, Py_ssize_t n) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int before = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c == '$' || c == 0x20AC || c == 0xA3 || c == 0xA5 || c == 0x20B9) return 1;
        if (!before && (IS_SPELLED(i, 'U', 'S', 'D') || IS_SPELLED(i, 'E', 'U', 'R') || IS_SPELLED(i, 'G', 'B', 'P'))) return 1;
        before = is_word(c);
    }
    return 0;
}

/* The words of a text. */
typedef struct {
    Table table;
    Sieve sieve;
} Vocabulary;

static int read_words(Vocabulary *v, const char *s, Py_ssize_t n) {
    if (table_init(&v->table, 16) < 0 || sieve_init(&v->sieve, n / 8) < 0) return -1;
    for (const char *p = s, *stop = s + n; p < stop;) {
        int step, fresh;
        if (!is_word(decode_one(p, &step))) { p += step; continue; }
        const char *word = p;
        do { p += step; } while (p < stop && is_word(decode_one(p, &step)));
        if (table_put(&v->table, word, p - word, &fresh) < 0) return -1;
        if (fresh) sieve_add(&v->sieve, word, p - word);
    }
    return 0;
}

/* Whether a word is in a vocabulary; its hash, 0 while it is not known, is worked out once for all of them. */
static inline int has_word(const Vocabulary *v, uint32_t mark, const char *s, Py_ssize_t n, uint64_t *hash) {
    if (!sieve_marked(&v->sieve, mark)) return 0;
    if (!*hash) *hash = hash_bytes(s, n);
    return table_find_hashed(&v->table, s, n, *hash) >= 0;
}

/* Gives every block the number of its text: copies share it. */
int number_texts(Tree *t) {
    if (t->text_number != NULL) return 0;
    uint32_t places = 16, at;
    while ((int64_t)places < 2 * (int64_t)t->blocks) places *= 2;
    int32_t *slots = PyMem_Calloc(places, sizeof *slots), count = 0; /* blocks from 1; 0 where there is nothing */
    uint64_t *hashes = PyMem_Malloc(sizeof *hashes * (size_t)(t->blocks + 1));
    t->text_number = PyMem_Malloc(sizeof(int32_t) * (size_t)(t->blocks + 1));
    int failed = slots == NULL || hashes == NULL || t->text_number == NULL;
    if (failed) PyErr_NoMemory();
    for (int32_t b = 0; !failed && b < t->blocks; b++) {
        PyObject *text = PyList_GET_ITEM(t->block_text, b);
        const char *s = PyUnicode_DATA(text);
        Py_ssize_t size = PyUnicode_GET_LENGTH(text) * PyUnicode_KIND(text); /* equal texts are the same bytes */
        uint64_t hash = hashes[b] = hash_bytes(s, size);
        int32_t other;
        for (at = (uint32_t)hash & (places - 1); (other = slots[at]) != 0; at = (at + 1) & (places - 1)) {
            PyObject *same = PyList_GET_ITEM(t->block_text, other - 1);
            if (hashes[other - 1] == hash && PyUnicode_KIND(same) == PyUnicode_KIND(text)
                && PyUnicode_GET_LENGTH(same) == PyUnicode_GET_LENGTH(text) && memcmp(PyUnicode_DATA(same), s, (size_t)size) == 0)
                break;
        }
        if (!other) slots[at] = b + 1;
        t->text_number[b] = other ? t->text_number[other - 1] : count++;
    }
    PyMem_Free(slots);
    PyMem_Free(hashes);
    if (failed) { PyMem_Free(t->text_number); t->text_number = NULL; }
    return failed ? -1 : 0;
}

/* What the texts of blocks are read with. */
typedef struct {
    Vocabulary title, description, body_words;
    Search body;
    int32_t found; /* what the search says of the block's first words */
    const Lookup *odds, *listed; /* listed: function words, or NULL where `measure` counts */
    PyObject *measure;
} Reader;

/* What is counted of the characters of a text. */
typedef struct {
    int32_t marks, digits, capitals, bars, questions, copyrights;
} Characters;

/* Of plain text, by place, a bit each. */
typedef struct {
    uint64_t word[PLACES], space[PLACES];
} Places;

/* The next place that is set, or any from `stop` on. */
static inline uint32_t next_set(const uint64_t *bits, uint32_t at, uint32_t stop) {
    uint64_t left = bits[at / 64] >> at % 64;
    while (!left) {
        at = (at | 63) + 1;
        if (at >= stop) return stop;
        left = bits[at / 64];
    }
    return at + (uint32_t)__builtin_ctzll(left);
}

/* There is no word at the end of the places. */
static inline uint32_t next_clear(const uint64_t *bits, uint32_t at) {
    uint64_t left = ~bits[at / 64] >> at % 64;
    while (!left) {
        at = (at | 63) + 1;
        left = ~bits[at / 64];
    }
    return at + (uint32_t)__builtin_ctzll(left);
}

/* Counts the characters of ASCII in a text of so many bytes, puts it in lower case where it stands, and tells where words of
   ASCII and spaces are; behind it is room for STEP more. */
static Characters look_at_plain(char *s, Py_ssize_t n, Places *places) {
    memset(places, 0, sizeof(uint64_t) * 2 * PLACES);
#if defined(__SSE2__) && defined(__GNUC__)
    memset(s + n, 0, STEP);
    const __m128i none = _mm_setzero_si128();
    __m128i marks = none, digits = none, capitals = none, bars = none, questions = none;
#define BETWEEN(v, low, high) _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((low) - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8((high) + 1)))
#define EQUAL(v, c) _mm_cmpeq_epi8(v, _mm_set1_epi8(c))
#define SUM(v) ((int32_t)(_mm_cvtsi128_si32(_mm_sad_epu8(v, none)) + _mm_extract_epi16(_mm_sad_epu8(v, none), 4)))
    for (Py_ssize_t i = 0; i < n; i += STEP) {
        __m128i v = _mm_loadu_si128((const __m128i *)(s + i)), capital = BETWEEN(v, 'A', 'Z'), digit = BETWEEN(v, '0', '9');
        __m128i question = EQUAL(v, '?'), mark = _mm_or_si128(_mm_or_si128(EQUAL(v, '.'), EQUAL(v, ',')), BETWEEN(v, ':', ';'));
        __m128i small = _mm_or_si128(v, _mm_and_si128(capital, _mm_set1_epi8(32)));
        __m128i word = _mm_or_si128(_mm_or_si128(BETWEEN(small, 'a', 'z'), digit), EQUAL(v, '_'));
        marks = _mm_sub_epi8(marks, _mm_or_si128(_mm_or_si128(mark, question), EQUAL(v, '!')));
        digits = _mm_sub_epi8(digits, digit);
        capitals = _mm_sub_epi8(capitals, capital);
        bars = _mm_sub_epi8(bars, EQUAL(v, '|'));
        questions = _mm_or_si128(questions, question);
        _mm_storeu_si128((__m128i *)(s + i), small);
        places->word[(size_t)i / 64] |= (uint64_t)(uint32_t)_mm_movemask_epi8(word) << ((size_t)i % 64);
        places->space[(size_t)i / 64] |= (uint64_t)(uint32_t)_mm_movemask_epi8(EQUAL(v, ' ')) << ((size_t)i % 64);
    }
    return (Characters){SUM(marks), SUM(digits), SUM(capitals), SUM(bars), _mm_movemask_epi8(questions) != 0, 0};
#else
    uint32_t counts = 0; /* none of them comes to more than HEAD, and so to a byte */
    Characters found = {0};
    for (Py_ssize_t i = 0; i < n; i++) {
        if ((uint8_t)s[i] >= 0x80) continue;
        counts += counted_as[(uint8_t)s[i]];
        found.questions |= s[i] == '?';
        places->word[i / 64] |= (uint64_t)in_word[(uint8_t)s[i]] << i % 64;
        places->space[i / 64] |= (uint64_t)(s[i] == ' ') << i % 64;
    }
    lowered(s, s, n);
    found.marks = COUNTED(counts, OF_MARKS);
    found.digits = COUNTED(counts, OF_DIGITS);
    found.capitals = COUNTED(counts, OF_CAPITALS);
    found.bars = COUNTED(counts, OF_BARS);
    return found;
#endif
}

/* Writes a text as UTF-8, lower-case but for ASCII, and counts what is not of ASCII; -1 where a character is none of those whose
   lower case and digits are known here. */
static Py_ssize_t look_beyond_plain(PyObject *text, Py_ssize_t n, char *to, Characters *found) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    char *p = to;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 0x80) { *p++ = (char)c; continue; }
        found->marks += is_punctuation(c);
        found->capitals += is_capital(c);
        found->bars += is_separator(c);
        found->copyrights |= c == 0xA9;
        if (c <= 0xFF) c += c >= 0xC0 && c <= 0xDE && c != 0xD7 ? 32 : 0;
        else if (c >= 0x400 && c <= 0x45F) c += c < 0x410 ? 80 : c < 0x430 ? 32 : 0;
        else if (!((c >= 0x2000 && c <= 0x20FF) || (c >= 0x3000 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3))) return -1;
        p = put_utf8(p, c);
    }
    return p - to;
}

/* Adds the words beyond ASCII to the places of a text in UTF-8. */
static void place_words(const char *s, Py_ssize_t n, Places *places) {
    for (Py_ssize_t i = 0; i < n; i++) {
        if ((uint8_t)s[i] < 0x80) continue;
        int size;
        if (is_word(decode_one(s + i, &size)))
            for (Py_ssize_t k = i; k < i + size; k++) places->word[(size_t)k / 64] |= (uint64_t)1 << ((size_t)k % 64);
        i += size - 1;
    }
}

/* Counts the characters of any text; digits are those of every script. */
static Characters count_any(PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Characters found = {0};
    uint32_t counts = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 0x80) {
            counts += counted_as[c];
            found.questions |= c == '?';
            continue;
        }
        found.marks += is_punctuation(c);
        found.digits += Py_UNICODE_ISDECIMAL(c);
        found.capitals += is_capital(c);
        found.bars += is_separator(c);
        found.copyrights |= c == 0xA9;
    }
    found.marks += COUNTED(counts, OF_MARKS);
    found.digits += COUNTED(counts, OF_DIGITS);
    found.capitals += COUNTED(counts, OF_CAPITALS);
    found.bars += COUNTED(counts, OF_BARS);
    return found;
}

/* What is counted of the words of a text. */
typedef struct {
    int32_t count, in_title, in_description, in_body, known, says_ago, says_copyright;
    double sum, low, high;       /* the odds of those that are known */
    double listed, parted;       /* function words, and all words that white space parts */
} Wording;

static inline int is_word_at(const char *p, int *step) {
    *step = 1;
    return (unsigned char)*p < 0x80 ? in_word[(unsigned char)*p] : is_word(decode_one(p, step));
}

/* Counts a word; whether it is one of the function words. */
static inline int read_word(const Reader *r, Wording *w, const char *word, Py_ssize_t n, int is_whole) {
    uint32_t mark = sieve_mark(word, n);
    uint64_t hash = 0;
    double value;
    if (r->title.table.count) w->in_title += has_word(&r->title, mark, word, n, &hash);
    if (r->description.table.count) w->in_description += has_word(&r->description, mark, word, n, &hash);
    if (r->body_words.table.count) w->in_body += has_word(&r->body_words, mark, word, n, &hash);
    if (w->count < KNOWN_WORDS && sieve_marked(&r->odds->sieve, mark) && lookup_sieved(r->odds, word, n, &value) >= 0) {
        w->low = w->known && w->low < value ? w->low : value;
        w->high = w->known && w->high > value ? w->high : value;
        w->sum += value;
        w->known++;
    }
    w->count++;
    return is_whole && r->listed && sieve_marked(&r->listed->sieve, mark) && lookup_sieved(r->listed, word, n, &value) >= 0;
}

/* Counts what white space parts; `is_word` when all of it is one word, of which it is known whether it is listed. */
static inline void read_parted(const Reader *r, Wording *w, const char *s, Py_ssize_t n, int is_word, int is_listed) {
    if (n == 0 || !r->listed) return;
    w->parted++;
    w->listed += is_word ? is_listed : lookup_has(r->listed, s, n);
}

/* `lower` is a block's text, in which a single space parts words. */
static Wording read_wording(const Reader *r, const char *lower, Py_ssize_t size) {
    Wording w = {0};
    const char *p = lower, *stop = lower + size;
    while (p < stop) {
        int step;
        const char *from = p, *end = memchr(p, ' ', (size_t)(stop - p));
        int is_whole = 0, is_listed = 0; /* whether all that is parted is one word */
        if (end == NULL) end = stop;
        while (p < end) {
            if (!is_word_at(p, &step)) { p += step; continue; }
            const char *word = p;
            do { p += step; } while (p < end && is_word_at(p, &step));
            is_whole = word == from && p == end;
            is_listed = read_word(r, &w, word, p - word, is_whole);
        }
        read_parted(r, &w, from, end - from, is_whole, is_listed);
        p = end + 1;
    }
    w.says_copyright = says_copyright(lower, size);
    return w;
}

/* The same of a text whose words and spaces are known; `written` is as it is written, if it is plain. */
static Wording read_placed_wording(const Reader *r, const char *lower, uint32_t size, const Places *places, const char *written) {
    Wording w = {0};
    for (uint32_t from = 0, end; from < size; from = end + 1) {
        int is_whole = 0, is_listed = 0;
        end = next_set(places->space, from, size);
        if (end > size) end = size;
        for (uint32_t at = next_set(places->word, from, end), stop; at < end; at = next_set(places->word, stop, end)) {
            stop = next_clear(places->word, at);
            is_whole = at == from && stop == end;
            is_listed = read_word(r, &w, lower + at, stop - at, is_whole);
            if (stop - at == 3) w.says_ago |= written && memcmp(written + at, "ago", 3) == 0;
            else if (stop - at >= 9) w.says_copyright |= says_copyright(lower + at, stop - at);
        }
        read_parted(r, &w, lower + from, end - from, is_whole, is_listed);
    }
    return w;
}

/* What the text of a block says by itself, but for its copies; -1 when something went wrong. */
static int read_block(Reader *r, PyObject *text, double *row) {
    char plain[4 * HEAD + STEP];
    const char *lower = plain, *written = PyUnicode_IS_ASCII(text) ? (const char *)PyUnicode_1BYTE_DATA(text) : NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), size;
    /* Of plain text the beginning is read where it stands. */
    PyObject *head = length <= HEAD || (written && r->listed) ? Py_NewRef(text) : PyUnicode_Substring(text, 0, HEAD), *small = NULL;
    if (head == NULL) return -1;
    if (length > HEAD) length = HEAD;
    Characters characters;
    Wording w;
    int failed = 0;
    r->found = IS_NOT_THERE;
    Characters beyond = {0};
    if (written) memcpy(plain, written, (size_t)(size = length));
    else size = look_beyond_plain(head, length, plain, &beyond);
    if (size >= 0) {
        Places places;
        characters = look_at_plain(plain, size, &places);
        if (!written) place_words(plain, size, &places);
        characters.marks += beyond.marks;
        characters.capitals += beyond.capitals;
        characters.bars += beyond.bars;
        characters.copyrights = beyond.copyrights;
        w = read_placed_wording(r, plain, (uint32_t)size, &places, written);
    } else {
        characters = count_any(head);
        small = PyObject_CallMethod(head, "lower", NULL);
        lower = small ? PyUnicode_AsUTF8AndSize(small, &size) : NULL;
        if (lower == NULL) { failed = -1; goto out; }
        w = read_wording(r, lower, size);
    }
    double words = w.count ? w.count : 1;
    if (w.in_title) {
        double cover = words / r->title.table.count;
        row[TITLE_COVER] = w.in_title / words * (cover < 1.0 ? cover : 1.0);
    }
    if (words > 3) {
        if (r->description.table.count) row[DESCRIPTION_COVER] = w.in_description / words;
        if (r->body_words.table.count) {
            Py_ssize_t probe = head_bytes(lower, size, BODY_PROBE);
            r->found = search_piece(&r->body, lower, probe);
            row[BODY_COVER] = r->found == IS_THERE ? 1.0 : w.in_body / words / 2;
            if (r->found == SEARCH_FAILED) failed = -1;
        }
    }
    if (w.known) { row[WORD_MEAN] = w.sum / w.known; row[WORD_LOW] = w.low; row[WORD_HIGH] = w.high; }
    if (written) row[DATE] = w.says_ago || (characters.digits && has_date_in_plain(written, length));
    else if (characters.digits || memmem(lower, (size_t)size, "ago", 3)) row[DATE] = has_date_in(head);
    /* Of plain text only the sign, or three capitals. */
    if (characters.digits)
        row[MONEY] = written && characters.capitals < 3 ? memchr(written, '$', (size_t)length) != NULL : has_money_in(head, length);
    if (!r->listed) {
        PyObject *pair = PyObject_CallOneArg(r->measure, head);
        if (pair == NULL || !PyArg_ParseTuple(pair, "dd", &w.listed, &w.parted)) failed = -1;
        Py_XDECREF(pair);
    }
    row[PUNCTUATION] = characters.marks / words;
    row[SENTENCE_END] = ends_sentence(text);
    row[DIGITS] = (double)characters.digits / (double)length;
    row[UPPER] = (double)characters.capitals / (double)length;
    row[CAPITAL] = Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(head, 0)) != 0;
    row[COPYRIGHT] = characters.copyrights || w.says_copyright;
    row[SEPARATORS] = characters.bars;
    row[QUESTION] = characters.questions;
    row[FUNCTION_WORDS] = w.parted ? w.listed / w.parted : 0.0;
out:
    Py_DECREF(head);
    Py_XDECREF(small);
    return failed;
}

/* shape(out, title, description, body, odds, function_words, measure) -> (title block, blocks that end in "?", short blocks
   with a sum of money, short blocks with a date)

   out: float32, (SHAPES, blocks); title, description, body: str in lower case; odds: Lookup; function_words: Lookup or
   None, and measure the callable that counts where there is no list. */
PyObject *tree_shape(Tree *t, PyObject *args) {
    Py_buffer out;
    const char *title, *description, *body;
    Py_ssize_t title_size, description_size, body_size;
    PyObject *function_words, *result = NULL;
    Reader r = {0};
    if (!PyArg_ParseTuple(args, "w*s#s#s#O!OO", &out, &title, &title_size, &description, &description_size, &body, &body_size,
            &LookupType, &r.odds, &function_words, &r.measure))
        return NULL;
    if (function_words != Py_None) r.listed = (const Lookup *)function_words;
    Py_ssize_t n = t->blocks, title_at = -1;
    float *columns = out.buf;
    int32_t h1 = table_find(&t->tags, "h1", 2), questions = 0, prices = 0, dates = 0;
    int32_t *count_of = PyMem_Calloc((size_t)n + 1, sizeof *count_of), *first_of = PyMem_Malloc(sizeof *first_of * ((size_t)n + 1));
    int32_t *waiting = PyMem_Malloc(sizeof *waiting * ((size_t)n + 1));
    uint8_t *found = NULL;
    double best_title = 0.3, *covers = PyMem_Malloc(sizeof *covers * ((size_t)n + 1));
    if (!count_of || !first_of || !waiting || !covers) { PyErr_NoMemory(); goto out; }
    if (out.len != (Py_ssize_t)sizeof(float) * SHAPES * n) { PyErr_SetString(PyExc_ValueError, "out has the wrong size"); goto out; }
    if (number_texts(t) < 0 || read_words(&r.title, title, title_size) < 0
        || read_words(&r.description, description, description_size) < 0 || read_words(&r.body_words, body, body_size) < 0
        || search_init(&r.body, body, body_size, SEARCHED_SINGLY) < 0)
        goto out;
    for (Py_ssize_t b = n - 1; b >= 0; b--) {
        count_of[t->text_number[b]]++;
        first_of[t->text_number[b]] = (int32_t)b;
    }
    for (Py_ssize_t b = 0; b < n; b++) {
        PyObject *text = PyList_GET_ITEM(t->block_text, b);
        int32_t same = first_of[t->text_number[b]], copies = count_of[t->text_number[b]];
        if (same < b) {
            covers[b] = covers[same];
            waiting[b] = waiting[same];
            for (int k = 0; k < SHAPES; k++) columns[k * n + b] = columns[k * n + same];
        } else {
            double row[SHAPES] = {0};
            if (read_block(&r, text, row) < 0) goto out;
            covers[b] = row[TITLE_COVER];
            waiting[b] = r.found;
            row[COPIES] = copies < 9 ? copies : 9;
            for (int k = 0; k < SHAPES; k++) columns[k * n + b] = (float)row[k];
        }
        if (covers[b] > best_title && (title_at < 0 || t->tag[t->owner[b]] == h1)) {
            best_title = covers[b];
            title_at = b;
        }
        questions += PyUnicode_READ_CHAR(text, PyUnicode_GET_LENGTH(text) - 1) == '?'; /* no block is empty */
        if (t->block_words[b] < SHORT_BLOCK) {
            prices += columns[MONEY * n + b] > 0;
            dates += columns[DATE * n + b] > 0;
        }
    }
    if (r.body.waiting.count && (found = search_waiting(&r.body)) == NULL) goto out;
    for (Py_ssize_t b = 0; found && b < n; b++)
        if (waiting[b] >= 0 && found[waiting[b]]) columns[BODY_COVER * n + b] = 1.0f;
    result = Py_BuildValue("niii", title_at, (int)questions, (int)prices, (int)dates);
out:
    for (int k = 0; k < 3; k++) {
        Vocabulary *v = k == 0 ? &r.title : k == 1 ? &r.description : &r.body_words;
        table_free(&v->table);
        PyMem_Free(v->sieve.bits);
    }
    search_free(&r.body);
    PyMem_Free(count_of);
    PyMem_Free(first_of);
    PyMem_Free(waiting);
    PyMem_Free(found);
    PyMem_Free(covers);
    PyBuffer_Release(&out);
    return result;
}

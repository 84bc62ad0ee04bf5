/* Text blocks (blocks.segment), what their texts say (evidence._shape), and the words inside names. */

#include "native.h"

/* ---- blocks ---- */

typedef struct {
    Buffer text;
    int gap, any; /* white space is due; something was put since the block began */
} Folded;

/* Whether all white space in a text may be single spaces; no branches, so that many bytes are looked at in one step. */
static int looks_folded(const char *s, Py_ssize_t n) {
    uint8_t odd = 0;
    for (Py_ssize_t i = 0; i + 1 < n; i++) {
        uint8_t c = (uint8_t)s[i], next = (uint8_t)s[i + 1];
        /* White space beyond ASCII begins with one of four bytes. */
        odd |= (uint8_t)((c < ' ') | ((c == ' ') & (next == ' ')) | (c == 0xC2) | ((uint8_t)(c - 0xE1) < 3));
    }
    return !odd;
}

/* Append a text with its white space folded as " ".join(text.split()) would. */
static int put_folded(Folded *f, const char *s, Py_ssize_t n) {
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

/* leaning(lookup, weights, rows, out): to out, float32 (columns), the sum of the weights' rows, float32 (rows, columns), of
   the words inside class values by a lookup, each once, and of some further rows, in their order */
PyObject *tree_leaning(Tree *t, PyObject *args) {
    Lookup *lookup;
    Py_buffer weights, out;
    PyObject *further, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!y*O!w*", &LookupType, &lookup, &weights, &PyList_Type, &further, &out)) return NULL;
    Py_ssize_t columns = out.len / 4, rows = columns ? weights.len / out.len : 0;
    uint8_t *wanted = PyMem_Calloc((size_t)rows + 1, 1);
    char word[NAME_LIMIT];
    if (wanted == NULL) { PyErr_NoMemory(); goto out; }
    for (int32_t k = 1; k < t->classes.count; k++) {
        const char *s = t->classes.bytes.data + t->classes.keys[k].at;
        Py_ssize_t n = head_bytes(s, t->classes.keys[k].size, NAME_LIMIT), at = 0, size;
        while ((size = next_token(s, n, &at)) > 0) {
            double row;
            int32_t number = lookup_letters(lookup, s + at, size, word, &row);
            at += size;
            if (number >= 0 && row >= 0 && row < (double)rows) wanted[(Py_ssize_t)row] = 1;
        }
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(further); k++) {
        Py_ssize_t row = PyLong_AsSsize_t(PyList_GET_ITEM(further, k));
        if (row < 0 || row >= rows) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row"); goto out; }
        wanted[row] = 1;
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

/* matching_names(rows, beginnings) -> [(node, row)]: rows maps names, parts parted by spaces, to row numbers; beginnings the
   first part of each to how many parts the longest has that begins so. */
PyObject *tree_matching_names(Tree *t, PyObject *args) {
    Names names;
    if (!PyArg_ParseTuple(args, "O!O!", &LookupType, &names.rows, &LookupType, &names.beginnings)) return NULL;
    int32_t *row_of = PyMem_Malloc(sizeof(int32_t) * (size_t)(t->names.count + 1));
    PyObject *found = row_of ? PyList_New(0) : PyErr_NoMemory();
    for (int32_t k = 0; found && k < t->names.count; k++) {
        const char *s = t->names.bytes.data + t->names.keys[k].at;
        row_of[k] = match_names(&names, s, head_bytes(s, t->names.keys[k].size, LONGEST_VALUE)).row;
    }
    for (int32_t i = t->body + 1; found && i < t->n; i++) {
        if (t->name[i] && row_of[t->name[i]] >= 0) {
            PyObject *pair = pair_of(i, PyLong_FromLong(row_of[t->name[i]]));
            if (pair == NULL || PyList_Append(found, pair) < 0) Py_CLEAR(found);
            Py_XDECREF(pair);
        }
    }
    PyMem_Free(row_of);
    return found;
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
        double distance = t->depth[i] > mean ? t->depth[i] - mean : mean - t->depth[i];
        if (children[i] && distance > furthest) furthest = distance;
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
#define BODY_PROBE 60
#define KNOWN_WORDS 25

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
static const uint8_t is_blank[128] = {[9 ... 13] = 1, [28 ... 31] = 1, [' '] = 1};

static inline int is_word(Py_UCS4 c) {
    if (c < 0x80) return in_word[c];
    /* What most texts have, without asking Python: letters of Europe, and signs. */
    if (c >= 0xC0 && c <= 0x24F) return c != 0xD7 && c != 0xF7;
    if (c >= 0x2000 && c < 0x2070) return 0;
    return Py_UNICODE_ISALNUM(c);
}

/* A text in lower case, as UTF-8 of at most four bytes a character; -1 where a character is none of those whose lower case
   and digits are known here. */
static Py_ssize_t lowered_plainly(PyObject *text, char *to) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    char *p = to;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 0x80) { *p++ = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); continue; }
        if (c <= 0xFF) c += c >= 0xC0 && c <= 0xDE && c != 0xD7 ? 32 : 0;
        else if (c >= 0x400 && c <= 0x45F) c += c < 0x410 ? 80 : c < 0x430 ? 32 : 0;
        else if (!((c >= 0x2000 && c <= 0x20FF) || (c >= 0x3000 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3))) return -1;
        p = put_utf8(p, c);
    }
    return p - to;
}

/* Whether a text in lower case has the word in it, anywhere: its fourth letter is the rarest. */
static int says_copyright(const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    for (const char *y = s; (y = memchr(y, 'y', (size_t)(stop - y))) != NULL; y++)
        if (y - s >= 3 && stop - y >= 6 && memcmp(y - 3, "copyright", 9) == 0) return 1;
    return 0;
}

static int ends_sentence(PyObject *text, int32_t *questions) {
    Py_ssize_t i = PyUnicode_GET_LENGTH(text);
    *questions += i > 0 && PyUnicode_READ_CHAR(text, i - 1) == '?';
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

/* page_marks.MONEY: a currency's sign or letters. */
static int has_money_in(PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
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

static inline int has_word(const Vocabulary *v, uint32_t mark, const char *s, Py_ssize_t n) {
    return sieve_marked(&v->sieve, mark) && table_find(&v->table, s, n) >= 0;
}

/* Gives every block the number of its text: copies share it. */
int number_texts(Tree *t) {
    if (t->text_number != NULL) return 0;
    Table texts = {0};
    int failed = table_init(&texts, t->blocks + 1) < 0;
    t->text_number = PyMem_Malloc(sizeof(int32_t) * (size_t)(t->blocks + 1));
    if (t->text_number == NULL) { PyErr_NoMemory(); failed = 1; }
    for (int32_t b = 0; !failed && b < t->blocks; b++) {
        Py_ssize_t size;
        const char *s = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(t->block_text, b), &size);
        int fresh;
        failed = s == NULL || (t->text_number[b] = table_put(&texts, s, size, &fresh)) < 0;
    }
    table_free(&texts);
    if (failed) { PyMem_Free(t->text_number); t->text_number = NULL; }
    return failed ? -1 : 0;
}

/* shape(out, title, description, body, odds, function_words, measure) -> (title block, blocks that end in "?")

   out: float32, (SHAPES, blocks); title, description, body: str in lower case; odds: Lookup; function_words: Lookup or
   None, and measure the callable that counts where there is no list. */
PyObject *tree_shape(Tree *t, PyObject *args) {
    Py_buffer out;
    Lookup *odds;
    PyObject *function_words, *measure;
    const char *told[3], *body;
    Py_ssize_t told_size[3], body_size;
    if (!PyArg_ParseTuple(args, "w*s#s#s#O!OO", &out, &told[0], &told_size[0], &told[1], &told_size[1], &told[2], &told_size[2],
            &LookupType, &odds, &function_words, &measure))
        return NULL;
    body = told[2];
    body_size = told_size[2];
    Py_ssize_t n = t->blocks;
    if (out.len != (Py_ssize_t)sizeof(float) * SHAPES * n) {
        PyBuffer_Release(&out);
        PyErr_SetString(PyExc_ValueError, "out has the wrong size");
        return NULL;
    }
    float *columns = out.buf;
    Lookup *listed = function_words == Py_None ? NULL : (Lookup *)function_words;
    int32_t h1 = table_find(&t->tags, "h1", 2);
    double best_title = 0.3;
    Py_ssize_t best_title_at = -1;
    Vocabulary vocabularies[3] = {0}, *title = &vocabularies[0], *description = &vocabularies[1], *body_words = &vocabularies[2];
    int32_t *count_of = PyMem_Calloc((size_t)(n + 1), sizeof(int32_t));
    char plain[4 * HEAD];
    int failed = 1;
    int32_t questions = 0;
    if (count_of == NULL || number_texts(t) < 0) { if (!PyErr_Occurred()) PyErr_NoMemory(); goto out; }
    for (int k = 0; k < 3; k++) if (read_words(&vocabularies[k], told[k], told_size[k]) < 0) goto out;
    for (Py_ssize_t b = 0; b < n; b++) count_of[t->text_number[b]]++;
    for (Py_ssize_t b = 0; b < n; b++) {
        PyObject *text = PyList_GET_ITEM(t->block_text, b), *head = NULL, *small = NULL;
        Py_ssize_t length = PyUnicode_GET_LENGTH(text), size;
        const char *lower = plain;
        double row[SHAPES] = {0};
        int32_t punctuation = 0, digits = 0, upper = 0, separators = 0, question = 0;
        if (length <= HEAD) { head = text; Py_INCREF(head); }
        else if ((head = PyUnicode_Substring(text, 0, HEAD)) == NULL) goto out;
        if (length > HEAD) length = HEAD;
        int is_ascii = PyUnicode_IS_ASCII(head), has_copyright = 0;
        const char *written = is_ascii ? (const char *)PyUnicode_1BYTE_DATA(head) : NULL;
        if (is_ascii) {
            uint32_t counts = 0; /* none of them comes to more than HEAD, and so to a byte */
            for (Py_ssize_t i = 0; i < length; i++) counts += counted_as[(uint8_t)written[i]];
            for (Py_ssize_t i = 0; i < length; i++) plain[i] = (char)(written[i] + (written[i] >= 'A' && written[i] <= 'Z' ? 32 : 0));
            punctuation = COUNTED(counts, OF_MARKS);
            digits = COUNTED(counts, OF_DIGITS);
            upper = COUNTED(counts, OF_CAPITALS);
            separators = COUNTED(counts, OF_BARS);
            question = punctuation && memchr(written, '?', (size_t)length) != NULL;
            size = length;
        } else {
            int kind = PyUnicode_KIND(head);
            const void *data = PyUnicode_DATA(head);
            size = lowered_plainly(head, plain);
            for (Py_ssize_t i = 0; i < length; i++) {
                Py_UCS4 c = PyUnicode_READ(kind, data, i);
                punctuation += is_punctuation(c);
                digits += c < 0x80 ? c >= '0' && c <= '9' : size < 0 && Py_UNICODE_ISDECIMAL(c);
                upper += is_capital(c);
                separators += is_separator(c);
                question |= c == '?';
                has_copyright |= c == 0xA9;
            }
            if (size < 0) {
                small = PyObject_CallMethod(head, "lower", NULL);
                lower = small ? PyUnicode_AsUTF8AndSize(small, &size) : NULL;
                if (lower == NULL) { Py_DECREF(head); Py_XDECREF(small); goto out; }
            }
        }
        /* Words. */
        int32_t count = 0, in_title = 0, in_description = 0, in_body = 0, known = 0;
        double sum = 0, low = 0, high = 0;
        int says_ago = 0;
        const char *p = lower, *stop = lower + size;
        while (p < stop) {
            int step = 1;
            if ((unsigned char)*p < 0x80 ? !in_word[(unsigned char)*p] : !is_word(decode_one(p, &step))) { p += step; continue; }
            const char *word = p;
            do {
                p += step;
                step = 1;
            } while (p < stop && ((unsigned char)*p < 0x80 ? in_word[(unsigned char)*p] : is_word(decode_one(p, &step))));
            Py_ssize_t word_size = p - word;
            uint32_t mark = sieve_mark(word, word_size);
            in_title += has_word(title, mark, word, word_size);
            in_description += has_word(description, mark, word, word_size);
            in_body += has_word(body_words, mark, word, word_size);
            if (count < KNOWN_WORDS && sieve_marked(&odds->sieve, mark)) {
                double value;
                if (lookup_sieved(odds, word, word_size, &value) >= 0) {
                    low = known && low < value ? low : value;
                    high = known && high > value ? high : value;
                    sum += value;
                    known++;
                }
            }
            says_ago |= is_ascii && word_size == 3 && memcmp(written + (word - lower), "ago", 3) == 0;
            count++;
        }
        double words = count ? count : 1;
        if (in_title) {
            double cover = words / title->table.count;
            row[TITLE_COVER] = in_title / words * (cover < 1.0 ? cover : 1.0);
            if (row[TITLE_COVER] > best_title && (best_title_at < 0 || t->tag[t->owner[b]] == h1)) {
                best_title = row[TITLE_COVER];
                best_title_at = b;
            }
        }
        if (words > 3) {
            if (description->table.count) row[DESCRIPTION_COVER] = in_description / words;
            if (body_words->table.count) {
                Py_ssize_t probe = head_bytes(lower, size, BODY_PROBE);
                row[BODY_COVER] = memmem(body, (size_t)body_size, lower, (size_t)probe) ? 1.0 : in_body / words / 2;
            }
        }
        if (known) { row[WORD_MEAN] = sum / known; row[WORD_LOW] = low; row[WORD_HIGH] = high; }
        int has_date = 0, has_money = 0;
        if (is_ascii && !digits) has_date = says_ago;
        else if (digits || memmem(lower, (size_t)size, "ago", 3)) has_date = has_date_in(head);
        if (digits) has_money = has_money_in(head);
        /* Function words. */
        double hits = 0, all = 0;
        if (listed) {
            p = lower;
            while (p < stop) {
                int step = 1;
                if ((unsigned char)*p < 0x80 ? is_blank[(unsigned char)*p] : Py_UNICODE_ISSPACE(decode_one(p, &step))) { p += step; continue; }
                const char *word = p;
                do {
                    p += step;
                    step = 1;
                } while (p < stop && !((unsigned char)*p < 0x80 ? is_blank[(unsigned char)*p] : Py_UNICODE_ISSPACE(decode_one(p, &step))));
                hits += lookup_has(listed, word, p - word);
                all++;
            }
        } else {
            PyObject *pair = PyObject_CallOneArg(measure, head);
            if (pair == NULL || !PyArg_ParseTuple(pair, "dd", &hits, &all)) has_date = -1;
            Py_XDECREF(pair);
        }
        row[PUNCTUATION] = punctuation / words;
        row[SENTENCE_END] = ends_sentence(text, &questions);
        row[DIGITS] = (double)digits / (double)length;
        row[UPPER] = (double)upper / (double)length;
        row[CAPITAL] = Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(head, 0)) != 0;
        row[DATE] = has_date;
        row[MONEY] = has_money;
        row[COPYRIGHT] = has_copyright || says_copyright(lower, size);
        row[SEPARATORS] = separators;
        row[QUESTION] = question;
        int32_t copies = count_of[t->text_number[b]];
        row[COPIES] = copies < 9 ? copies : 9;
        row[FUNCTION_WORDS] = all ? hits / all : 0.0;
        Py_DECREF(head);
        Py_XDECREF(small);
        if (has_date < 0) goto out;
        for (int k = 0; k < SHAPES; k++) columns[k * n + b] = (float)row[k];
    }
    failed = 0;
out:
    for (int k = 0; k < 3; k++) { table_free(&vocabularies[k].table); PyMem_Free(vocabularies[k].sieve.bits); }
    PyMem_Free(count_of);
    PyBuffer_Release(&out);
    return failed ? NULL : Py_BuildValue("ni", best_title_at, (int)questions);
}

/* What the text of each block says by itself: the rows of evidence.WORDING. */

#include "native.h"

#define HEAD 200                  /* characters of a block that are read */
#define BODY_PROBE 60             /* characters that are searched in the page's structured data */
#define KNOWN_WORDS 25            /* words of a block whose odds count */
#define SHORT_BLOCK 8             /* words: a price or a date in a shorter block is a label's, not one in a sentence */
#define LONGEST_TERM 15           /* bytes */
#define MOST_SAID 20000           /* words of short blocks: a text without white space is one word by count, and may hold millions */
#define LEAST_TITLE 0.3           /* a block that repeats less of the title is not the title */

/* In the order of evidence.WORDING. */
enum { PUNCTUATION, SENTENCE_END, DIGITS, UPPER, CAPITAL, DATE, MONEY, COPYRIGHT, SEPARATORS, QUESTION, COPIES,
    TITLE_COVER, DESCRIPTION_COVER, BODY_COVER, WORD_MEAN, WORD_LOW, WORD_HIGH, FUNCTION_WORDS, ROWS };

/* ---- characters, by the classes that evidence.CHARACTERS puts them in ---- */

enum { OF_MARKS, OF_SEPARATORS, OF_MONEY, OF_DATE, OF_COPYRIGHT, OF_QUESTION, OF_CAPITALS, OF_ENDING, OF_CLOSING, OF_DIGITS };

typedef struct {
    Py_UCS4 c;
    uint32_t classes;
} Character;

#define CHARACTERS 512 /* places for those beyond ASCII, at least a half of them free */

typedef struct {
    uint32_t plain[128];
    Character wide[CHARACTERS];
} Classes;

static inline Character *character_at(Classes *classes, Py_UCS4 c) {
    uint32_t at = c * 0x9E3779B1u >> 23;
    while (classes->wide[at].c && classes->wide[at].c != c) at = (at + 1) % CHARACTERS;
    return &classes->wide[at];
}

/* sets: the characters of each class, a tuple of str */
static int read_classes(PyObject *sets, Classes *classes) {
    Py_ssize_t count = 0;
    memset(classes, 0, sizeof *classes);
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(sets); k++) {
        PyObject *set = PyTuple_GET_ITEM(sets, k);
        if (PyUnicode_GetLength(set) < 0) return -1;
        count += PyUnicode_GET_LENGTH(set);
        if (k >= OF_DIGITS || count > CHARACTERS / 2) { PyErr_SetString(PyExc_ValueError, "there are too many characters"); return -1; }
        for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(set); i++) {
            Py_UCS4 c = PyUnicode_READ_CHAR(set, i);
            if (c < 0x80) classes->plain[c] |= 1u << k;
            else *character_at(classes, c) = (Character){c, character_at(classes, c)->classes | 1u << k};
        }
    }
    for (int c = '0'; c <= '9'; c++) classes->plain[c] |= 1u << OF_DIGITS;
    return 0;
}

static inline int is_decimal(Py_UCS4 c) {
    if (c < 0x660) return c >= '0' && c <= '9';
    return (c < 0x1C5A || c >= 0xA620) && Py_UNICODE_ISDECIMAL(c); /* between them, where Chinese is, there are none */
}

static inline uint32_t classes_of(Classes *classes, Py_UCS4 c) {
    return c < 0x80 ? classes->plain[c] : character_at(classes, c)->classes | (uint32_t)is_decimal(c) << OF_DIGITS;
}

static const uint8_t in_word[128] = {['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1, ['_'] = 1};

static inline int is_word(Py_UCS4 c) {
    if (c < 0x80) return in_word[c];
    /* Common characters, without a call: letters of Europe, and signs. */
    if (c >= 0xC0 && c <= 0x24F) return c != 0xD7 && c != 0xF7;
    if (c >= 0x2000 && c < 0x2070) return 0;
    return Py_UNICODE_ISALNUM(c);
}

static inline Py_UCS4 lower_of(Py_UCS4 c) {
    if (c < 0x80) return is_upper((char)c) ? c + 32 : c;
    if (c >= 0x2E80 && c < 0xA000) return c;
    return Py_UNICODE_TOLOWER(c);
}

/* The beginning of a text: its characters and, in lower case, their bytes. */
typedef struct {
    int32_t size;
    int is_odd; /* whether lower case depends on more than single characters */
    Py_UCS4 c[2 * HEAD + 1];
    uint8_t word[2 * HEAD + 1];
    uint16_t at[2 * HEAD + 1]; /* where the bytes of each character begin */
    char lower[8 * HEAD + 4];
} Head;

static void read_head(Head *h, PyObject *text, Py_ssize_t most) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    char *to = h->lower;
    h->size = (int32_t)(size < most ? size : most);
    h->is_odd = 0;
    int32_t plain = PyUnicode_IS_ASCII(text) ? h->size : 0;
    for (int32_t i = 0; i < plain; i++) {
        uint8_t c = ((const uint8_t *)data)[i];
        h->c[i] = c;
        h->at[i] = (uint16_t)i;
        h->lower[i] = (char)(c + 32 * (c >= 'A' && c <= 'Z'));
    }
    for (int32_t i = 0; i < plain; i++) h->word[i] = in_word[((const uint8_t *)data)[i]];
    to += plain;
    for (int32_t i = plain; i < h->size; i++) {
        Py_UCS4 c = h->c[i] = PyUnicode_READ(kind, data, i);
        h->at[i] = (uint16_t)(to - h->lower);
        h->word[i] = (uint8_t)is_word(c);
        if (c < 0x80) *to++ = (char)lower_of(c);
        else {
            h->is_odd |= c == 0x130 || c == 0x3A3; /* a dotted capital I becomes two characters, a sigma differs at a word's end */
            to = put_utf8(to, lower_of(c));
        }
    }
    h->c[h->size] = h->word[h->size] = 0;
    h->at[h->size] = (uint16_t)(to - h->lower);
}

static int ends_sentence(PyObject *text, Classes *classes) {
    Py_ssize_t i = PyUnicode_GET_LENGTH(text);
    uint32_t last = 0;
    while (i > 0 && (last = classes_of(classes, PyUnicode_READ_CHAR(text, i - 1))) & 1u << OF_CLOSING) i--;
    return i > 0 && (last & 1u << OF_ENDING);
}

/* Whether there is a year, or two numbers of one or two digits with a point, slash or colon between them. */
static int has_numeric_date(const Head *h) {
#define IS_DECIMAL(k) ((k) < h->size && is_decimal(h->c[k]))
    for (int32_t i = 0; i < h->size; i++) {
        if (!h->word[i] || (i && h->word[i - 1]) || !IS_DECIMAL(i)) continue;
        Py_UCS4 c = h->c[i], next = h->c[i + 1];
        if (((c == '1' && next == '9') || (c == '2' && next == '0')) && IS_DECIMAL(i + 2) && IS_DECIMAL(i + 3) && !h->word[i + 4]) return 1;
        int32_t k = i + 1 + IS_DECIMAL(i + 1);
        if ((h->c[k] == '.' || h->c[k] == '/' || h->c[k] == ':') && IS_DECIMAL(k + 1) && !h->word[k + 2 + IS_DECIMAL(k + 2)]) return 1;
    }
    return 0;
}

/* ---- words ---- */

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

static void vocabulary_free(Vocabulary *v) {
    table_free(&v->table);
    PyMem_Free(v->sieve.bits);
}

/* A word, and its hash once it is needed. */
typedef struct {
    const char *s;
    Py_ssize_t n;
    uint32_t mark;
    uint64_t hash;
} Word;

static inline int may_have(const Sieve *sieve, Word *word) {
    if (!sieve_marked(sieve, word->mark)) return 0;
    if (!word->hash) word->hash = hash_bytes(word->s, word->n);
    return 1;
}

static inline int has_word(const Vocabulary *v, Word *word) {
    return v->table.count && may_have(&v->sieve, word) && table_find_hashed(&v->table, word->s, word->n, word->hash) >= 0;
}

/* The place of a word in a lookup, -1 if it is not there. */
static inline int32_t place_of(const Lookup *l, Word *word) {
    return may_have(&l->sieve, word) ? lookup_sieved(l, word->hash) : -1;
}

/* What the texts of blocks are read with. */
typedef struct {
    Vocabulary title, description, body_words;
    Phrases probes; /* the first words of blocks, which are looked for in the structured data */
    int32_t probe;  /* the block's, -1 for none */
    Classes classes;
    Head head, lowered;
    const Lookup *odds, *terms, *listed; /* terms: words as they are written; listed: function words, or NULL where `measure` counts */
    const char *notice;
    Py_ssize_t notice_size;
    PyObject *measure;
} Reader;

enum { IS_DATE = 1, IS_MONEY = 2 }; /* what a term is */

/* What is counted of the words of a text. */
typedef struct {
    int32_t count, in_title, in_description, in_body, known, has_notice;
    double sum, low, high; /* the odds of those that are known */
    double listed, parted; /* function words, and all words that white space separates */
} Counted;

/* Counts a word; returns whether it is one of the function words. */
static inline int count_word(const Reader *r, Counted *w, const char *s, Py_ssize_t n) {
    Word word = {s, n, sieve_mark(s, n), 0};
    w->in_title += has_word(&r->title, &word);
    w->in_description += has_word(&r->description, &word);
    w->in_body += has_word(&r->body_words, &word);
    int32_t known = w->count < KNOWN_WORDS ? place_of(r->odds, &word) : -1;
    if (known >= 0) {
        double value = r->odds->entries[known].value;
        w->low = w->known && w->low < value ? w->low : value;
        w->high = w->known && w->high > value ? w->high : value;
        w->sum += value;
        w->known++;
    }
    w->count++;
    if (n >= r->notice_size) w->has_notice |= memmem(s, (size_t)n, r->notice, (size_t)r->notice_size) != NULL;
    return r->listed && place_of(r->listed, &word) >= 0;
}

/* In the text of a block a single space separates words; what it separates may be several words in our sense. */
static Counted count_words(const Reader *r, const Head *h) {
    Counted w = {0};
    for (int32_t from = 0, i = 0; from < h->size; from = ++i) {
        int is_whole = 0, is_listed = 0;
        while (i < h->size && h->c[i] != ' ') {
            if (!h->word[i]) { i++; continue; }
            int32_t word = i;
            while (h->word[i]) i++;
            is_whole = word == from && (i == h->size || h->c[i] == ' ');
            is_listed = count_word(r, &w, h->lower + h->at[word], h->at[i] - h->at[word]);
        }
        if (i == from || !r->listed) continue;
        w.parted++;
        w.listed += is_whole ? is_listed : lookup_has(r->listed, h->lower + h->at[from], h->at[i] - h->at[from]);
    }
    return w;
}

/* The kinds of the terms in a text. */
static int terms_in(const Reader *r, const Head *h) {
    int found = 0;
    for (int32_t i = 0; i < h->size; i++) {
        int32_t from = i;
        while (h->word[i]) i++;
        if (i == from || i - from > r->terms->longest) continue;
        char written[LONGEST_TERM];
        uint32_t all = 0;
        for (int32_t k = from; k < i; k++) { all |= h->c[k]; written[k - from] = (char)h->c[k]; }
        double kind;
        if (all < 0x80 && lookup_value(r->terms, written, i - from, &kind) >= 0) found |= (int)kind;
    }
    return found;
}

/* What the text of a block says by itself, except for its copies; -1 after an error. */
static int read_block(Reader *r, PyObject *text, double *row) {
    const Head *head = &r->head, *small = head;
    uint32_t counts[OF_DIGITS + 1] = {0};
    int failed = 0;
    r->probe = -1;
    read_head(&r->head, text, HEAD);
    for (int32_t i = 0; i < head->size; i++)
        for (uint32_t left = classes_of(&r->classes, head->c[i]); left; left &= left - 1) counts[__builtin_ctz(left)]++;
    if (head->is_odd) {
        PyObject *start = PyUnicode_Substring(text, 0, HEAD), *lower = start ? PyObject_CallMethod(start, "lower", NULL) : NULL;
        if (lower) read_head(&r->lowered, lower, 2 * HEAD);
        Py_XDECREF(start);
        Py_XDECREF(lower);
        if (lower == NULL) return -1;
        small = &r->lowered;
    }
    Counted w = count_words(r, small);
    double words = w.count ? w.count : 1;
    if (w.in_title) {
        double cover = words / r->title.table.count;
        row[TITLE_COVER] = w.in_title / words * (cover < 1.0 ? cover : 1.0);
    }
    if (words > 3) {
        if (r->description.table.count) row[DESCRIPTION_COVER] = w.in_description / words;
        if (r->body_words.table.count) {
            int fresh;
            r->probe = table_put(&r->probes.texts, small->lower, small->at[small->size < BODY_PROBE ? small->size : BODY_PROBE], &fresh);
            row[BODY_COVER] = w.in_body / words / 2;
            if (r->probe < 0) failed = -1;
        }
    }
    if (w.known) { row[WORD_MEAN] = w.sum / w.known; row[WORD_LOW] = w.low; row[WORD_HIGH] = w.high; }
    if (!r->listed) {
        PyObject *start = PyUnicode_Substring(text, 0, HEAD), *pair = start ? PyObject_CallOneArg(r->measure, start) : NULL;
        if (pair == NULL || !PyArg_ParseTuple(pair, "dd", &w.listed, &w.parted)) failed = -1;
        Py_XDECREF(start);
        Py_XDECREF(pair);
    }
    int terms = terms_in(r, head), has_digits = counts[OF_DIGITS] > 0;
    row[DATE] = (terms & IS_DATE) || (has_digits && (counts[OF_DATE] || has_numeric_date(head)));
    row[MONEY] = has_digits && (counts[OF_MONEY] || (terms & IS_MONEY));
    row[PUNCTUATION] = counts[OF_MARKS] / words;
    row[SENTENCE_END] = ends_sentence(text, &r->classes);
    row[DIGITS] = (double)counts[OF_DIGITS] / head->size;
    row[UPPER] = (double)counts[OF_CAPITALS] / head->size;
    row[CAPITAL] = Py_UNICODE_ISUPPER(head->c[0]) != 0;
    row[COPYRIGHT] = counts[OF_COPYRIGHT] || w.has_notice;
    row[SEPARATORS] = counts[OF_SEPARATORS];
    row[QUESTION] = counts[OF_QUESTION] > 0;
    row[FUNCTION_WORDS] = w.parted ? w.listed / w.parted : 0.0;
    return failed;
}

/* wording(columns, from, rows, title, description, body, odds, characters, terms, notice, function_words, measure)
   -> (title block or -1, blocks that end in "?", short blocks with a sum of money, short blocks with a date)

   columns: float32 (features, blocks), of which so many rows are written from one on; title, description, body, notice: str
   in lower case; characters: the sets of evidence.CHARACTERS; odds, terms: Lookup; function_words: Lookup, or None where measure() counts them */
PyObject *tree_wording(Tree *t, PyObject *args) {
    Py_buffer out;
    const char *title, *description, *body;
    Py_ssize_t from, rows, title_size, description_size, body_size, n = t->blocks, title_at = -1;
    PyObject *characters, *function_words, *result = NULL;
    int32_t h1 = table_find(&t->tags, "h1", 2), questions = 0, prices = 0, dates = 0, *count_of, *first_of, *probes;
    uint8_t *found = NULL;
    double best_title = LEAST_TITLE, *covers;
    Memory memory = {0};
    Reader *r = PyMem_Calloc(1, sizeof *r);
    if (r == NULL) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "w*nns#s#s#O!O!O!s#OO", &out, &from, &rows, &title, &title_size, &description, &description_size, &body,
            &body_size, &LookupType, &r->odds, &PyTuple_Type, &characters, &LookupType, &r->terms, &r->notice, &r->notice_size,
            &function_words, &r->measure)) {
        PyMem_Free(r);
        return NULL;
    }
    if (rows != ROWS || from < 0 || n < 1 || out.len / 4 / n < from + ROWS || !r->notice_size
        || (function_words != Py_None && !PyObject_TypeCheck(function_words, &LookupType))) {
        PyErr_Format(PyExc_ValueError, "a table with room for %d rows of wording is needed", ROWS);
        goto out;
    }
    if (function_words != Py_None) r->listed = (const Lookup *)function_words;
    if (r->terms->longest > LONGEST_TERM) { PyErr_SetString(PyExc_ValueError, "a term is too long"); goto out; }
    float *columns = (float *)out.buf + from * n;
    count_of = memory_new(&memory, n, sizeof *count_of);
    first_of = memory_new(&memory, n, sizeof *first_of);
    probes = memory_new(&memory, n, sizeof *probes);
    covers = memory_new(&memory, n, sizeof *covers);
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    if (read_classes(characters, &r->classes) < 0 || read_words(&r->title, title, title_size) < 0
        || read_words(&r->description, description, description_size) < 0 || read_words(&r->body_words, body, body_size) < 0
        || table_init(&r->probes.texts, 0) < 0)
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
            probes[b] = probes[same];
            for (int k = 0; k < ROWS; k++) columns[k * n + b] = columns[k * n + same];
        } else {
            double row[ROWS] = {0};
            if (read_block(r, text, row) < 0) goto out;
            covers[b] = row[TITLE_COVER];
            probes[b] = r->probe;
            row[COPIES] = copies < 9 ? copies : 9;
            for (int k = 0; k < ROWS; k++) columns[k * n + b] = (float)row[k];
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
    if (r->probes.texts.count && (index_phrases(&r->probes) < 0 || (found = find_phrases(&r->probes, body, body_size)) == NULL)) goto out;
    for (Py_ssize_t b = 0; found && b < n; b++)
        if (probes[b] >= 0 && found[probes[b]]) columns[BODY_COVER * n + b] = 1.0f;
    result = Py_BuildValue("niii", title_at, (int)questions, (int)prices, (int)dates);
out:
    vocabulary_free(&r->title); vocabulary_free(&r->description); vocabulary_free(&r->body_words);
    phrases_free(&r->probes);
    memory_free(&memory);
    PyMem_Free(found);
    PyMem_Free(r);
    PyBuffer_Release(&out);
    return result;
}

/* spoken(most, longest, whole, single) -> [str]: what the blocks of at most so many words say, in lower case: all of a text that has
   at most so many characters, with a 0 for each number in it; and all words but numbers. These begin with one of two prefixes. */
PyObject *tree_spoken(Tree *t, PyObject *args) {
    const char *whole, *single;
    Py_ssize_t most, longest, whole_size, single_size;
    if (!PyArg_ParseTuple(args, "nns#s#", &most, &longest, &whole, &whole_size, &single, &single_size)) return NULL;
    Buffer out = {0};
    uint8_t *is_said = PyMem_Calloc((size_t)t->blocks + 1, 1);
    PyObject *found = is_said ? PyList_New(0) : PyErr_NoMemory();
    for (int32_t b = 0; found && b < t->blocks && PyList_GET_SIZE(found) < MOST_SAID; b++) {
        if (t->block_words[b] < 1 || t->block_words[b] > most || is_said[t->text_number[b]]) continue;
        is_said[t->text_number[b]] = 1;
        PyObject *text = PyList_GET_ITEM(t->block_text, b);
        text = PyUnicode_IS_ASCII(text) ? Py_NewRef(text) : PyObject_CallMethod(text, "lower", NULL);
        Py_ssize_t size = text ? PyUnicode_GET_LENGTH(text) : 0;
        int failed = text == NULL || buffer_reserve(&out, whole_size + single_size + 4 * size) < 0;
        if (!failed && size <= longest) {
            char *to = (char *)memcpy(out.data, whole, (size_t)whole_size) + whole_size;
            for (Py_ssize_t i = 0, after_digit = 0, is_digit; i < size; i++, after_digit = is_digit) {
                Py_UCS4 c = lower_of(PyUnicode_READ_CHAR(text, i));
                if (!(is_digit = is_decimal(c)) || !after_digit) to = put_utf8(to, is_digit ? '0' : c);
            }
            failed = append_new(found, PyUnicode_DecodeUTF8(out.data, to - out.data, NULL));
        }
        if (!failed) memcpy(out.data, single, (size_t)single_size);
        for (Py_ssize_t i = 0; !failed && i < size && PyList_GET_SIZE(found) < MOST_SAID; i++) {
            char *to = out.data + single_size;
            int is_number = 1;
            for (Py_UCS4 c; i < size && is_word(c = lower_of(PyUnicode_READ_CHAR(text, i))); i++, to = put_utf8(to, c)) is_number &= Py_UNICODE_ISDIGIT(c);
            if (!is_number) failed = append_new(found, PyUnicode_DecodeUTF8(out.data, to - out.data, NULL));
        }
        Py_XDECREF(text);
        if (failed) Py_CLEAR(found);
    }
    PyMem_Free(is_said); PyMem_Free(out.data);
    return found;
}

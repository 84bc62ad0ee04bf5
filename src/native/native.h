/* What the parts of the compiled core share. */

#ifndef DURAMEN_NATIVE_H
#define DURAMEN_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#ifndef _WIN32
#include <strings.h>
#else
#define strncasecmp _strnicmp
/* Windows has no memmem. */
static inline void *memmem(const void *where, size_t size, const void *what, size_t length) {
    const char *s = where;
    if (length == 0) return (void *)s;
    for (const char *stop = s + size; (size_t)(stop - s) >= length; s++) {
        s = memchr(s, *(const char *)what, (size_t)(stop - s) - length + 1);
        if (s == NULL) return NULL;
        if (memcmp(s, what, length) == 0) return (void *)s;
    }
    return NULL;
}
#endif

/* All memory of the core may be taken while the interpreter lock is released. */
#define PyMem_Malloc PyMem_RawMalloc
#define PyMem_Calloc PyMem_RawCalloc
#define PyMem_Realloc PyMem_RawRealloc
#define PyMem_Free PyMem_RawFree
/* PyErr_NoMemory() for such code. */
void no_memory(void);

/* What all types of the core have in common. */
#define TYPE(name, structure, flags, doc) \
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native" "." #name, .tp_basicsize = sizeof(structure), \
    .tp_flags = Py_TPFLAGS_DEFAULT | (flags), .tp_doc = PyDoc_STR(doc)

/* ---- text as UTF-8 ---- */

static inline int is_plain_space(unsigned char c) {
    return c <= ' ' && (0x1F0003E00ull >> c & 1); /* 9 to 13, 28 to 32: a single comparison where most are letters */
}

#define EACH(byte) (0x0101010101010101ull * (byte)) /* eight of them */

/* Where the word at `s` ends: at white space, or with the text. Eight bytes at a time, as long as none may be white space. */
static inline const char *word_end(const char *s, const char *stop) {
    for (uint64_t eight; stop - s >= 8; s += 8) {
        memcpy(&eight, s, 8);
        uint64_t low = (eight - 0x2121212121212121ull) & ~eight & 0x8080808080808080ull; /* bytes up to ' ', and maybe next ones */
        if (!low) continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        s += __builtin_ctzll(low) / 8;
#endif
        break;
    }
    while (s < stop && !is_plain_space((unsigned char)*s)) s++;
    return s;
}

static inline int is_html_space(char c) { return (unsigned char)c <= ' ' && (0x100003600ull >> c & 1); /* 9, 10, 12, 13, 32 */ }

/* One code point; the bytes come from Python's own encoder, so they are well formed. */
static inline Py_UCS4 decode_one(const char *s, int *size) {
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) { *size = 1; return u[0]; }
    if (u[0] < 0xE0) { *size = 2; return ((Py_UCS4)(u[0] & 0x1F) << 6) | (u[1] & 0x3F); }
    if (u[0] < 0xF0) { *size = 3; return ((Py_UCS4)(u[0] & 0x0F) << 12) | ((Py_UCS4)(u[1] & 0x3F) << 6) | (u[2] & 0x3F); }
    *size = 4;
    return ((Py_UCS4)(u[0] & 0x07) << 18) | ((Py_UCS4)(u[1] & 0x3F) << 12) | ((Py_UCS4)(u[2] & 0x3F) << 6) | (u[3] & 0x3F);
}

/* Whether the character at `s` is white space, as str.isspace() has it; *size is that of the character. */
static inline int is_space_at(const char *s, int *size) {
    *size = 1;
    return (unsigned char)*s < 0x80 ? is_plain_space((unsigned char)*s) : Py_UNICODE_ISSPACE(decode_one(s, size));
}

#define EACH_BYTE 0x0101010101010101ull

/* Whether the eight bytes at `s`, which are read into one number, are printable ASCII. */
static inline int are_printable(const char *s, uint64_t *eight) {
    memcpy(eight, s, 8);
    return !((*eight | (*eight + EACH_BYTE) | (*eight - EACH_BYTE * ' ')) & EACH_BYTE << 7);
}

/* How many bytes from `s` on are printable ASCII. */
static inline Py_ssize_t printable_bytes(const char *s, const char *stop) {
    const char *start = s;
    for (uint64_t eight; stop - s >= 8 && are_printable(s, &eight);) s += 8;
    while (s < stop && *s >= ' ' && *s < 127) s++;
    return s - start;
}

/* Writes one code point; returns where the next one goes, at most four bytes on. */
static inline char *put_utf8(char *to, Py_UCS4 c) {
    if (c < 0x80) *to++ = (char)c;
    else if (c < 0x800) { *to++ = (char)(0xC0 | c >> 6); *to++ = (char)(0x80 | (c & 0x3F)); }
    else if (c < 0x10000) {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    } else {
        *to++ = (char)(0xF0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3F));
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    }
    return to;
}

static inline Py_ssize_t count_characters(const char *s, Py_ssize_t n) {
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xC0) != 0x80;
    return count;
}

/* Characters of class and id values that words are looked for in. */
#define NAME_LIMIT 400

/* How many bytes the first `limit` characters take. */
static inline Py_ssize_t head_bytes(const char *s, Py_ssize_t n, Py_ssize_t limit) {
    Py_ssize_t i = 0;
    if (n <= limit) return n;
    while (i < n && limit > 0) {
        i++;
        while (i < n && ((unsigned char)s[i] & 0xC0) == 0x80) i++;
        limit--;
    }
    return i;
}

static inline Py_ssize_t lowered(char *to, const char *s, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++) to[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
    return n;
}

/* ---- growing byte buffer ---- */

typedef struct {
    char *data;
    Py_ssize_t size, room;
} Buffer;

int buffer_reserve(Buffer *b, Py_ssize_t more);

static inline int buffer_add(Buffer *b, const char *s, Py_ssize_t n) {
    if (n == 0) return 0; /* then there may be no memory to copy from or to */
    if (b->size + n > b->room && buffer_reserve(b, n) < 0) return -1;
    memcpy(b->data + b->size, s, (size_t)n);
    b->size += n;
    return 0;
}

/* What a buffer holds as a str; its memory is freed. */
static inline PyObject *buffer_str(Buffer *b) {
    PyObject *text = PyUnicode_DecodeUTF8(b->size ? b->data : "", b->size, "surrogatepass");
    PyMem_Free(b->data);
    *b = (Buffer){0};
    return text;
}

static inline int buffer_put(Buffer *b, char c) {
    if (b->size + 1 > b->room && buffer_reserve(b, 1) < 0) return -1;
    b->data[b->size++] = c;
    return 0;
}

/* Text as well-formed UTF-8. */
typedef struct {
    PyObject_HEAD
    PyObject *data;    /* bytes */
    Py_ssize_t length; /* in characters */
} Utf8;

/* Makes room for more in a list, given with its room as both are named in their structure; -1 without memory. */
int list_grow(void **list, Py_ssize_t *room, size_t size);

/* Makes sure that a list has room for an item of a number; what is new is all zero. -1 without memory. */
int list_reach(void **list, int32_t *room, int32_t number, size_t size);

/* Appends an item, which is taken over; -1 after an error, also if there is no item. */
static inline int append_new(PyObject *list, PyObject *item) {
    int failed = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return failed;
}

/* (number, value), which is taken over; NULL without memory, or if there is no value. */
static inline PyObject *pair_of(long number, PyObject *value) {
    PyObject *first = value ? PyLong_FromLong(number) : NULL, *pair = first ? PyTuple_New(2) : NULL;
    if (pair == NULL) { Py_XDECREF(first); Py_XDECREF(value); return NULL; }
    PyTuple_SET_ITEM(pair, 0, first);
    PyTuple_SET_ITEM(pair, 1, value);
    return pair;
}

/* A list of ints. */
static inline PyObject *list_of(const int32_t *values, Py_ssize_t n) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t k = 0; list && k < n; k++) {
        PyObject *number = PyLong_FromLong(values[k]);
        if (number == NULL) Py_CLEAR(list);
        else PyList_SET_ITEM(list, k, number);
    }
    return list;
}

/* A tuple of floats. */
static inline PyObject *tuple_of(const double *values, Py_ssize_t n) {
    PyObject *tuple = PyTuple_New(n);
    for (Py_ssize_t k = 0; tuple && k < n; k++) {
        PyObject *number = PyFloat_FromDouble(values[k]);
        if (number == NULL) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, k, number);
    }
    return tuple;
}

static inline double probability_of(double odds) { return 1.0 / (1.0 + exp(-odds < 700.0 ? -odds : 700.0)); }

/* ---- working memory that is freed together ---- */

typedef struct {
    void *pieces[24];
    int count, failed;
} Memory;

/* Room for so many values, all zero, and one more; NULL without memory, which `failed` remembers. */
static inline void *memory_new(Memory *m, Py_ssize_t count, size_t size) {
    int has_place = m->count < (int)(sizeof m->pieces / sizeof *m->pieces);
    void *piece = has_place ? PyMem_Calloc((size_t)count + 1, size) : NULL;
    if (piece) m->pieces[m->count++] = piece;
    else m->failed = 1;
    return piece;
}

static inline void memory_free(Memory *m) {
    while (m->count) PyMem_Free(m->pieces[--m->count]);
}

/* ---- numbers for strings: seeded hashing, since pages choose their own names ---- */

uint64_t hash_bytes(const char *s, Py_ssize_t n);

typedef struct {
    uint64_t hash;
    Py_ssize_t at;
    int32_t size;
} Key;

typedef struct {
    Key *keys;
    int32_t count, room;
    int32_t *slots;
    uint32_t mask;
    Buffer bytes;
} Table;

int table_init(Table *t, int32_t room);
void table_free(Table *t);
/* Makes a table of its own with the same strings; -1 without memory. */
int table_copy(Table *t, const Table *from);
/* The number of a string, a new one if it was not there (then *fresh is set); -1 without memory. */
int32_t table_put(Table *t, const char *s, Py_ssize_t n, int *fresh);
/* The number of a string, -1 if it is not there. */
int32_t table_find(const Table *t, const char *s, Py_ssize_t n);
/* The same, its hash known. */
int32_t table_find_hashed(const Table *t, const char *s, Py_ssize_t n, uint64_t hash);

/* ---- Lookup: an immutable mapping from str to float, read without touching Python objects ---- */

/* Most strings that are looked up are not there: two of their words of bytes tell, before they are hashed. */
typedef struct {
    uint64_t *bits; /* one is set where a string may be that falls there */
    int shift;      /* of a place of 32 bits to one of the sieve's */
} Sieve;

#define SPARSE 16 /* bits a string, at least */

int sieve_init(Sieve *sieve, Py_ssize_t strings);

/* Where a string falls in any sieve, by its first and last four bytes. */
static inline uint32_t sieve_mark_of(uint32_t first, uint32_t last, Py_ssize_t n) {
    return ((first ^ (uint32_t)n * 0x85EBCA6Bu) * 0x9E3779B1u ^ last * 0xC2B2AE35u) * 0x27D4EB2Fu;
}

static inline uint32_t sieve_mark(const char *s, Py_ssize_t n) {
    uint32_t first = 0, last = 0;
    if (n >= 4) {
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
    } else if (n > 0) first = (uint32_t)(uint8_t)s[0] << 16 | (uint32_t)(uint8_t)s[n / 2] << 8 | (uint8_t)s[n - 1];
    return sieve_mark_of(first, last, n);
}

static inline void sieve_add(Sieve *sieve, const char *s, Py_ssize_t n) {
    uint32_t place = sieve_mark(s, n) >> sieve->shift;
    sieve->bits[place / 64] |= (uint64_t)1 << place % 64;
}

static inline int sieve_marked(const Sieve *sieve, uint32_t mark) {
    uint32_t place = mark >> sieve->shift;
    return sieve->bits[place / 64] >> place % 64 & 1;
}

static inline int sieve_has(const Sieve *sieve, const char *s, Py_ssize_t n) { return sieve_marked(sieve, sieve_mark(s, n)); }

/* Of a string only its seeded hash is kept: two that share one would be taken for the same, a chance of one in 2^63. */
typedef struct {
    uint64_t hash; /* 0 for an empty place */
    double value;
} Entry;

typedef struct {
    PyObject_HEAD
    Entry *entries;
    uint32_t mask;
    int32_t longest; /* bytes of a string */
    Sieve sieve;
} Lookup;

extern PyTypeObject LookupType;

/* Where a string of some hash is, or would be. */
static inline uint32_t lookup_place(const Lookup *l, uint64_t hash) {
    uint32_t at = (uint32_t)(hash >> 32) & l->mask;
    while (l->entries[at].hash && l->entries[at].hash != (hash | 1)) at = (at + 1) & l->mask;
    return at;
}

/* The place of a string that passed the sieve, which is its alone; -1 if it is not there. */
static inline int32_t lookup_sieved(const Lookup *l, uint64_t hash) {
    uint32_t at = lookup_place(l, hash);
    return l->entries[at].hash ? (int32_t)at : -1;
}

/* The place of a string; -1 if it is not there. */
static inline int32_t lookup_find(const Lookup *l, const char *s, Py_ssize_t n) {
    return sieve_has(&l->sieve, s, n) ? lookup_sieved(l, hash_bytes(s, n)) : -1;
}

/* The same; *value is set if it is there. */
static inline int32_t lookup_value(const Lookup *l, const char *s, Py_ssize_t n, double *value) {
    int32_t at = lookup_find(l, s, n);
    if (at >= 0) *value = l->entries[at].value;
    return at;
}

#define IN_LOWER_CASE 0x20202020u /* what makes letters of ASCII small ones */

/* The same for a word of ASCII letters in any case, looked up in lower case; `word` has room for it. */
static inline int32_t lookup_letters(const Lookup *l, const char *s, Py_ssize_t n, char *word, double *value) {
    if (n >= 4) {
        /* The ends mostly tell that it is not there. */
        uint32_t first, last;
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
        if (!sieve_marked(&l->sieve, sieve_mark_of(first | IN_LOWER_CASE, last | IN_LOWER_CASE, n))) return -1;
    }
    return lookup_value(l, word, lowered(word, s, n), value);
}

static inline int lookup_has(const Lookup *l, const char *s, Py_ssize_t n) { return lookup_find(l, s, n) >= 0; }

/* ---- phrases, to be looked for together ---- */

#define PHRASE_PLACES 15 /* bits */

typedef struct {
    PyObject_HEAD
    Table texts;
    int32_t *slots, *next; /* by start, the first of its phrases from 1, 0 where there is nothing; by phrase, the next of the same start */
    uint32_t mask;
    uint64_t places[(1 << PHRASE_PLACES) / 64]; /* one is set where a start may be */
} Phrases;

extern PyTypeObject PhrasesType;

/* Once all texts are there; -1 without memory. */
int index_phrases(Phrases *p);
/* For each phrase whether a text has it; NULL without memory. To be freed with PyMem_Free. */
uint8_t *find_phrases(const Phrases *p, const char *s, Py_ssize_t n);
void phrases_free(Phrases *p);

/* ---- Tree: what one scan of a serialized page finds ---- */

typedef struct {
    Py_ssize_t at;
    int32_t size;
} Span;

typedef struct {
    int32_t node;
    Span value;
} Holder;

/* An element inside a drawing. */
typedef struct {
    int32_t above, tag; /* the number of another, or ~ the drawing's node */
    Span attrs;
} Drawn;

typedef struct {
    Holder *list;
    int32_t count, room;
} Holders;

typedef struct {
    PyObject_HEAD
    Buffer source; /* attributes as they are written, and texts that do not stand in the page */
    Buffer page;          /* without room where the bytes are another's */
    PyObject *page_owner; /* whose they are */
    int32_t n, room, body;
    int cut, limits, is_quirky; /* limits: see html.h */
    Span doctype[3];            /* name, public and system identifier, in the source; a size of -1 for a missing one */
    int32_t *parent, *end, *depth, *tag, *cls, *ident, *name, *label;
    int32_t *chars, *links, *words; /* running totals, n + 1 entries */
    uint8_t *gap, *state;
    Span *attrs; /* an element's attributes, a text's characters: in the source, or with ~at in the page */
    Table tags, classes, idents, names, labels, attr_names;
    /* The elements of drawings, for selectors, in document order. */
    Table drawn_tags;
    Drawn *drawn;
    int32_t drawn_count;
    Py_ssize_t drawn_room;
    /* Once a selector was looked for: all names on the page, as selectors write them in lower case; where the page has
       drawings, its nodes and their elements in document order (see select.c). */
    Table mentioned;
    int32_t *places;
    PyObject *tag_list;   /* str by number */
    Holders *holders;     /* by attribute name: the nodes that have it, and its value */
    PyObject *attr_cache; /* {node: dict}, of those that were asked for */
    PyObject *valued;     /* dict: what valued() was asked for */
    uint8_t *is_block;    /* by tag number: 1 block-level, 2 a custom element */
    /* blocks */
    int32_t blocks;
    int32_t *owner, *first, *last, *block_chars, *block_links, *block_words;
    PyObject *block_text;
    int32_t *text_number; /* by block: copies of a text share it */
} Tree;

/* Its columns, each with how many entries it has beyond one a node; and those of its blocks. */
#define NODE_COLUMNS(X) \
    X(parent, 0) X(end, 0) X(depth, 0) X(tag, 0) X(cls, 0) X(ident, 0) X(name, 0) X(label, 0) X(chars, 1) X(links, 1) X(words, 1) \
    X(gap, 0) X(state, 0) X(attrs, 0)
#define BLOCK_COLUMNS(X) X(owner) X(first) X(last) X(block_chars) X(block_links) X(block_words) X(text_number)

extern PyTypeObject TreeType;
extern PyTypeObject Utf8Type;
extern PyTypeObject ColumnType;
extern PyTypeObject SelectorType;

/* A text's characters. */
static inline const char *text_bytes(const Tree *t, int32_t i, Py_ssize_t *n) {
    Span span = t->attrs[i];
    *n = span.size;
    return span.at < 0 ? t->page.data + ~span.at : t->source.data + span.at;
}
/* The nodes that have an attribute, in document order, and its values as they are written. */
const Holders *holders_of(const Tree *t, const char *name, Py_ssize_t n);

/* The number of a node that Python gives; -1 with an error set where there is none. */
static inline int32_t node_given(const Tree *t, PyObject *number) {
    long node = PyLong_AsLong(number);
    if (node >= 0 && node < t->n) return (int32_t)node;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no such node");
    return -1;
}

/* How many blocks begin before a node, from a number on. */
static inline int32_t blocks_before(const Tree *t, int32_t node, int32_t from) {
    int32_t low = from, high = t->blocks;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (t->first[middle] < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The same for every node, and for the page's end. */
static inline void count_blocks_before(const Tree *t, int32_t *before) {
    for (int32_t b = 0, i = 0; i <= t->n; before[i++] = b) while (b < t->blocks && t->first[b] < i) b++;
}

/* Which strings are in a set, by number, for the caller to free; NULL after an error. */
uint8_t *numbers_among(const Table *strings, PyObject *set);

typedef struct {
    Buffer text;
    int gap, any; /* white space is due; something was put since the beginning */
} Folded;

/* Appends a text with its white space folded as " ".join(text.split()) would; -1 without memory. */
int put_folded(Folded *f, const char *s, Py_ssize_t n);

#define TREE_METHODS(X) \
    X(columns, METH_NOARGS, PyDoc_STR("The columns of tree.Tree.")) \
    X(parsing, METH_NOARGS, PyDoc_STR("Limits that parsing met, whether it is in quirks mode, and its doctype.")) \
    X(deepest, METH_NOARGS, PyDoc_STR("How deep the deepest node is.")) \
    X(tag_counts, METH_NOARGS, PyDoc_STR("How many elements have each tag.")) \
    X(classes, METH_NOARGS, PyDoc_STR("The class values of the page.")) \
    X(tagged, METH_O, PyDoc_STR("The elements of some tags.")) \
    X(valued, METH_O, PyDoc_STR("The nodes that have an attribute, with its value.")) \
    X(stated, METH_VARARGS, PyDoc_STR("The elements of a tag that have an attribute, with the values of it and others.")) \
    X(beginning, METH_VARARGS, PyDoc_STR("The elements whose attribute begins with one of some texts.")) \
    X(shown, METH_VARARGS, PyDoc_STR("The shown text between two nodes.")) \
    X(speaking, METH_VARARGS, PyDoc_STR("The texts that are shown between two nodes.")) \
    X(classed, METH_O, PyDoc_STR("The elements of some class values.")) \
    X(named, METH_O, PyDoc_STR("Which of some tags, classes and ids the page has.")) \
    X(select, METH_VARARGS, PyDoc_STR("The elements that a selector finds.")) \
    X(with_words, METH_VARARGS, PyDoc_STR("The elements whose class or id has words of a lookup.")) \
    X(without, METH_VARARGS, PyDoc_STR("The page without some elements.")) \
    X(texts_holding, METH_VARARGS, PyDoc_STR("The texts that hold one of some parts.")) \
    X(texts_beginning, METH_VARARGS, PyDoc_STR("The texts that begin with one of some parts.")) \
    X(share_alike, METH_VARARGS, PyDoc_STR("Brings the probabilities of like blocks together.")) \
    X(segment, METH_NOARGS, PyDoc_STR("The parallel lists of blocks.Blocks.")) \
    X(counted, METH_VARARGS, PyDoc_STR("How many of some characters each block has.")) \
    X(range_of, METH_O, PyDoc_STR("The blocks that begin inside a node.")) \
    X(owned, METH_O, PyDoc_STR("The blocks of elements of some tags.")) \
    X(kept, METH_VARARGS, PyDoc_STR("The blocks of some nodes, without those of others.")) \
    X(measure, METH_VARARGS, PyDoc_STR("What some blocks come to.")) \
    X(type_prior, METH_VARARGS, PyDoc_STR("What the page's names say about its type.")) \
    X(removable, METH_VARARGS, PyDoc_STR("The topmost nodes that a removal row matches.")) \
    X(matching_words, METH_VARARGS, PyDoc_STR("The nodes with a word that a lookup has.")) \
    X(mce, METH_NOARGS, PyDoc_STR("The node that the algorithm MCE keeps.")) \
    X(wording, METH_VARARGS, PyDoc_STR("What the text of each block says by itself.")) \
    X(spoken, METH_VARARGS, PyDoc_STR("What short blocks say, and its words.")) \
    X(label, METH_O, PyDoc_STR("All names an author gave an element.")) \
    X(compose, METH_VARARGS, PyDoc_STR("The chosen part of the page, as it was written.")) \
    X(containers, METH_VARARGS, PyDoc_STR("The containers that classical algorithms choose.")) \
    X(measure_blocks, METH_VARARGS, PyDoc_STR("The evidence on every block."))

#define X(name, flags, doc) PyObject *tree_##name(Tree *t, PyObject *args);
TREE_METHODS(X)
#undef X

extern PyTypeObject ForestType;

/* ---- HTML as the parser writes it: every element closed, every value quoted, nothing but &amp; &lt; &gt; &quot; &nbsp;
   escaped ---- */

typedef struct {
    const char *attrs, *attrs_end;
} Tag;

typedef struct {
    const char *name, *value;
    Py_ssize_t named, size;
} Attribute;

/* Reads one attribute, ` name="value"`; returns where the next begins. A name may begin with "=", but not hold it. Python code may
   give an element names that no parser reads: where one makes the rest unreadable, that is a name and value without characters. */
static inline const char *next_attribute(const char *s, const char *stop, Attribute *a) {
    const char *equals = stop - s > 2 ? memchr(s + 2, '=', (size_t)(stop - s - 2)) : NULL;
    const char *end = equals && stop - equals > 2 ? memchr(equals + 2, '"', (size_t)(stop - equals - 2)) : NULL;
    *a = end ? (Attribute){s + 1, equals + 2, equals - s - 1, end - equals - 2} : (Attribute){s, s, 0, 0};
    return end ? end + 1 : stop;
}

/* The value of an attribute as it is written, or NULL. */
const char *find_attribute(const Tag *tag, const char *name, Py_ssize_t name_size, Py_ssize_t *size);
/* The characters that an escape at `s`, which is a '&', represents, and its length; NULL when it is none. */
const char *read_escape(const char *s, const char *stop, Py_ssize_t *length, Py_ssize_t *size);
/* 1 when there is an escape that the parser does not write, -1 without memory. */
int add_unescaped(Buffer *b, const char *s, const char *stop);
/* Text as the parser writes it, or with `quotes` a value. */
int add_markup(Buffer *b, const char *s, Py_ssize_t n, int quotes);
int is_all_space(const char *s, const char *stop);
int is_one_of(const char *s, Py_ssize_t n, const char **names);
/* Whether nothing is escaped, and words are parted by single spaces. */
int is_folded(const char *s, Py_ssize_t n);
/* Parts words by single spaces. */
void fold_words(Buffer *b);
/* A value as a str, its words parted by single spaces if it is a list of words. */
PyObject *value_of(const char *s, Py_ssize_t n, int has_words);
/* Attributes as a dict; those whose words are to be parted so are named, unless that is NULL. */
PyObject *attributes_in(const char *s, const char *stop, const char **folded);

extern PyTypeObject SanitizerType;

/* The row of the longest name in a class and id value, given by its number in t->names, -1 without any. Rows maps names, their
   parts parted by spaces, to row numbers; beginnings the first part of each to how many parts the longest has that begins so. */
int32_t row_of_name(const Tree *t, int32_t name, const Lookup *rows, const Lookup *beginnings);
/* A string of a table; NULL without memory. */
PyObject *string_of(const Table *table, int32_t number);
/* One of some blocks; -1 with an error set if it is none of so many. */
Py_ssize_t block_at(PyObject *kept, Py_ssize_t k, Py_ssize_t blocks);
/* How many of the first so many characters of a text are among some. */
Py_ssize_t count_among(PyObject *text, PyObject *wanted, Py_ssize_t limit);
/* The strings of a table, those interned that a lookup has; NULL without memory. */
PyObject *strings_of(const Table *table, const Lookup *interned);
/* By tag number, what a dict says of the tag, 0 for nothing; NULL without memory. */
int32_t *numbers_of_tags(const Tree *t, PyObject *dict, Memory *memory);
/* Appends the shown text from one node up to another, blocks apart; -1 without memory. */
int put_shown(const Tree *t, Py_ssize_t first, Py_ssize_t stop, Folded *shown);
/* What is known of nodes, {node: bits}; -1 after an error. */
int read_bits(const Tree *t, PyObject *stated, int32_t *bits);
/* The parts that core.split_names() finds in one word of a class or id value, lower-case, each ended by a space. */
int split_word(const char *s, Py_ssize_t n, Buffer *out);

static inline int is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline int is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* The next word inside class and id values: [A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z]); its size, or 0 at the end. */
static inline Py_ssize_t next_token(const char *s, Py_ssize_t n, Py_ssize_t *from) {
    for (Py_ssize_t i = *from; i < n; i++) {
        if (!is_lower((char)(s[i] | 32))) continue;
        int upper = is_upper(s[i]);
        Py_ssize_t low = i + upper, stop = low;
        while (stop < n && is_lower(s[stop])) stop++;
        if (stop - low >= 2) { *from = i; return stop - i; }
        if (upper) {
            stop = i;
            while (stop < n && is_upper(s[stop])) stop++;
            if (stop < n && is_lower(s[stop])) stop--;
            if (stop - i >= 2) { *from = i; return stop - i; }
        }
    }
    *from = n;
    return 0;
}

/* ---- the functions of the module; one that takes a single object is given that instead of a tuple ---- */

#define FUNCTIONS(X) \
    X(next_unsettled, METH_VARARGS, PyDoc_STR("The next element that lacks children it should have, or has others.")) \
    X(content_sums, METH_VARARGS, PyDoc_STR("What is content, summed up.")) \
    X(context, METH_VARARGS, PyDoc_STR("The columns of the second pass.")) \
    X(copied, METH_VARARGS, PyDoc_STR("The texts that say what earlier ones say.")) \
    X(expected, METH_VARARGS, PyDoc_STR("What of some blocks is expected to be content.")) \
    X(flat_content, METH_VARARGS, PyDoc_STR("HTML as three lists with an entry for every start tag, end tag and text.")) \
    X(fragment, METH_VARARGS, PyDoc_STR("Parse a piece of HTML into a <div>.")) \
    X(lower_odds, METH_VARARGS, PyDoc_STR("The middle of two lists of probabilities, lowered.")) \
    X(inline_runs, METH_VARARGS, PyDoc_STR("The runs of inline content between the blocks of an element.")) \
    X(name_words, METH_O, PyDoc_STR("The words inside class and id values.")) \
    X(parse, METH_VARARGS, PyDoc_STR("Parse and flatten a page.")) \
    X(parsed_nodes, METH_VARARGS, PyDoc_STR("A page's nodes in document order, for tests.")) \
    X(parsed_tokens, METH_VARARGS, PyDoc_STR("What the tokenizer reads, for tests.")) \
    X(plain_name, METH_O, PyDoc_STR("A class word without the hash that CSS modules append.")) \
    X(plain_text, METH_VARARGS, PyDoc_STR("The plain text of HTML.")) \
    X(split_names, METH_O, PyDoc_STR("The parts of each word of a class or id value.")) \
    X(survey, METH_VARARGS, PyDoc_STR("The tags of a draft, and the elements with words and attributes that are looked for.")) \
    X(utf8, METH_O, PyDoc_STR("Bytes that are well-formed UTF-8; None for others.")) \
    X(visible, METH_O, PyDoc_STR("A text without what hides or reorders it, and how many characters that were."))

#define X(name, flags, doc) PyObject *core_##name(PyObject *module, PyObject *args);
FUNCTIONS(X)
#undef X

#endif

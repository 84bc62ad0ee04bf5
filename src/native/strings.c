/* Buffers, string tables and Lookup. */

#include "native.h"

void no_memory(void) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_NoMemory();
    PyGILState_Release(state);
}

int buffer_reserve(Buffer *b, Py_ssize_t more) {
    Py_ssize_t room = b->room ? b->room : 256;
    if (b->size + more <= b->room) return 0;
    while (room < b->size + more) room *= 2;
    char *data = PyMem_Realloc(b->data, (size_t)room);
    if (data == NULL) { no_memory(); return -1; }
    b->data = data;
    b->room = room;
    return 0;
}

int list_grow(void **list, Py_ssize_t *room, size_t size) {
    Py_ssize_t more = *room ? *room * 2 : 32;
    void *grown = PyMem_Realloc(*list, size * (size_t)more);
    if (grown == NULL) { no_memory(); return -1; }
    *list = grown;
    *room = more;
    return 0;
}

int list_reach(void **list, int32_t *room, int32_t number, size_t size) {
    if (number < *room) return 0;
    int32_t more = number * 2 + 2;
    char *grown = PyMem_Realloc(*list, size * (size_t)more);
    if (grown == NULL) { no_memory(); return -1; }
    memset(grown + size * (size_t)*room, 0, size * (size_t)(more - *room));
    *list = grown;
    *room = more;
    return 0;
}

static uint64_t seed = 0;

static inline uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 r = (unsigned __int128)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
}

uint64_t hash_bytes(const char *s, Py_ssize_t n) {
    if (!seed) {
        /* Python's own hash of a string differs from process to process. */
        PyObject *word = PyUnicode_FromOrdinal('d');
        seed = word ? ((uint64_t)PyObject_Hash(word) | 1) : 0x9E3779B97F4A7C15ull;
        Py_XDECREF(word);
    }
    uint64_t h = seed, length = (uint64_t)n;
    while (n >= 8) {
        uint64_t v;
        memcpy(&v, s, 8);
        h = mix(h ^ v, 0x9E3779B97F4A7C15ull ^ seed);
        s += 8;
        n -= 8;
    }
    uint64_t v = 0;
    if (n >= 4) {
        uint32_t low, high;
        memcpy(&low, s, 4);
        memcpy(&high, s + n - 4, 4);
        v = (uint64_t)high << 32 | low;
    } else if (n > 0) v = (uint64_t)(uint8_t)s[0] << 16 | (uint64_t)(uint8_t)s[n / 2] << 8 | (uint8_t)s[n - 1];
    /* The length is no part of h: there a byte could make up for it. */
    return mix(h ^ v, 0xE7037ED1A0B428DBull ^ seed ^ length);
}

int table_init(Table *t, int32_t room) {
    memset(t, 0, sizeof *t);
    uint32_t slots = 16;
    while ((int64_t)slots < (int64_t)room * 2) slots *= 2;
    t->room = (int32_t)(slots / 2);
    t->keys = PyMem_Malloc(sizeof(Key) * (size_t)t->room);
    t->slots = PyMem_Calloc(slots, sizeof(int32_t));
    t->mask = slots - 1;
    if (t->keys == NULL || t->slots == NULL) { no_memory(); return -1; }
    return 0;
}

int table_copy(Table *t, const Table *from) {
    size_t keys = sizeof(Key) * (size_t)from->room, slots = sizeof(int32_t) * ((size_t)from->mask + 1);
    *t = (Table){.keys = PyMem_Malloc(keys), .count = from->count, .room = from->room, .slots = PyMem_Malloc(slots), .mask = from->mask};
    if (t->keys == NULL || t->slots == NULL) { no_memory(); return -1; }
    memcpy(t->keys, from->keys, sizeof(Key) * (size_t)from->count);
    memcpy(t->slots, from->slots, slots);
    return buffer_add(&t->bytes, from->bytes.data, from->bytes.size);
}

void table_free(Table *t) {
    PyMem_Free(t->keys);
    PyMem_Free(t->slots);
    PyMem_Free(t->bytes.data);
    memset(t, 0, sizeof *t);
}

static int table_grow(Table *t) {
    uint32_t slots = (t->mask + 1) * 2;
    Key *keys = PyMem_Realloc(t->keys, sizeof(Key) * (slots / 2));
    if (keys == NULL) { no_memory(); return -1; }
    t->keys = keys;
    int32_t *fresh = PyMem_Calloc(slots, sizeof(int32_t));
    if (fresh == NULL) { no_memory(); return -1; }
    PyMem_Free(t->slots);
    t->slots = fresh;
    t->mask = slots - 1;
    t->room = (int32_t)(slots / 2);
    for (int32_t i = 0; i < t->count; i++) {
        uint32_t at = (uint32_t)t->keys[i].hash & t->mask;
        while (t->slots[at]) at = (at + 1) & t->mask;
        t->slots[at] = i + 1;
    }
    return 0;
}

static inline int32_t probe(const Table *t, const char *s, Py_ssize_t n, uint64_t hash, uint32_t *where) {
    uint32_t at = (uint32_t)hash & t->mask;
    for (int32_t i; (i = t->slots[at]) != 0; at = (at + 1) & t->mask) {
        const Key *k = &t->keys[i - 1];
        if (k->hash == hash && k->size == n && memcmp(t->bytes.data + k->at, s, (size_t)n) == 0) {
            *where = at;
            return i - 1;
        }
    }
    *where = at;
    return -1;
}

int32_t table_put(Table *t, const char *s, Py_ssize_t n, int *fresh) {
    uint64_t hash = hash_bytes(s, n);
    uint32_t at;
    int32_t found = probe(t, s, n, hash, &at);
    *fresh = 0;
    if (found >= 0) return found;
    if (t->count >= t->room) {
        if (table_grow(t) < 0) return -1;
        probe(t, s, n, hash, &at);
    }
    Key *k = &t->keys[t->count];
    k->hash = hash;
    k->at = t->bytes.size;
    k->size = (int32_t)n;
    if (buffer_reserve(&t->bytes, n + 1) < 0 || buffer_add(&t->bytes, s, n) < 0) return -1;
    t->slots[at] = ++t->count;
    *fresh = 1;
    return t->count - 1;
}

int32_t table_find_hashed(const Table *t, const char *s, Py_ssize_t n, uint64_t hash) {
    uint32_t at;
    return t->count ? probe(t, s, n, hash, &at) : -1;
}

int32_t table_find(const Table *t, const char *s, Py_ssize_t n) { return table_find_hashed(t, s, n, hash_bytes(s, n)); }

int sieve_init(Sieve *sieve, Py_ssize_t strings) {
    int power = 12;
    while (power < 24 && (Py_ssize_t)1 << power < SPARSE * strings) power++;
    sieve->shift = 32 - power;
    sieve->bits = PyMem_Calloc(((size_t)1 << power) / 64, sizeof(uint64_t));
    if (sieve->bits == NULL) { PyErr_NoMemory(); return -1; }
    return 0;
}

/* ---- Lookup ---- */

static void lookup_add(Lookup *self, const char *s, Py_ssize_t n, double value) {
    uint64_t hash = hash_bytes(s, n);
    self->entries[lookup_place(self, hash)] = (Entry){hash | 1, value};
    self->longest = Py_MAX(self->longest, (int32_t)n);
    sieve_add(&self->sieve, s, n);
}

static int lookup_init(Lookup *self, Py_ssize_t size) {
    uint32_t places = 16;
    while (places < 2 * (uint64_t)size) places *= 2;
    self->mask = places - 1;
    self->entries = PyMem_Calloc(places, sizeof *self->entries);
    if (self->entries == NULL) { PyErr_NoMemory(); return -1; }
    return sieve_init(&self->sieve, size);
}

/* Strings in UTF-8, a line each, and their values. */
static int lookup_read(Lookup *self, const char *s, Py_ssize_t n, const float *values, Py_ssize_t count) {
    Py_ssize_t lines = n > 0;
    for (const char *end = s; (end = memchr(end, '\n', (size_t)(s + n - end))) != NULL; end++) lines++;
    if (lines != count) { PyErr_Format(PyExc_ValueError, "there are %zd lines and %zd values", lines, count); return -1; }
    if (lookup_init(self, count) < 0) return -1;
    for (const char *stop = s + n, *end; count-- > 0; s = end + 1) {
        end = memchr(s, '\n', (size_t)(stop - s));
        if (end == NULL) end = stop;
        lookup_add(self, s, end - s, *values++);
    }
    return 0;
}

static int lookup_copy(Lookup *self, PyObject *mapping) {
    Py_ssize_t at = 0, n;
    PyObject *key, *value;
    if (lookup_init(self, PyDict_Size(mapping)) < 0) return -1;
    while (PyDict_Next(mapping, &at, &key, &value)) {
        const char *s = PyUnicode_AsUTF8AndSize(key, &n);
        double number = s ? PyFloat_AsDouble(value) : 0;
        if (PyErr_Occurred()) return -1;
        lookup_add(self, s, n, number);
    }
    return 0;
}

/* Lookup(dict of float by str) or Lookup(UTF-8 bytes, a string each line, values as float32) */
static PyObject *lookup_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *mapping;
    Py_buffer strings = {0}, values = {0};
    int is_read = PyTuple_GET_SIZE(args) == 2;
    if (is_read ? !PyArg_ParseTuple(args, "y*y*", &strings, &values) : !PyArg_ParseTuple(args, "O!", &PyDict_Type, &mapping)) return NULL;
    Lookup *self = (Lookup *)type->tp_alloc(type, 0);
    if (self && (is_read ? lookup_read(self, strings.buf, strings.len, values.buf, values.len / 4) : lookup_copy(self, mapping)) < 0)
        Py_CLEAR(self);
    if (is_read) { PyBuffer_Release(&strings); PyBuffer_Release(&values); }
    return (PyObject *)self;
}

static void lookup_dealloc(Lookup *self) {
    PyMem_Free(self->entries);
    PyMem_Free(self->sieve.bits);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

PyTypeObject LookupType = {
    TYPE(Lookup, Lookup, 0, "A fixed mapping from str to float."),
    .tp_new = lookup_new,
    .tp_dealloc = (destructor)lookup_dealloc,
};

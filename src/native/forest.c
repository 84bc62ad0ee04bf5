/* Gradient-boosted trees by bit masks (QuickScorer: Lucchese et al., SIGIR 2015).

   Every leaf of a tree is a bit. A test that a row passes rules out the leaves of the test's left branch; the lowest leaf
   that remains is the row's. Eight leaves are a byte, so that one instruction tests many rows. */

#include "native.h"

/* A test that rules out leaves of several bytes is several pieces. */
typedef struct {
    uint16_t feature; /* by number in `used` */
    int8_t over;      /* rows whose rank is below it pass */
    uint8_t gone;     /* the leaves that it rules out then */
} Piece;

typedef struct {
    PyObject_HEAD
    int32_t features, trees, planes, classes;
    int32_t *used;      /* the column of each feature that is tested */
    int32_t *cut_at;    /* by number in `used`: where its thresholds begin */
    float *cuts;        /* its thresholds, each once, rising */
    int32_t *pieces_at; /* by threshold: where the pieces of its tests begin */
    Piece *pieces;
    uint16_t *slots;    /* by piece: its byte, which is tree * planes + plane */
    int32_t *slot_at;   /* by byte: how many pieces those before it have */
    float *values;      /* by tree and leaf */
} Forest;

#define MOST_LEAVES 32
#define LANES 16      /* rows in a vector of bytes: every processor of today has vectors of 16 */
#define STRIP 4       /* vectors that are scored at once: as many as there are registers for */
#define TOGETHER 4    /* trees whose values are added at once, so that a row's sum is fetched once for all of them */
#define CHUNK 256     /* rows */
#define MOST_CUTS 255 /* so that a byte says how many of them a value passes */
#define LEAVES(f) ((Py_ssize_t)(f)->planes * 8)

typedef int8_t Bytes __attribute__((vector_size(LANES)));
typedef uint8_t Unsigned __attribute__((vector_size(LANES)));
typedef float Floats __attribute__((vector_size(LANES)));
typedef int32_t Ints __attribute__((vector_size(LANES)));

/* ---- reading a model's trees: they come from a file, so nothing in them is trusted ---- */

/* left: the first leaf of each test's left branch, and the one after its last; -1 with an error set for tests that cannot be */
static int read_tests(Forest *f, const uint16_t *feature, const float *threshold, const uint16_t *tree, const uint8_t *left, Py_ssize_t n) {
    int32_t cuts = 0, pieces = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        int is_new = !k || feature[k] != feature[k - 1], from = left[2 * k], to = left[2 * k + 1];
        if (tree[k] >= f->trees) { PyErr_SetString(PyExc_ValueError, "a test belongs to no tree"); return -1; }
        if (from >= to || to >= MOST_LEAVES) { PyErr_SetString(PyExc_ValueError, "a test has no left branch"); return -1; }
        if (threshold[k] != threshold[k]) { PyErr_SetString(PyExc_ValueError, "a threshold is no number"); return -1; }
        if (k && (feature[k] < feature[k - 1] || (!is_new && threshold[k] < threshold[k - 1]))) { PyErr_SetString(PyExc_ValueError, "the tests are not sorted"); return -1; }
        if (is_new) {
            f->used[f->features] = feature[k];
            f->cut_at[f->features++] = cuts;
        }
        if (is_new || threshold[k] != threshold[k - 1]) {
            f->pieces_at[cuts] = pieces;
            f->cuts[cuts++] = threshold[k];
        }
        int rank = cuts - 1 - f->cut_at[f->features - 1];
        if (rank >= MOST_CUTS) { PyErr_SetString(PyExc_ValueError, "a feature has more than 255 thresholds; train with max_bin of at most 255"); return -1; }
        uint32_t all = ((uint32_t)1 << to) - ((uint32_t)1 << from);
        for (int32_t plane = 0; plane < f->planes; plane++) {
            uint8_t gone = (uint8_t)(all >> 8 * plane);
            if (!gone) continue;
            int32_t slot = tree[k] * f->planes + plane;
            f->pieces[pieces] = (Piece){(uint16_t)(f->features - 1), (int8_t)(127 - rank), gone};
            f->slots[pieces++] = (uint16_t)slot;
            f->slot_at[slot + 1]++;
        }
    }
    f->cut_at[f->features] = cuts;
    f->pieces_at[cuts] = pieces;
    for (int32_t slot = 0; slot < f->trees * f->planes; slot++) f->slot_at[slot + 1] += f->slot_at[slot];
    return 0;
}

/* Forest(features uint16, thresholds float32, trees uint16, left uint8 (tests, 2), values float32 (trees, leaves), trees,
   classes): the tests sorted by feature and threshold */
static PyObject *forest_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Py_buffer feature, threshold, tree, left, values;
    int trees, classes;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*ii", &feature, &threshold, &tree, &left, &values, &trees, &classes)) return NULL;
    Py_ssize_t n = feature.len / 2, leaves = trees > 0 ? values.len / 4 / trees : 0;
    Forest *f = (Forest *)type->tp_alloc(type, 0);
    if (f == NULL) goto out;
    if (threshold.len != 4 * n || tree.len != 2 * n || left.len != 2 * n || trees < 0 || values.len != 4 * leaves * trees
        || leaves > MOST_LEAVES || classes < 1 || classes > UINT8_MAX || trees % classes) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not belong together");
        goto out;
    }
    f->trees = trees;
    f->classes = classes;
    f->planes = leaves > 8 ? (int32_t)(leaves + 7) / 8 : 1;
    if (trees > UINT16_MAX / f->planes) { PyErr_SetString(PyExc_ValueError, "there are too many trees"); goto out; }
#define NEW(p, count) (p = PyMem_Calloc((size_t)(count) + 1, sizeof *(p)))
    if (!NEW(f->used, n) || !NEW(f->cut_at, n + 1) || !NEW(f->cuts, n) || !NEW(f->pieces_at, n + 1) || !NEW(f->pieces, n * f->planes)
        || !NEW(f->slots, n * f->planes) || !NEW(f->slot_at, trees * f->planes + 1) || !NEW(f->values, trees * LEAVES(f))) {
        PyErr_NoMemory();
        goto out;
    }
    for (int k = 0; k < trees; k++)
        memcpy(f->values + k * LEAVES(f), (const float *)values.buf + k * leaves, sizeof(float) * (size_t)leaves);
    read_tests(f, feature.buf, threshold.buf, tree.buf, left.buf, n);
out:
    if (PyErr_Occurred()) Py_CLEAR(f);
    PyBuffer_Release(&feature); PyBuffer_Release(&threshold); PyBuffer_Release(&tree); PyBuffer_Release(&left); PyBuffer_Release(&values);
    return (PyObject *)f;
}

static void forest_dealloc(Forest *f) {
    PyMem_Free(f->used); PyMem_Free(f->cut_at); PyMem_Free(f->cuts); PyMem_Free(f->pieces_at); PyMem_Free(f->pieces);
    PyMem_Free(f->slots); PyMem_Free(f->slot_at); PyMem_Free(f->values);
    Py_TYPE(f)->tp_free((PyObject *)f);
}

/* What a chunk of rows is scored with. */
typedef struct {
    uint8_t *left;  /* by byte: the leaves that remain after the tests that all rows pass */
    int32_t *stop;  /* by byte: where the pieces end that some rows pass; they begin where all of its pieces do */
    Piece *pieces;
    int8_t *ranks;  /* by feature and row: 127 less the number of thresholds that are passed */
    double *sums;   /* by class and row */
    void *memory;
} Scratch;

static int scratch_init(Scratch *s, const Forest *f) {
    size_t slots = (size_t)(f->trees * f->planes) + 1, pieces = (size_t)f->slot_at[slots - 1] + 1;
    size_t ranks = (size_t)(f->features + 1) * CHUNK, sums = sizeof *s->sums * CHUNK * (size_t)f->classes;
    /* Vectors are read from where their size divides the address. */
    char *p = s->memory = PyMem_RawMalloc(LANES + ranks + sums + sizeof *s->pieces * pieces + (sizeof *s->stop + 1) * slots);
    if (p == NULL) return -1;
    p += LANES - (uintptr_t)p % LANES;
    s->ranks = (int8_t *)p;
    s->sums = (double *)(p += ranks);
    s->pieces = (Piece *)(p += sums);
    s->stop = (int32_t *)(p += sizeof *s->pieces * pieces);
    s->left = (uint8_t *)(p + sizeof *s->stop * slots);
    return 0;
}

/* The least and the most of a column, many at once. */
static inline void find_extremes(const float *x, Py_ssize_t count, float *least, float *most) {
    float low[LANES], high[LANES];
    for (int r = 0; r < LANES; r++) low[r] = high[r] = x[r < count ? r : 0];
    for (Py_ssize_t at = LANES; at < count; at += LANES) {
        const float *next = x + (at + LANES < count ? at : count - LANES);
        for (int r = 0; r < LANES; r++) {
            low[r] = next[r] < low[r] ? next[r] : low[r];
            high[r] = next[r] > high[r] ? next[r] : high[r];
        }
    }
    *least = low[0];
    *most = high[0];
    for (int r = 1; r < LANES; r++) {
        *least = low[r] < *least ? low[r] : *least;
        *most = high[r] > *most ? high[r] : *most;
    }
}

/* The rank of each row: `all` thresholds are passed by every row, those from `cut` to before `stop` by some. */
static inline void rank_rows(const float *x, Py_ssize_t count, const float *cut, const float *stop, int all, int8_t *ranks) {
    for (Py_ssize_t at = 0; at < count; at += LANES) {
        Floats rows[4] = {{0}};
        Ints passed[4] = {{0}};
        int32_t counts[LANES];
        memcpy(rows, x + at, sizeof(float) * (size_t)(count - at < LANES ? count - at : LANES));
        for (const float *c = cut; c < stop; c++)
            for (int k = 0; k < 4; k++) passed[k] -= rows[k] > *c;
        memcpy(counts, passed, sizeof counts);
        for (int r = 0; r < LANES; r++) ranks[at + r] = (int8_t)(127 - all - counts[r]);
    }
}

/* Adds the values of the leaves of some trees, one tree after the other. */
static inline __attribute__((always_inline)) void add_leaves(const float *restrict values, Py_ssize_t size,
        uint8_t (*leaves)[LANES * STRIP], const int trees, double *restrict sums, const int rows) {
    for (int r = 0; r < rows; r++) {
        double sum = sums[r];
        for (int k = 0; k < trees; k++) sum += values[k * size + leaves[k][r]];
        sums[r] = sum;
    }
}

/* Adds up the leaves' values of some vectors of rows, tree by tree. */
static inline __attribute__((always_inline)) void score_strip(const Forest *f, const Scratch *s, Py_ssize_t at, const int vectors) {
    const Bytes none = {0};
    const int32_t planes = f->planes;
    uint8_t leaves[TOGETHER][LANES * STRIP];
    for (int32_t tree = 0, slot = 0, held = 0; tree < f->trees; tree++, slot += planes) {
        Bytes lowest[STRIP] = {{0}}, place[STRIP] = {{0}};
        for (int32_t plane = planes - 1; plane >= 0; plane--) {
            const Piece *test = s->pieces + f->slot_at[slot + plane], *stop = s->pieces + s->stop[slot + plane];
            Bytes left[STRIP] = {{0}};
            for (int v = 0; v < vectors; v++) left[v] = none + (int8_t)s->left[slot + plane];
            for (; test < stop; test++) {
                const Bytes *ranks = (const Bytes *)(s->ranks + test->feature * CHUNK + at);
                Bytes over = none + test->over, gone = none + (int8_t)test->gone;
                for (int v = 0; v < vectors; v++) left[v] &= ~((Bytes)(over > ranks[v]) & gone);
            }
            /* The lowest byte that has a leaf left. */
            Bytes here = none + (int8_t)(8 * plane);
            for (int v = 0; v < vectors; v++) {
                Bytes empty = left[v] == none;
                lowest[v] = left[v] | (lowest[v] & empty);
                place[v] = ((place[v] ^ here) & empty) ^ here;
            }
        }
        for (int v = 0; v < vectors; v++) {
            Bytes bit = lowest[v] & (Bytes)-(Unsigned)lowest[v];
            place[v] += ~((bit & (int8_t)0xAA) == none) & 1;
            place[v] += ~((bit & (int8_t)0xCC) == none) & 2;
            place[v] += ~((bit & (int8_t)0xF0) == none) & 4;
            memcpy(leaves[held] + LANES * v, &place[v], LANES);
        }
        const float *values = f->values + (tree - held) * LEAVES(f);
        double *sums = s->sums + tree % f->classes * CHUNK + at;
        if (++held == TOGETHER) add_leaves(values, LEAVES(f), leaves, TOGETHER, sums, LANES * vectors);
        else if (f->classes > 1 || tree == f->trees - 1) add_leaves(values, LEAVES(f), leaves, held, sums, LANES * vectors);
        else continue;
        held = 0;
    }
}

/* Scores a chunk of rows. First each row gets its rank for each feature, so that the tests of a tree compare bytes; tests
   that all rows pass, such as those on columns about the page as a whole, are made once. */
static void score_chunk(const Forest *f, const float *table, Py_ssize_t rows, Py_ssize_t from, Py_ssize_t count, const Scratch *s, double *scores) {
    int32_t *restrict stop = s->stop, bytes = f->trees * f->planes;
    const uint16_t *restrict slots = f->slots;
    const Piece *restrict all = f->pieces;
    memset(s->left, 0xFF, (size_t)bytes);
    memcpy(stop, f->slot_at, sizeof *stop * (size_t)bytes);
    memset(s->sums, 0, sizeof *s->sums * CHUNK * (size_t)f->classes);
    for (int32_t u = 0; u < f->features; u++) {
        const float *x = table + (Py_ssize_t)f->used[u] * rows + from;
        int32_t first = f->cut_at[u], last = f->cut_at[u + 1], some = first, k = f->pieces_at[first];
        float least, most;
        find_extremes(x, count, &least, &most);
        while (some < last && least > f->cuts[some]) some++;
        int32_t none = some;
        while (none < last && most > f->cuts[none]) none++;
        for (int32_t end = f->pieces_at[some]; k < end; k++) s->left[slots[k]] &= (uint8_t)~all[k].gone;
        if (some == none) continue;
        rank_rows(x, count, f->cuts + some, f->cuts + none, some - first, s->ranks + u * CHUNK);
        for (int32_t end = f->pieces_at[none]; k < end; k++) s->pieces[stop[slots[k]]++] = all[k];
    }
    /* A single row passes a test or not, so that all are made. */
    for (int32_t tree = 0; count == 1 && tree < f->trees; tree++) {
        const uint8_t *byte = s->left + tree * f->planes;
        int32_t plane = 0;
        while (plane < f->planes - 1 && !byte[plane]) plane++;
        s->sums[tree % f->classes * CHUNK] += f->values[tree * LEAVES(f) + 8 * plane + __builtin_ctz(byte[plane] | 0x80)];
    }
    for (Py_ssize_t at = 0; count > 1 && at < count; at += LANES * STRIP)
        switch ((count - at + LANES - 1) / LANES) {
            case 1: score_strip(f, s, at, 1); break;
            case 2: score_strip(f, s, at, 2); break;
            case 3: score_strip(f, s, at, 3); break;
            default: score_strip(f, s, at, STRIP);
        }
    for (Py_ssize_t r = 0; r < count; r++)
        for (int32_t class = 0; class < f->classes; class++) scores[(from + r) * f->classes + class] = s->sums[class * CHUNK + r];
}

/* scores(columns float32 (features, rows), out float64 (rows, classes), as_probabilities) */
static PyObject *forest_scores(Forest *f, PyObject *args) {
    Py_buffer columns, out;
    int as_probabilities = 0;
    if (!PyArg_ParseTuple(args, "y*w*|p", &columns, &out, &as_probabilities)) return NULL;
    Py_ssize_t rows = out.len / 8 / f->classes, width = rows ? columns.len / 4 / rows : 0;
    Scratch scratch = {0};
    if (out.len != 8 * rows * f->classes || columns.len != 4 * rows * width || (rows && f->features && f->used[f->features - 1] >= width))
        PyErr_SetString(PyExc_ValueError, "the table does not have the forest's columns");
    else if (scratch_init(&scratch, f) < 0) PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t from = 0; from < rows; from += CHUNK)
            score_chunk(f, columns.buf, rows, from, rows - from < CHUNK ? rows - from : CHUNK, &scratch, out.buf);
        for (double *at = out.buf, *stop = at + out.len / 8; as_probabilities && at < stop; at++) *at = probability_of(*at);
        Py_END_ALLOW_THREADS
    }
    PyMem_RawFree(scratch.memory);
    PyBuffer_Release(&columns); PyBuffer_Release(&out);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef forest_methods[] = {
    {"scores", (PyCFunction)forest_scores, METH_VARARGS, "Raw scores of a table."},
    {NULL},
};

PyTypeObject ForestType = {
    TYPE(Forest, Forest, 0, "Gradient-boosted trees."),
    .tp_new = forest_new,
    .tp_dealloc = (destructor)forest_dealloc,
    .tp_methods = forest_methods,
};

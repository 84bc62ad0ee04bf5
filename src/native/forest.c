/* Gradient-boosted trees by bit masks (forest.Forest.scores). */

#include "native.h"

/* Eight leaves of a tree are a byte of its own, so that one instruction tests many rows: a test that rules out leaves of
   several bytes is several pieces. */
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

#define WIDTH 32      /* rows in a vector of bytes */
#define ALIGNED 64    /* what the largest vectors need */
#define STRIP 4       /* vectors that are scored at once: as many as there are registers for */
#define CHUNK 256     /* rows */
#define FEW (WIDTH / 4)
#define MOST_CUTS 255 /* so that a byte says how many of them a value passes */
#define LEAVES(f) ((Py_ssize_t)(f)->planes * 8)

/* The pieces of the tests, sorted by feature and threshold; -1 when something is wrong with them. */
static int read_tests(Forest *f, const int32_t *feature, const float *threshold, const int32_t *tree, const uint32_t *mask, Py_ssize_t n) {
    int32_t cuts = 0, pieces = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        int is_new = !k || feature[k] != feature[k - 1];
        if (tree[k] < 0 || tree[k] >= f->trees || feature[k] < 0 || (k && feature[k] < feature[k - 1])
            || (!is_new && threshold[k] < threshold[k - 1])) {
            PyErr_SetString(PyExc_ValueError, "tests are not sorted, or name no tree");
            return -1;
        }
        if (is_new) {
            f->used[f->features] = feature[k];
            f->cut_at[f->features++] = cuts;
        }
        if (is_new || threshold[k] != threshold[k - 1]) {
            f->pieces_at[cuts] = pieces;
            f->cuts[cuts++] = threshold[k];
        }
        if (cuts - f->cut_at[f->features - 1] > MOST_CUTS) {
            PyErr_SetString(PyExc_ValueError, "a feature has more than 255 thresholds; train with max_bin of at most 255");
            return -1;
        }
        for (int32_t plane = 0; plane < f->planes; plane++) {
            uint8_t gone = (uint8_t)(~mask[k] >> 8 * plane);
            if (!gone) continue;
            int32_t slot = tree[k] * f->planes + plane;
            int rank = cuts - 1 - f->cut_at[f->features - 1];
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

/* Forest(features int32, thresholds float32, trees int32, masks uint32, values float32, trees, classes): tests sorted by
   feature and threshold */
static PyObject *forest_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Py_buffer feature, threshold, tree, mask, values;
    int trees, classes;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*ii", &feature, &threshold, &tree, &mask, &values, &trees, &classes)) return NULL;
    Forest *f = (Forest *)type->tp_alloc(type, 0);
    if (f == NULL) goto out;
    Py_ssize_t n = feature.len / 4, leaves = trees > 0 ? values.len / 4 / trees : 0;
    if (threshold.len != 4 * n || tree.len != 4 * n || mask.len != 4 * n || classes < 1 || trees < 0 || leaves > 32) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not belong together");
        Py_CLEAR(f);
        goto out;
    }
    f->trees = trees;
    f->classes = classes;
    f->planes = leaves > 8 ? (int32_t)(leaves + 7) / 8 : 1;
    if ((Py_ssize_t)trees * f->planes > UINT16_MAX || (n > 0 && ((const int32_t *)feature.buf)[n - 1] > UINT16_MAX)) {
        PyErr_SetString(PyExc_ValueError, "there are too many trees or features");
        Py_CLEAR(f);
        goto out;
    }
#define NEW(p, count) (p = PyMem_Calloc((size_t)(count) + 1, sizeof *(p)))
    if (!NEW(f->used, n) || !NEW(f->cut_at, n + 1) || !NEW(f->cuts, n) || !NEW(f->pieces_at, n + 1) || !NEW(f->pieces, n * f->planes)
        || !NEW(f->slots, n * f->planes) || !NEW(f->slot_at, trees * f->planes + 1) || !NEW(f->values, trees * LEAVES(f))) {
        PyErr_NoMemory();
        Py_CLEAR(f);
        goto out;
    }
    for (int k = 0; k < trees; k++)
        memcpy(f->values + k * LEAVES(f), (const float *)values.buf + k * leaves, sizeof(float) * (size_t)leaves);
    if (read_tests(f, feature.buf, threshold.buf, tree.buf, mask.buf, n) < 0) Py_CLEAR(f);
out:
    PyBuffer_Release(&feature); PyBuffer_Release(&threshold); PyBuffer_Release(&tree); PyBuffer_Release(&mask);
    PyBuffer_Release(&values);
    return (PyObject *)f;
}

static void forest_dealloc(Forest *f) {
    PyMem_Free(f->used); PyMem_Free(f->cut_at); PyMem_Free(f->cuts); PyMem_Free(f->pieces_at); PyMem_Free(f->pieces);
    PyMem_Free(f->slots); PyMem_Free(f->slot_at); PyMem_Free(f->values);
    Py_TYPE(f)->tp_free((PyObject *)f);
}

typedef int8_t Bytes __attribute__((vector_size(WIDTH)));
typedef uint8_t Unsigned __attribute__((vector_size(WIDTH)));
typedef float Floats __attribute__((vector_size(WIDTH)));
typedef int32_t Ints __attribute__((vector_size(WIDTH)));

/* What a chunk of rows is scored with. */
typedef struct {
    uint8_t *left;  /* by byte: the leaves that are left by the tests that all rows pass */
    int32_t *stop;  /* by byte: where the pieces end that some rows pass; they begin where all of its pieces do */
    Piece *pieces;
    int8_t *ranks;  /* by feature and row: 127 less the number of thresholds that are passed */
    double *sums;   /* by class and row */
    void *memory;
} Scratch;

static inline __attribute__((always_inline)) void widen_any(Floats *low, Floats *high, const Floats *at) {
    Floats y = *at;
    Ints below = y < *low, above = y > *high;
    *low = (Floats)(((Ints)y & below) | ((Ints)*low & ~below));
    *high = (Floats)(((Ints)y & above) | ((Ints)*high & ~above));
}

/* Adds the value of each row's leaf to the row's sum. */
static inline void add_values_any(double *restrict sums, const float *restrict values, int planes, const uint8_t *leaf, int rows) {
    for (int r = 0; r < rows; r++) sums[r] += values[leaf[r]];
}

#define IN_VECTOR WIDTH
#define WITH(name) name##_any
#include "forest_rows.h"
#undef WITH

/* The same for processors with vectors of 32 bytes: a function that is only cloned for them keeps what was made for
   narrower ones. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("avx2")

static inline void widen_wide(Floats *low, Floats *high, const Floats *at) {
    Floats y = *at;
    *low = _mm256_min_ps(y, *low);
    *high = _mm256_max_ps(y, *high);
}

static inline void add_values_wide(double *restrict sums, const float *restrict values, int planes, const uint8_t *leaf, int rows) {
    if (planes > 2) { add_values_any(sums, values, planes, leaf, rows); return; }
    /* All values of a tree are held in registers, and picked there. */
    __m256 low = _mm256_loadu_ps(values), high = planes > 1 ? _mm256_loadu_ps(values + 8) : low;
#pragma GCC unroll 4
    for (int r = 0; r < rows; r += FEW) {
        __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(leaf + r)));
        __m256 is_high = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)); /* the sign is what counts */
        __m256 found = _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, at), _mm256_permutevar8x32_ps(high, at), is_high);
        __m256d first = _mm256_cvtps_pd(_mm256_castps256_ps128(found)), last = _mm256_cvtps_pd(_mm256_extractf128_ps(found, 1));
        _mm256_storeu_pd(sums + r, _mm256_add_pd(_mm256_loadu_pd(sums + r), first));
        _mm256_storeu_pd(sums + r + 4, _mm256_add_pd(_mm256_loadu_pd(sums + r + 4), last));
    }
}

#define WITH(name) name##_wide
#include "forest_rows.h"
#undef WITH
#undef IN_VECTOR
#pragma GCC pop_options

/* And for those with vectors of 64 bytes, whose comparisons are bits, for trees of at most 16 leaves. */
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg")
#define IN_VECTOR 64
#define LANES 16 /* rows in a vector of floats */

static inline void widen_widest(Floats *low, Floats *high, const Floats *at) { widen_wide(low, high, at); }

static inline void rank_rows_widest(const float *x, Py_ssize_t count, const float *cut, const float *stop, int all, int8_t *ranks) {
    const __m512i one = _mm512_set1_epi32(1);
    for (Py_ssize_t at = 0; at < count; at += LANES) {
        __mmask16 there = count - at < LANES ? (__mmask16)((1u << (count - at)) - 1) : (__mmask16)0xFFFF;
        __m512 rows = _mm512_maskz_loadu_ps(there, x + at);
        __m512i left = _mm512_set1_epi32(127 - all);
        for (const float *c = cut; c < stop; c++)
            left = _mm512_mask_sub_epi32(left, _mm512_cmp_ps_mask(rows, _mm512_set1_ps(*c), _CMP_GT_OQ), left, one);
        _mm_storeu_si128((__m128i *)(ranks + at), _mm512_cvtepi32_epi8(left));
    }
}

static inline __attribute__((always_inline)) void add_values_widest(double *sums, __m512 values, __m128i leaf) {
    __m512 found = _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(leaf), values);
    __m512d first = _mm512_cvtps_pd(_mm512_castps512_ps256(found)), last = _mm512_cvtps_pd(_mm512_extractf32x8_ps(found, 1));
    _mm512_storeu_pd(sums, _mm512_add_pd(_mm512_loadu_pd(sums), first));
    _mm512_storeu_pd(sums + 8, _mm512_add_pd(_mm512_loadu_pd(sums + 8), last));
}

static inline __attribute__((always_inline)) void score_strip_widest(const Forest *f, const Scratch *s, Py_ssize_t at, const int vectors) {
    const __m512i one = _mm512_set1_epi8(1);
    const int32_t planes = f->planes;
    for (int32_t tree = 0, slot = 0, class = 0; tree < f->trees; tree++, slot += planes) {
        __m512i lowest[STRIP], place[STRIP];
        for (int v = 0; v < vectors; v++) lowest[v] = place[v] = _mm512_setzero_si512();
        for (int32_t plane = planes - 1; plane >= 0; plane--) {
            const Piece *test = s->pieces + f->slot_at[slot + plane], *stop = s->pieces + s->stop[slot + plane];
            __m512i left[STRIP];
            for (int v = 0; v < vectors; v++) left[v] = _mm512_set1_epi8((int8_t)s->left[slot + plane]);
            for (; test < stop; test++) {
                const int8_t *ranks = s->ranks + test->feature * CHUNK + at;
                __m512i over = _mm512_set1_epi8(test->over), gone = _mm512_set1_epi8((int8_t)test->gone);
                for (int v = 0; v < vectors; v++) {
                    __mmask64 passed = _mm512_cmpgt_epi8_mask(over, _mm512_load_si512(ranks + IN_VECTOR * v));
                    left[v] = _mm512_andnot_si512(_mm512_maskz_mov_epi8(passed, gone), left[v]);
                }
            }
            /* The lowest byte that has a leaf left. */
            __m512i here = _mm512_set1_epi8((int8_t)(8 * plane));
            for (int v = 0; v < vectors; v++) {
                __mmask64 empty = _mm512_testn_epi8_mask(left[v], left[v]);
                lowest[v] = _mm512_mask_mov_epi8(left[v], empty, lowest[v]);
                place[v] = _mm512_mask_mov_epi8(here, empty, place[v]);
            }
        }
        const float *own = f->values + tree * LEAVES(f);
        __m512 values = planes > 1 ? _mm512_loadu_ps(own) : _mm512_broadcast_f32x8(_mm256_loadu_ps(own));
        double *sums = s->sums + class * CHUNK + at;
        for (int v = 0; v < vectors; v++) {
            __m512i zeros = _mm512_andnot_si512(lowest[v], _mm512_sub_epi8(lowest[v], one)); /* those below the lowest one */
            __m512i leaf = _mm512_add_epi8(place[v], _mm512_popcnt_epi8(zeros));
            add_values_widest(sums + IN_VECTOR * v, values, _mm512_castsi512_si128(leaf));
            add_values_widest(sums + IN_VECTOR * v + 16, values, _mm512_extracti32x4_epi32(leaf, 1));
            add_values_widest(sums + IN_VECTOR * v + 32, values, _mm512_extracti32x4_epi32(leaf, 2));
            add_values_widest(sums + IN_VECTOR * v + 48, values, _mm512_extracti32x4_epi32(leaf, 3));
        }
        if (++class == f->classes) class = 0;
    }
}

#define OWN_STRIPS
#define WITH(name) name##_widest
#include "forest_rows.h"
#undef WITH
#pragma GCC pop_options

typedef void ScoreRows(const Forest *, const float *, Py_ssize_t, Py_ssize_t, Py_ssize_t, const Scratch *, double *);

static ScoreRows *score_rows_of(const Forest *f) {
    if (f->planes <= 2 && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return score_rows_widest;
    return __builtin_cpu_supports("avx2") ? score_rows_wide : score_rows_any;
}
#else
#define score_rows_of(f) score_rows_any
#endif

/* Scores a single row: no more than its own tests are looked at. */
static void score_row(const Forest *f, const float *row, uint8_t *restrict left, double *restrict scores) {
    const uint16_t *restrict slots = f->slots;
    const Piece *restrict pieces = f->pieces;
    memset(left, 0xFF, (size_t)(f->trees * f->planes));
    for (int32_t u = 0; u < f->features; u++) {
        float x = row[f->used[u]];
        int32_t c = f->cut_at[u], k = f->pieces_at[c];
        while (c < f->cut_at[u + 1] && x > f->cuts[c]) c++;
        for (int32_t stop = f->pieces_at[c]; k < stop; k++) left[slots[k]] &= (uint8_t)~pieces[k].gone;
    }
    for (int32_t class = 0; class < f->classes; class++) scores[class] = 0.0;
    for (int32_t tree = 0, class = 0; tree < f->trees; tree++) {
        const uint8_t *byte = left + tree * f->planes;
        int32_t plane = 0;
        while (plane < f->planes - 1 && !byte[plane]) plane++;
        scores[class] += f->values[tree * LEAVES(f) + 8 * plane + __builtin_ctz(byte[plane] | 0x80)];
        if (++class == f->classes) class = 0;
    }
}

static int scratch_init(Scratch *s, const Forest *f) {
    size_t slots = (size_t)(f->trees * f->planes) + 1, pieces = (size_t)f->slot_at[slots - 1] + 1;
    size_t ranks = (size_t)(f->features + 1) * CHUNK, sums = sizeof *s->sums * CHUNK * (size_t)f->classes;
    /* Vectors are read from where their size divides the address; what is largest goes first. */
    char *p = s->memory = PyMem_Malloc(ALIGNED + ranks + sums + sizeof *s->pieces * pieces + (sizeof *s->stop + 1) * slots);
    if (p == NULL) { PyErr_NoMemory(); return -1; }
    p += ALIGNED - (uintptr_t)p % ALIGNED;
    s->ranks = (int8_t *)p;
    s->sums = (double *)(p += ranks);
    s->pieces = (Piece *)(p += sums);
    s->stop = (int32_t *)(p += sizeof *s->pieces * pieces);
    s->left = (uint8_t *)(p + sizeof *s->stop * slots);
    return 0;
}

int forest_score(const PyObject *forest, const float *table, Py_ssize_t width, Py_ssize_t rows, double *scores) {
    const Forest *f = (const Forest *)forest;
    Scratch scratch = {0};
    if (f->features && f->used[f->features - 1] >= width) { PyErr_SetString(PyExc_ValueError, "the table has the wrong size"); return -1; }
    if (scratch_init(&scratch, f) < 0) return -1;
    if (rows == 1) score_row(f, table, scratch.left, scores);
    else for (Py_ssize_t from = 0; from < rows; from += CHUNK)
        score_rows_of(f)(f, table, rows, from, rows - from < CHUNK ? rows - from : CHUNK, &scratch, scores);
    PyMem_Free(scratch.memory);
    return 0;
}

int32_t forest_classes(const PyObject *forest) { return ((const Forest *)forest)->classes; }

/* scores(columns float32 (features, rows), rows, out float64 (rows, classes)) */
static PyObject *forest_scores(Forest *f, PyObject *args) {
    Py_buffer columns, out;
    Py_ssize_t rows;
    if (!PyArg_ParseTuple(args, "y*nw*", &columns, &rows, &out)) return NULL;
    PyObject *result = NULL;
    if (rows < 0 || (rows && out.len != 8 * rows * f->classes)) PyErr_SetString(PyExc_ValueError, "the table has the wrong size");
    else if (!rows || forest_score((PyObject *)f, columns.buf, columns.len / 4 / rows, rows, out.buf) == 0) result = Py_NewRef(Py_None);
    PyBuffer_Release(&columns);
    PyBuffer_Release(&out);
    return result;
}

/* score(row float32) -> tuple of float, a class each: of a single row */
static PyObject *forest_score_one(Forest *f, PyObject *args) {
    Py_buffer row;
    if (!PyArg_ParseTuple(args, "y*", &row)) return NULL;
    double *scores = PyMem_Malloc(sizeof *scores * (size_t)f->classes);
    PyObject *result = NULL;
    if (scores == NULL) PyErr_NoMemory();
    else if (forest_score((PyObject *)f, row.buf, row.len / 4, 1, scores) == 0) result = PyTuple_New(f->classes);
    for (int32_t k = 0; result && k < f->classes; k++) {
        PyObject *score = PyFloat_FromDouble(scores[k]);
        if (score == NULL) { Py_CLEAR(result); break; }
        PyTuple_SET_ITEM(result, k, score);
    }
    PyMem_Free(scores);
    PyBuffer_Release(&row);
    return result;
}

static PyMethodDef forest_methods[] = {
    {"score", (PyCFunction)forest_score_one, METH_VARARGS, "Raw scores of a row."},
    {"scores", (PyCFunction)forest_scores, METH_VARARGS, "Raw scores of a table."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject ForestType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Forest",
    .tp_basicsize = sizeof(Forest),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Gradient-boosted trees.",
    .tp_new = forest_new,
    .tp_dealloc = (destructor)forest_dealloc,
    .tp_methods = forest_methods,
};

/* Gradient-boosted trees by bit masks (forest.Forest.scores). */

#include "native.h"

typedef struct {
    PyObject_HEAD
    int32_t features, tests, trees, leaves, classes;
    int32_t *feature_at; /* where each feature's tests begin, by number in `used` */
    int32_t *used;       /* the column of each feature that is tested */
    float *threshold;
    int32_t *tree;
    uint32_t *mask;
    float *values;
} Forest;

/* Forest(features int32, thresholds float32, trees int32, masks uint32, values float32, classes): tests sorted by
   feature and threshold */
static PyObject *forest_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Py_buffer feature, threshold, tree, mask, values;
    int trees, classes;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*ii", &feature, &threshold, &tree, &mask, &values, &trees, &classes)) return NULL;
    Forest *f = (Forest *)type->tp_alloc(type, 0);
    if (f == NULL) goto out;
    Py_ssize_t n = feature.len / 4;
    f->tests = (int32_t)n;
    f->trees = trees;
    f->classes = classes;
    f->leaves = trees ? (int32_t)(values.len / 4 / trees) : 0;
    f->feature_at = PyMem_Calloc((size_t)n + 2, sizeof(int32_t));
    f->used = PyMem_Calloc((size_t)n + 1, sizeof(int32_t));
    f->threshold = PyMem_Malloc((size_t)threshold.len + 4);
    f->tree = PyMem_Malloc((size_t)tree.len + 4);
    f->mask = PyMem_Malloc((size_t)mask.len + 4);
    f->values = PyMem_Malloc((size_t)values.len + 4);
    if (!f->feature_at || !f->used || !f->threshold || !f->tree || !f->mask || !f->values) {
        PyErr_NoMemory();
        Py_CLEAR(f);
        goto out;
    }
    if (threshold.len != 4 * n || tree.len != 4 * n || mask.len != 4 * n || classes < 1 || f->leaves > 32) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not belong together");
        Py_CLEAR(f);
        goto out;
    }
    memcpy(f->threshold, threshold.buf, (size_t)threshold.len);
    memcpy(f->tree, tree.buf, (size_t)tree.len);
    memcpy(f->mask, mask.buf, (size_t)mask.len);
    memcpy(f->values, values.buf, (size_t)values.len);
    const int32_t *features = feature.buf;
    for (int32_t k = 0; k < n; k++) {
        if (f->tree[k] < 0 || f->tree[k] >= trees || features[k] < 0 || (k && features[k] < features[k - 1])) {
            PyErr_SetString(PyExc_ValueError, "tests are not sorted, or name no tree");
            Py_CLEAR(f);
            goto out;
        }
        if (!k || features[k] != features[k - 1]) {
            f->used[f->features] = features[k];
            f->feature_at[f->features++] = k;
        }
    }
    f->feature_at[f->features] = (int32_t)n;
out:
    PyBuffer_Release(&feature); PyBuffer_Release(&threshold); PyBuffer_Release(&tree); PyBuffer_Release(&mask);
    PyBuffer_Release(&values);
    return (PyObject *)f;
}

static void forest_dealloc(Forest *f) {
    PyMem_Free(f->feature_at); PyMem_Free(f->used); PyMem_Free(f->threshold); PyMem_Free(f->tree); PyMem_Free(f->mask);
    PyMem_Free(f->values);
    Py_TYPE(f)->tp_free((PyObject *)f);
}

#define CHUNK 96 /* rows; a power of two would put the trees' rows on the same lines of the cache */
#define LANES 8

typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef int32_t Bits __attribute__((vector_size(4 * LANES)));

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx2", "default"))) /* the loader takes what the processor has */
#else
#define WIDEST
#endif

/* What one table is scored with. */
typedef struct {
    uint32_t *base;     /* by tree: the leaves that are left by the tests that all rows pass */
    uint32_t *alive;    /* by tree and row: the leaves that are left */
    int32_t *from, *to; /* by feature: the tests that some rows pass */
} Scratch;

/* One test after the other, each over all rows: compilers make this several rows at a time. Tests that all rows pass, as
   those on what the page as a whole has, are made once a tree. */
WIDEST static void score_rows(const Forest *f, const float *table, Py_ssize_t rows, Py_ssize_t from, Py_ssize_t count,
                       const Scratch *s, double *scores) {
    uint32_t *restrict base = s->base;
    memset(base, 0xFF, sizeof(uint32_t) * (size_t)f->trees);
    for (int32_t u = 0; u < f->features; u++) {
        const float *restrict x = table + (Py_ssize_t)f->used[u] * rows + from;
        float least = x[0], most = x[0];
        if (count >= LANES) {
            /* Several rows at a time, each in a lane of its own; some of the last are seen twice. */
            Floats low, high, y;
            memcpy(&low, x, sizeof low);
            high = low;
            for (Py_ssize_t at = LANES; at < count; at += LANES) {
                memcpy(&y, x + (at + LANES <= count ? at : count - LANES), sizeof y);
                Bits above = y > high, below = y < low;
                high = (Floats)(((Bits)y & above) | ((Bits)high & ~above));
                low = (Floats)(((Bits)y & below) | ((Bits)low & ~below));
            }
            for (int k = 0; k < LANES; k++) {
                most = high[k] > most ? high[k] : most;
                least = low[k] < least ? low[k] : least;
            }
        } else for (Py_ssize_t r = 1; r < count; r++) {
            most = x[r] > most ? x[r] : most;
            least = x[r] < least ? x[r] : least;
        }
        /* A feature's thresholds rise: first those that all rows pass, then some, then none. */
        int32_t k = f->feature_at[u], stop = f->feature_at[u + 1];
        for (; k < stop && least > f->threshold[k]; k++) base[f->tree[k]] &= f->mask[k];
        s->from[u] = k;
        while (k < stop && most > f->threshold[k]) k++;
        s->to[u] = k;
    }
    for (int32_t k = 0; k < f->trees; k++)
        for (Py_ssize_t r = 0; r < count; r++) s->alive[k * count + r] = base[k];
    for (int32_t u = 0; u < f->features; u++) {
        const float *restrict x = table + (Py_ssize_t)f->used[u] * rows + from;
        for (int32_t k = s->from[u]; k < s->to[u]; k++) {
            uint32_t *restrict a = s->alive + f->tree[k] * count, ruled_out = ~f->mask[k];
            float threshold = f->threshold[k];
            for (Py_ssize_t r = 0; r < count; r++) a[r] &= ~(x[r] > threshold ? ruled_out : 0u);
        }
    }
    double *restrict to = scores + from * f->classes;
    for (Py_ssize_t r = 0; r < count * f->classes; r++) to[r] = 0.0;
    for (int32_t k = 0; k < f->trees; k++) {
        const float *restrict values = f->values + (Py_ssize_t)k * f->leaves;
        const uint32_t *restrict a = s->alive + k * count;
        if (f->classes > 1) {
            for (Py_ssize_t r = 0; r < count; r++) to[r * f->classes + k % f->classes] += values[__builtin_ctz(a[r])];
            continue;
        }
        for (Py_ssize_t r = 0; r < count; r++) {
            /* The lowest bit's number is the exponent of it as a float: so several rows are done at a time here, too. */
            float lowest = (float)(int32_t)(a[r] & -a[r]);
            uint32_t bits;
            memcpy(&bits, &lowest, sizeof bits);
            to[r] += values[(int32_t)(bits >> 23 & 0xFF) - 127];
        }
    }
}

/* scores(columns float32 (features, rows), rows, out float64 (rows, classes)) */
static PyObject *forest_scores(Forest *f, PyObject *args) {
    Py_buffer columns, out;
    Py_ssize_t rows;
    if (!PyArg_ParseTuple(args, "y*nw*", &columns, &rows, &out)) return NULL;
    const float *table = columns.buf;
    double *scores = out.buf;
    Scratch scratch = {0};
    size_t most = rows < CHUNK ? (size_t)rows : CHUNK;
    scratch.base = PyMem_Malloc(sizeof(uint32_t) * (size_t)(f->trees + 1) * (most + 1));
    scratch.from = PyMem_Malloc(sizeof(int32_t) * (size_t)(f->features + 1) * 2);
    PyObject *result = NULL;
    Py_ssize_t width = rows ? columns.len / 4 / rows : 0;
    if (scratch.base == NULL || scratch.from == NULL) PyErr_NoMemory();
    else if (rows && (out.len != 8 * rows * f->classes || (f->features && f->used[f->features - 1] >= width)))
        PyErr_SetString(PyExc_ValueError, "the table has the wrong size");
    else {
        scratch.alive = scratch.base + f->trees;
        scratch.to = scratch.from + f->features;
        for (Py_ssize_t from = 0; from < rows; from += CHUNK)
            score_rows(f, table, rows, from, rows - from < CHUNK ? rows - from : CHUNK, &scratch, scores);
        result = Py_None;
        Py_INCREF(result);
    }
    PyMem_Free(scratch.base);
    PyMem_Free(scratch.from);
    PyBuffer_Release(&columns);
    PyBuffer_Release(&out);
    return result;
}

static PyMethodDef forest_methods[] = {
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

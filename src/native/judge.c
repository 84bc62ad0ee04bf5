/* context.context(), the sums of context.kind_row() and judge.trust_row(), judge.best_choice() and what judge.py makes of
   chances and odds, in the same order of arithmetic. */

#include "native.h"
#include <math.h>

#define LEVELS 6
#define BESIDE 3

/* numpy's own order of adding up: pairs of partial sums, so that both give the same last digit. */
#define PAIRWISE(NAME, TYPE)                                                                                            \
    static TYPE NAME(const TYPE *a, Py_ssize_t n) {                                                                     \
        if (n < 8) {                                                                                                    \
            TYPE sum = 0;                                                                                               \
            for (Py_ssize_t i = 0; i < n; i++) sum += a[i];                                                             \
            return sum;                                                                                                 \
        }                                                                                                               \
        if (n <= 128) {                                                                                                 \
            TYPE r[8];                                                                                                  \
            Py_ssize_t i;                                                                                               \
            for (int k = 0; k < 8; k++) r[k] = a[k];                                                                    \
            for (i = 8; i < n - n % 8; i += 8)                                                                          \
                for (int k = 0; k < 8; k++) r[k] += a[i + k];                                                           \
            TYPE sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));                               \
            for (; i < n; i++) sum += a[i];                                                                             \
            return sum;                                                                                                 \
        }                                                                                                               \
        Py_ssize_t half = n / 2 - n / 2 % 8;                                                                            \
        return NAME(a, half) + NAME(a + half, n - half);                                                                \
    }
PAIRWISE(sum_of_doubles, double)
PAIRWISE(sum_of_floats, float)

typedef struct {
    double chance;
    int32_t block;
} Ranked;

#define RUN 8

/* Likeliest first, equals in the page's order: runs are put in order one by one, then merged; `spare` is as long. */
static void rank(Ranked *list, Ranked *spare, Py_ssize_t n) {
    for (Py_ssize_t from = 0; from < n; from += RUN)
        for (Py_ssize_t k = from + 1; k < n && k < from + RUN; k++) {
            Ranked own = list[k];
            Py_ssize_t at = k;
            for (; at > from && list[at - 1].chance < own.chance; at--) list[at] = list[at - 1];
            list[at] = own;
        }
    for (Py_ssize_t width = RUN; width < n; width *= 2) {
        for (Py_ssize_t from = 0; from < n; from += 2 * width) {
            Py_ssize_t middle = from + width < n ? from + width : n, stop = middle + width < n ? middle + width : n;
            if (middle == stop || list[middle - 1].chance >= list[middle].chance) continue;
            memcpy(spare, list + from, sizeof *list * (size_t)(middle - from));
            Py_ssize_t one = 0, ones = middle - from, other = middle, to = from;
            while (one < ones && other < stop) list[to++] = spare[one].chance >= list[other].chance ? spare[one++] : list[other++];
            while (one < ones) list[to++] = spare[one++];
        }
    }
}

static Py_ssize_t clipped(Py_ssize_t value, Py_ssize_t low, Py_ssize_t high) {
    return value < low ? low : value > high ? high : value;
}

/* What of the page's shape the second look needs. */
typedef struct {
    Py_buffer start_, stop_, group_, heading_;
    const int64_t *start, *stop, *group, *heading; /* start, stop: (blocks, LEVELS) */
} Around;

static void around_free(Around *a) {
    PyBuffer_Release(&a->start_); PyBuffer_Release(&a->stop_); PyBuffer_Release(&a->group_); PyBuffer_Release(&a->heading_);
}

/* Whether all numbers are those of blocks; with an error set if not. */
static int around_fits(Around *a, Py_ssize_t n) {
    const int64_t *start = a->start = a->start_.buf, *stop = a->stop = a->stop_.buf;
    const int64_t *group = a->group = a->group_.buf, *heading = a->heading = a->heading_.buf;
    if (a->start_.len != 8 * LEVELS * n || a->stop_.len != 8 * LEVELS * n || a->group_.len != 8 * n || a->heading_.len != 8 * n) {
        PyErr_SetString(PyExc_ValueError, "an array has the wrong size");
        return 0;
    }
    uint64_t wrong = 0;
    for (Py_ssize_t b = 0; b < n; b++)
        wrong |= (uint64_t)((uint64_t)group[b] >= (uint64_t)n) | (uint64_t)((uint64_t)(heading[b] + 1) > (uint64_t)n);
    for (Py_ssize_t k = 0; k < LEVELS * n; k++) wrong |= (uint64_t)((uint64_t)start[k] >= (uint64_t)n) | (uint64_t)(stop[k] > n);
    if (wrong) PyErr_SetString(PyExc_ValueError, "a number is no block's");
    return !wrong;
}

#define CONTEXT_ROWS(kinds) (1 + 2 * BESIDE + 6 + 4 * LEVELS + 10 + (kinds))

/* The rows of context.CONTEXT, float32 (rows, blocks); -1 without memory. */
static int fill_context(float *row, Py_ssize_t n, const float *shown, const float *chance, const double *kind, Py_ssize_t kinds, const Around *a) {
    const int64_t *start = a->start, *stop = a->stop, *group = a->group, *heading = a->heading;
    double *words = NULL, *mass = NULL, *mass_sum = NULL, *word_sum = NULL, *likely_sum = NULL, *held = NULL, *size_of = NULL;
    Ranked *ranked = NULL, *spare = NULL;
    int failed = -1;
#define NEW(p) if ((p = PyMem_Calloc((size_t)n + 2, sizeof *(p))) == NULL) { PyErr_NoMemory(); goto out; }
    NEW(words) NEW(mass) NEW(mass_sum) NEW(word_sum) NEW(likely_sum) NEW(held) NEW(size_of) NEW(ranked) NEW(spare)
    for (Py_ssize_t b = 0; b < n; b++) {
        words[b] = (double)(shown[b] + 0.5f);
        mass[b] = (double)chance[b] * words[b];
        mass_sum[b + 1] = mass_sum[b] + mass[b];
        word_sum[b + 1] = word_sum[b] + words[b];
        likely_sum[b + 1] = likely_sum[b] + (chance[b] > 0.5f);
    }
    double expected = mass_sum[n];

    /* The block itself and those beside it. */
    memcpy(row, chance, (size_t)n * sizeof *row);
    for (int offset = -BESIDE; offset <= BESIDE; offset++) {
        if (!offset) continue;
        row += n;
        for (Py_ssize_t b = 0; b < n; b++) row[b] = b + offset >= 0 && b + offset < n ? chance[b + offset] : 0.0f;
    }
    static const Py_ssize_t halves[] = {2, 5, 12};
    for (int k = 0; k < 3; k++) {
        float *near_chance = row += n, *near_likely = row += n;
        for (Py_ssize_t b = 0; b < n; b++) {
            Py_ssize_t low = clipped(b - halves[k], 0, n), high = clipped(b + halves[k] + 1, 0, n);
            near_chance[b] = (float)((mass_sum[high] - mass_sum[low]) / (word_sum[high] - word_sum[low]));
            near_likely[b] = (float)((likely_sum[high] - likely_sum[low]) / (double)(high - low));
        }
    }

    /* The containers around it, level by level, and the one that would be the best single answer. */
    double best = -1;
    int64_t best_start = 0, best_stop = 0;
    for (int k = 0; k < LEVELS; k++) {
        float *inside_chance = row += n, *inside_likely = row += n, *inside_f1 = row += n, *inside_share = row += n;
        for (Py_ssize_t b = 0; b < n; b++) {
            int64_t from = start[b * LEVELS + k], to = stop[b * LEVELS + k] > from ? stop[b * LEVELS + k] : from + 1;
            if (b && from == start[(b - 1) * LEVELS + k] && stop[b * LEVELS + k] == stop[(b - 1) * LEVELS + k]) {
                /* Neighbours are mostly in the same container. */
                inside_chance[b] = inside_chance[b - 1];
                inside_likely[b] = inside_likely[b - 1];
                inside_f1[b] = inside_f1[b - 1];
                inside_share[b] = inside_share[b - 1];
                continue;
            }
            double inside = mass_sum[to] - mass_sum[from], size = word_sum[to] - word_sum[from];
            double score = 2 * inside / (size + expected + 1e-6);
            inside_chance[b] = (float)(inside / size);
            inside_likely[b] = (float)((likely_sum[to] - likely_sum[from]) / (double)(to - from));
            inside_f1[b] = (float)score;
            inside_share[b] = (float)(inside / (expected + 1e-6));
            if (score > best) { best = score; best_start = from; best_stop = stop[b * LEVELS + k]; }
        }
    }
    float *in_best = row += n, *best_f1 = row += n, *distance = row += n;
    for (Py_ssize_t b = 0; b < n; b++) {
        in_best[b] = b >= best_start && b < best_stop;
        best_f1[b] = (float)best;
        distance[b] = (float)((b < best_start ? b - best_start : 0) + (b + 1 > best_stop ? b - best_stop + 1 : 0));
    }

    /* Its template, and its heading. */
    float *group_chance = row += n, *headed_chance = row += n, *heading_chance = row += n;
    for (Py_ssize_t b = 0; b < n; b++) { held[group[b]] += mass[b]; size_of[group[b]] += words[b]; }
    for (Py_ssize_t b = 0; b < n; b++) group_chance[b] = (float)(held[group[b]] / size_of[group[b]]);
    memset(held, 0, sizeof *held * (size_t)n);
    memset(size_of, 0, sizeof *size_of * (size_t)n);
    for (Py_ssize_t b = 0; b < n; b++) if (heading[b] >= 0) { held[heading[b]] += mass[b]; size_of[heading[b]] += words[b]; }
    for (Py_ssize_t b = 0; b < n; b++) {
        headed_chance[b] = (float)(held[b] / (size_of[b] > 0.5 ? size_of[b] : 0.5));
        heading_chance[b] = heading[b] >= 0 ? chance[heading[b]] : 0.5f;
    }

    /* The page. */
    double reached = 0, of = 0, gain = 0;
    for (Py_ssize_t b = 0; b < n; b++) {
        ranked[b] = (Ranked){chance[b], (int32_t)b};
        held[b] = mass[b] * (double)(1.0f - chance[b]);
    }
    rank(ranked, spare, n);
    for (Py_ssize_t k = 0; k < n; k++) {
        reached += mass[ranked[k].block];
        of += words[ranked[k].block];
        double score = 2 * reached / (of + expected + 1e-6);
        if (score > gain) gain = score;
    }
    double page[] = {gain, expected / word_sum[n], likely_sum[n] / (double)n, sum_of_doubles(held, n) / (expected + 1e-6)};
    for (Py_ssize_t k = 0; k < 4 + kinds; k++) {
        float value = (float)(k < 4 ? page[k] : kind[k - 4]);
        row += n;
        for (Py_ssize_t b = 0; b < n; b++) row[b] = value;
    }
    failed = 0;
out:
    PyMem_Free(words); PyMem_Free(mass); PyMem_Free(mass_sum); PyMem_Free(word_sum); PyMem_Free(likely_sum);
    PyMem_Free(held); PyMem_Free(size_of); PyMem_Free(ranked); PyMem_Free(spare);
    return failed;
}

/* context(out, words, chance, kind, start, stop, group, heading): out float32 (rows, blocks); words, chance float32;
   kind float64; start, stop int64 (blocks, LEVELS); group, heading int64 */
static PyObject *context(PyObject *module, PyObject *args) {
    Py_buffer out, words, chance, kind;
    Around around;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "w*y*y*y*y*y*y*y*", &out, &words, &chance, &kind, &around.start_, &around.stop_, &around.group_, &around.heading_))
        return NULL;
    Py_ssize_t n = words.len / 4, kinds = kind.len / 8;
    if (!n || out.len != 4 * CONTEXT_ROWS(kinds) * n || chance.len != 4 * n) PyErr_SetString(PyExc_ValueError, "an array has the wrong size");
    else if (around_fits(&around, n) && fill_context(out.buf, n, words.buf, chance.buf, kind.buf, kinds, &around) == 0)
        result = Py_NewRef(Py_None);
    PyBuffer_Release(&out); PyBuffer_Release(&words); PyBuffer_Release(&chance); PyBuffer_Release(&kind);
    around_free(&around);
    return result;
}

PyMethodDef context_method = {"context", context, METH_VARARGS, "Each block beside what was made of its surroundings."};

#define MOST_MEANS 64

/* What content_sums() is asked for: rows of the table, that of the owners, and ranges of their codes. */
typedef struct {
    int32_t means, kinds, rows[MOST_MEANS], low[MOST_MEANS], high[MOST_MEANS], owner_row;
} Asked;

/* Reads ((row, ...), owner row, ((lowest, highest), ...)) for a table of so many rows; -1 after an error. */
static int read_asked(PyObject *rows, int owner_row, PyObject *owners, Py_ssize_t features, Asked *a) {
    Py_ssize_t means = PyTuple_GET_SIZE(rows), kinds = PyTuple_GET_SIZE(owners);
    if (means > MOST_MEANS || kinds > MOST_MEANS || owner_row < 0 || owner_row >= features) goto wrong;
    *a = (Asked){.means = (int32_t)means, .kinds = (int32_t)kinds, .owner_row = owner_row};
    for (Py_ssize_t k = 0; k < means; k++) {
        long row = PyLong_AsLong(PyTuple_GET_ITEM(rows, k));
        if (row < 0 || row >= features) goto wrong;
        a->rows[k] = (int32_t)row;
    }
    for (Py_ssize_t k = 0; k < kinds; k++) {
        PyObject *pair = PyTuple_GET_ITEM(owners, k);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) goto wrong;
        long low = PyLong_AsLong(PyTuple_GET_ITEM(pair, 0)), high = PyLong_AsLong(PyTuple_GET_ITEM(pair, 1));
        if (low < 0 || high > 255) goto wrong;
        a->low[k] = (int32_t)low;
        a->high[k] = (int32_t)high;
    }
    return 0;
wrong:
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row, or no owner has such a code");
    return -1;
}

#define SUMS 4 /* before the means */

/* The best F1, the share of the page, the share of the blocks, the size, the means of rows and the shares of owners, all of
   what the chances say is content; -1 without memory. The table's first row is the words. */
static int sum_content(const float *table, const double *chance, Py_ssize_t n, const Asked *a, double *sums) {
    double *mass = NULL, *product = NULL, by_owner[256] = {0};
    float *words = NULL;
    Ranked *ranked = NULL, *spare = NULL;
    int failed = -1;
    NEW(mass) NEW(product) NEW(words) NEW(ranked) NEW(spare)
    Py_ssize_t likely = 0;
    for (Py_ssize_t b = 0; b < n; b++) {
        words[b] = table[b] + 0.5f;
        mass[b] = chance[b] * (double)words[b];
        ranked[b] = (Ranked){chance[b], (int32_t)b};
        likely += chance[b] > 0.5;
        float code = table[a->owner_row * n + b];
        if (code >= 0 && code < 256) by_owner[(int)code] += mass[b];
    }
    double total = sum_of_doubles(mass, n) + 1e-6, reached = 0, gain = 0;
    float of = 0;
    rank(ranked, spare, n);
    for (Py_ssize_t k = 0; k < n; k++) {
        reached += mass[ranked[k].block];
        of += words[ranked[k].block];
        double score = 2 * reached / (double)(of + (float)total);
        if (score > gain) gain = score;
    }
    *sums++ = gain;
    *sums++ = total / (double)sum_of_floats(words, n);
    *sums++ = (double)likely / (double)n;
    *sums++ = log1p(total);
    for (int32_t k = 0; k < a->means; k++) {
        const float *row = table + a->rows[k] * n;
        for (Py_ssize_t b = 0; b < n; b++) product[b] = (double)row[b] * mass[b];
        *sums++ = sum_of_doubles(product, n) / total;
    }
    for (int32_t k = 0; k < a->kinds; k++) {
        double value = 0;
        for (int code = a->low[k]; code <= a->high[k]; code++) value += by_owner[code];
        *sums++ = value / total;
    }
    failed = 0;
out:
    PyMem_Free(mass); PyMem_Free(product); PyMem_Free(words); PyMem_Free(ranked); PyMem_Free(spare);
    return failed;
}

/* content_sums(table, chance, rows, owner_row, owners) -> tuple of float, as in sum_content()

   table float32 (features, blocks), its first row the words; chance float64; owners pairs of lowest and highest code */
static PyObject *content_sums(PyObject *module, PyObject *args) {
    Py_buffer table, chance;
    PyObject *rows, *owners, *result = NULL;
    int owner_row;
    if (!PyArg_ParseTuple(args, "y*y*O!iO!", &table, &chance, &PyTuple_Type, &rows, &owner_row, &PyTuple_Type, &owners))
        return NULL;
    Py_ssize_t n = chance.len / 8, features = n ? table.len / 4 / n : 0;
    Asked asked;
    double sums[SUMS + 2 * MOST_MEANS];
    if (!n || table.len != 4 * features * n) PyErr_SetString(PyExc_ValueError, "the table has the wrong size");
    else if (read_asked(rows, owner_row, owners, features, &asked) == 0 && sum_content(table.buf, chance.buf, n, &asked, sums) == 0) {
        Py_ssize_t count = SUMS + asked.means + asked.kinds;
        result = PyTuple_New(count);
        for (Py_ssize_t k = 0; result && k < count; k++) {
            PyObject *number = PyFloat_FromDouble(sums[k]);
            if (number == NULL) { Py_CLEAR(result); break; }
            PyTuple_SET_ITEM(result, k, number);
        }
    }
    PyBuffer_Release(&table); PyBuffer_Release(&chance);
    return result;
}

PyMethodDef content_sums_method = {"content_sums", content_sums, METH_VARARGS, "What is content, summed up for the page's type."};

#define MOST_FEATURES 512

/* Adds a dict's values, floats, to a row; how many, -1 after an error. */
static Py_ssize_t add_values(PyObject *dict, float *row) {
    PyObject *key, *value;
    Py_ssize_t at = 0, count = 0;
    if (PyDict_GET_SIZE(dict) > MOST_FEATURES / 2) { PyErr_SetString(PyExc_ValueError, "the page has too many features"); return -1; }
    while (PyDict_Next(dict, &at, &key, &value)) row[count++] = (float)PyFloat_AsDouble(value);
    return PyErr_Occurred() ? -1 : count;
}

/* ---- chances and their odds ---- */

static inline double chance_of(double odds) { return 1.0 / (1.0 + exp(-odds < 700.0 ? -odds : 700.0)); }

static inline double odds_of(double chance) {
    double clipped = chance > 1e-5 ? chance : 1e-5;
    clipped = clipped < 1 - 1e-5 ? clipped : 1 - 1e-5;
    return log(clipped / (1 - clipped));
}

/* lowered(chances, by, in_best, inside, out): chances, float64, lowered by some log-odds, and by that share of it where
   in_best, float32, is not 0 */
static PyObject *lowered_chances(PyObject *module, PyObject *args) {
    Py_buffer chance, best, out;
    double by, inside;
    if (!PyArg_ParseTuple(args, "y*dy*dw*", &chance, &by, &best, &inside, &out)) return NULL;
    const double *from = chance.buf;
    const float *in_best = best.buf;
    double *to = out.buf;
    int fits = chance.len == out.len && 2 * best.len == out.len && out.len % 8 == 0;
    for (Py_ssize_t b = 0; fits && b < out.len / 8; b++)
        to[b] = chance_of(odds_of(from[b]) - by * (in_best[b] > 0 ? inside : 1.0));
    PyBuffer_Release(&chance); PyBuffer_Release(&best); PyBuffer_Release(&out);
    if (!fits) { PyErr_SetString(PyExc_ValueError, "an array has the wrong size"); return NULL; }
    Py_RETURN_NONE;
}

PyMethodDef lowered_method = {"lowered", lowered_chances, METH_VARARGS, "Chances, lowered outside the best container."};

/* The size of the kept blocks, what of it is right, what of the page is; the size of the page; how sure all is, and what is
   kept; -1 after an error. `kept`: list of blocks in order */
static int sum_kept(const float *shown, const double *chance, Py_ssize_t n, PyObject *kept, double *sums) {
    Py_ssize_t count = PyList_GET_SIZE(kept);
    double *mass = NULL, *right = NULL, *sure = NULL, *sure_kept = NULL;
    float *words = NULL, *size = NULL;
    int failed = -1;
    if (count > n) { PyErr_SetString(PyExc_ValueError, "there are not so many blocks"); return -1; }
    NEW(mass) NEW(right) NEW(sure) NEW(sure_kept) NEW(words) NEW(size)
    for (Py_ssize_t b = 0; b < n; b++) {
        words[b] = shown[b] + 0.5f;
        mass[b] = chance[b] * (double)words[b];
        sure[b] = fabs(chance[b] - 0.5) * 2 * (double)words[b];
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_ssize_t b = PyLong_AsSsize_t(PyList_GET_ITEM(kept, k));
        if (b < 0 || b >= n) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such block"); goto out; }
        right[k] = mass[b];
        sure_kept[k] = sure[b];
        size[k] = words[b];
    }
    sums[0] = (double)sum_of_floats(size, count);
    sums[1] = sum_of_doubles(right, count);
    sums[2] = sum_of_doubles(mass, n);
    sums[3] = (double)sum_of_floats(words, n);
    sums[4] = sum_of_doubles(sure, n);
    sums[5] = sum_of_doubles(sure_kept, count);
    failed = 0;
out:
    PyMem_Free(mass); PyMem_Free(right); PyMem_Free(sure); PyMem_Free(sure_kept); PyMem_Free(words); PyMem_Free(size);
    return failed;
}

/* trust_row(table, chance, kinds, kept, page, rows, owner_row, owners) -> bytes: the float32 of judge.trust_row()

   table float32 (features, blocks), its first row the words; chances: list; kinds float64; kept: list of blocks in order;
   page: dict of float */
static PyObject *trust_row(PyObject *module, PyObject *args) {
    Py_buffer table, kinds_;
    PyObject *chances, *kept, *page, *rows, *owners, *result = NULL;
    int owner_row;
    if (!PyArg_ParseTuple(args, "y*O!y*O!O!O!iO!", &table, &PyList_Type, &chances, &kinds_, &PyList_Type, &kept, &PyDict_Type, &page,
            &PyTuple_Type, &rows, &owner_row, &PyTuple_Type, &owners))
        return NULL;
    double *chance = NULL;
    Py_ssize_t n = PyList_GET_SIZE(chances), features = n ? table.len / 4 / n : 0, kinds = kinds_.len / 8, count = 0, more;
    float row[MOST_FEATURES];
    double k[6], sums[SUMS + 2 * MOST_MEANS];
    const double *kind = kinds_.buf;
    Asked asked;
    if (!n || table.len != 4 * features * n || kinds > MOST_MEANS) { PyErr_SetString(PyExc_ValueError, "the table has the wrong size"); goto out; }
    NEW(chance)
    for (Py_ssize_t b = 0; b < n; b++) chance[b] = PyFloat_AsDouble(PyList_GET_ITEM(chances, b));
    if (PyErr_Occurred() || read_asked(rows, owner_row, owners, features, &asked) < 0 || sum_kept(table.buf, chance, n, kept, k) < 0
        || sum_content(table.buf, chance, n, &asked, sums) < 0)
        goto out;
    double size = k[0], right = k[1], total = k[2], words = k[3], sure = k[4], sure_kept = k[5];
    row[count++] = (float)(2 * right / (size + total + 1e-6));
    row[count++] = (float)(right / (size + 1e-6));
    row[count++] = (float)(right / (total + 1e-6));
    row[count++] = (float)(size / words);
    row[count++] = (float)log1p(size);
    row[count++] = (float)PyList_GET_SIZE(kept);
    row[count++] = (float)(sure / words);
    row[count++] = (float)(sure_kept / (size + 1e-6));
    for (Py_ssize_t c = 0; c < kinds; c++) row[count++] = (float)kind[c];
    if ((more = add_values(page, row + count)) < 0) goto out;
    count += more;
    for (int32_t c = 0; c < SUMS + asked.means + asked.kinds; c++) row[count++] = (float)sums[c];
    result = PyBytes_FromStringAndSize((const char *)row, count * (Py_ssize_t)sizeof *row);
out:
    PyMem_Free(chance);
    PyBuffer_Release(&table); PyBuffer_Release(&kinds_);
    return result;
}

PyMethodDef trust_row_method = {"trust_row", trust_row, METH_VARARGS, "The features of the predicted F1."};

/* looks(first, kind, second, table, page, leaning, rows, owner_row, owners, second_rows, start, stop, group, heading, seen,
   kinds, out): both looks of judge.both_looks()

   first, kind, second: Forest; table float32 (features, blocks); page: dict of float; leaning float32 (kinds); second_rows:
   tuple of rows of the table; to seen float32 (rows, blocks), kinds float64 and out float64 (blocks) */
static PyObject *looks(PyObject *module, PyObject *args) {
    PyObject *first, *kind, *second, *page, *rows, *owners, *second_rows, *result = NULL;
    Py_buffer table_, leaning, seen_, kinds_, out_;
    Around around;
    int owner_row;
    if (!PyArg_ParseTuple(args, "O!O!O!y*O!y*O!iO!O!y*y*y*y*w*w*w*", &ForestType, &first, &ForestType, &kind, &ForestType, &second, &table_,
            &PyDict_Type, &page, &leaning, &PyTuple_Type, &rows, &owner_row, &PyTuple_Type, &owners, &PyTuple_Type, &second_rows,
            &around.start_, &around.stop_, &around.group_, &around.heading_, &seen_, &kinds_, &out_))
        return NULL;
    Py_ssize_t n = out_.len / 8, features = n ? table_.len / 4 / n : 0, kinds = kinds_.len / 8, kept = PyTuple_GET_SIZE(second_rows);
    Py_ssize_t width = kept + CONTEXT_ROWS(kinds), count;
    const float *table = table_.buf;
    double *odds = NULL, *chance = NULL, *out = out_.buf, *kind_of = kinds_.buf, sums[SUMS + 2 * MOST_MEANS];
    float *single = NULL, *seen = seen_.buf, row[MOST_FEATURES];
    Asked asked;
    if (!n || table_.len != 4 * features * n || seen_.len != 4 * width * n || leaning.len != 4 * kinds || kinds < 1
        || kinds > MOST_MEANS || forest_classes(first) != 1 || forest_classes(kind) != kinds || forest_classes(second) != 1) {
        PyErr_SetString(PyExc_ValueError, "an array has the wrong size");
        goto out;
    }
    if (read_asked(rows, owner_row, owners, features, &asked) < 0 || !around_fits(&around, n)) goto out;
    NEW(odds) NEW(chance) NEW(single)
    if (forest_score(first, table, features, n, odds) < 0) goto out;
    for (Py_ssize_t b = 0; b < n; b++) single[b] = (float)(chance[b] = chance_of(odds[b]));

    /* The page's type. */
    if (sum_content(table, chance, n, &asked, sums) < 0 || (count = add_values(page, row)) < 0) goto out;
    for (int32_t k = 0; k < SUMS + asked.means + asked.kinds; k++) row[count++] = (float)sums[k];
    memcpy(row + count, leaning.buf, (size_t)leaning.len);
    if (forest_score(kind, row, count + kinds, 1, kind_of) < 0) goto out;
    double most = kind_of[0], total = 0;
    for (Py_ssize_t k = 1; k < kinds; k++) most = kind_of[k] > most ? kind_of[k] : most;
    for (Py_ssize_t k = 0; k < kinds; k++) total += kind_of[k] = exp(kind_of[k] - most);
    for (Py_ssize_t k = 0; k < kinds; k++) kind_of[k] /= total;

    for (Py_ssize_t k = 0; k < kept; k++) {
        Py_ssize_t at = PyLong_AsSsize_t(PyTuple_GET_ITEM(second_rows, k));
        if (at < 0 || at >= features) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row"); goto out; }
        memcpy(seen + k * n, table + at * n, sizeof *seen * (size_t)n);
    }
    if (fill_context(seen + kept * n, n, table, single, kind_of, kinds, &around) < 0 || forest_score(second, seen, width, n, odds) < 0) goto out;
    for (Py_ssize_t b = 0; b < n; b++) out[b] = chance_of((odds_of(chance[b]) + odds_of(chance_of(odds[b]))) / 2);
    result = Py_NewRef(Py_None);
out:
    PyMem_Free(odds); PyMem_Free(chance); PyMem_Free(single);
    PyBuffer_Release(&table_); PyBuffer_Release(&leaning); PyBuffer_Release(&seen_); PyBuffer_Release(&kinds_); PyBuffer_Release(&out_);
    around_free(&around);
    return result;
}

PyMethodDef looks_method = {"looks", looks, METH_VARARGS, "Both looks of the judge."};

/* best_threshold(chances, words) -> (threshold, F1): all blocks as likely as that have the highest expected F1 */
static PyObject *best_threshold(PyObject *module, PyObject *args) {
    PyObject *chances, *words, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &chances, &PyList_Type, &words)) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(chances);
    double *mass = NULL, *weight = NULL;
    Ranked *ranked = NULL, *spare = NULL;
    if (!n || PyList_GET_SIZE(words) != n) { PyErr_SetString(PyExc_ValueError, "not the chances of these blocks"); return NULL; }
    NEW(mass) NEW(weight) NEW(ranked) NEW(spare)
    for (Py_ssize_t b = 0; b < n; b++) {
        PyObject *count = PyList_GET_ITEM(words, b);
        weight[b] = (PyLong_CheckExact(count) ? (double)PyLong_AsLong(count) : PyFloat_AsDouble(count)) + 0.5;
        ranked[b] = (Ranked){PyFloat_AsDouble(PyList_GET_ITEM(chances, b)), (int32_t)b};
    }
    if (PyErr_Occurred()) goto out;
    rank(ranked, spare, n);
    for (Py_ssize_t k = 0; k < n; k++) mass[k] = ranked[k].chance * weight[ranked[k].block];
    double total = sum_of_doubles(mass, n), reached = 0, of = 0, best = -1, threshold = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        reached += mass[k];
        of += weight[ranked[k].block];
        double score = 2 * reached / (of + total);
        if (score > best) { best = score; threshold = ranked[k].chance; }
    }
    result = Py_BuildValue("dd", threshold, best);
out:
    PyMem_Free(mass); PyMem_Free(weight); PyMem_Free(ranked); PyMem_Free(spare);
    return result;
}

PyMethodDef best_threshold_method = {"best_threshold", best_threshold, METH_VARARGS, "Where the highest expected F1 is."};

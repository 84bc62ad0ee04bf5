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

/* context(out, words, chance, kind, start, stop, group, heading): out float32 (rows, blocks); words, chance float32;
   kind float64; start, stop int64 (blocks, LEVELS); group, heading int64 */
static PyObject *context(PyObject *module, PyObject *args) {
    Py_buffer out_, words_, chance_, kind_, start_, stop_, group_, heading_;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "w*y*y*y*y*y*y*y*", &out_, &words_, &chance_, &kind_, &start_, &stop_, &group_, &heading_))
        return NULL;
    Py_ssize_t n = words_.len / 4, kinds = kind_.len / 8, rows = 1 + 2 * BESIDE + 6 + 4 * LEVELS + 10 + kinds;
    const float *shown = words_.buf, *chance = chance_.buf;
    const double *kind = kind_.buf;
    const int64_t *start = start_.buf, *stop = stop_.buf, *group = group_.buf, *heading = heading_.buf;
    float *row = out_.buf;
    double *words = NULL, *mass = NULL, *mass_sum = NULL, *word_sum = NULL, *likely_sum = NULL, *held = NULL, *size_of = NULL;
    Ranked *ranked = NULL, *spare = NULL;
    if (!n || out_.len != 4 * rows * n || chance_.len != 4 * n || start_.len != 8 * LEVELS * n || stop_.len != 8 * LEVELS * n
        || group_.len != 8 * n || heading_.len != 8 * n) {
        PyErr_SetString(PyExc_ValueError, "an array has the wrong size");
        goto out;
    }
    for (Py_ssize_t b = 0; b < n; b++) {
        int right = group[b] >= 0 && group[b] < n && heading[b] >= -1 && heading[b] < n;
        for (int k = 0; right && k < LEVELS; k++)
            right = start[b * LEVELS + k] >= 0 && start[b * LEVELS + k] < n && stop[b * LEVELS + k] <= n;
        if (!right) { PyErr_SetString(PyExc_ValueError, "a number is no block's"); goto out; }
    }
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
    result = Py_NewRef(Py_None);
out:
    PyMem_Free(words); PyMem_Free(mass); PyMem_Free(mass_sum); PyMem_Free(word_sum); PyMem_Free(likely_sum);
    PyMem_Free(held); PyMem_Free(size_of); PyMem_Free(ranked); PyMem_Free(spare);
    PyBuffer_Release(&out_); PyBuffer_Release(&words_); PyBuffer_Release(&chance_); PyBuffer_Release(&kind_);
    PyBuffer_Release(&start_); PyBuffer_Release(&stop_); PyBuffer_Release(&group_); PyBuffer_Release(&heading_);
    return result;
}

PyMethodDef context_method = {"context", context, METH_VARARGS, "Each block beside what was made of its surroundings."};

/* content_sums(table, chance, rows, owner_row, owners) -> tuple of float: the best F1, the share of the page, the share
   of the blocks, the size, the means of `rows` and the shares of `owners`, all of what the chances say is content.

   table float32 (features, blocks), its first row the words; chance float64; owners pairs of lowest and highest code */
static PyObject *content_sums(PyObject *module, PyObject *args) {
    Py_buffer table_, chance_;
    PyObject *rows, *owners, *result = NULL;
    int owner_row;
    if (!PyArg_ParseTuple(args, "y*y*O!iO!", &table_, &chance_, &PyTuple_Type, &rows, &owner_row, &PyTuple_Type, &owners))
        return NULL;
    Py_ssize_t n = chance_.len / 8, features = n ? table_.len / 4 / n : 0, means = PyTuple_GET_SIZE(rows);
    Py_ssize_t kinds = PyTuple_GET_SIZE(owners);
    const float *table = table_.buf;
    const double *chance = chance_.buf;
    double *mass = NULL, *product = NULL, *by_owner = NULL;
    float *words = NULL;
    Ranked *ranked = NULL, *spare = NULL;
    if (!n || table_.len != 4 * features * n || owner_row < 0 || owner_row >= features) {
        PyErr_SetString(PyExc_ValueError, "the table has the wrong size");
        goto out;
    }
    NEW(mass) NEW(product) NEW(words) NEW(ranked) NEW(spare)
    if ((by_owner = PyMem_Calloc(256, sizeof *by_owner)) == NULL) { PyErr_NoMemory(); goto out; }
    Py_ssize_t likely = 0;
    for (Py_ssize_t b = 0; b < n; b++) {
        words[b] = table[b] + 0.5f;
        mass[b] = chance[b] * (double)words[b];
        ranked[b] = (Ranked){chance[b], (int32_t)b};
        likely += chance[b] > 0.5;
        float code = table[owner_row * n + b];
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
    if ((result = PyTuple_New(4 + means + kinds)) == NULL) goto out;
    for (Py_ssize_t k = 0; k < 4 + means + kinds; k++) {
        double value = 0;
        if (k == 0) value = gain;
        else if (k == 1) value = total / (double)sum_of_floats(words, n);
        else if (k == 2) value = (double)likely / (double)n;
        else if (k == 3) value = log1p(total);
        else if (k < 4 + means) {
            Py_ssize_t at = PyLong_AsSsize_t(PyTuple_GET_ITEM(rows, k - 4));
            if (at < 0 || at >= features) { PyErr_SetString(PyExc_ValueError, "there is no such row"); Py_CLEAR(result); goto out; }
            for (Py_ssize_t b = 0; b < n; b++) product[b] = (double)table[at * n + b] * mass[b];
            value = sum_of_doubles(product, n) / total;
        } else {
            int low, high;
            if (!PyArg_ParseTuple(PyTuple_GET_ITEM(owners, k - 4 - means), "ii", &low, &high) || low < 0 || high > 255) {
                if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no owner has such a code");
                Py_CLEAR(result);
                goto out;
            }
            for (int code = low; code <= high; code++) value += by_owner[code];
            value /= total;
        }
        PyObject *number = PyFloat_FromDouble(value);
        if (number == NULL) { Py_CLEAR(result); goto out; }
        PyTuple_SET_ITEM(result, k, number);
    }
out:
    PyMem_Free(mass); PyMem_Free(product); PyMem_Free(words); PyMem_Free(ranked); PyMem_Free(spare); PyMem_Free(by_owner);
    PyBuffer_Release(&table_); PyBuffer_Release(&chance_);
    return result;
}

PyMethodDef content_sums_method = {"content_sums", content_sums, METH_VARARGS, "What is content, summed up for the page's type."};

/* ---- chances and their odds ---- */

static inline double chance_of(double odds) { return 1.0 / (1.0 + exp(-odds < 700.0 ? -odds : 700.0)); }

static inline double odds_of(double chance) {
    double clipped = chance > 1e-5 ? chance : 1e-5;
    clipped = clipped < 1 - 1e-5 ? clipped : 1 - 1e-5;
    return log(clipped / (1 - clipped));
}

/* chances(odds, out): the chances of odds, both float64 */
static PyObject *chances(PyObject *module, PyObject *args) {
    Py_buffer odds, out;
    if (!PyArg_ParseTuple(args, "y*w*", &odds, &out)) return NULL;
    const double *from = odds.buf;
    double *to = out.buf;
    int fits = odds.len == out.len && out.len % 8 == 0;
    for (Py_ssize_t b = 0; fits && b < out.len / 8; b++) to[b] = chance_of(from[b]);
    PyBuffer_Release(&odds); PyBuffer_Release(&out);
    if (!fits) { PyErr_SetString(PyExc_ValueError, "an array has the wrong size"); return NULL; }
    Py_RETURN_NONE;
}

PyMethodDef chances_method = {"chances", chances, METH_VARARGS, "The chances of odds."};

/* between(one, other, out): the middle of two chances, as odds; all float64 */
static PyObject *between(PyObject *module, PyObject *args) {
    Py_buffer one, other, out;
    if (!PyArg_ParseTuple(args, "y*y*w*", &one, &other, &out)) return NULL;
    const double *a = one.buf, *b = other.buf;
    double *to = out.buf;
    int fits = one.len == out.len && other.len == out.len && out.len % 8 == 0;
    for (Py_ssize_t k = 0; fits && k < out.len / 8; k++) to[k] = chance_of((odds_of(a[k]) + odds_of(b[k])) / 2);
    PyBuffer_Release(&one); PyBuffer_Release(&other); PyBuffer_Release(&out);
    if (!fits) { PyErr_SetString(PyExc_ValueError, "an array has the wrong size"); return NULL; }
    Py_RETURN_NONE;
}

PyMethodDef between_method = {"between", between, METH_VARARGS, "The middle of two chances."};

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

/* kept_sums(words, chance, kept) -> the size of the kept blocks, what of it is right, what of the page is; the size of the
   page; how sure all is, and what is kept

   words float32; chance float64; kept: list of blocks in order */
static PyObject *kept_sums(PyObject *module, PyObject *args) {
    Py_buffer words_, chance_;
    PyObject *kept, *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*O!", &words_, &chance_, &PyList_Type, &kept)) return NULL;
    Py_ssize_t n = words_.len / 4, count = PyList_GET_SIZE(kept);
    const float *shown = words_.buf;
    const double *chance = chance_.buf;
    double *mass = NULL, *right = NULL, *sure = NULL, *sure_kept = NULL;
    float *words = NULL, *size = NULL;
    if (chance_.len != 8 * n || count > n) { PyErr_SetString(PyExc_ValueError, "not the chances of these blocks"); goto out; }
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
    result = Py_BuildValue("dddddd", (double)sum_of_floats(size, count), sum_of_doubles(right, count), sum_of_doubles(mass, n),
        (double)sum_of_floats(words, n), sum_of_doubles(sure, n), sum_of_doubles(sure_kept, count));
out:
    PyMem_Free(mass); PyMem_Free(right); PyMem_Free(sure); PyMem_Free(sure_kept); PyMem_Free(words); PyMem_Free(size);
    PyBuffer_Release(&words_); PyBuffer_Release(&chance_);
    return result;
}

PyMethodDef kept_sums_method = {"kept_sums", kept_sums, METH_VARARGS, "How sure what is kept is, summed up for the trust in it."};

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

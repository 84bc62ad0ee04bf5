/* What the judge computes from the evidence and from probabilities: the second pass's columns, the sums for page type and
   predicted F1, and the best choice. */

#include "native.h"

#define LEVELS 6
#define BESIDE 3

static double sum_of(const double *a, Py_ssize_t n) {
    double sum = 0;
    for (Py_ssize_t k = 0; k < n; k++) sum += a[k];
    return sum;
}

typedef struct {
    double probability;
    int32_t block;
} Ranked;

/* Likeliest first, equals in the page's order. */
static int by_rank(const void *one, const void *other) {
    const Ranked *a = one, *b = other;
    return a->probability != b->probability ? (a->probability < b->probability ? 1 : -1) : a->block - b->block;
}

/* Ranks blocks, of which the likely ones alone have so much F1, without those that are far too unlikely to add to it; how many are
   left. */
static Py_ssize_t rank(Ranked *list, Py_ssize_t n, const double *words, double total) {
    double reached = 0, of = total;
    Py_ssize_t count = 0;
    for (Py_ssize_t k = 0; k < n; k++) if (list[k].probability > 0.5) { reached += list[k].probability * words[k]; of += words[k]; }
    for (Py_ssize_t k = 0; k < n; k++) if (list[k].probability * of >= 0.5 * reached) list[count++] = list[k];
    qsort(list, (size_t)count, sizeof *list, by_rank);
    return count;
}

static Py_ssize_t clipped(Py_ssize_t value, Py_ssize_t low, Py_ssize_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Whether a table of float32 has a row for each of n blocks, its first the words; with an error set if not. */
static int is_table(const Py_buffer *table, Py_ssize_t n, Py_ssize_t rows) {
    if (n > 0 && table->len >= 4 * n * rows && table->len % (4 * n) == 0) return 1;
    PyErr_SetString(PyExc_ValueError, "not the evidence on these blocks");
    return 0;
}

/* ---- the second pass ---- */

/* What of the page's shape the second pass needs, as tree.measure_blocks() fills it; starts and stops by level and block. */
typedef struct {
    const int32_t *starts, *stops, *group, *heading;
} Places;

static int read_places(const Py_buffer *buffer, Py_ssize_t n, Places *p) {
    p->starts = buffer->buf;
    p->stops = p->starts + LEVELS * n;
    p->group = p->stops + LEVELS * n;
    p->heading = p->group + n;
    int is_wrong = buffer->len != 4 * (2 * LEVELS + 2) * n;
    for (Py_ssize_t k = 0; !is_wrong && k < LEVELS * n; k++) is_wrong |= p->starts[k] < 0 || p->starts[k] >= n || p->stops[k] > n;
    for (Py_ssize_t b = 0; !is_wrong && b < n; b++)
        is_wrong |= p->group[b] < 0 || p->group[b] >= n || p->heading[b] < -1 || p->heading[b] >= n;
    if (is_wrong) PyErr_SetString(PyExc_ValueError, "a place is not that of a block");
    return is_wrong ? -1 : 0;
}

#define CONTEXT_ROWS(kinds) (1 + 2 * BESIDE + 6 + 4 * LEVELS + 10 + (kinds))

/* The rows of evidence.CONTEXT, float32 (rows, blocks); -1 without memory. */
static int fill_context(float *row, Py_ssize_t n, const float *shown, const double *given, const double *kind, Py_ssize_t kinds, const Places *p) {
    Memory memory = {0};
    double *words = memory_new(&memory, n, sizeof *words), *mass = memory_new(&memory, n, sizeof *mass);
    double *mass_sum = memory_new(&memory, n, sizeof *mass_sum), *word_sum = memory_new(&memory, n, sizeof *word_sum);
    double *likely_sum = memory_new(&memory, n, sizeof *likely_sum), *held = memory_new(&memory, n, sizeof *held);
    double *size_of = memory_new(&memory, n, sizeof *size_of);
    Ranked *ranked = memory_new(&memory, n, sizeof *ranked);
    if (memory.failed) goto out;
    float *probability = row;
    for (Py_ssize_t b = 0; b < n; b++) {
        probability[b] = (float)given[b];
        words[b] = (double)(shown[b] + 0.5f);
        mass[b] = (double)probability[b] * words[b];
        mass_sum[b + 1] = mass_sum[b] + mass[b];
        word_sum[b + 1] = word_sum[b] + words[b];
        likely_sum[b + 1] = likely_sum[b] + (probability[b] > 0.5f);
    }
    double expected = mass_sum[n];

    /* The blocks beside it. */
    for (int offset = -BESIDE; offset <= BESIDE; offset++) {
        if (!offset) continue;
        row += n;
        for (Py_ssize_t b = 0; b < n; b++) row[b] = b + offset >= 0 && b + offset < n ? probability[b + offset] : 0.0f;
    }
    static const Py_ssize_t halves[] = {2, 5, 12};
    for (int k = 0; k < 3; k++) {
        float *near = row += n, *near_likely = row += n;
        for (Py_ssize_t b = 0; b < n; b++) {
            Py_ssize_t low = clipped(b - halves[k], 0, n), high = clipped(b + halves[k] + 1, 0, n);
            near[b] = (float)((mass_sum[high] - mass_sum[low]) / (word_sum[high] - word_sum[low]));
            near_likely[b] = (float)((likely_sum[high] - likely_sum[low]) / (double)(high - low));
        }
    }

    /* The containers around it, level by level, and the one that would be the best single answer. */
    double best = -1;
    int32_t best_start = 0, best_stop = 0;
    for (int k = 0; k < LEVELS; k++) {
        float *inside_mean = row += n, *inside_likely = row += n, *inside_f1 = row += n, *inside_share = row += n;
        const int32_t *start = p->starts + k * n, *stop = p->stops + k * n;
        for (Py_ssize_t b = 0; b < n; b++) {
            int32_t from = start[b], to = stop[b] > from ? stop[b] : from + 1;
            double inside = mass_sum[to] - mass_sum[from], size = word_sum[to] - word_sum[from];
            double score = 2 * inside / (size + expected + 1e-6);
            inside_mean[b] = (float)(inside / size);
            inside_likely[b] = (float)((likely_sum[to] - likely_sum[from]) / (double)(to - from));
            inside_f1[b] = (float)score;
            inside_share[b] = (float)(inside / (expected + 1e-6));
            if (score > best) { best = score; best_start = from; best_stop = stop[b]; }
        }
    }
    float *in_best = row += n, *best_f1 = row += n, *distance = row += n;
    for (Py_ssize_t b = 0; b < n; b++) {
        in_best[b] = b >= best_start && b < best_stop;
        best_f1[b] = (float)best;
        distance[b] = (float)((b < best_start ? b - best_start : 0) + (b + 1 > best_stop ? b - best_stop + 1 : 0));
    }

    /* Its template; the blocks under it, if it is a heading; the heading it is under. */
    float *of_group = row += n, *headed = row += n, *of_heading = row += n;
    for (Py_ssize_t b = 0; b < n; b++) { held[p->group[b]] += mass[b]; size_of[p->group[b]] += words[b]; }
    for (Py_ssize_t b = 0; b < n; b++) of_group[b] = (float)(held[p->group[b]] / size_of[p->group[b]]);
    memset(held, 0, sizeof *held * (size_t)n);
    memset(size_of, 0, sizeof *size_of * (size_t)n);
    for (Py_ssize_t b = 0; b < n; b++) if (p->heading[b] >= 0) { held[p->heading[b]] += mass[b]; size_of[p->heading[b]] += words[b]; }
    for (Py_ssize_t b = 0; b < n; b++) {
        headed[b] = (float)(held[b] / (size_of[b] > 0.5 ? size_of[b] : 0.5));
        of_heading[b] = p->heading[b] >= 0 ? probability[p->heading[b]] : 0.5f;
    }

    /* The page. */
    double reached = 0, of = 0, gain = 0;
    for (Py_ssize_t b = 0; b < n; b++) {
        ranked[b] = (Ranked){probability[b], (int32_t)b};
        held[b] = mass[b] * (double)(1.0f - probability[b]);
    }
    for (Py_ssize_t k = 0, stop = rank(ranked, n, words, expected); k < stop; k++) {
        reached += mass[ranked[k].block];
        of += words[ranked[k].block];
        double score = 2 * reached / (of + expected + 1e-6);
        if (score > gain) gain = score;
    }
    double page[] = {gain, expected / word_sum[n], likely_sum[n] / (double)n, sum_of(held, n) / (expected + 1e-6)};
    for (Py_ssize_t k = 0; k < 4 + kinds; k++) {
        float value = (float)(k < 4 ? page[k] : kind[k - 4]);
        row += n;
        for (Py_ssize_t b = 0; b < n; b++) row[b] = value;
    }
out:
    memory_free(&memory);
    return memory.failed ? -1 : 0;
}

/* context(out, table, again, probabilities, kinds, places): the columns of the second pass

   out: float32 (rows, blocks); table: the evidence, float32 (features, blocks); again: tuple of the rows of the table that the
   second pass sees again; probabilities, kinds: float64; places: as tree.measure_blocks() fills them */
PyObject *core_context(PyObject *module, PyObject *args) {
    Py_buffer out, table, given, kinds_, places_;
    PyObject *again;
    Places places;
    if (!PyArg_ParseTuple(args, "w*y*O!y*y*y*", &out, &table, &PyTuple_Type, &again, &given, &kinds_, &places_)) return NULL;
    Py_ssize_t n = given.len / 8, kinds = kinds_.len / 8, rows = PyTuple_GET_SIZE(again);
    float *to = out.buf;
    int failed = 0;
    if (!is_table(&table, n, 1) || read_places(&places_, n, &places) < 0) goto out;
    if (out.len != 4 * (rows + CONTEXT_ROWS(kinds)) * n) {
        PyErr_Format(PyExc_ValueError, "the core adds %zd columns for the second pass", CONTEXT_ROWS(kinds));
        goto out;
    }
    for (Py_ssize_t k = 0; k < rows; k++, to += n) {
        Py_ssize_t at = PyLong_AsSsize_t(PyTuple_GET_ITEM(again, k));
        if (at < 0 || at >= table.len / 4 / n) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row"); goto out; }
        memcpy(to, (const float *)table.buf + at * n, sizeof *to * (size_t)n);
    }
    Py_BEGIN_ALLOW_THREADS
    failed = fill_context(to, n, table.buf, given.buf, kinds_.buf, kinds, &places);
    Py_END_ALLOW_THREADS
    if (failed) PyErr_NoMemory();
out:
    PyBuffer_Release(&out); PyBuffer_Release(&table); PyBuffer_Release(&given); PyBuffer_Release(&kinds_); PyBuffer_Release(&places_);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- sums over the page ---- */

#define MOST 64 /* rows, and ranges of owners, that are summed up */
#define SUMS 4  /* before the means */

/* content_sums(table, probabilities, rows, owner_row, owners, kept=None) -> tuple of float: of what the probabilities say is content the
   best F1, the share of the page, the share of the blocks, the size; the mean of each row; the share of each range of owners; where
   some are kept, of all blocks and then of those the size, how much of it is content, and how much of it is sure to be content or not

   table: float32 (features, blocks), its first row the words; probabilities: float64; owners: pairs of lowest and highest code */
PyObject *core_content_sums(PyObject *module, PyObject *args) {
    Py_buffer table_, given;
    PyObject *rows, *owners, *kept = NULL, *result = NULL;
    int owner_row, low[MOST], high[MOST], at[MOST];
    if (!PyArg_ParseTuple(args, "y*y*O!iO!|O!", &table_, &given, &PyTuple_Type, &rows, &owner_row, &PyTuple_Type, &owners, &PyList_Type, &kept)) return NULL;
    Py_ssize_t n = given.len / 8, means = PyTuple_GET_SIZE(rows), ranges = PyTuple_GET_SIZE(owners), likely = 0;
    const float *table = table_.buf;
    const double *probability = given.buf;
    double by_owner[256] = {0}, sums[SUMS + 2 * MOST + 2 * 3], *to = sums, reached = 0, gain = 0;
    Memory memory = {0};
    if (!is_table(&table_, n, 1)) goto out;
    Py_ssize_t features = table_.len / 4 / n;
    int is_wrong = means > MOST || ranges > MOST || owner_row < 0 || owner_row >= features;
    for (Py_ssize_t k = 0; !is_wrong && k < means; k++) is_wrong = (at[k] = (int)PyLong_AsLong(PyTuple_GET_ITEM(rows, k))) < 0 || at[k] >= features;
    for (Py_ssize_t k = 0; !is_wrong && k < ranges; k++)
        is_wrong = !PyArg_ParseTuple(PyTuple_GET_ITEM(owners, k), "ii", &low[k], &high[k]) || low[k] < 0 || high[k] > 255;
    if (is_wrong) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such row, or no owner has such a code");
        goto out;
    }
    double *mass = memory_new(&memory, n, sizeof *mass), *product = memory_new(&memory, n, sizeof *product);
    double *words = memory_new(&memory, n, sizeof *words);
    Ranked *ranked = memory_new(&memory, n, sizeof *ranked);
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t b = 0; b < n; b++) {
        words[b] = (double)table[b] + 0.5;
        mass[b] = probability[b] * words[b];
        ranked[b] = (Ranked){probability[b], (int32_t)b};
        likely += probability[b] > 0.5;
        float code = table[owner_row * n + b];
        if (code >= 0 && code < 256) by_owner[(int)code] += mass[b];
    }
    double total = sum_of(mass, n) + 1e-6;
    float of = 0; /* in single precision, as the models were trained with */
    for (Py_ssize_t k = 0, stop = rank(ranked, n, words, total); k < stop; k++) {
        reached += mass[ranked[k].block];
        of += (float)words[ranked[k].block];
        double score = 2 * reached / (double)(of + (float)total);
        if (score > gain) gain = score;
    }
    *to++ = gain;
    *to++ = total / sum_of(words, n);
    *to++ = (double)likely / (double)n;
    *to++ = log1p(total);
    for (Py_ssize_t k = 0; k < means; k++) {
        for (Py_ssize_t b = 0; b < n; b++) product[b] = (double)table[at[k] * n + b] * mass[b];
        *to++ = sum_of(product, n) / total;
    }
    for (Py_ssize_t k = 0; k < ranges; k++) {
        double value = 0;
        for (int code = low[k]; code <= high[k]; code++) value += by_owner[code];
        *to++ = value / total;
    }
    Py_END_ALLOW_THREADS
    for (int only = 0; kept && only < 2; only++, to += 3) {
        to[0] = to[1] = to[2] = 0;
        for (Py_ssize_t k = 0, stop = only ? PyList_GET_SIZE(kept) : n; k < stop; k++) {
            Py_ssize_t b = only ? block_at(kept, k, n) : k;
            if (b < 0) goto out;
            to[0] += words[b];
            to[1] += mass[b];
            to[2] += fabs(2 * probability[b] - 1) * words[b];
        }
    }
    result = tuple_of(sums, to - sums);
out:
    memory_free(&memory);
    PyBuffer_Release(&table_); PyBuffer_Release(&given);
    return result;
}

/* ---- probabilities and their odds ---- */

static inline double odds_of(double probability) {
    double clipped = probability > 1e-5 ? probability : 1e-5;
    clipped = clipped < 1 - 1e-5 ? clipped : 1 - 1e-5;
    return log(clipped / (1 - clipped));
}

/* lower_odds(one, other, by, in_best, inside): the probabilities of the second, float64, become those in the middle of both, lowered
   by some log-odds, and by that share of it where in_best, float32, is not 0 */
PyObject *core_lower_odds(PyObject *module, PyObject *args) {
    Py_buffer one, other, best;
    double by, inside;
    if (!PyArg_ParseTuple(args, "y*w*dy*d", &one, &other, &by, &best, &inside)) return NULL;
    const double *from = one.buf;
    const float *in_best = best.buf;
    double *to = other.buf;
    if (one.len != other.len || one.len != 2 * best.len) PyErr_SetString(PyExc_ValueError, "not of the same blocks");
    else for (Py_ssize_t b = 0; b < other.len / 8; b++)
        to[b] = probability_of((odds_of(from[b]) + odds_of(to[b])) / 2 - by * (in_best[b] > 0 ? inside : 1.0));
    PyBuffer_Release(&one); PyBuffer_Release(&other); PyBuffer_Release(&best);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* expected(probabilities: list, words: list, blocks) -> (words of some blocks that are expected to be content, blocks, all words) */
PyObject *core_expected(PyObject *module, PyObject *args) {
    PyObject *probabilities, *words, *given;
    double mass = 0, chances = 0, sizes = 0;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, &probabilities, &PyList_Type, &words, &given)) return NULL;
    PyObject *blocks = PySequence_Fast(given, "blocks are a sequence");
    for (Py_ssize_t k = 0; blocks && k < PySequence_Fast_GET_SIZE(blocks); k++) {
        Py_ssize_t b = PyLong_AsSsize_t(PySequence_Fast_GET_ITEM(blocks, k));
        int is_block = b >= 0 && b < PyList_GET_SIZE(probabilities) && b < PyList_GET_SIZE(words);
        double probability = is_block ? PyFloat_AsDouble(PyList_GET_ITEM(probabilities, b)) : 0;
        double size = is_block ? PyFloat_AsDouble(PyList_GET_ITEM(words, b)) : 0;
        if (!is_block && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such block");
        if (PyErr_Occurred()) Py_CLEAR(blocks);
        mass += probability * size;
        chances += probability;
        sizes += size;
    }
    Py_XDECREF(blocks);
    return PyErr_Occurred() ? NULL : Py_BuildValue("ddd", mass, chances, sizes);
}

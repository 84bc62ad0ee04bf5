/* lineage.read_lineage() and the numeric columns of evidence.table(), in the same order. */

#include "native.h"
#include <math.h>

#define LEVELS 6
#define STEPS 4

#define KNOWN_LOGS 4096

/* log1p() of whole numbers, most of which are small and asked for again and again. */
static const float *known_logs(void) {
    static float known[KNOWN_LOGS];
    if (known[1] == 0) for (int k = 0; k < KNOWN_LOGS; k++) known[k] = (float)log1p(k);
    return known;
}

static inline float log_of(const float *known, double value) {
    return value >= 0 && value < KNOWN_LOGS && value == (int)value ? known[(int)value] : (float)log1p(value);
}

static inline float log_count(const float *known, int64_t count) {
    return count >= 0 && count < KNOWN_LOGS ? known[count] : (float)log1p((double)count);
}

/* The log-odds of a label's words, each once. */
static double label_score(const char *s, Py_ssize_t n, const Lookup *odds) {
    int32_t seen[NAME_LIMIT];
    char word[NAME_LIMIT];
    int32_t count = 0;
    double sum = 0;
    Py_ssize_t limit = head_bytes(s, n, NAME_LIMIT), at = 0, size;
    while ((size = next_token(s, limit, &at)) > 0) {
        double value;
        int32_t number = lookup_letters(odds, s + at, size, word, &value), fresh = number >= 0;
        for (int32_t k = 0; fresh && k < count; k++) fresh = seen[k] != number;
        if (fresh) { seen[count++] = number; sum += value; }
        at += size;
    }
    return count ? sum / sqrt(count) : 0.0;
}

/* ---- numbers for pairs of numbers, as table_put() gives them to strings ---- */

typedef struct {
    uint64_t *pairs;
    int32_t *slots; /* numbers from 1; 0 where there is nothing */
    uint64_t mask, seed;
    int32_t count;
} Pairs;

/* There is never room for more pairs than said here. */
static int pairs_init(Pairs *p, int32_t most) {
    uint64_t places = 16;
    while (places < (uint64_t)most * 2) places *= 2;
    p->pairs = PyMem_Malloc(2 * sizeof *p->pairs * ((size_t)most + 1));
    p->slots = PyMem_Calloc(places, sizeof *p->slots);
    p->mask = places - 1;
    p->seed = hash_bytes("pairs", 5) | 1; /* pages choose their own names */
    p->count = 0;
    if (p->pairs == NULL || p->slots == NULL) { PyErr_NoMemory(); return -1; }
    return 0;
}

static void pairs_free(Pairs *p) {
    PyMem_Free(p->pairs);
    PyMem_Free(p->slots);
}

static inline int32_t pairs_put(Pairs *p, uint64_t one, uint64_t other) {
    unsigned __int128 product = (unsigned __int128)(one ^ p->seed) * (other * 0x9E3779B97F4A7C15ull ^ p->seed);
    uint64_t at = ((uint64_t)product ^ (uint64_t)(product >> 64)) & p->mask;
    for (int32_t number; (number = p->slots[at]) != 0; at = (at + 1) & p->mask)
        if (p->pairs[2 * number - 2] == one && p->pairs[2 * number - 1] == other) return number - 1;
    p->pairs[2 * p->count] = one;
    p->pairs[2 * p->count + 1] = other;
    p->slots[at] = ++p->count;
    return p->count - 1;
}

#define BOTH(high, low) ((uint64_t)(uint32_t)(high) << 32 | (uint32_t)(low))

/* What a node inherits, side by side, since it is asked for together; of nodes that show no text only bits are set. */
typedef struct {
    int32_t bits, template, wider;
    float own, low, high; /* of doubles: the least of rounded numbers is the least, rounded */
    double total;
} Kin;

typedef struct {
    Kin *of;         /* by node */
    int32_t *copies; /* by template */
} Lineage;

static int is_style_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* What stands before and after a colon, case and spaces aside. */
static int is_declared(const char *s, const char *end, const char *value, const char *stop, const char *property, Py_ssize_t size,
                       const char *wanted, Py_ssize_t rest) {
    return end - s >= size && stop - value >= rest && strncasecmp(end - size, property, (size_t)size) == 0
        && strncasecmp(value, wanted, (size_t)rest) == 0;
}

/* Whether a style hides an element: (display \s* : \s* none|visibility \s* : \s* hidden). */
static int hides(const char *s, const char *stop) {
    for (const char *colon = s; (colon = memchr(colon, ':', (size_t)(stop - colon))) != NULL; colon++) {
        const char *end = colon, *p = colon + 1;
        while (end > s && is_style_space(end[-1])) end--;
        if (end == s || (end[-1] | 32) != 'y') continue;
        while (p < stop && is_style_space(*p)) p++;
        if (is_declared(s, end, p, stop, "display", 7, "none", 4) || is_declared(s, end, p, stop, "visibility", 10, "hidden", 6)) return 1;
    }
    return 0;
}

const Holders *holders_of(const Tree *t, const char *name, Py_ssize_t n) {
    static const Holders none = {0};
    int32_t number = table_find(&t->attr_names, name, n);
    return number >= 0 ? &t->holders[number] : &none;
}

void add_stated_bits(const Tree *t, const Lookup *roles, int32_t hidden, int32_t *bits) {
    char word[32];
    const Holders *h = holders_of(t, "role", 4);
    for (int32_t k = 0; k < h->count; k++) {
        Span value = h->list[k].value;
        if (value.size > (int32_t)sizeof word) continue;
        int32_t number = table_find(&roles->table, word, lowered(word, t->source.data + value.at, value.size));
        if (number >= 0) bits[h->list[k].node] |= (int32_t)roles->values[number];
    }
    h = holders_of(t, "style", 5);
    for (int32_t k = 0; k < h->count; k++) {
        const char *s = t->source.data + h->list[k].value.at, *stop = s + h->list[k].value.size;
        if (hides(s, stop)) bits[h->list[k].node] |= hidden;
    }
    h = holders_of(t, "hidden", 6);
    for (int32_t k = 0; k < h->count; k++) bits[h->list[k].node] |= hidden;
    h = holders_of(t, "aria-hidden", 11);
    for (int32_t k = 0; k < h->count; k++)
        if (h->list[k].value.size == 4 && memcmp(t->source.data + h->list[k].value.at, "true", 4) == 0) bits[h->list[k].node] |= hidden;
}

static int read_lineage(Tree *t, const Lookup *odds, PyObject *tag_bits, const Lookup *roles, int32_t hidden, Lineage *l) {
    int32_t n = t->n, failed = -1;
    double *score_of = PyMem_Malloc(sizeof(double) * (size_t)(t->labels.count + 1));
    int32_t *bits_of = PyMem_Calloc((size_t)(t->tags.count + 1), sizeof *bits_of), *stated = PyMem_Calloc((size_t)n + 1, sizeof *stated);
    Pairs templates = {0};
    if (pairs_init(&templates, n) < 0 || !score_of || !bits_of || !stated) { PyErr_NoMemory(); goto out; }
    score_of[0] = 0.0;
    for (int32_t k = 1; k < t->labels.count; k++) score_of[k] = NAN;
    for (int32_t k = 1; k < t->tags.count; k++) {
        PyObject *bits = PyDict_GetItemWithError(tag_bits, PyList_GET_ITEM(t->tag_list, k));
        bits_of[k] = bits ? (int32_t)PyLong_AsLong(bits) : 0;
        if (PyErr_Occurred()) goto out;
    }
    add_stated_bits(t, roles, hidden, stated);
    for (int32_t i = 0; i < n; i++) {
        Kin *own = &l->of[i];
        int32_t size = t->chars[t->end[i]] - t->chars[i], above = t->parent[i];
        if (!t->tag[i] || !size) { own->bits = 0; continue; }
        double score = score_of[t->label[i]];
        if (isnan(score)) {
            /* Labels of what shows no text are never asked for. */
            const Key *label = &t->labels.keys[t->label[i]];
            score = score_of[t->label[i]] = label_score(t->labels.bytes.data + label->at, label->size, odds);
        }
        float single = (float)score;
        int32_t template = pairs_put(&templates, BOTH(above, t->tag[i]), (uint64_t)t->cls[i]);
        l->copies[template]++;
        if (above < 0) { *own = (Kin){.own = single, .template = template}; continue; }
        const Kin *kin = &l->of[above];
        *own = (Kin){
            .bits = stated[i] | bits_of[t->tag[i]] | kin->bits,
            .template = template,
            .wider = t->chars[t->end[above]] - t->chars[above] > size ? above : kin->wider,
            .own = single,
            .low = kin->low < single ? kin->low : single,
            .high = kin->high > single ? kin->high : single,
            .total = kin->total + score,
        };
    }
    failed = 0;
out:
    pairs_free(&templates);
    PyMem_Free(score_of);
    PyMem_Free(bits_of);
    PyMem_Free(stated);
    return failed;
}

/* The value of the block before, or of the one after. */
static void shifted(float *to, const float *from, Py_ssize_t n, int offset) {
    if (n == 0) return;
    memcpy(to + (offset < 0), from + (offset > 0), sizeof *to * (size_t)(n - 1));
    to[offset < 0 ? 0 : n - 1] = 0.0f;
}

/* Mean over the blocks up to width / 2 away; sums in single precision, as the twin's. */
static void windowed(float *to, const float *from, double *sums, Py_ssize_t n, int width) {
    int half = width / 2;
    float sum = 0;
    sums[0] = 0;
    for (Py_ssize_t b = 0; b < n; b++) sums[b + 1] = sum += from[b];
    for (Py_ssize_t b = 0; b < n; b++) {
        Py_ssize_t low = b - half < 0 ? 0 : b - half, high = b + half + 1 > n ? n : b + half + 1;
        to[b] = (float)((sums[high] - sums[low]) / (double)(high - low));
    }
}

/* evidence(out, starts, stops, group, heading, shape, mean_row, title_at, odds, tag_bits, roles, hidden, groups,
   owner_codes)

   out: float32 (columns, blocks), the first rows of which are filled; starts, stops: int64 (blocks, LEVELS); group,
   heading: int64 (blocks). Returns the number of rows. */
PyObject *tree_evidence(Tree *t, PyObject *args) {
    Py_buffer out, starts_, stops_, group_, heading_, shape_;
    int mean_row, title_at, groups_of_tags;
    long long hidden;
    Lookup *odds, *roles;
    PyObject *tag_bits, *owner_codes, *result = NULL;
    if (!PyArg_ParseTuple(args, "w*w*w*w*w*y*iiO!O!O!LiO!", &out, &starts_, &stops_, &group_, &heading_, &shape_, &mean_row,
            &title_at, &LookupType, &odds, &PyDict_Type, &tag_bits, &LookupType, &roles, &hidden, &groups_of_tags,
            &PyDict_Type, &owner_codes))
        return NULL;
    Py_ssize_t n = t->blocks;
    int32_t nodes = t->n, row = 0;
    int64_t *starts = starts_.buf, *stops = stops_.buf, *group = group_.buf, *heading = heading_.buf;
    const float *shape = shape_.buf;
    Py_ssize_t shapes = n ? shape_.len / (Py_ssize_t)sizeof(float) / n : 0;
    Lineage l = {0};
    double *sums = NULL, *word_sum = NULL, *prose_sum = NULL, *group_words = NULL, *group_links = NULL, *group_chars = NULL;
    int32_t *before = NULL, *group_size = NULL, *level = NULL;
    float *scratch = NULL, *prose = NULL, *code = NULL;
    uint8_t *code_of = NULL, *heading_of = NULL;
    Pairs groups = {0};
    const float *known = known_logs();
    Py_ssize_t rows = 4 + shapes + 2 + 4 + 2 + groups_of_tags + 7 + 5 + 4 + 6 + LEVELS * 6 + 2 + 8 + 6;
    if (out.len < (Py_ssize_t)sizeof(float) * rows * n || starts_.len != 8 * LEVELS * n || stops_.len != 8 * LEVELS * n
        || group_.len != 8 * n || heading_.len != 8 * n || mean_row >= shapes) {
        PyErr_SetString(PyExc_ValueError, "an array has the wrong size");
        goto out;
    }
#define NEW(p, count) if ((p = PyMem_Calloc((size_t)(count) + 1, sizeof *(p))) == NULL) { PyErr_NoMemory(); goto out; }
#define RAW(p, count) if ((p = PyMem_Malloc(((size_t)(count) + 1) * sizeof *(p))) == NULL) { PyErr_NoMemory(); goto out; }
    RAW(l.of, nodes) NEW(l.copies, nodes) NEW(sums, n) NEW(word_sum, n) NEW(prose_sum, n) NEW(group_words, n) NEW(group_links, n)
    NEW(group_chars, n) RAW(before, nodes + 1) NEW(group_size, n) NEW(level, n) NEW(scratch, n) NEW(prose, n) NEW(code, n)
    NEW(code_of, t->tags.count) NEW(heading_of, t->tags.count)
    if (read_lineage(t, odds, tag_bits, roles, (int32_t)hidden, &l) < 0) goto out;
    for (int32_t k = 1; k < t->tags.count; k++) {
        PyObject *name = PyList_GET_ITEM(t->tag_list, k), *value = PyDict_GetItemWithError(owner_codes, name);
        code_of[k] = value ? (uint8_t)PyLong_AsLong(value) : 0;
        if (PyErr_Occurred()) goto out;
        const Key *key = &t->tags.keys[k];
        const char *s = t->tags.bytes.data + key->at;
        if (key->size == 2 && s[0] == 'h' && s[1] >= '0' && s[1] <= '9') heading_of[k] = (uint8_t)(s[1] - '0' + 1);
    }
    float *columns = out.buf;
#define COLUMN (columns + (Py_ssize_t)(row++) * n)
    double page_chars = t->chars[nodes] > 1 ? t->chars[nodes] : 1.0, page_words = 0;
    float *words = COLUMN, *log_chars = COLUMN, *density = COLUMN, *per_word = COLUMN;
    for (Py_ssize_t b = 0; b < n; b++) {
        float size = (float)t->block_chars[b], links = (float)t->block_links[b];
        words[b] = (float)t->block_words[b];
        page_words += words[b];
        log_chars[b] = log_count(known, t->block_chars[b]);
        density[b] = links / (size > 1 ? size : 1.0f);
        per_word[b] = size / (words[b] > 1 ? words[b] : 1.0f);
        level[b] = t->owner[b];
    }
    if (page_words < 1) page_words = 1;
    memcpy(columns + (Py_ssize_t)row * n, shape, (size_t)shape_.len);
    const float *word_mean = columns + (Py_ssize_t)(row + mean_row) * n;
    row += (int32_t)shapes;

    /* Which copy of its text a block is, and whether its neighbours are copies too. */
    float *copy = COLUMN, *copied = COLUMN;
    if (number_texts(t) < 0) goto out;
    for (Py_ssize_t b = 0; b < n; b++) {
        int32_t number = t->text_number[b];
        group[b] = number;
        copy[b] = group_size[number] < 9 ? (float)group_size[number] : 9.0f;
        group_size[number]++;
    }
    for (Py_ssize_t b = 0; b < n; b++) scratch[b] = group_size[group[b]] > 1 && t->block_words[b] >= 4;
    windowed(copied, scratch, sums, n, 7);

    /* The headings above. */
    float *heading_words = COLUMN, *heading_age = COLUMN, *heading_level = COLUMN, *after_title = COLUMN;
    double score = 0, age = 99, depth = 0;
    int64_t latest = -1;
    for (Py_ssize_t b = 0; b < n; b++) {
        int mark = heading_of[t->tag[t->owner[b]]];
        heading[b] = latest;
        if (mark) { score = word_mean[b]; age = 0; depth = mark - 1; latest = b; }
        else age += 1;
        heading_words[b] = (float)score;
        heading_age[b] = (float)(age < 99 ? age : 99);
        heading_level[b] = (float)depth;
        after_title[b] = title_at >= 0 ? (float)(b - title_at) : -1.0f;
    }

    /* The owner and its ancestors. */
    float *owner_code = COLUMN, *owner_depth = COLUMN;
    for (Py_ssize_t b = 0; b < n; b++) {
        owner_code[b] = code[b] = code_of[t->tag[t->owner[b]]];
        owner_depth[b] = (float)t->depth[t->owner[b]];
    }
    int64_t *bits = group; /* the numbers of templates come later */
    for (Py_ssize_t b = 0; b < n; b++) bits[b] = l.of[t->owner[b]].bits;
    for (int k = 0; k < groups_of_tags; k++) {
        float *in = COLUMN;
        for (Py_ssize_t b = 0; b < n; b++) in[b] = (float)(int32_t)((bits[b] >> k) & 1);
    }
    for (int step = 0; step < STEPS; step++) {
        float *tokens = COLUMN;
        for (Py_ssize_t b = 0; b < n; b++) {
            tokens[b] = l.of[level[b]].own;
            level[b] = t->parent[level[b]] > 0 ? t->parent[level[b]] : 0;
        }
    }
    float *low = COLUMN, *high = COLUMN, *total = COLUMN;
    for (Py_ssize_t b = 0; b < n; b++) {
        int32_t o = level[b] = t->owner[b];
        const Kin *kin = &l.of[o];
        low[b] = kin->low;
        high[b] = kin->high;
        total[b] = (float)kin->total;
        scratch[b] = (float)l.copies[kin->template];
    }

    /* Repetition of templates. */
    for (int step = 0; step < STEPS; step++) {
        float *siblings = COLUMN;
        for (Py_ssize_t b = 0; b < n; b++) {
            int32_t copies = l.copies[l.of[level[b]].template];
            siblings[b] = log_count(known, copies);
            if (copies > scratch[b]) scratch[b] = (float)copies;
            level[b] = t->parent[level[b]] > 0 ? t->parent[level[b]] : 0;
        }
    }
    float *most = COLUMN;
    if (pairs_init(&groups, (int32_t)n) < 0) goto out;
    memset(group_size, 0, sizeof *group_size * (size_t)n);
    for (Py_ssize_t b = 0; b < n; b++) {
        int32_t o = t->owner[b], above = o > 0 ? t->parent[o] : 0;
        int32_t number = o > 0 ? pairs_put(&groups, BOTH(t->tag[o], t->cls[o]), BOTH(t->tag[above], t->cls[above])) : pairs_put(&groups, 0, 0);
        most[b] = log_count(known, (int64_t)scratch[b]);
        group[b] = number;
        group_size[number]++;
        group_words[number] += words[b];
        group_links[number] += (float)t->block_links[b];
        group_chars[number] += (float)t->block_chars[b];
    }
    float *group_size_log = COLUMN, *group_mean = COLUMN, *group_share = COLUMN, *group_density = COLUMN;
    for (Py_ssize_t b = 0; b < n; b++) {
        int64_t g = group[b];
        group_size_log[b] = log_count(known, group_size[g]);
        group_mean[b] = log_of(known, group_words[g] / group_size[g]);
        group_share[b] = (float)(group_words[g] / page_words);
        group_density[b] = (float)(group_links[g] / (group_chars[g] > 1 ? group_chars[g] : 1.0));
    }

    /* Position. */
    float *index = COLUMN, *index_log = COLUMN, *from_end = COLUMN, *share_before = COLUMN, *before_log = COLUMN, *after_log = COLUMN;
    for (Py_ssize_t b = 0; b < n; b++) {
        prose[b] = code[b] == 1 || (words[b] >= 15 && density[b] < 0.3f) ? words[b] : 0;
        word_sum[b + 1] = word_sum[b] + words[b];
        prose_sum[b + 1] = prose_sum[b] + prose[b];
        index[b] = (float)b / (float)(n > 1 ? n : 1);
        index_log[b] = log_count(known, b);
        from_end[b] = log_count(known, n - 1 - b);
        share_before[b] = (float)(word_sum[b] / page_words);
        before_log[b] = log_count(known, (int64_t)word_sum[b]);
        after_log[b] = log_count(known, (int64_t)(page_words - word_sum[b] - words[b]));
        level[b] = t->owner[b];
    }
    double page_prose = prose_sum[n] > 1 ? prose_sum[n] : 1.0;

    /* Containers: shares of the page at each wider level. */
    for (Py_ssize_t b = 0, i = 0; i <= nodes; i++) {
        while (b < n && t->first[b] < i) b++;
        before[i] = (int32_t)b;
    }
    for (int step = 0; step < LEVELS; step++) {
        float *share = COLUMN, *links = COLUMN, *blocks = COLUMN, *mean = COLUMN, *prose_share = COLUMN, *prose_density = COLUMN;
        float *place = step == 1 || step == 2 ? COLUMN : NULL;
        int32_t last = -1, start = 0, stop = 0, count = 1;
        for (Py_ssize_t b = 0; b < n; b++) {
            int32_t i = level[b], end = t->end[i];
            if (i == last) {
                /* Neighbours are mostly in the same container. */
                share[b] = share[b - 1];
                links[b] = links[b - 1];
                blocks[b] = blocks[b - 1];
                mean[b] = mean[b - 1];
                prose_share[b] = prose_share[b - 1];
                prose_density[b] = prose_density[b - 1];
            } else {
                double inside = t->chars[end] - t->chars[i], linked = t->links[end] - t->links[i];
                last = i;
                start = before[i];
                stop = before[end];
                count = stop - start > 1 ? stop - start : 1;
                double held = word_sum[stop] - word_sum[start], held_prose = prose_sum[stop] - prose_sum[start];
                share[b] = (float)(inside / page_chars);
                links[b] = (float)(linked / (inside > 1 ? inside : 1.0));
                blocks[b] = log_count(known, count);
                mean[b] = log_of(known, held / count);
                prose_share[b] = (float)(held_prose / page_prose);
                prose_density[b] = (float)(held_prose / (held > 1 ? held : 1.0));
            }
            starts[b * LEVELS + step] = start;
            stops[b * LEVELS + step] = stop;
            if (place) place[b] = (float)((double)(b - start) / count);
            level[b] = l.of[i].wider;
        }
    }

    /* Neighbours. */
    for (Py_ssize_t b = 0; b < n; b++) scratch[b] = log_count(known, t->block_words[b]);
    for (int offset = -1; offset <= 1; offset += 2) {
        shifted(COLUMN, scratch, n, offset);
        shifted(COLUMN, density, n, offset);
        shifted(COLUMN, code, n, offset);
        shifted(COLUMN, word_mean, n, offset);
    }
    for (Py_ssize_t b = 0; b < n; b++) prose[b] = prose[b] > 0;
    for (int width = 5; width <= 15; width += 10) {
        windowed(COLUMN, scratch, sums, n, width);
        windowed(COLUMN, density, sums, n, width);
        windowed(COLUMN, prose, sums, n, width);
    }
    result = PyLong_FromLong(row);
out:
    pairs_free(&groups);
    PyMem_Free(l.of); PyMem_Free(l.copies); PyMem_Free(sums); PyMem_Free(word_sum); PyMem_Free(prose_sum);
    PyMem_Free(group_words); PyMem_Free(group_links); PyMem_Free(group_chars); PyMem_Free(before);
    PyMem_Free(group_size); PyMem_Free(level); PyMem_Free(scratch); PyMem_Free(prose); PyMem_Free(code);
    PyMem_Free(code_of); PyMem_Free(heading_of);
    PyBuffer_Release(&out); PyBuffer_Release(&starts_); PyBuffer_Release(&stops_); PyBuffer_Release(&group_);
    PyBuffer_Release(&heading_); PyBuffer_Release(&shape_);
    return result;
}

/* background(out, from, ballots, votes, page): the last rows of evidence.table(), which are out's, float32 (rows, blocks), from
   a row on: for each name the blocks of its ballot (a list of bool, or None) and those inside the nodes it votes for, then
   what the page as a whole has

   ballots: list; votes: list of tuples of nodes, as long; page: list of float */
PyObject *tree_background(Tree *t, PyObject *args) {
    Py_buffer out;
    Py_ssize_t from, n = t->blocks;
    PyObject *ballots, *votes, *page, *result = NULL;
    if (!PyArg_ParseTuple(args, "w*nO!O!O!", &out, &from, &PyList_Type, &ballots, &PyList_Type, &votes, &PyList_Type, &page)) return NULL;
    Py_ssize_t names = PyList_GET_SIZE(ballots), values = PyList_GET_SIZE(page);
    float *row = (float *)out.buf + from * n;
    if (from < 0 || PyList_GET_SIZE(votes) != names || out.len != 4 * (from + names + values) * n) goto wrong;
    for (Py_ssize_t k = 0; k < names; k++, row += n) {
        PyObject *ballot = PyList_GET_ITEM(ballots, k), *nodes = PyList_GET_ITEM(votes, k);
        if (ballot == Py_None) memset(row, 0, sizeof *row * (size_t)n);
        else if (!PyList_Check(ballot) || PyList_GET_SIZE(ballot) != n) goto wrong;
        else for (Py_ssize_t b = 0; b < n; b++) row[b] = PyList_GET_ITEM(ballot, b) == Py_True ? 1.0f : 0.0f;
        if (!PyTuple_Check(nodes)) goto wrong;
        for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(nodes); j++) {
            long node = PyLong_AsLong(PyTuple_GET_ITEM(nodes, j));
            if (node < 0 || node >= t->n) goto wrong;
            int32_t stop = blocks_before(t, t->end[node], 0);
            for (int32_t b = blocks_before(t, (int32_t)node, 0); b < stop; b++) row[b] = 1.0f;
        }
    }
    for (Py_ssize_t k = 0; k < values; k++, row += n) {
        float value = (float)PyFloat_AsDouble(PyList_GET_ITEM(page, k));
        for (Py_ssize_t b = 0; b < n; b++) row[b] = value;
    }
    if (!PyErr_Occurred()) result = Py_NewRef(Py_None);
    goto out;
wrong:
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "not what is known of this page");
out:
    PyBuffer_Release(&out);
    return result;
}

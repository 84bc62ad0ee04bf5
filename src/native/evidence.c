/* The evidence on every block: the rows of evidence.MEASURES in the same order, and what is needed to add the votes and
   the page's own features. */

#include "native.h"

#define LEVELS 6
#define STEPS 4

#define KNOWN_LOGS 4096

static float known_logs[KNOWN_LOGS];

/* log1p() of whole numbers, most of which are small and needed again and again. */
static void compute_logs(void) {
    if (known_logs[1] == 0) for (int k = 0; k < KNOWN_LOGS; k++) known_logs[k] = (float)log1p(k);
}

static inline float log_of(double value) {
    return value >= 0 && value < KNOWN_LOGS && value == (int)value ? known_logs[(int)value] : (float)log1p(value);
}

/* ---- words inside names ---- */

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

/* name_words(names) -> [str]: the words inside class and id values, lower-case; hyphens, underscores and camelCase part them */
PyObject *core_name_words(PyObject *module, PyObject *names) {
    Py_ssize_t n, size;
    const char *s = PyUnicode_AsUTF8AndSize(names, &n);
    PyObject *found = s ? PyList_New(0) : NULL;
    if (s) n = head_bytes(s, n, NAME_LIMIT);
    for (Py_ssize_t at = 0; found && (size = next_token(s, n, &at)) > 0; at += size) {
        char word[NAME_LIMIT];
        if (append_new(found, PyUnicode_FromStringAndSize(word, lowered(word, s + at, size))) < 0) Py_CLEAR(found);
    }
    return found;
}

/* label(node) -> str: the class, id and further names of an element, as its words are looked up in the evidence */
PyObject *tree_label(Tree *t, PyObject *number) {
    int32_t node = node_given(t, number);
    if (node < 0) return NULL;
    const Key *label = &t->labels.keys[t->label[node]];
    return PyUnicode_DecodeUTF8(t->labels.bytes.data + label->at, label->size, "replace");
}

/* type_prior(lookup, weights, with_classes, marks, out): to out, float32 (columns), the sum of the weights' first row, float32 (rows,
   columns), and of the rows that the lookup gives: to some marks, list of str, and perhaps to the words inside class values. Each row
   counts once, and in the order of rows. */
PyObject *tree_type_prior(Tree *t, PyObject *args) {
    Lookup *lookup;
    Py_buffer weights, out;
    PyObject *marks, *result = NULL;
    int with_classes;
    char word[NAME_LIMIT];
    double row;
    if (!PyArg_ParseTuple(args, "O!y*pO!w*", &LookupType, &lookup, &weights, &with_classes, &PyList_Type, &marks, &out)) return NULL;
    Py_ssize_t columns = out.len / 4, rows = columns ? weights.len / out.len : 0;
    uint8_t *wanted = PyMem_Calloc((size_t)rows + 1, 1);
    if (wanted == NULL) { PyErr_NoMemory(); goto out; }
#define WANT(number) if ((number) >= 0 && row >= 0 && row < (double)rows) wanted[(Py_ssize_t)row] = 1
    wanted[0] = 1;
    for (int32_t k = 1; with_classes && k < t->classes.count; k++) {
        const char *s = t->classes.bytes.data + t->classes.keys[k].at;
        Py_ssize_t n = head_bytes(s, t->classes.keys[k].size, NAME_LIMIT), size;
        for (Py_ssize_t at = 0; (size = next_token(s, n, &at)) > 0; at += size) WANT(lookup_letters(lookup, s + at, size, word, &row));
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(marks); k++) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(marks, k), &n);
        if (s == NULL) goto out;
        WANT(lookup_value(lookup, s, n, &row));
    }
    float *sums = out.buf;
    memset(sums, 0, (size_t)out.len);
    for (const uint8_t *next = wanted; (next = memchr(next, 1, (size_t)(wanted + rows - next))) != NULL; next++) {
        const float *values = (const float *)weights.buf + (next - wanted) * columns;
        for (Py_ssize_t k = 0; k < columns; k++) sums[k] += values[k];
    }
    result = Py_NewRef(Py_None);
out:
    PyMem_Free(wanted);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&out);
    return result;
}

/* ---- numbers for pairs of numbers ---- */

/* There is never room for more pairs than given here; -1 without memory. */
static int pairs_init(Table *pairs, Py_ssize_t most) {
    return table_init(pairs, (int32_t)most) < 0 ? -1 : buffer_reserve(&pairs->bytes, (most + 1) * (Py_ssize_t)(2 * sizeof(uint64_t)));
}

static inline int32_t pairs_put(Table *pairs, uint64_t one, uint64_t other) {
    uint64_t pair[2] = {one, other};
    int fresh;
    return table_put(pairs, (const char *)pair, sizeof pair, &fresh);
}

#define BOTH(high, low) ((uint64_t)(uint32_t)(high) << 32 | (uint32_t)(low))

/* ---- what elements state and inherit ---- */

const Holders *holders_of(const Tree *t, const char *name, Py_ssize_t n) {
    static const Holders none = {0};
    int32_t number = table_find(&t->attr_names, name, n);
    return number >= 0 ? &t->holders[number] : &none;
}

int read_bits(const Tree *t, PyObject *stated, int32_t *bits) {
    PyObject *node, *value;
    for (Py_ssize_t at = 0; PyDict_Next(stated, &at, &node, &value);) {
        int32_t i = node_given(t, node);
        if (i < 0) return -1;
        bits[i] = (int32_t)PyLong_AsLong(value);
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* What a node inherits, side by side, since it is read together; of nodes that show no text only bits are set. */
typedef struct {
    int32_t bits, template, wider; /* wider: the nearest ancestor that holds more text, since wrappers are no levels */
    float own, low, high;          /* the odds of its own names; the lowest and highest up to the root */
    double total;
} Kin;

/* What the columns are computed from and into. */
typedef struct {
    const Tree *t;
    Py_ssize_t n;                              /* blocks */
    int32_t row;                               /* the next column that is written */
    float *columns;
    int32_t *starts, *stops, *group, *heading; /* the places; starts and stops by level and block */
    int32_t *bits_of;                          /* by tag: the groups it belongs to */
    uint8_t *code_of, *level_of;               /* by tag: its code as an owner; 1 more than its level as a heading, 0 for others */
    Kin *kin;                                  /* by node */
    int32_t *copies;                           /* by template: how many elements share parent, tag and class */
    const float *words, *density, *codes, *word_mean;
    float *scratch, *prose;                    /* by block; prose: its words if it is a paragraph, else 0 */
    int32_t *level, *count;                    /* by block; count: by template or text */
    double *word_sum, *prose_sum, *sums;       /* running totals */
    double page_words;
} Measured;

#define COLUMN(m) ((m)->columns + (Py_ssize_t)(m)->row++ * (m)->n)
#define EACH_BLOCK(m, b) for (Py_ssize_t b = 0; b < (m)->n; b++)

/* What each element inherits from its ancestors, in one pass over those that show text. */
static void read_lineage(Measured *m, const Lookup *odds, const int32_t *stated, double *score_of, Table *templates) {
    const Tree *t = m->t;
    for (int32_t k = 1; k < t->labels.count; k++) score_of[k] = NAN;
    for (int32_t i = 0; i < t->n; i++) {
        Kin *own = &m->kin[i];
        int32_t size = t->chars[t->end[i]] - t->chars[i], above = t->parent[i];
        if (!t->tag[i] || !size) continue;
        double score = score_of[t->label[i]];
        if (isnan(score)) {
            const Key *label = &t->labels.keys[t->label[i]];
            score = score_of[t->label[i]] = label_score(t->labels.bytes.data + label->at, label->size, odds);
        }
        float single = (float)score;
        int32_t template = pairs_put(templates, BOTH(above, t->tag[i]), (uint64_t)t->cls[i]);
        m->copies[template]++;
        if (above < 0) { *own = (Kin){.own = single, .template = template}; continue; }
        const Kin *kin = &m->kin[above];
        *own = (Kin){
            .bits = stated[i] | m->bits_of[t->tag[i]] | kin->bits,
            .template = template,
            .wider = t->chars[t->end[above]] - t->chars[above] > size ? above : kin->wider,
            .own = single,
            .low = kin->low < single ? kin->low : single,
            .high = kin->high > single ? kin->high : single,
            .total = kin->total + score,
        };
    }
}

/* ---- the columns, family by family ---- */

/* Mean over the blocks up to width / 2 away; sums in single precision, as the models were trained with. */
static void add_window(Measured *m, const float *from, int width) {
    float *to = COLUMN(m), sum = 0;
    int half = width / 2;
    EACH_BLOCK(m, b) m->sums[b + 1] = sum += from[b];
    EACH_BLOCK(m, b) {
        Py_ssize_t low = b - half < 0 ? 0 : b - half, high = b + half + 1 > m->n ? m->n : b + half + 1;
        to[b] = (float)((m->sums[high] - m->sums[low]) / (double)(high - low));
    }
}

/* The value of the block before (-1) or after (1). */
static void add_shifted(Measured *m, const float *from, int offset) {
    float *to = COLUMN(m);
    memcpy(to + (offset < 0), from + (offset > 0), sizeof *to * (size_t)(m->n - 1));
    to[offset < 0 ? 0 : m->n - 1] = 0.0f;
}

static void add_sizes(Measured *m) {
    const Tree *t = m->t;
    float *words = COLUMN(m), *log_chars = COLUMN(m), *density = COLUMN(m), *per_word = COLUMN(m);
    double page_words = 0;
    EACH_BLOCK(m, b) {
        float size = (float)t->block_chars[b], links = (float)t->block_links[b];
        words[b] = (float)t->block_words[b];
        page_words += words[b];
        log_chars[b] = log_of(t->block_chars[b]);
        density[b] = links / (size > 1 ? size : 1.0f);
        per_word[b] = size / (words[b] > 1 ? words[b] : 1.0f);
    }
    m->words = words;
    m->density = density;
    m->page_words = page_words > 1 ? page_words : 1.0;
}

/* Which copy of its text a block is, and whether its neighbours are copies too: a whole region that is shown twice. */
static void add_copies(Measured *m) {
    const Tree *t = m->t;
    float *copy = COLUMN(m);
    EACH_BLOCK(m, b) {
        int32_t *count = &m->count[t->text_number[b]];
        copy[b] = *count < 9 ? (float)*count : 9.0f;
        ++*count;
    }
    EACH_BLOCK(m, b) m->scratch[b] = m->count[t->text_number[b]] > 1 && t->block_words[b] >= 4;
    add_window(m, m->scratch, 7);
}

static void add_headings(Measured *m, int32_t title_at) {
    float *words = COLUMN(m), *age = COLUMN(m), *level = COLUMN(m), *after_title = COLUMN(m);
    float score = 0, depth = 0;
    int32_t distance = 99, latest = -1;
    EACH_BLOCK(m, b) {
        int mark = m->level_of[m->t->tag[m->t->owner[b]]];
        m->heading[b] = latest;
        if (mark) { score = m->word_mean[b]; distance = 0; depth = (float)(mark - 1); latest = (int32_t)b; }
        else if (distance < 99) distance++;
        words[b] = score;
        age[b] = (float)distance;
        level[b] = depth;
        after_title[b] = title_at >= 0 ? (float)(b - title_at) : -1.0f;
    }
}

static void start_levels(Measured *m) { EACH_BLOCK(m, b) m->level[b] = m->t->owner[b]; }

static inline int32_t next_level(const Measured *m, int32_t node) { return m->t->parent[node] > 0 ? m->t->parent[node] : 0; }

static void add_ancestors(Measured *m, int groups) {
    const Tree *t = m->t;
    float *code = COLUMN(m), *depth = COLUMN(m);
    EACH_BLOCK(m, b) {
        code[b] = m->code_of[t->tag[t->owner[b]]];
        depth[b] = (float)t->depth[t->owner[b]];
    }
    m->codes = code;
    for (int k = 0; k < groups; k++) {
        float *in = COLUMN(m);
        EACH_BLOCK(m, b) in[b] = (float)(m->kin[t->owner[b]].bits >> k & 1);
    }
    start_levels(m);
    for (int step = 0; step < STEPS; step++) {
        float *tokens = COLUMN(m);
        EACH_BLOCK(m, b) {
            tokens[b] = m->kin[m->level[b]].own;
            m->level[b] = next_level(m, m->level[b]);
        }
    }
    float *low = COLUMN(m), *high = COLUMN(m), *total = COLUMN(m);
    EACH_BLOCK(m, b) {
        const Kin *kin = &m->kin[t->owner[b]];
        low[b] = kin->low;
        high[b] = kin->high;
        total[b] = (float)kin->total;
    }
}

static int32_t copies_of(const Measured *m, int32_t node) { return m->copies[m->kin[node].template]; }

/* Repetition: siblings of the same tag and class, and blocks whose owners and their parents have the same tags and classes. */
static void add_templates(Measured *m, Table *groups, double *group_words, double *group_links, double *group_chars) {
    const Tree *t = m->t;
    start_levels(m);
    EACH_BLOCK(m, b) m->scratch[b] = (float)copies_of(m, t->owner[b]);
    for (int step = 0; step < STEPS; step++) {
        float *siblings = COLUMN(m);
        EACH_BLOCK(m, b) {
            int32_t copies = copies_of(m, m->level[b]);
            siblings[b] = log_of(copies);
            if (copies > m->scratch[b]) m->scratch[b] = (float)copies;
            m->level[b] = next_level(m, m->level[b]);
        }
    }
    float *most = COLUMN(m);
    memset(m->count, 0, sizeof *m->count * (size_t)m->n);
    EACH_BLOCK(m, b) {
        int32_t o = t->owner[b], above = o > 0 ? t->parent[o] : 0;
        int32_t number = o > 0 ? pairs_put(groups, BOTH(t->tag[o], t->cls[o]), BOTH(t->tag[above], t->cls[above])) : pairs_put(groups, 0, 0);
        most[b] = log_of(m->scratch[b]);
        m->group[b] = number;
        m->count[number]++;
        group_words[number] += m->words[b];
        group_links[number] += (float)t->block_links[b];
        group_chars[number] += (float)t->block_chars[b];
    }
    float *size = COLUMN(m), *mean = COLUMN(m), *share = COLUMN(m), *density = COLUMN(m);
    EACH_BLOCK(m, b) {
        int32_t g = m->group[b];
        size[b] = log_of(m->count[g]);
        mean[b] = log_of(group_words[g] / m->count[g]);
        share[b] = (float)(group_words[g] / m->page_words);
        density[b] = (float)(group_links[g] / (group_chars[g] > 1 ? group_chars[g] : 1.0));
    }
}

static void add_position(Measured *m) {
    float *index = COLUMN(m), *index_log = COLUMN(m), *from_end = COLUMN(m);
    float *share_before = COLUMN(m), *before_log = COLUMN(m), *after_log = COLUMN(m);
    double page_words = m->page_words;
    EACH_BLOCK(m, b) {
        m->prose[b] = m->codes[b] == 1 || (m->words[b] >= 15 && m->density[b] < 0.3f) ? m->words[b] : 0;
        m->word_sum[b + 1] = m->word_sum[b] + m->words[b];
        m->prose_sum[b + 1] = m->prose_sum[b] + m->prose[b];
        index[b] = (float)b / (float)m->n;
        index_log[b] = log_of(b);
        from_end[b] = log_of(m->n - 1 - b);
        share_before[b] = (float)(m->word_sum[b] / page_words);
        before_log[b] = log_of(trunc(m->word_sum[b]));
        after_log[b] = log_of(trunc(page_words - m->word_sum[b] - m->words[b]));
    }
}

/* Shares of the page in the container at each wider level; before: by node, how many blocks begin before it. */
static void add_containers(Measured *m, int32_t *before) {
    const Tree *t = m->t;
    double page_chars = t->chars[t->n] > 1 ? t->chars[t->n] : 1.0, page_prose = m->prose_sum[m->n] > 1 ? m->prose_sum[m->n] : 1.0;
    count_blocks_before(t, before);
    start_levels(m);
    for (int step = 0; step < LEVELS; step++) {
        float *share = COLUMN(m), *links = COLUMN(m), *blocks = COLUMN(m), *mean = COLUMN(m), *prose_share = COLUMN(m), *prose_density = COLUMN(m);
        float *place = step == 1 || step == 2 ? COLUMN(m) : NULL;
        int32_t last = -1, start = 0, stop = 0, count = 1;
        EACH_BLOCK(m, b) {
            int32_t i = m->level[b], end = t->end[i];
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
                double held = m->word_sum[stop] - m->word_sum[start], held_prose = m->prose_sum[stop] - m->prose_sum[start];
                share[b] = (float)(inside / page_chars);
                links[b] = (float)(linked / (inside > 1 ? inside : 1.0));
                blocks[b] = log_of(count);
                mean[b] = log_of(held / count);
                prose_share[b] = (float)(held_prose / page_prose);
                prose_density[b] = (float)(held_prose / (held > 1 ? held : 1.0));
            }
            m->starts[step * m->n + b] = start;
            m->stops[step * m->n + b] = stop;
            if (place) place[b] = (float)((double)(b - start) / count);
            m->level[b] = m->kin[i].wider;
        }
    }
}

static void add_neighbours(Measured *m) {
    EACH_BLOCK(m, b) m->scratch[b] = log_of(m->t->block_words[b]);
    for (int offset = -1; offset <= 1; offset += 2) {
        add_shifted(m, m->scratch, offset);
        add_shifted(m, m->density, offset);
        add_shifted(m, m->codes, offset);
        add_shifted(m, m->word_mean, offset);
    }
    EACH_BLOCK(m, b) m->prose[b] = m->prose[b] > 0;
    for (int width = 5; width <= 15; width += 10) {
        add_window(m, m->scratch, width);
        add_window(m, m->density, width);
        add_window(m, m->prose, width);
    }
}

/* measure(columns, measures, places, wording, word_mean, title_at, odds, tag_bits, groups, stated, owner_codes)

   columns: float32 (features, blocks), of which the first rows, so many measures, are written, except for the rows of the
   wording; places: int32, to be filled with the first block of each block's container and the one after its last, by level
   and block, with its template's number and with the heading it is under, -1 before the first */
PyObject *tree_measure_blocks(Tree *t, PyObject *args) {
    Py_buffer columns, places;
    int measures, wording, mean_row, title_at, groups;
    Lookup *odds;
    PyObject *tag_bits, *stated_, *owner_codes, *result = NULL;
    if (!PyArg_ParseTuple(args, "w*iw*iiiO!O!iO!O!", &columns, &measures, &places, &wording, &mean_row, &title_at, &LookupType, &odds,
            &PyDict_Type, &tag_bits, &groups, &PyDict_Type, &stated_, &PyDict_Type, &owner_codes))
        return NULL;
    Py_ssize_t n = t->blocks;
    Memory memory = {0};
    Measured m = {.t = t, .n = n, .columns = columns.buf, .starts = places.buf};
    Table templates = {0}, templates_of_blocks = {0};
    int32_t tags = t->tags.count, *codes = NULL;
    int rows = 4 + wording + 2 + 4 + 2 + groups + STEPS + 3 + STEPS + 1 + 4 + 6 + LEVELS * 6 + 2 + 8 + 6;
    if (rows != measures || n < 1 || columns.len / 4 / n < rows || places.len != 4 * (2 * LEVELS + 2) * n || groups < 0 || groups > 31
        || mean_row < 4 || mean_row >= 4 + wording) {
        PyErr_Format(PyExc_ValueError, "the core measures %d columns of %zd blocks, not %d", rows, n, measures);
        goto out;
    }
    m.stops = m.starts + LEVELS * n;
    m.group = m.stops + LEVELS * n;
    m.heading = m.group + n;
    m.word_mean = m.columns + mean_row * n;
    m.code_of = memory_new(&memory, tags, sizeof *m.code_of);
    m.level_of = memory_new(&memory, tags, sizeof *m.level_of);
    m.kin = memory_new(&memory, t->n, sizeof *m.kin);
    m.copies = memory_new(&memory, t->n, sizeof *m.copies);
    m.scratch = memory_new(&memory, n, sizeof *m.scratch);
    m.prose = memory_new(&memory, n, sizeof *m.prose);
    m.level = memory_new(&memory, n, sizeof *m.level);
    m.count = memory_new(&memory, n, sizeof *m.count);
    m.word_sum = memory_new(&memory, n, sizeof *m.word_sum);
    m.prose_sum = memory_new(&memory, n, sizeof *m.prose_sum);
    m.sums = memory_new(&memory, n, sizeof *m.sums);
    double *score_of = memory_new(&memory, t->labels.count, sizeof *score_of), *group_sums = memory_new(&memory, 3 * n, sizeof *group_sums);
    int32_t *stated = memory_new(&memory, t->n, sizeof *stated), *before = memory_new(&memory, t->n + 1, sizeof *before);
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    if (pairs_init(&templates, t->n) < 0 || pairs_init(&templates_of_blocks, n) < 0) goto out;
    m.bits_of = numbers_of_tags(t, tag_bits, &memory);
    codes = m.bits_of ? numbers_of_tags(t, owner_codes, &memory) : NULL;
    if (codes == NULL || read_bits(t, stated_, stated) < 0) goto out;
    for (int32_t k = 1; k < tags; k++) {
        const Key *key = &t->tags.keys[k];
        const char *s = t->tags.bytes.data + key->at;
        if (key->size == 2 && s[0] == 'h' && s[1] >= '0' && s[1] <= '9') m.level_of[k] = (uint8_t)(s[1] - '0' + 1);
        m.code_of[k] = (uint8_t)codes[k];
    }
    compute_logs();
    Py_BEGIN_ALLOW_THREADS
    read_lineage(&m, odds, stated, score_of, &templates);
    add_sizes(&m);
    m.row += wording;
    add_copies(&m);
    add_headings(&m, title_at);
    add_ancestors(&m, groups);
    add_templates(&m, &templates_of_blocks, group_sums, group_sums + n, group_sums + 2 * n);
    add_position(&m);
    add_containers(&m, before);
    add_neighbours(&m);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
out:
    memory_free(&memory);
    table_free(&templates); table_free(&templates_of_blocks);
    PyBuffer_Release(&columns); PyBuffer_Release(&places);
    return result;
}

/* share_alike(probabilities, levels, least, longest, by): blocks are alike if so many elements around each, its owner first,
   have the same tags and classes; where at least some are, and have on average no more words than longest, the probability of
   each, float64, moves towards the mean of all by a share of the way, each block weighing its words and half a word more */
PyObject *tree_share_alike(Tree *t, PyObject *args) {
    Py_buffer given;
    int levels, least;
    double longest, by;
    if (!PyArg_ParseTuple(args, "w*iidd", &given, &levels, &least, &longest, &by)) return NULL;
    Memory memory = {0};
    Table groups = {0};
    PyObject *result = NULL;
    Py_ssize_t n = t->blocks, most = n * (levels > 0 ? levels : 0);
    double *probability = given.buf, *size = memory_new(&memory, most + 1, sizeof *size), *mass = memory_new(&memory, most + 1, sizeof *mass);
    int32_t *count = memory_new(&memory, most + 1, sizeof *count), *group = memory_new(&memory, n, sizeof *group);
    if (memory.failed) { PyErr_NoMemory(); goto out; }
    if (given.len != 8 * n) { PyErr_SetString(PyExc_ValueError, "not the probabilities of these blocks"); goto out; }
    if (pairs_init(&groups, most + 1) < 0) goto out;
    for (Py_ssize_t b = 0; b < n; b++) {
        int32_t number = 0, i = t->owner[b];
        for (int step = 0; step < levels && i > 0; step++, i = t->parent[i]) {
            number = pairs_put(&groups, (uint64_t)(uint32_t)number, BOTH(t->tag[i], t->cls[i]));
        }
        double words = t->block_words[b] + 0.5;
        group[b] = number;
        count[number]++;
        size[number] += words;
        mass[number] += probability[b] * words;
    }
    for (Py_ssize_t b = 0; b < n; b++) {
        int32_t g = group[b];
        if (count[g] >= least && size[g] <= longest * count[g]) probability[b] += by * (mass[g] / size[g] - probability[b]);
    }
    result = Py_NewRef(Py_None);
out:
    memory_free(&memory);
    table_free(&groups);
    PyBuffer_Release(&given);
    return result;
}

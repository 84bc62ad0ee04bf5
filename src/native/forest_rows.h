/* forest.c includes this once for every kind of processor. */

/* Which of a feature's thresholds all rows of a chunk pass (those before *from), and which some (those before *to). */
static inline void WITH(range_of)(const Forest *f, int32_t u, const float *x, Py_ssize_t count, int32_t *from, int32_t *to) {
    float least = x[0], most = x[0];
    if (count >= FEW) {
        /* Several rows at a time, each in a lane of its own; some of the last are seen twice. */
        Floats low, high, y;
        const float *last = x + count - FEW, *at = x;
        memcpy(&low, last, sizeof low);
        high = low;
        for (; at < last; at += FEW) {
            memcpy(&y, at, sizeof y);
            WITH(widen)(&low, &high, &y);
        }
        for (int k = 0; k < FEW; k++) {
            most = high[k] > most ? high[k] : most;
            least = low[k] < least ? low[k] : least;
        }
    } else for (Py_ssize_t r = 1; r < count; r++) {
        most = x[r] > most ? x[r] : most;
        least = x[r] < least ? x[r] : least;
    }
    int32_t c = f->cut_at[u], stop = f->cut_at[u + 1];
    while (c < stop && least > f->cuts[c]) c++;
    *from = c;
    while (c < stop && most > f->cuts[c]) c++;
    *to = c;
}

#ifndef OWN_STRIPS

/* How many of a feature's thresholds each row passes: `all` and those of some cuts. */
static inline void WITH(rank_rows)(const float *x, Py_ssize_t count, const float *cut, const float *stop, int all, int8_t *ranks) {
    float last[WIDTH];
    for (Py_ssize_t at = 0; at < count; at += WIDTH) {
        const float *from = x + at;
        if (count - at < WIDTH) {
            memset(last, 0, sizeof last);
            from = memcpy(last, from, sizeof(float) * (size_t)(count - at));
        }
        Floats rows[4];
        Ints passed[4] = {{0}};
        memcpy(rows, from, sizeof rows);
        for (const float *c = cut; c < stop; c++)
            for (int k = 0; k < 4; k++) passed[k] -= rows[k] > *c;
        int32_t counts[WIDTH];
        memcpy(counts, passed, sizeof counts);
        for (int r = 0; r < WIDTH; r++) ranks[at + r] = (int8_t)(127 - all - counts[r]);
    }
}

/* Adds up the leaves' values of some vectors of rows, tree by tree. */
static inline __attribute__((always_inline)) void WITH(score_strip)(const Forest *f, const Scratch *s, Py_ssize_t at, const int vectors) {
    const Bytes none = {0};
    const int32_t planes = f->planes;
    for (int32_t tree = 0, slot = 0, class = 0; tree < f->trees; tree++, slot += planes) {
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
        uint8_t leaf[WIDTH * STRIP];
        for (int v = 0; v < vectors; v++) {
            Bytes bit = lowest[v] & (Bytes)-(Unsigned)lowest[v];
            place[v] += ~((bit & (int8_t)0xAA) == none) & 1;
            place[v] += ~((bit & (int8_t)0xCC) == none) & 2;
            place[v] += ~((bit & (int8_t)0xF0) == none) & 4;
            memcpy(leaf + WIDTH * v, &place[v], WIDTH);
        }
        WITH(add_values)(s->sums + class * CHUNK + at, f->values + tree * LEAVES(f), planes, leaf, WIDTH * vectors);
        if (++class == f->classes) class = 0;
    }
}

#endif

/* Scores some rows. Of each feature it is first told how many of its thresholds each row passes, so that the tests of a
   tree compare bytes; tests that all rows pass, as those on what the page as a whole has, are made once. */
static void WITH(score_rows)(const Forest *f, const float *table, Py_ssize_t rows, Py_ssize_t from, Py_ssize_t count,
                       const Scratch *s, double *scores) {
    int32_t *restrict stop = s->stop, bytes = f->trees * f->planes;
    const uint16_t *restrict slots = f->slots;
    const Piece *restrict all = f->pieces;
    Piece *restrict pieces = s->pieces;
    uint8_t *restrict left = s->left;
    memset(left, 0xFF, (size_t)bytes);
    memcpy(stop, f->slot_at, sizeof *stop * (size_t)bytes);
    memset(s->sums, 0, sizeof *s->sums * CHUNK * (size_t)f->classes);
    for (int32_t u = 0; u < f->features; u++) {
        const float *x = table + (Py_ssize_t)f->used[u] * rows + from;
        int32_t first = f->cut_at[u], some, none;
        WITH(range_of)(f, u, x, count, &some, &none);
        int32_t k = f->pieces_at[first];
        for (int32_t last = f->pieces_at[some]; k < last; k++) left[slots[k]] &= (uint8_t)~all[k].gone;
        if (some == none) continue;
        WITH(rank_rows)(x, count, f->cuts + some, f->cuts + none, some - first, s->ranks + u * CHUNK);
        for (int32_t last = f->pieces_at[none]; k < last; k++) pieces[stop[slots[k]]++] = all[k];
    }
    for (Py_ssize_t at = 0; at < count; at += IN_VECTOR * STRIP)
        switch ((count - at + IN_VECTOR - 1) / IN_VECTOR) {
            case 1: WITH(score_strip)(f, s, at, 1); break;
            case 2: WITH(score_strip)(f, s, at, 2); break;
            case 3: WITH(score_strip)(f, s, at, 3); break;
            default: WITH(score_strip)(f, s, at, STRIP);
        }
    for (Py_ssize_t r = 0; r < count; r++)
        for (int32_t class = 0; class < f->classes; class++) scores[(from + r) * f->classes + class] = s->sums[class * CHUNK + r];
}

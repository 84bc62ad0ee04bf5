#include "search.h"

int32_t search_piece(Search *s, const char *piece, Py_ssize_t n) {
    int fresh;
    if (n > s->size) return IS_NOT_THERE;
    if (s->left >= s->size) {
        s->left -= s->size;
        return memmem(s->whole, (size_t)s->size, piece, (size_t)n) ? IS_THERE : IS_NOT_THERE;
    }
    s->left = 0;
    int32_t number = table_put(&s->waiting, piece, n, &fresh);
    return number < 0 ? SEARCH_FAILED : number;
}

/* Pieces of one size, by a sum that can go along the whole. No page knows the factor, and so none can make sums meet. */
typedef struct {
    uint64_t *sums;
    int32_t *pieces; /* numbers from 1; 0 where there is nothing */
    uint32_t mask;
} Sums;

static inline uint32_t place_in(const Sums *sums, uint64_t sum) { return (uint32_t)(sum >> 32) & sums->mask; }

static void look_for(const Search *s, const Sums *sums, Py_ssize_t n, int32_t missing, uint64_t factor, uint8_t *found) {
    const uint8_t *whole = (const uint8_t *)s->whole;
    uint64_t sum = 0, first = 1;
    for (Py_ssize_t k = 0; k < n; k++) first *= factor;
    for (Py_ssize_t end = 0; end < s->size && missing; end++) {
        sum = sum * factor + whole[end];
        if (end >= n) sum -= first * whole[end - n];
        if (end + 1 < n) continue;
        int32_t piece;
        for (uint32_t at = place_in(sums, sum); (piece = sums->pieces[at]) != 0; at = (at + 1) & sums->mask) {
            if (sums->sums[at] != sum) continue;
            const char *bytes = s->waiting.bytes.data + s->waiting.keys[piece - 1].at;
            if (!found[piece - 1] && memcmp(bytes, whole + end + 1 - n, (size_t)n) == 0) {
                found[piece - 1] = 1;
                missing--;
            }
            break;
        }
    }
}

uint8_t *search_waiting(const Search *s) {
    const Table *t = &s->waiting;
    uint64_t any = 0, factor = hash_bytes((const char *)&any, sizeof any) | 1; /* hashing is seeded */
    int32_t counts[LONGEST_PIECE + 1] = {0}, most = 0;
    for (int32_t k = 0; k < t->count; k++) counts[t->keys[k].size]++;
    for (int n = 0; n <= LONGEST_PIECE; n++) most = Py_MAX(most, counts[n]);
    uint32_t room = 16;
    while ((int64_t)room < 4 * (int64_t)most) room *= 2;
    Sums sums = {PyMem_Malloc(sizeof(uint64_t) * room), PyMem_Malloc(sizeof(int32_t) * room), room - 1};
    uint8_t *found = PyMem_Calloc((size_t)t->count + 1, 1);
    if (sums.sums == NULL || sums.pieces == NULL || found == NULL) {
        PyMem_Free(found);
        found = NULL;
        PyErr_NoMemory();
    }
    for (Py_ssize_t n = 1; found && n <= LONGEST_PIECE; n++) {
        if (!counts[n]) continue;
        memset(sums.pieces, 0, sizeof(int32_t) * room);
        for (int32_t k = 0; k < t->count; k++) {
            if (t->keys[k].size != n) continue;
            uint64_t sum = 0;
            for (Py_ssize_t i = 0; i < n; i++) sum = sum * factor + (uint8_t)t->bytes.data[t->keys[k].at + i];
            uint32_t at = place_in(&sums, sum);
            while (sums.pieces[at]) at = (at + 1) & sums.mask;
            sums.sums[at] = sum;
            sums.pieces[at] = k + 1;
        }
        look_for(s, &sums, n, counts[n], factor, found);
    }
    PyMem_Free(sums.sums);
    PyMem_Free(sums.pieces);
    return found;
}

/* Which pieces stand in a whole: a few are looked for one by one, many together, in one pass for each size they have. */

#ifndef DURAMEN_SEARCH_H
#define DURAMEN_SEARCH_H

#include "native.h"

#define LONGEST_PIECE 256 /* bytes */

typedef struct {
    const char *whole;
    Py_ssize_t size, left; /* bytes that may still be looked through for single pieces */
    Table waiting;         /* the pieces that are looked for together */
} Search;

static inline int search_init(Search *s, const char *whole, Py_ssize_t size, Py_ssize_t left) {
    s->whole = whole;
    s->size = size;
    s->left = left;
    return table_init(&s->waiting, 0);
}

static inline void search_free(Search *s) { table_free(&s->waiting); }

enum { SEARCH_FAILED = -3, IS_NOT_THERE = -2, IS_THERE = -1 }; /* or the number of a piece that waits */

/* Looks for a piece, or puts it down to be looked for with others. */
int32_t search_piece(Search *s, const char *piece, Py_ssize_t n);

/* For each piece that waits, by its number, whether it is there; NULL without memory. To be freed with PyMem_Free. */
uint8_t *search_waiting(const Search *s);

#endif

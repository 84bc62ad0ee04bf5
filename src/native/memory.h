/* Working memory that is freed together, for functions that release the interpreter lock. */

#ifndef DURAMEN_MEMORY_H
#define DURAMEN_MEMORY_H

#include "native.h"

typedef struct {
    void *pieces[24];
    int count, failed;
} Memory;

/* Room for so many values, all zero, and one more; NULL without memory, which `failed` remembers. */
static inline void *memory_new(Memory *m, Py_ssize_t count, size_t size) {
    int has_place = m->count < (int)(sizeof m->pieces / sizeof *m->pieces);
    void *piece = has_place ? PyMem_RawCalloc((size_t)count + 1, size) : NULL;
    if (piece) m->pieces[m->count++] = piece;
    else m->failed = 1;
    return piece;
}

static inline void memory_free(Memory *m) {
    while (m->count) PyMem_RawFree(m->pieces[--m->count]);
}

#endif

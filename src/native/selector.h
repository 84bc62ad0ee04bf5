/* A CSS selector as a list of steps over sets of nodes: selectors.py reads it, select.c takes the steps. */

#ifndef DURAMEN_SELECTOR_H
#define DURAMEN_SELECTOR_H

#include "native.h"

/* In the order of selectors.Act. Sets of nodes are kept on a stack. EVERY puts all elements on it; most steps keep some of the
   topmost set, or go from them to others; UNION, BOTH and EXCEPT make one of the topmost two. */
typedef enum {
    EVERY, NOTHING,
    HAS_TAG, HAS_CLASS, HAS_IDENT, HAS_ATTRIBUTE,
    IS_ROOT, IS_SCOPE, IS_EMPTY,
    IS_NTH,                           /* of its siblings, or AMONG those of them that are in the topmost set, which goes */
    INHERITS,                         /* the nearest element with an attribute has a value that begins so */
    BELOW, CHILDREN, NEXT, LATER,     /* from elements to those that stand so to them */
    AROUND, PARENTS, BEFORE, EARLIER, /* and back */
    UNION, BOTH, EXCEPT, ACTS,
} Act;

/* Flags of a step, as in selectors.py. */
enum { ANY_CASE = 1, NEEDED = 2, FROM_END = 4, OF_TYPE = 8, AMONG = 16 };

typedef struct {
    int act, flags;
    int how;    /* of an attribute's value: the sign before its "=", "=" for none, 0 when any value will do */
    int a, b;   /* of IS_NTH: the places that are a multiple of `a` beyond `b` */
    Key key;    /* the name in lower case, with the sign that selectors put before it: none, '.', '#' or '[' */
    Span word;  /* the name as it is written */
    Span value, lower;
} Step;

typedef struct {
    Py_ssize_t first, last; /* steps */
} Alternative;

#define MOST_SETS 64 /* at a time, of which select.c needs two for itself */

typedef struct {
    PyObject_HEAD
    Buffer text; /* names and values */
    Step *steps;
    Py_ssize_t count, room;
    Alternative *alternatives;
    Py_ssize_t alternative_count;
} Selector;

#endif

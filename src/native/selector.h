/* A CSS selector as a list of steps over sets of nodes: selector.c reads it, select.c takes the steps. */

#ifndef DURAMEN_SELECTOR_H
#define DURAMEN_SELECTOR_H

#include "native.h"

/* Sets of nodes are kept on a stack. EVERY puts all elements on it; what follows keeps of the topmost set those that have a
   name or a place, or goes from them to others; UNION, BOTH and EXCEPT make one of the topmost two. */
typedef enum {
    EVERY,
    HAS_TAG, HAS_CLASS, HAS_IDENT, HAS_ATTRIBUTE,
    IS_FIRST, IS_LAST,
    BELOW, CHILDREN, NEXT, LATER,     /* from elements to those that stand so to them */
    AROUND, PARENTS, BEFORE, EARLIER, /* and back */
    UNION, BOTH, EXCEPT,
} Act;

typedef struct {
    uint8_t act;
    uint8_t how;     /* of an attribute's value: the sign before its "=", "=" for none, 0 when any value will do */
    uint8_t folding; /* the case of the value: 0 counts, 1 does not, 2 does not in HTML */
    uint8_t needed;  /* whether the alternative finds nothing on a page that lacks the name */
    int16_t depth;   /* of parentheses */
    int16_t group;   /* names that an element has to have together, if it is inside a drawing; 0 for none */
    Key key;         /* the name in lower case behind its sign */
    Span word;       /* the name */
    Span value, lower;
} Step;

typedef struct {
    int32_t first, last; /* steps */
    int16_t groups, last_group; /* those of its names are between, the last included */
} Alternative;

#define MOST_SETS 10

typedef struct {
    PyObject_HEAD
    Buffer text; /* names and values */
    Step *steps;
    Py_ssize_t count, room;
    Alternative *alternatives;
    Py_ssize_t alternative_count, alternative_room;
} Selector;

#endif

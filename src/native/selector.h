/* A CSS selector as a list of steps over sets of nodes: selector.c reads it, select.c takes the steps. */

#ifndef DURAMEN_SELECTOR_H
#define DURAMEN_SELECTOR_H

#include "native.h"

/* Sets of nodes are kept on a stack. EVERY puts all elements on it; most steps keep some of the topmost set, or go from
   them to others; UNION, BOTH and EXCEPT make one of the topmost two. */
typedef enum {
    EVERY, NOTHING,
    HAS_TAG, HAS_CLASS, HAS_IDENT, HAS_ATTRIBUTE,
    IS_ROOT, IS_SCOPE, IS_EMPTY,
    IS_NTH,                           /* of its siblings, or with `is_among` of those that are in the topmost set, which goes */
    INHERITS,                         /* the nearest element with an attribute has a value that begins so */
    BELOW, CHILDREN, NEXT, LATER,     /* from elements to those that stand so to them */
    AROUND, PARENTS, BEFORE, EARLIER, /* and back */
    UNION, BOTH, EXCEPT,
} Act;

typedef struct {
    uint8_t act;
    uint8_t how;     /* of an attribute's value: the sign before its "=", "=" for none, 0 when any value will do */
    uint8_t folding; /* whether the case of the value does not count */
    uint8_t needed;  /* whether the alternative finds nothing on a page that lacks the name */
    uint8_t is_last, is_of_type, is_among; /* of IS_NTH: counted from the end, among elements of its tag */
    int32_t a, b;    /* of IS_NTH: the places that are a multiple of `a` beyond `b` */
    Key key;         /* the name in lower case, with the sign that selectors put before it: none, '.', '#' or '[' */
    Span word;       /* the name as it is written */
    Span value, lower;
} Step;

typedef struct {
    int32_t first, last; /* steps */
} Alternative;

/* Parentheses inside each other, and the sets that this takes. */
#define MOST_NESTED 16
#define MOST_SETS (2 * MOST_NESTED + 6)

typedef struct {
    PyObject_HEAD
    Buffer text; /* names and values */
    Step *steps;
    Py_ssize_t count, room;
    Alternative *alternatives;
    Py_ssize_t alternative_count, alternative_room;
} Selector;

extern PyObject *SelectorSyntaxError;
/* Makes the exception and adds it to the module; -1 after an error. */
int add_selector_error(PyObject *module);

#endif

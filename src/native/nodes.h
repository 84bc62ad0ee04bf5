/* The nodes of a Tree, made one after the other from what the parser built; none of it needs the interpreter lock. */

#ifndef DURAMEN_NODES_H
#define DURAMEN_NODES_H

#include "html.h"

/* What tags mean for what is inside them, as flatten.py gives it; the first four are inherited. */
enum { SILENT = 1, LINKED = 2, SPACED = 4, DRAWING = 8, BLOCK_TAG = 16 };

typedef struct {
    int32_t *data, room;
} Known;

typedef struct {
    Tree *tree;
    uint8_t *traits;      /* by tag number */
    uint8_t *attr_traits; /* by attribute name number */
    int32_t traits_room, attr_room, block_room, holders_room; /* of these, and of the tree's is_block and holders */
    const Lookup *tags, *naming; /* what tags mean; attributes that name an element, as its class does */
    Buffer scratch, cls, ident, label, extra;
    Known names_of, labels_of; /* by class number: of an element that has nothing else */
} Maker;

/* Room for a number of nodes at first; -1 without memory. */
int maker_init(Maker *m, Tree *t, const Lookup *tags, const Lookup *naming, int32_t room);
/* Gives back what the making took; -1 if it failed. */
int maker_end(Maker *m, int failed);
/* Makes the names of the tree's tags for Python, which takes the interpreter lock; -1 without memory. */
int list_tags(Tree *t, const Lookup *tags);

int32_t tag_number(Maker *m, const char *name, Py_ssize_t n);
/* All of these return -1 without memory. */
int add_element(Maker *m, int32_t above, int32_t tag, int state, int gap);
/* Text of a node's; what is blank is no node, except where white space counts. */
int add_text(Maker *m, int32_t above, Span span, int *blank);
/* The attributes of the newest node. */
int add_attributes(Maker *m, const char *at, const char *stop);

Tree *new_tree(void);

#endif

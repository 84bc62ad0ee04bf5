/* Elements, texts and comments that Python code may edit: one object for each node, built from the parser's nodes. */

#ifndef DURAMEN_DOM_H
#define DURAMEN_DOM_H

#include "html.h"

/* The bytes that the nodes of one parse share. */
typedef struct Origin Origin;

typedef struct Node {
    PyObject_HEAD
    struct Node *parent;       /* borrowed */
    struct Node *first, *last; /* owned, like all children */
    struct Node *next, *prev;  /* borrowed */
    Origin *origin;            /* where `bytes` points into; NULL where `value` holds all */
    const char *bytes;         /* an element's attributes as the parser writes them, a text's or comment's characters */
    PyObject *value;           /* the same for Python, a dict or a str, once read or set; NULL until then */
    PyObject *tag;             /* a str; NULL for what is no element */
    int32_t size;              /* of `bytes` */
    uint16_t number;           /* the tag's, T_NONE for one that the parser has no number for */
    uint8_t space;             /* IN_HTML, IN_SVG, IN_MATH */
    uint8_t is_instruction;    /* a comment that was a processing instruction */
} Node;

extern PyTypeObject NodeType, ElementType, TextType, CommentType, WalkType;

static inline int is_element(const Node *n) { return Py_TYPE(n) == &ElementType; }
static inline int is_text(const Node *n) { return Py_TYPE(n) == &TextType; }
/* Whether Python has set the characters of a text or comment: then they are no longer in the bytes. */
static inline int has_set_text(const Node *n) { return n->value && !n->bytes; }

/* Takes a node out of its parent, whose reference becomes the caller's. */
void unlink_node(Node *n);
/* The next node inside `root` in document order; NULL at the end, and from a node that is not inside it any more. */
Node *following(const Node *n, const Node *root);

/* Copies an element with all that is inside it into a parser that has read nothing, as its root; -1 after an error. */
int copy_nodes(Parser *p, const Node *root);
/* Readies the types and adds them to the module; -1 after an error. */
int add_dom_types(PyObject *module);

#endif

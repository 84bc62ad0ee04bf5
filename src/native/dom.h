/* Elements, texts and comments that Python code may edit: one object for each node, built from the parser's nodes. */

#ifndef DURAMEN_DOM_H
#define DURAMEN_DOM_H

#include "native.h"

extern PyTypeObject NodeType, ElementType, TextType, CommentType, WalkType;

/* Readies the types and adds them to the module; -1 after an error. */
int add_dom_types(PyObject *module);

#endif

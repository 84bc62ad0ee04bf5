/* A piece of HTML as a parsed tree: what the sanitizer, the plain text and the Markdown writer start from. */

#ifndef DURAMEN_CONTENT_H
#define DURAMEN_CONTENT_H

#include "html.h"

typedef struct {
    Parser parser; /* its root holds the content */
    Source source; /* the bytes that the nodes point into */
} Content;

/* Parses a str or bytes in UTF-8, or takes an element as it is; -1 after an error. The caller frees the content in any case. */
int parse_content(Content *c, PyObject *html, const Lookup *references);
/* The same with UTF-8 that holds neither a null nor a carriage return, with a null behind it. Needs no interpreter lock. */
int parse_written(Content *c, const Buffer *html, const Lookup *references);
void content_free(Content *c);

/* An element's attributes in the form that find_attribute() reads. */
static inline Tag node_tag(const Parser *p, const Dom *n) {
    const char *attrs = n->size ? node_bytes(p, n) : "";
    return (Tag){.attrs = attrs, .attrs_end = attrs + n->size};
}

/* Takes out control and hidden characters of UTF-8 text in place; spacing controls become spaces, halves of surrogate pairs
   (three bytes each) a character or U+FFFD. Returns how many were taken out, and sets *changed when any character was taken out or replaced. */
Py_ssize_t strip_hidden(Buffer *text, int *changed);

/* Characters without width. They break words for a search, so text and Markdown leave them out; the joiners of emoji and
   of Persian stay. */
static inline int is_zero_width_break(Py_UCS4 c) { return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF; }

#endif

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

/* Makes line feeds of all line ends, in place; whether there was another. A carriage return would be read as one. */
int unify_lines(Buffer *b);
/* Appends text with its white space as single spaces, also at the ends, and without characters that have no width; -1 without
   memory. */
int add_visible(Buffer *to, const char *s, Py_ssize_t n);

/* Characters without width. They break words for a search, so text and Markdown leave them out. The joiners of emoji and
   of scripts that join letters (from U+0590 on) stay; after Latin, Greek or Cyrillic letters they only set ligatures.
   *at is the character in a text that begins at *start. */
static inline int is_zero_width_break(Py_UCS4 c, const char *start, const char *at) {
    if (c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF) return 1;
    if ((c != 0x200C && c != 0x200D) || at == start) return 0;
    unsigned char before = (unsigned char)at[-1];
    if (before < 0x80) return (before | 32) >= 'a' && (before | 32) <= 'z';
    return at - start > 1 && (unsigned char)at[-2] >= 0xC3 && (unsigned char)at[-2] <= 0xD5;
}

#endif

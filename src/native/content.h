/* A piece of HTML as a parsed tree: what the sanitizer, the plain text and the Markdown writer start from. */

#ifndef DURAMEN_CONTENT_H
#define DURAMEN_CONTENT_H

#include "html.h"

typedef struct {
    Parser parser;
    Buffer page;  /* the bytes that the nodes point into */
    int32_t root; /* the element whose children are the content */
} Content;

/* Adds a str; half of a surrogate pair becomes U+FFFD. -1 without memory. */
int add_str(Buffer *b, PyObject *text);
/* Parses well-formed UTF-8: 1 done, 0 declined, -1 without memory. The caller frees the content in any case. */
int parse_content(Content *c, const char *s, Py_ssize_t n, const Lookup *references);
/* The same with a str or bytes. */
int parse_content_of(Content *c, PyObject *html, const Lookup *references);
void content_free(Content *c);

static inline int is_text_node(const Dom *n) { return n->kind == TEXT || n->kind == OWN_TEXT || n->kind == RAW_TEXT; }
static inline const char *node_text(const Parser *p, const Dom *n) { return (n->kind == OWN_TEXT ? p->own.data : p->html) + n->at; }
/* An element's attributes in the form that find_attribute() reads. */
static inline Tag node_tag(const Parser *p, const Dom *n) {
    const char *attrs = n->size ? p->own.data + n->at : "";
    return (Tag){.attrs = attrs, .attrs_end = attrs + n->size};
}
/* The node after this one and all that is inside it, 0 at the end of the content. */
int32_t after_node(const Content *c, int32_t node);

/* Characters without width. They break words for a search, so text and Markdown leave them out; the joiners of emoji and
   of Persian stay. */
static inline int is_zero_width_break(Py_UCS4 c) { return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF; }

#endif

/* A line of Markdown: what line.c makes of inline content, for markdown.c, which puts lines into blocks. */

#ifndef DURAMEN_MARKDOWN_H
#define DURAMEN_MARKDOWN_H

#include "native.h"

#define TRY(call) do { if ((call) < 0) return -1; } while (0)

typedef enum { STRONG, EM, DEL, LINK, SUB, SUP, UNDERLINE, INS, MARKED, KBD, QUOTE, RUBY } MarkKind;

typedef struct {
    const char *fixed; /* a piece that is always the same; else it stands in the line's text */
    Py_ssize_t at, size, pair; /* pair: of which emphasis it is a marker, -1 for none */
    enum { PLAIN, CODE, REFERENCE } kind;
} Piece;

typedef struct {
    MarkKind kind;
    Py_ssize_t start, end;
    char written; /* '*', '_' or '~'; 0 when written as HTML */
} Pair;

typedef struct {
    MarkKind kind;
    Py_ssize_t closing, closing_size, address, address_size; /* in `ends` */
    Py_ssize_t at, pair;
} Mark;

typedef struct {
    PyObject *category; /* unicodedata.category */
    Buffer text, ends, given, folded;
    Piece *pieces;
    Pair *pairs;
    Mark *marks;
    Py_ssize_t count, room, paired, pair_room, marked, mark_room, opened, codes, last_code;
    const char *line_break;
    unsigned active;
    int space, broken, in_item, in_code, in_link, invisible, every_dollar;
} Line;

/* All return 0, or -1 after an error, or 1 where the HTML is not as the sanitizer writes it. */
int line_text(Line *l, const char *s, const char *stop);
int line_push(Line *l, MarkKind kind);
int line_pop(Line *l);
int line_link(Line *l, const Tag *tag, int *is_open);
int line_image(Line *l, const Tag *tag);
int line_reference(Line *l, const char *name, Py_ssize_t size);
int line_colon(Line *l);
/* The line, its marks closed; they open again with the next. Nothing is added when there was nothing. */
int line_take(Line *l, Buffer *to);
void line_free(Line *l);

/* [\w-]{1,80} and nothing else */
int is_note_name(const char *s, Py_ssize_t n);

/* The language of a code block in its class: language-([\w+#.-]+) as a word; 1 where Python has to say. */
int read_language(const Tag *tag, const char **language, Py_ssize_t *size);

/* The element whose start tag stands before `s`, or what is inside it, as lines of HTML, each with its end; 0, or -1 after an
   error, or 1 where the HTML is not as the sanitizer writes it. */
int raw_html(Buffer *lines, const Tag *outer, const char *s, const char *stop, int is_inside);

#endif

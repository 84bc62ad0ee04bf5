/* An ordinary draft while it is brought into canonical form: ordinary.c reads it and takes the steps, code.c, box.c,
   figure.c and notes.c four of them. */

#ifndef DURAMEN_ORDINARY_H
#define DURAMEN_ORDINARY_H

#include "flow.h"

/* What the words of a class say, as compiled.py has them: roles, and what code.c has to know. */
enum { ASIDE = 1, CONTROL = 2, PERMALINK = 4, CAPTIONED = 8, BOXED = 16, HARD = 32, GUTTER = 64, TOOL = 128, LINE = 256, TOKEN = 512,
       NEXTRA = 1024, HEADER = 2048, TABLED = 4096, CODE_CELL = 8192, LINED_CELL = 16384, NOTES = 32768, BACK_LABEL = 65536, EMBEDDED = 131072, REFERENCE_NAME = 262144 };

typedef struct Piece {
    struct Piece *next;
    char bytes[];
} Piece;

/* What an element says of the language of code: a name, or none of no size. */
typedef struct {
    const char *name;
    Py_ssize_t size;
} Said;

typedef struct {
    Draft d;
    const Lookup *roles, *image_words;
    PyObject *base_url, *origin;
    const char *origin_bytes;
    Py_ssize_t origin_size;
    PyObject *shown_at, *shown_as, *source_beside, *is_lazy, *asks_for_scripts, *points_only, *may_refer, *absolute,
        *language_said, *named_kind, *is_word, *titles_box, *decorates_box, *reference, *leads_back, *marked_at; /* in Python */
    int keep_images, keep_links, has_quotes;
    Id read; /* so many nodes were read, the others made */
    Ids blocks, boxes, captions, asides, controls, permalinks, notes, codes, embeds, marked, inputs, tracks, noscripts, pictures, images, links, headed, tables; /* as they stand in the draft */
    Ids rows; /* of the table that is looked at */
    Ids titles[2]; /* before and after the code that is looked at, from there */
    Table languages; /* the answers that Python gave, by attributes */
    Said *said;
    Py_ssize_t said_room;
    Piece *pieces;  /* texts and attributes made here */
    Buffer text, pad;
    Pads pads;
    int32_t a, img, sup, code, picture, source, figcaption, li, dd, dt, p, div, ruby, rt, rp, table, caption, colgroup, col, thead,
        tbody, tfoot, tr, td, th, hr, iframe, video, audio, track, noscript, input, label, span, small, figure, blockquote, pre, i, strong, summary, details, dl, br, center, section, aside, ol, ul;
} Ordinary;

#define NODE(id) (&o->d.nodes[id])
#define TRAITS(id) traits_of(&o->d, NODE(id)->tag)

/* Runs a step that says whether the draft is ordinary: 1, 0, or -1 after an error. */
#define STEP(call) do { int done_ = (call); if (done_ <= 0) return done_; } while (0)

const char *kept_bytes(Ordinary *o, const char *s, Py_ssize_t size);
/* Takes an element out with all that stands in it. */
void take_out(Ordinary *o, Id id);
/* Takes an element off what stands in it. */
void take_off(Ordinary *o, Id id);
/* A new text, which is given as it is read; NONE after an error. */
Id new_text(Ordinary *o, const char *s, Py_ssize_t size);
/* Whether the text of an element has at most so many characters. */
int has_at_most(const Ordinary *o, Id id, Py_ssize_t most);
const char *attribute(const Ordinary *o, Id id, const char *name, Py_ssize_t *size);
/* All of an element's attributes; NULL after an error. */
PyObject *attributes(Ordinary *o, Id id);
/* Gives an element other attributes. */
int set_bytes(Ordinary *o, Id id, const Buffer *from);
/* Text or a value as it is written, as a str; NULL after an error. */
PyObject *unescaped(Ordinary *o, const char *s, Py_ssize_t size);
/* What a function of Python says of some text, which is used up; -1 after an error. */
int is_told(PyObject *function, PyObject *text);
/* The text of an element as a str, and the value of an attribute, which may be empty; NULL after an error. */
PyObject *text_of(Ordinary *o, Id id);
PyObject *attribute_value(Ordinary *o, Id id, const char *name);
Id first_image(const Ordinary *o, Id id);
int holds(const Ordinary *o, Id id, int32_t tag);
/* Whether an element shows no text. */
int is_silent(const Ordinary *o, Id id);
/* The characters of an element's text, white space folded; not counted much beyond so many. */
Py_ssize_t folded_length(const Ordinary *o, Id id, Py_ssize_t most);
/* survey.element_sibling() */
Id element_beside(const Ordinary *o, Id id, int before);

/* code._rewrite_blocks() */
int rewrite_code(Ordinary *o);
/* The end of images.standardize_images() */
int build_figures(Ordinary *o);
/* footnotes.standardize_footnotes() */
int rewrite_notes(Ordinary *o);
/* callouts.standardize_callouts() */
int rewrite_boxes(Ordinary *o);

#endif

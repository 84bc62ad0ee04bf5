/* A draft as a tree of its own, free to be edited: draft.c makes and writes it, flow.c brings it into canonical form. */

#ifndef DURAMEN_FLOW_H
#define DURAMEN_FLOW_H

#include "native.h"

#define TRY(call) do { if ((call) < 0) return -1; } while (0)

typedef int32_t Id; /* of a node; NONE for none, 0 for the root */
#define NONE (-1)
#define TEXT (-1)    /* the tag of a text */
#define UNKNOWN (-2) /* the tag of elements that are given another name or taken off */

typedef struct {
    Id parent, first, last, before, after;
    int32_t tag;
    int is_blank;        /* of texts */
    int marks;           /* what the words of an element's class say, where that is asked for */
    const char *s;       /* the text, or the attributes, as the parser writes them */
    Py_ssize_t size;
} DraftNode;

typedef struct {
    Id *ids;
    Py_ssize_t count, room;
} Ids;

static inline int add_id(Ids *list, Id id) {
    if (list->count >= list->room && list_grow((void **)&list->ids, &list->room, sizeof(Id)) < 0) return -1;
    list->ids[list->count++] = id;
    return 0;
}

typedef struct {
    const Lookup *lookup; /* what is known of tags */
    DraftNode *nodes;
    Py_ssize_t count, room;
} Draft;

/* Brings a draft that was read into canonical form, and writes it: -1 after an error. `size` is how much it may be. */
int draft_flow(Draft *d, Py_ssize_t size, Buffer *to);

/* Reads a draft; `lengths` are those of its texts, of which some may stand side by side. 1 when read, 0 when the HTML is not
   as the parser writes it or holds what is not read here, -1 after an error. */
int draft_read(Draft *d, const char *s, const char *stop, PyObject *lengths);
/* A new element; NONE after an error. */
Id draft_new(Draft *d, int32_t tag, const char *s, Py_ssize_t size);
int draft_write(const Draft *d, Buffer *to, int32_t anchor, int32_t pre);

void unlink_node(Draft *d, Id id);
void insert_before(Draft *d, Id place, Id id);
void append_child(Draft *d, Id parent, Id id);
void unwrap(Draft *d, Id id);
/* The node after this one in document order inside a root; NONE at its end. */
Id next_inside(const Draft *d, Id root, Id id);

int traits_of(const Draft *d, int32_t tag);
/* How many words stand in a node's text; at most one when `one` is set. */
Py_ssize_t count_words(const Draft *d, Id id, int one);
/* Whether a void element has such a name. */
int is_void(const char *name, Py_ssize_t size);
/* White space off the ends of text as it is written. */
const char *skip_space(const char *s, const char *stop);
const char *skip_space_back(const char *s, const char *stop);
int is_blank_text(const char *s, const char *stop);

/* Text or an attribute's value as it is read, white space folded; `to` is empty before. */
int add_squeezed(Buffer *to, Buffer *pad, const char *s, const char *stop);

/* links._PLAIN and links._PLAIN_PATH without what leads up: addresses that need no mending, as they are written. */
int is_plain_url(const char *s, Py_ssize_t size);
int is_plain_path(const char *s, Py_ssize_t size);

typedef struct {
    Buffer to, alt, title, pad;
} Pads;
#define ASK 2
/* What becomes of an image with these attributes: 1 when `pads->to` has its new ones, 0 when it shows nothing, ASK when only
   Python knows, -1 after an error. */
int plain_image(const char *s, const char *stop, const char *origin, Py_ssize_t origin_size, const Lookup *words, Pads *pads);
/* Whether an image's own address is certainly one of a picture. */
int has_plain_source(const char *s, const char *stop, const Lookup *words);

/* The bits of flow.py. */
enum { INLINE_TAG = 1, BLOCK_TAG = 2, FLOW_TAG = 4, ITEM_TAG = 8, TABLE_TAG = 16, VOID_TAG = 32, HEADING_TAG = 64,
       RUN_HOLDER = 128, PUSHED = 256, SINGLE = 512, LEFT_OUT = 1024, ORDINARY = 2048, CLOSES_P = 4096, BOUNDS_P = 8192,
       BOUNDS_ITEM = 16384, FORMATTING = 32768, BOX = 65536, CAPTION = 131072, CELL_BLOCK = 262144, FRAME = 524288, COLOURED = 1048576,
       SET_TAG = 2097152,
       KNOWN_TAG = INLINE_TAG | BLOCK_TAG | VOID_TAG };
#define RENAMED(traits) ((traits) >> 22)

#endif

/* A sheet of Markdown: sheet.c puts lines on it, grid.c tables, and markdown.c what HTML says. */

#ifndef DURAMEN_SHEET_H
#define DURAMEN_SHEET_H

#include "markdown.h"

#define MAX_LEVELS 18
#define MAX_SPAN 100
#define MAX_NUMBER 999999999

typedef enum { NOTHING, AT_EDGE, FLUSH, POP, END_LINK, END_CODE, END_HEADING, END_QUOTATION, END_LIST, END_ITEM, END_TABLE,
               END_ROW, END_CELL, END_DETAILS } Leave;

typedef enum { NO_BLOCK, PARAGRAPH, ITEM_BLOCK, OTHER_BLOCK, LISTS } BlockKind; /* LISTS and up: by kind and bullet */
typedef enum { UL, OL, DL, NOTES } ListKind;

typedef struct {
    Py_ssize_t first, prefix; /* sizes; first is -1 when there was none */
    long blanks;
} Box;

typedef struct {
    ListKind kind;
    char bullet; /* 0 when it lies too deep */
    int name, has_item, described;
    long number;
    Box item;
} List;

typedef struct {
    int32_t tag;
    Leave leave;
    int is_notes, is_head, level, width, height;
    Py_ssize_t list;
    Box box;
    const char *summary; /* where the one that is written already stands */
} Open;

typedef struct {
    Py_ssize_t at, size;
} Cell;

typedef struct {
    Buffer text;
    Cell *cells;
    Py_ssize_t *rows; /* where each row's cells begin */
    int *spans;       /* by column: rows still to go */
    Py_ssize_t count, room, row_count, row_room, width, blanks, added;
    int is_open, has_header;
} Grid;

typedef struct {
    const int *kinds;
    const Table *tags;
    Line line;
    Buffer out, prefix, first, owed, taken;
    int has_lines, has_first, is_owed, glue, in_note, in_line, levels;
    int previous;
    long blanks;
    List *lists;
    Open *open;
    Py_ssize_t listed, list_room, opened, open_room;
    Grid grid;
} Sheet;

/* ---- sheet.c ---- */

Py_ssize_t stripped_size(const Buffer *b);
int next_line(Sheet *m);
int begin_line(Sheet *m, int is_empty);
int add_line(Sheet *m, const char *s, Py_ssize_t n);
int sheet_pay(Sheet *m);
int sheet_owe(Sheet *m);
int begin_block(Sheet *m, int kind);
int enter_box(Sheet *m, const char *marker, const char *indent, Box *box);
int leave_box(Sheet *m, const Box *box);
int sheet_flush(Sheet *m);
int at_edge(Sheet *m);
int begin_inline(Sheet *m, const char *line_break);
int end_inline(Sheet *m);

/* ---- grid.c ---- */

int fill_row(Grid *g);
int close_cell(Sheet *m, const Open *left);
int close_table(Sheet *m);
void open_grid(Grid *g);

#endif

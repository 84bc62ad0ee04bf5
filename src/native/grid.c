/* render.grid: a table, row by row, once all its cells are known. */

#include "sheet.h"

static int add_cell(Grid *g, Py_ssize_t at) {
    if (g->count >= g->room) TRY(list_grow((void **)&g->cells, &g->room, sizeof(Cell)));
    g->cells[g->count++] = (Cell){at, g->text.size - at};
    return 0;
}

static Py_ssize_t column_of(const Grid *g) { return g->count - g->rows[g->row_count - 1]; }

/* Leaves room for the cells that reach down into this row. */
int fill_row(Grid *g) {
    for (Py_ssize_t column; (column = column_of(g)) < g->width && g->spans[column]; g->blanks++) {
        g->spans[column]--;
        TRY(add_cell(g, g->text.size));
    }
    return 0;
}

static int add_spans(Grid *g, Py_ssize_t column, int width, int rows) {
    if (column + width > g->width) {
        int *spans = PyMem_Realloc(g->spans, sizeof(int) * (size_t)(column + width + 16));
        if (spans == NULL) { PyErr_NoMemory(); return -1; }
        memset(spans + g->width, 0, sizeof(int) * (size_t)(column + width + 16 - g->width));
        g->spans = spans;
        g->width = column + width + 16;
    }
    for (int i = 0; i < width; i++) g->spans[column + i] = rows;
    return 0;
}

int close_cell(Sheet *m, const Open *left) {
    Grid *g = &m->grid;
    TRY(end_inline(m));
    TRY(fill_row(g));
    Py_ssize_t column = column_of(g), at = g->text.size;
    for (Py_ssize_t i = 0; i < m->taken.size; i++) {
        if (m->taken.data[i] == '|') TRY(buffer_put(&g->text, '\\'));
        TRY(buffer_put(&g->text, m->taken.data[i]));
    }
    TRY(add_cell(g, at));
    /* A page can ask for more empty cells than it has content. */
    if (g->blanks > 8 * ++g->added + 1000) return 0;
    for (int i = 1; i < left->width; i++, g->blanks++) TRY(add_cell(g, g->text.size));
    return left->height > 1 ? add_spans(g, column, left->width, left->height - 1) : 0;
}

static int write_row(Sheet *m, Py_ssize_t from, Py_ssize_t stop, Py_ssize_t width) {
    TRY(begin_line(m, 0));
    TRY(buffer_add(&m->out, "| ", 2));
    for (Py_ssize_t i = 0; i < width; i++) {
        if (i) TRY(buffer_add(&m->out, " | ", 3));
        if (from + i < stop) TRY(buffer_add(&m->out, m->grid.text.data + m->grid.cells[from + i].at, m->grid.cells[from + i].size));
    }
    return buffer_add(&m->out, " |", 2);
}

int close_table(Sheet *m) {
    Grid *g = &m->grid;
    g->is_open = 0;
    TRY(sheet_flush(m));
    if (!g->text.size) return 0;
    Py_ssize_t width = 0, row = 0;
    for (Py_ssize_t i = 0; i < g->row_count; i++) {
        Py_ssize_t cells = (i + 1 < g->row_count ? g->rows[i + 1] : g->count) - g->rows[i];
        if (cells > width) width = cells;
    }
    TRY(begin_block(m, OTHER_BLOCK));
    while (row < g->row_count && (row + 1 < g->row_count ? g->rows[row + 1] : g->count) == g->rows[row]) row++;
    Py_ssize_t stop = row + 1 < g->row_count ? g->rows[row + 1] : g->count;
    TRY(g->has_header ? write_row(m, g->rows[row], stop, width) : write_row(m, 0, 0, width));
    TRY(begin_line(m, 0));
    TRY(buffer_add(&m->out, "| ", 2));
    for (Py_ssize_t i = 0; i < width; i++) TRY(buffer_add(&m->out, " | ---" + (i ? 0 : 3), i ? 6 : 3));
    TRY(buffer_add(&m->out, " |", 2));
    for (row += g->has_header; row < g->row_count; row++) {
        stop = row + 1 < g->row_count ? g->rows[row + 1] : g->count;
        if (stop > g->rows[row]) TRY(write_row(m, g->rows[row], stop, stop - g->rows[row]));
    }
    return sheet_owe(m);
}

void open_grid(Grid *g) {
    g->is_open = 1;
    g->has_header = 0;
    g->text.size = g->count = g->row_count = g->blanks = g->added = 0;
    for (Py_ssize_t i = 0; i < g->width; i++) g->spans[i] = 0;
}

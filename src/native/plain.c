/* The plain text of HTML: blocks apart, list items and table rows on lines of their own. */

#include "content.h"

/* What becomes of an element, as text.py says by tag. */
enum { INLINE, SKIPPED, BREAK, UNORDERED, ORDERED, ITEM, SAMPLE, TABLE, ROW, CELL, NOTE, RUBY, QUOTE, CODE, LINE, APART };
#define KIND 31
#define LAYOUT 32 /* a table that holds one has no rows that fit on a line */
#define NOT_LOOKED_UP (-1)

#define MAX_INDENT 24 /* lists indented by so many characters hold lists that are indented no further */

typedef struct {
    Py_ssize_t indent; /* as it was outside */
    uint8_t kind, in_grid, is_notes;
} Open;

typedef struct {
    long number;
    int is_notes;
} List;

typedef struct {
    Content content;
    const Lookup *tags;
    int *kinds; /* by the parser's number of a tag */
    Buffer out, line, cells, marker;
    Open *open;
    List *lists;
    Py_ssize_t opened, open_room, listed, list_room, indent;
    int gap, in_row, is_first_cell, has_cell, in_grid;
    int keep; /* the line stays although it may hold no letter: it has code in it */
} Plain;

#define TRY(call) do { if ((call) < 0) return -1; } while (0)

/* White space as single spaces, none at the ends, without characters that take no room. */
static int add_folded(Buffer *to, const char *s, Py_ssize_t n) {
    Py_ssize_t before = to->size;
    TRY(add_visible(to, s, n));
    if (to->size > before && to->data[to->size - 1] == ' ') to->size--;
    if (to->size > before && to->data[before] == ' ') memmove(to->data + before, to->data + before + 1, (size_t)(--to->size - before));
    return 0;
}

static int has_letters(const char *s, const char *stop) {
    for (int step; s < stop; s += step)
        if (Py_UNICODE_ISALNUM(decode_one(s, &step))) return 1;
    return 0;
}

static int add_indent(Plain *p) {
    for (Py_ssize_t i = 0; i < p->indent; i++) TRY(buffer_put(&p->out, ' '));
    return 0;
}

/* What a line begins with; the line itself is added by the caller. */
static int begin_line(Plain *p) {
    if (p->gap) TRY(buffer_add(&p->out, "\n\n", p->gap == 1 ? 1 : 2));
    TRY(p->marker.size ? buffer_add(&p->out, p->marker.data, p->marker.size) : add_indent(p));
    p->marker.size = 0;
    p->gap = 1;
    return 0;
}

static int end_line(Plain *p) {
    if (!p->line.size) return 0;
    Py_ssize_t before = p->cells.size; /* behind the cells is room to work in */
    TRY(add_folded(&p->cells, p->line.data, p->line.size));
    p->line.size = 0;
    const char *s = p->cells.data + before, *stop = p->cells.data + p->cells.size;
    if (has_letters(s, stop) || (p->keep && s < stop)) {
        TRY(begin_line(p));
        TRY(buffer_add(&p->out, s, stop - s));
    }
    p->cells.size = before;
    p->keep = 0;
    return 0;
}

static int block(Plain *p) { return p->in_row ? buffer_put(&p->line, ' ') : end_line(p); }

static int apart(Plain *p) {
    if (p->in_row) return buffer_put(&p->line, ' ');
    TRY(end_line(p));
    if (p->out.size && !p->marker.size) p->gap = 2;
    return 0;
}

static int kind_of(Plain *p, const Dom *n) {
    int *kind = &p->kinds[n->tag];
    if (n->space != IN_HTML) return INLINE;
    if (*kind == NOT_LOOKED_UP) {
        int32_t size;
        double value = INLINE;
        const char *name = tag_name(&p->content.parser, n->tag, &size);
        *kind = lookup_value(p->tags, name, size, &value) < 0 ? INLINE : (int)value;
    }
    return *kind;
}

/* The next node inside an element, in document order; 0 at its end. */
static int32_t next_inside(const Plain *p, int32_t top, int32_t i) {
    const Dom *nodes = p->content.parser.nodes;
    if (nodes[i].first) return nodes[i].first;
    while (i != top && !nodes[i].next) i = nodes[i].parent;
    return i == top ? 0 : nodes[i].next;
}

/* The text inside an element, maybe with line breaks. */
static int read_inside(Plain *p, int32_t top, Buffer *to, int breaks) {
    const Parser *parser = &p->content.parser;
    for (int32_t i = next_inside(p, top, top); i; i = next_inside(p, top, i)) {
        const Dom *n = &parser->nodes[i];
        if (is_text_node(n)) TRY(buffer_add(to, node_bytes(parser, n), n->size));
        else if (breaks && n->kind == ELEMENT && kind_of(p, n) == BREAK) TRY(buffer_put(to, '\n'));
    }
    return 0;
}

static int write_sample(Plain *p, Buffer *text) {
    unify_lines(text);
    char *s = text->data, *stop = s + text->size;
    while (s < stop && *s == '\n') s++;
    while (stop > s && stop[-1] == '\n') stop--;
    if (is_all_space(s, stop)) return block(p);
    if (p->in_row) {
        TRY(buffer_put(&p->line, ' '));
        TRY(buffer_add(&p->line, s, stop - s));
        return buffer_put(&p->line, ' ');
    }
    TRY(apart(p));
    TRY(begin_line(p));
    for (int is_first = 1; s <= stop; is_first = 0) {
        char *end = memchr(s, '\n', (size_t)(stop - s));
        if (end == NULL) end = stop;
        if (!is_first) {
            TRY(buffer_put(&p->out, '\n'));
            if (end > s) TRY(add_indent(p));
        }
        TRY(buffer_add(&p->out, s, end - s));
        s = end + 1;
    }
    p->gap = 2;
    return 0;
}

/* Only notes are numbered, since the text refers to them; other numbers are not words of the page. */
static int open_list(Plain *p, int is_notes) {
    TRY(block(p));
    if (p->out.size && !p->marker.size) p->gap = p->listed ? 1 : 2;
    if (p->listed >= p->list_room) TRY(list_grow((void **)&p->lists, &p->list_room, sizeof(List)));
    p->lists[p->listed++] = (List){1, is_notes};
    return 0;
}

static int open_item(Plain *p) {
    char mark[40] = "- ";
    if (p->listed) {
        List *list = &p->lists[p->listed - 1];
        if (list->is_notes) PyOS_snprintf(mark, sizeof mark, "[%ld] ", list->number);
        list->number++;
    }
    Py_ssize_t size = (Py_ssize_t)strlen(mark);
    if (!p->marker.size) for (Py_ssize_t i = 0; i < p->indent; i++) TRY(buffer_put(&p->marker, ' '));
    TRY(buffer_add(&p->marker, mark, size));
    if (p->indent < MAX_INDENT) p->indent += size;
    return 0;
}

static int close_cell(Plain *p) {
    if (!p->is_first_cell) TRY(buffer_add(&p->cells, " | ", 3));
    Py_ssize_t before = p->cells.size;
    p->is_first_cell = 0;
    TRY(add_folded(&p->cells, p->line.data, p->line.size));
    p->line.size = 0;
    if (p->cells.size > before) p->has_cell = 1;
    return 0;
}

static int close_row(Plain *p) {
    p->in_row = 0;
    p->line.size = 0;
    if (!p->has_cell) return 0;
    const char *s = p->cells.data, *stop = s + p->cells.size;
    /* The cells have no white space at their ends; empty ones leave some. */
    while (s < stop && *s == ' ') s++;
    while (stop > s && stop[-1] == ' ') stop--;
    TRY(begin_line(p));
    return buffer_add(&p->out, s, stop - s);
}

static int close_element(Plain *p, const Open *left) {
    switch (left->kind) {
        case UNORDERED: case ORDERED:
            TRY(block(p));
            p->listed--;
            p->indent = left->indent;
            p->marker.size = 0;
            if (p->out.size && !p->in_row) p->gap = p->listed ? 1 : 2;
            return 0;
        case ITEM:
            TRY(end_line(p));
            p->marker.size = 0;
            p->indent = left->indent;
            if (p->out.size) p->gap = 1;
            return 0;
        case TABLE:
            TRY(apart(p));
            p->in_grid = left->in_grid;
            return 0;
        case ROW: return close_row(p);
        case CELL: return close_cell(p);
        case RUBY: return buffer_put(&p->line, ')');
        case QUOTE: return buffer_put(&p->line, '"');
        case LINE: return block(p);
        case APART: return apart(p);
        default: return 0;
    }
}

/* Whether nothing in a table needs lines of its own. */
static int is_grid(Plain *p, int32_t table) {
    const Dom *nodes = p->content.parser.nodes;
    for (int32_t i = next_inside(p, table, table); i; i = next_inside(p, table, i))
        if (nodes[i].kind == ELEMENT && kind_of(p, &nodes[i]) & LAYOUT) return 0;
    return 1;
}

static int write_note(Plain *p, int32_t node, Buffer *text) {
    TRY(read_inside(p, node, text, 0));
    const char *from = text->data ? text->data : "", *to = from + text->size;
    while (from < to && strchr("[]() ", *from)) from++;
    while (to > from && strchr("[]() ", to[-1])) to--;
    TRY(buffer_put(&p->line, '['));
    TRY(buffer_add(&p->line, from, to - from));
    return buffer_put(&p->line, ']');
}

/* Whether raised text is a power: digits, maybe signed, right behind a letter, digit or bracket. Without a sign before them
   the digits would become part of another number. */
static int is_power(const Buffer *line, const Buffer *raised) {
    const char *s = raised->data, *stop = s + raised->size;
    if (!line->size || !raised->size) return 0;
    unsigned char before = (unsigned char)line->data[line->size - 1];
    if (before < 128 && !Py_UNICODE_ISALNUM(before) && before != ')' && before != ']') return 0;
    if (*s == '-' || *s == '+') s++;
    else if (stop - s > 3 && memcmp(s, "\xe2\x88\x92", 3) == 0) s += 3;
    if (s == stop) return 0;
    while (s < stop && *s >= '0' && *s <= '9') s++;
    return s == stop;
}

/* Begins an element: 1 when what is inside comes next, 0 when all of it is dealt with, -1 without memory. */
static int open_element(Plain *p, int32_t node) {
    const Dom *n = &p->content.parser.nodes[node];
    Tag tag = node_tag(&p->content.parser, n);
    int kind = kind_of(p, n) & KIND;
    Py_ssize_t size;
    Buffer text = {0};
    Open made = {p->indent, (uint8_t)kind, (uint8_t)p->in_grid, 0};
    int failed = 0;
    switch (kind) {
        case SKIPPED: return 0;
        case BREAK: return block(p) < 0 ? -1 : 0;
        case SAMPLE:
            failed = read_inside(p, node, &text, 1) < 0 || write_sample(p, &text) < 0;
            PyMem_Free(text.data);
            return failed ? -1 : 0;
        case NOTE:
            if (n->size && find_attribute(&tag, "data-footnote-ref", 17, &size)) {
                failed = write_note(p, node, &text);
                PyMem_Free(text.data);
                return failed ? -1 : 0;
            }
            made.kind = INLINE;
            failed = read_inside(p, node, &text, 0);
            if (!failed && is_power(&p->line, &text)) failed = buffer_put(&p->line, '^');
            PyMem_Free(text.data);
            break;
        case UNORDERED: case ORDERED:
            failed = open_list(p, kind == ORDERED && p->opened && p->open[p->opened - 1].is_notes);
            break;
        case ITEM:
            failed = block(p);
            if (p->in_row) made.kind = LINE;
            else if (!failed) failed = open_item(p);
            break;
        case TABLE:
            failed = apart(p);
            p->in_grid = is_grid(p, node);
            break;
        case ROW:
            failed = block(p);
            if (!p->in_grid || p->in_row) { made.kind = LINE; break; }
            p->in_row = p->is_first_cell = 1;
            p->has_cell = 0;
            p->cells.size = 0;
            break;
        case CELL:
            if (!p->in_row) { failed = block(p); made.kind = LINE; }
            else p->line.size = 0;
            break;
        case RUBY: failed = buffer_put(&p->line, '('); break;
        case QUOTE: failed = buffer_put(&p->line, '"'); break;
        case CODE: p->keep = 1; break;
        case LINE: failed = block(p); break;
        case APART: failed = apart(p); break;
        default: break;
    }
    if (failed < 0) return -1;
    if (!n->first || is_empty(n)) return close_element(p, &made) < 0 ? -1 : 0;
    made.is_notes = n->tag == T_SECTION && n->size && find_attribute(&tag, "data-footnotes", 14, &size) != NULL;
    if (p->opened >= p->open_room) TRY(list_grow((void **)&p->open, &p->open_room, sizeof(Open)));
    p->open[p->opened++] = made;
    return 1;
}

static int write_plain(Plain *p) {
    const Parser *parser = &p->content.parser;
    const Dom *nodes = parser->nodes;
    p->kinds = PyMem_Malloc(sizeof(int) * (size_t)(parser->names.count + 1));
    if (p->kinds == NULL) { no_memory(); return -1; }
    for (int32_t k = 0; k <= parser->names.count; k++) p->kinds[k] = NOT_LOOKED_UP;
    for (int32_t i = nodes[parser->root].first; i;) {
        const Dom *n = &nodes[i];
        if (is_text_node(n)) TRY(buffer_add(&p->line, node_bytes(parser, n), n->size));
        else if (n->kind == ELEMENT) {
            int goes_in = open_element(p, i);
            if (goes_in < 0) return -1;
            if (goes_in) { i = n->first; continue; }
        }
        while (!nodes[i].next && nodes[i].parent != parser->root) {
            i = nodes[i].parent;
            Open left = p->open[--p->opened];
            TRY(close_element(p, &left));
        }
        i = nodes[i].next;
    }
    return apart(p);
}

/* plain_text(html, kinds: Lookup, references: Lookup) -> str */
PyObject *core_plain_text(PyObject *module, PyObject *args) {
    PyObject *html, *references, *result = NULL;
    Lookup *tags;
    if (!PyArg_ParseTuple(args, "OO!O!", &html, &LookupType, &tags, &LookupType, &references)) return NULL;
    Plain p = {.tags = tags};
    int failed = parse_content(&p.content, html, (const Lookup *)references);
    if (failed == 0) {
        Py_BEGIN_ALLOW_THREADS
        failed = write_plain(&p);
        Py_END_ALLOW_THREADS
    }
    if (failed == 0) {
        const char *from = p.out.data ? p.out.data : "", *to = from + p.out.size;
        while (from < to && *from == '\n') from++;
        while (to > from && to[-1] == '\n') to--;
        result = PyUnicode_DecodeUTF8(from, to - from, NULL);
    }
    content_free(&p.content);
    PyMem_Free(p.kinds); PyMem_Free(p.out.data); PyMem_Free(p.line.data); PyMem_Free(p.cells.data);
    PyMem_Free(p.marker.data); PyMem_Free(p.open); PyMem_Free(p.lists);
    return result;
}

/* render.text.render_text(): the plain text of sanitized HTML. */

#include "native.h"

enum { INLINE, SKIPPED, BREAK, UNORDERED, ORDERED, ITEM, SAMPLE, TABLE, ROW, CELL, NOTE, RUBY, QUOTE, CODE, LINE, APART };
#define KIND 31
#define LAYOUT 32 /* a table that holds one has no rows that fit on a line */
#define EMPTY 64
/* What text.py's tables say of tags. */

#define MAX_INDENT 24

typedef struct {
    Py_ssize_t indent; /* as it was outside */
    int32_t tag;
    uint8_t kind, in_grid, is_notes;
} Open;

typedef struct {
    long number, step;
    const char *before, *after; /* around the number; none of a list without numbers */
} List;

typedef struct {
    const int *kinds;
    const Table *tags;
    Buffer out, line, cells, marker;
    Open *open;
    List *lists;
    Py_ssize_t opened, open_room, listed, list_room, indent;
    int gap, in_row, is_first_cell, has_cell, in_grid, keep, invisible;
} Plain;

#define TRY(call) do { if ((call) < 0) return -1; } while (0)

static int is_invisible(Py_UCS4 c) { return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF; }

/* White space as single spaces, none at the ends, without characters that take no room; *shows: whether a letter or digit
   is among them, *blank: whether nothing is. */
static int add_folded(Plain *p, Buffer *to, const char *s, Py_ssize_t n, int *shows, int *blank) {
    int owed = 0, step;
    *blank = 1;
    for (const char *stop = s + n; s < stop; s += step) {
        const char *word = s;
        while (s < stop && *s > ' ' && *s < 127) {
            if (!*shows && Py_UNICODE_ISALNUM((Py_UCS4)*s)) *shows = 1;
            s++;
        }
        if (s > word) {
            if (owed) TRY(buffer_put(to, ' '));
            owed = *blank = 0;
            TRY(buffer_add(to, word, s - word));
            step = 0;
            continue;
        }
        Py_UCS4 c = decode_one(s, &step);
        if (p->invisible && is_invisible(c)) continue;
        if (Py_UNICODE_ISSPACE(c)) { owed = !*blank; continue; }
        if (!*shows && Py_UNICODE_ISALNUM(c)) *shows = 1;
        if (owed) TRY(buffer_put(to, ' '));
        owed = *blank = 0;
        TRY(buffer_add(to, s, step));
    }
    return 0;
}

static int add_indent(Plain *p) {
    for (Py_ssize_t i = 0; i < p->indent; i++) TRY(buffer_put(&p->out, ' '));
    return 0;
}

/* What stands before a line; the line itself is added by the caller. */
static int begin_line(Plain *p) {
    if (p->gap) TRY(buffer_add(&p->out, "\n\n", p->gap == 1 ? 1 : 2));
    TRY(p->marker.size ? buffer_add(&p->out, p->marker.data, p->marker.size) : add_indent(p));
    p->marker.size = 0;
    p->gap = 1;
    return 0;
}

static int end_line(Plain *p) {
    if (!p->line.size) return 0;
    int shows = 0, blank;
    Py_ssize_t before = p->cells.size; /* the cells serve as a scratch pad */
    TRY(add_folded(p, &p->cells, p->line.data, p->line.size, &shows, &blank));
    p->line.size = 0;
    if (shows || (p->keep && !blank)) {
        TRY(begin_line(p));
        TRY(buffer_add(&p->out, p->cells.data + before, p->cells.size - before));
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

/* The text of an element up to its end tag; what follows it, or NULL when it is not so written. */
static const char *read_inside(const char *s, const char *stop, const Tag *outer, Buffer *to, int breaks) {
    int depth = 1;
    while (s < stop) {
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL || add_unescaped(to, s, next)) return NULL;
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        if (s == NULL) return NULL;
        if (breaks && !tag.is_end && tag.size == 2 && memcmp(tag.name, "br", 2) == 0 && buffer_put(to, '\n') < 0) return NULL;
        if (tag.size == outer->size && memcmp(tag.name, outer->name, (size_t)tag.size) == 0) depth += tag.is_end ? -1 : 1;
        if (!depth) return s;
    }
    return NULL;
}

static int write_sample(Plain *p, Buffer *text) {
    char *s = text->data, *to = s, *stop = s + text->size;
    for (char *from = s; from < stop; from++) {
        if (*from == '\r' && from + 1 < stop && from[1] == '\n') continue;
        *to++ = *from == '\r' ? '\n' : *from;
    }
    stop = to;
    while (s < stop && *s == '\n') s++;
    while (stop > s && stop[-1] == '\n') stop--;
    if (is_all_space(s, stop, 0)) return 0;
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

/* Whether a value is a number as the sanitizer lets it out. */
static int is_number(const char *s) {
    s += *s == '-';
    size_t digits = strspn(s, "0123456789");
    return digits >= 1 && digits <= 9 && s[digits] == '"';
}

static int open_list(Plain *p, const Tag *tag, int is_ordered, int is_notes) {
    TRY(block(p));
    if (p->out.size && !p->marker.size) p->gap = p->listed ? 1 : 2;
    List list = {1, 1, NULL, NULL};
    if (is_ordered) {
        Py_ssize_t size;
        const char *start = find_attribute(tag, "start", 5, &size);
        list.before = is_notes ? "[" : "";
        list.after = is_notes ? "] " : ". ";
        if (start) list.number = strtol(start, NULL, 10);
    }
    if (p->listed >= p->list_room) TRY(list_grow((void **)&p->lists, &p->list_room, sizeof(List)));
    p->lists[p->listed++] = list;
    return 0;
}

static int open_item(Plain *p) {
    char mark[40] = "- ";
    if (p->listed) {
        List *list = &p->lists[p->listed - 1];
        if (list->after) PyOS_snprintf(mark, sizeof mark, "%s%ld%s", list->before, list->number, list->after);
        list->number += list->step;
    }
    Py_ssize_t size = (Py_ssize_t)strlen(mark);
    if (!p->marker.size) for (Py_ssize_t i = 0; i < p->indent; i++) TRY(buffer_put(&p->marker, ' '));
    TRY(buffer_add(&p->marker, mark, size));
    if (p->indent < MAX_INDENT) p->indent += size;
    return 0;
}

static int close_cell(Plain *p) {
    int shows = 0, blank;
    if (!p->is_first_cell) TRY(buffer_add(&p->cells, " | ", 3));
    p->is_first_cell = 0;
    TRY(add_folded(p, &p->cells, p->line.data, p->line.size, &shows, &blank));
    p->line.size = 0;
    if (!blank) p->has_cell = 1;
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

/* Whether nothing in a table needs lines of its own: -1 when it is not so written. */
static int is_grid(const Plain *p, const char *s, const char *stop) {
    while ((s = memchr(s, '<', (size_t)(stop - s))) != NULL) {
        Tag tag;
        s = read_tag(s, stop, &tag);
        int32_t number = s ? table_find(p->tags, tag.name, tag.size) : -1;
        if (number < 0) return -1;
        if (p->kinds[number] & LAYOUT) return tag.is_end;
    }
    return -1;
}

/* What follows the start tag, or the element where that is dealt with as a whole; NULL when it is not so written. */
static const char *open_element(Plain *p, const Tag *tag, int32_t number, const char *s, const char *stop) {
    int kind = p->kinds[number] & KIND;
    Py_ssize_t size;
    Buffer text = {0};
    Open made = {p->indent, number, (uint8_t)kind, (uint8_t)p->in_grid, 0};
    int failed = 0;
    switch (kind) {
        case SKIPPED:
            if (!(p->kinds[number] & EMPTY)) {
                s = read_inside(s, stop, tag, &text, 0);
                PyMem_Free(text.data);
            }
            return s;
        case BREAK: return block(p) < 0 ? NULL : s;
        case SAMPLE:
            s = read_inside(s, stop, tag, &text, 1);
            if (s != NULL && write_sample(p, &text) < 0) s = NULL;
            PyMem_Free(text.data);
            return s;
        case NOTE:
            if (find_attribute(tag, "data-footnote-ref", 17, &size) == NULL) { made.kind = INLINE; break; }
            s = read_inside(s, stop, tag, &text, 0);
            if (s != NULL) {
                const char *from = text.data ? text.data : "", *to = from + text.size;
                while (from < to && strchr("[]() ", *from)) from++;
                while (to > from && strchr("[]() ", to[-1])) to--;
                if (buffer_put(&p->line, '[') < 0 || buffer_add(&p->line, from, to - from) < 0 || buffer_put(&p->line, ']') < 0) s = NULL;
            }
            PyMem_Free(text.data);
            return s;
        case UNORDERED: case ORDERED: {
            const char *start = find_attribute(tag, "start", 5, &size);
            if (find_attribute(tag, "reversed", 8, &size) != NULL || (start && !is_number(start))) return NULL;
            int is_notes = kind == ORDERED && p->opened && p->open[p->opened - 1].is_notes;
            failed = open_list(p, tag, kind == ORDERED, is_notes);
            break;
        }
        case ITEM:
            failed = block(p);
            if (p->in_row) made.kind = LINE;
            else if (!failed) failed = open_item(p);
            break;
        case TABLE: {
            int grid = is_grid(p, s, stop);
            if (grid < 0) return NULL;
            failed = apart(p);
            p->in_grid = grid;
            break;
        }
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
    if (failed < 0) return NULL;
    if (p->kinds[number] & EMPTY) return close_element(p, &made) < 0 ? NULL : s;
    made.is_notes = find_attribute(tag, "data-footnotes", 14, &size) != NULL && tag->size == 7 && memcmp(tag->name, "section", 7) == 0;
    if (p->opened >= p->open_room && list_grow((void **)&p->open, &p->open_room, sizeof(Open)) < 0) return NULL;
    p->open[p->opened++] = made;
    return s;
}

/* 1 when all is written, 0 when the HTML is not as the sanitizer writes it, -1 after an error. */
static int write_plain(Plain *p, const char *s, const char *stop) {
    while (s < stop) {
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL) next = stop;
            int unknown = add_unescaped(&p->line, s, next);
            if (unknown) return unknown < 0 ? -1 : 0;
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        int32_t number = s ? table_find(p->tags, tag.name, tag.size) : -1;
        if (number < 0) return 0;
        if (!tag.is_end) {
            s = open_element(p, &tag, number, s, stop);
            if (s == NULL) return PyErr_Occurred() ? -1 : 0;
            continue;
        }
        if (!p->opened || p->open[p->opened - 1].tag != number) return 0;
        Open left = p->open[--p->opened];
        TRY(close_element(p, &left));
    }
    if (p->opened) return 0;
    TRY(apart(p));
    return 1;
}

/* plain_text(html, kinds: Lookup, invisible) -> str, or None when the HTML is not as the sanitizer writes it */
static PyObject *plain_text(PyObject *module, PyObject *args) {
    PyObject *html;
    Lookup *lookup;
    Plain p = {0};
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "UO!p", &html, &LookupType, &lookup, &p.invisible)) return NULL;
    const char *s = PyUnicode_AsUTF8AndSize(html, &size);
    if (s == NULL) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    int *kinds = lookup_kinds(lookup);
    if (kinds == NULL) return NULL;
    p.kinds = kinds;
    p.tags = &lookup->table;
    int done = write_plain(&p, s, s + size);
    PyObject *result = NULL;
    if (done > 0) {
        const char *from = p.out.data ? p.out.data : "", *to = from + p.out.size;
        while (from < to && *from == '\n') from++;
        while (to > from && to[-1] == '\n') to--;
        result = PyUnicode_DecodeUTF8(from, to - from, NULL);
    } else if (done == 0) {
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(kinds); PyMem_Free(p.out.data); PyMem_Free(p.line.data); PyMem_Free(p.cells.data);
    PyMem_Free(p.marker.data); PyMem_Free(p.open); PyMem_Free(p.lists);
    return result;
}

PyMethodDef plain_method = {"plain_text", plain_text, METH_VARARGS, "The plain text of sanitized HTML."};

/* render.sheet: each line is written once, with all that stands before it. */

#include "sheet.h"

Py_ssize_t stripped_size(const Buffer *b) {
    Py_ssize_t size = b->size;
    while (size && b->data[size - 1] == ' ') size--;
    return size;
}

int next_line(Sheet *m) {
    if (m->has_lines) TRY(buffer_put(&m->out, '\n'));
    m->has_lines = 1;
    return 0;
}

/* What stands before a line; the line itself is added by the caller. */
int begin_line(Sheet *m, int is_empty) {
    TRY(next_line(m));
    if (!m->has_first) return buffer_add(&m->out, m->prefix.data, is_empty ? stripped_size(&m->prefix) : m->prefix.size);
    m->has_first = 0;
    return buffer_add(&m->out, m->first.data, m->first.size);
}

int add_line(Sheet *m, const char *s, Py_ssize_t n) {
    TRY(begin_line(m, n == 0));
    return buffer_add(&m->out, s, n);
}

int sheet_pay(Sheet *m) {
    if (!m->is_owed) return 0;
    TRY(next_line(m));
    m->blanks++;
    m->is_owed = 0;
    return buffer_add(&m->out, m->owed.data, m->owed.size);
}

int sheet_owe(Sheet *m) {
    m->is_owed = 1;
    m->owed.size = 0;
    return buffer_add(&m->owed, m->prefix.data, stripped_size(&m->prefix));
}

int begin_block(Sheet *m, int kind) {
    if (m->in_note && kind != PARAGRAPH) {
        /* Never a link definition, and the block begins on a line of its own. */
        TRY(add_line(m, "&nbsp; &nbsp;", 13));
        TRY(sheet_owe(m));
    }
    m->in_note = 0;
    if (m->glue && kind == PARAGRAPH) m->is_owed = 0;
    TRY(sheet_pay(m));
    m->glue = 0;
    m->previous = kind;
    return 0;
}

int enter_box(Sheet *m, const char *marker, const char *indent, Box *box) {
    *box = (Box){m->has_first ? m->first.size : -1, m->prefix.size, m->blanks};
    if (!m->has_first) {
        m->first.size = 0;
        TRY(buffer_add(&m->first, m->prefix.data, m->prefix.size));
    }
    m->has_first = 1;
    TRY(buffer_add(&m->first, marker, (Py_ssize_t)strlen(marker)));
    TRY(buffer_add(&m->prefix, indent, (Py_ssize_t)strlen(indent)));
    m->previous = NO_BLOCK;
    return 0;
}

/* Whether anything was written in the box. */
int leave_box(Sheet *m, const Box *box) {
    int written = !m->has_first;
    if (!written) {
        m->has_first = box->first >= 0;
        if (m->has_first) m->first.size = box->first;
    }
    m->prefix.size = box->prefix;
    return written;
}

static int is_all(const char *s, const char *stop, const char *chars) {
    while (s < stop && *s && strchr(chars, *s)) s++;
    return s == stop;
}

/* Where a paragraph's line needs a backslash, so that it begins no other block; -1 when it needs none. */
static Py_ssize_t block_start(const char *s, const char *stop) {
    const char *c = s;
    int step, digits = 0;
    switch (*s) {
        case '>': return 0;
        case '#':
            while (c < stop && *c == '#') c++;
            return c - s <= 6 && (c == stop || *c == ' ') ? 0 : -1;
        case '=':
            while (c < stop && *c == '=') c++;
            return is_all(c, stop, " ") ? 0 : -1;
        case '-': case '+': case ':':
            if (s + 1 == stop || s[1] == ' ') return 0;
            /* fall through */
        case '|': return *s != '+' && is_all(s, stop, "-:| ") ? 0 : -1;
        default:
            if (*s < '0' || *s > '9') return -1;
            for (; c < stop && Py_UNICODE_ISDECIMAL(decode_one(c, &step)); c += step) digits++;
            return digits <= 9 && c < stop && (*c == '.' || *c == ')') && (c + 1 == stop || c[1] == ' ') ? c - s : -1;
    }
}

/* Whether a footnote would be a link definition to a renderer without footnotes. */
static int is_address_only(const char *s, const char *stop) {
    int step;
    while (s < stop && !Py_UNICODE_ISSPACE(decode_one(s, &step))) s += step;
    if (s == stop) return 1;
    while (s < stop && Py_UNICODE_ISSPACE(decode_one(s, &step))) s += step;
    return s < stop && (*s == '"' || *s == '\'' || *s == '(');
}

static int write_paragraph(Sheet *m) {
    const char *s = m->taken.data, *stop = s + m->taken.size;
    int in_note = m->in_note;
    TRY(begin_block(m, PARAGRAPH));
    for (int is_first = 1; s < stop; is_first = 0) {
        const char *end = memchr(s, '\n', (size_t)(stop - s));
        int is_last = end == NULL;
        if (is_last) end = stop;
        Py_ssize_t at = block_start(s, end);
        TRY(begin_line(m, 0));
        if (at >= 0) {
            TRY(buffer_add(&m->out, s, at));
            TRY(buffer_put(&m->out, '\\'));
        }
        TRY(buffer_add(&m->out, at > 0 ? s + at : s, end - s - (at > 0 ? at : 0)));
        if (is_first && in_note && is_address_only(s, end)) {
            if (!is_last) m->out.size--;
            TRY(buffer_add(&m->out, " &nbsp;\\", is_last ? 7 : 8));
        }
        s = is_last ? stop : end + 1;
    }
    return sheet_owe(m);
}

int sheet_flush(Sheet *m) {
    m->taken.size = 0;
    TRY(line_take(&m->line, &m->taken));
    return m->taken.size ? write_paragraph(m) : 0;
}

int at_edge(Sheet *m) {
    if (!m->in_line) return sheet_flush(m);
    m->line.broken = 1;
    return 0;
}

int begin_inline(Sheet *m, const char *line_break) {
    TRY(sheet_flush(m));
    m->in_line = 1;
    m->line.line_break = line_break;
    return 0;
}

/* The line read in a heading or cell, in `taken`. */
int end_inline(Sheet *m) {
    m->in_line = 0;
    m->line.line_break = "\\\n";
    m->taken.size = 0;
    return line_take(&m->line, &m->taken);
}

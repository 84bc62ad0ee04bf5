/* render.raw_html: HTML inside Markdown, where Markdown has no notation. */

#include "markdown.h"

typedef struct {
    Buffer line, given, *lines; /* lines, an end of line after each */
    int verbatim;
} Raw;

/* The line read so far, white space off its ends. */
static int end_line(Raw *r) {
    const char *s = r->line.data, *stop = s + r->line.size;
    int step;
    while (s < stop && Py_UNICODE_ISSPACE(decode_one(s, &step))) s += step;
    while (stop > s) {
        const char *c = stop - 1;
        while (((unsigned char)*c & 0xC0) == 0x80) c--;
        if (!Py_UNICODE_ISSPACE(decode_one(c, &step))) break;
        stop = c;
    }
    r->line.size = 0;
    if (s == stop) return 0;
    TRY(buffer_add(r->lines, s, stop - s));
    return buffer_put(r->lines, '\n');
}

static int add_escaped(Buffer *b, const char *s, Py_ssize_t size, int quotes) {
    for (const char *stop = s + size; s < stop; s++) {
        const char *means = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;"
                            : quotes && *s == '"' ? "&quot;" : quotes && *s == '\'' ? "&#x27;" : NULL;
        TRY(means ? buffer_add(b, means, (Py_ssize_t)strlen(means)) : buffer_put(b, *s));
    }
    return 0;
}

/* White space folded; with `edges` some at the ends is one space there. */
static int add_folded(Buffer *b, const char *s, const char *stop, int edges, int quotes) {
    int owed = 0, step, is_first = 1;
    for (; s < stop; s += step, is_first = 0) {
        if (Py_UNICODE_ISSPACE(decode_one(s, &step))) {
            if (is_first && edges) TRY(buffer_put(b, ' '));
            else if (owed == 2) owed = 1;
            continue;
        }
        if (owed == 1) TRY(buffer_put(b, ' '));
        owed = 2;
        TRY(add_escaped(b, s, step, quotes));
    }
    return edges && owed == 1 ? buffer_put(b, ' ') : 0;
}

static int add_text(Raw *r, const char *s, const char *stop) {
    r->given.size = 0;
    int unknown = add_unescaped(&r->given, s, stop);
    if (unknown) return unknown;
    s = r->given.data;
    stop = s + r->given.size;
    if (!r->verbatim) return add_folded(&r->line, s, stop, 1, 0);
    for (; s < stop; s++) {
        if (*s == '\n') TRY(buffer_add(&r->line, "&#10;", 5));
        else TRY(add_escaped(&r->line, s, 1, 0));
    }
    return 0;
}

static int add_attributes(Raw *r, const Tag *tag) {
    static const char *const names[] = {"href", "src", "alt", "title", "colspan", "rowspan", "start", "reversed", "dir"};
    Py_ssize_t size;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = find_attribute(tag, names[k], (Py_ssize_t)strlen(names[k]), &size);
        if (value == NULL) continue;
        r->given.size = 0;
        int unknown = add_unescaped(&r->given, value, value + size);
        if (unknown) return unknown;
        TRY(buffer_put(&r->line, ' '));
        TRY(buffer_add(&r->line, names[k], (Py_ssize_t)strlen(names[k])));
        TRY(buffer_add(&r->line, "=\"", 2));
        TRY(add_folded(&r->line, r->given.data, r->given.data + r->given.size, 0, 1));
        TRY(buffer_put(&r->line, '"'));
    }
    if (tag->size != 4 || memcmp(tag->name, "code", 4) != 0) return 0;
    const char *language;
    if (read_language(tag, &language, &size)) return 1;
    if (!size) return 0;
    TRY(buffer_add(&r->line, " class=\"language-", 17));
    TRY(buffer_add(&r->line, language, size));
    return buffer_put(&r->line, '"');
}

static int is_one_of(const Tag *tag, const char *const *names) {
    for (; *names; names++)
        if (strlen(*names) == (size_t)tag->size && memcmp(*names, tag->name, (size_t)tag->size) == 0) return 1;
    return 0;
}

static const char *const BARE[] = {"span", "colgroup", "col", "wbr", NULL};
static const char *const EMPTY_TAGS[] = {"br", "hr", "img", "col", "wbr", NULL};
static const char *const ROW[] = {"tr", NULL}, *const PRE[] = {"pre", NULL}, *const BREAK[] = {"br", NULL};

/* Whether the text of a <pre> begins with a line break. */
static int begins_with_break(const char *s, const char *stop) {
    Tag tag;
    while (s != NULL && s < stop && *s == '<') {
        s = read_tag(s, stop, &tag);
        if (s != NULL && is_one_of(&tag, BREAK)) return 1;
        if (s != NULL && tag.is_end && is_one_of(&tag, PRE)) return 0;
    }
    return s != NULL && s < stop && *s == '\n';
}

static int add_start(Raw *r, const Tag *tag, const char *s, const char *stop) {
    if (is_one_of(tag, BARE)) return 0;
    if (is_one_of(tag, ROW)) TRY(end_line(r));
    TRY(buffer_put(&r->line, '<'));
    TRY(buffer_add(&r->line, tag->name, tag->size));
    int unknown = add_attributes(r, tag);
    if (unknown) return unknown;
    TRY(buffer_put(&r->line, '>'));
    if (!is_one_of(tag, PRE)) return 0;
    r->verbatim++;
    /* The parser drops a line end right after the tag. */
    return begins_with_break(s, stop) ? buffer_add(&r->line, "&#10;", 5) : 0;
}

static int add_end(Raw *r, const Tag *tag) {
    if (is_one_of(tag, BARE)) return 0;
    TRY(buffer_add(&r->line, "</", 2));
    TRY(buffer_add(&r->line, tag->name, tag->size));
    if (is_one_of(tag, PRE)) r->verbatim--;
    return buffer_put(&r->line, '>');
}

static int write_raw(Raw *r, const Tag *outer, const char *s, const char *stop, int is_inside) {
    int depth = 1, unknown = is_inside ? 0 : add_start(r, outer, s, stop);
    while (s < stop && !unknown) {
        Tag tag;
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            unknown = next == NULL ? 1 : add_text(r, s, next);
            s = next;
            continue;
        }
        s = read_tag(s, stop, &tag);
        if (s == NULL) return 1;
        if (!tag.is_end) {
            unknown = add_start(r, &tag, s, stop);
            depth += !is_one_of(&tag, EMPTY_TAGS);
        } else if (--depth) {
            unknown = add_end(r, &tag);
        } else {
            if (!is_inside) TRY(add_end(r, &tag));
            return end_line(r);
        }
    }
    return unknown ? unknown : 1;
}

int raw_html(Buffer *lines, const Tag *outer, const char *s, const char *stop, int is_inside) {
    Raw r = {.lines = lines};
    int unknown = write_raw(&r, outer, s, stop, is_inside);
    PyMem_Free(r.line.data);
    PyMem_Free(r.given.data);
    return unknown;
}

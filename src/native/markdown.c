/* render.markdown.render_markdown(): sanitized HTML as Markdown. Formulas and lists that count down are left to Python. */

#include "sheet.h"

enum { INLINE, SKIPPED, BREAK, EDGE, HEADING, QUOTATION, RULE, ITEM, UNORDERED, ORDERED, DEFINITIONS, TERM, DESCRIPTION,
       SAMPLE, TABLE, ROW, CELL, CODE_TAG, ANCHOR, IMAGE, FORMULA_TAG, DETAILS, SUMMARY, LEFT_OUT,
       FIRST_MARK = 32 };
#define KIND 63
#define EMPTY 64
#define BLOCK 128
#define LAYOUT 256 /* not in the cells of a table that is written as one */
/* What markdown.py's tables say of tags; FIRST_MARK and up are marks. */

/* ---- looking ahead ---- */

/* The content of an element up to its end tag, in which *end is the end tag's begin; what follows, or NULL. */
static const char *skip_element(const char *s, const char *stop, const Tag *outer, const char **end) {
    int depth = 1;
    while ((s = memchr(s, '<', (size_t)(stop - s))) != NULL) {
        Tag tag;
        *end = s;
        s = read_tag(s, stop, &tag);
        if (s == NULL) return NULL;
        if (tag.size == outer->size && memcmp(tag.name, outer->name, (size_t)tag.size) == 0) depth += tag.is_end ? -1 : 1;
        if (!depth) return s;
    }
    return NULL;
}

static int is_named(const Tag *tag, const char *name) {
    return (size_t)tag->size == strlen(name) && memcmp(tag->name, name, (size_t)tag->size) == 0;
}

static int kind_of(const Sheet *m, const Tag *tag) {
    int32_t number = table_find(m->tags, tag->name, tag->size);
    return number < 0 ? LEFT_OUT : m->kinds[number];
}

/* Whether a list's first element shows something; -1 when it is not written as expected. */
static int first_shows(const Sheet *m, const char *s, const char *stop) {
    Tag first, tag;
    const char *end;
    s = memchr(s, '<', (size_t)(stop - s));
    if (s == NULL || (s = read_tag(s, stop, &first)) == NULL) return -1;
    if (first.is_end || kind_of(m, &first) & EMPTY) return 0;
    if (skip_element(s, stop, &first, &end) == NULL) return -1;
    while (s < end) {
        const char *next = memchr(s, '<', (size_t)(end - s));
        if (next == NULL) next = end;
        if (!is_all_space(s, next, 1)) return 1;
        if (next == end) return 0;
        s = read_tag(next, stop, &tag);
        if (s == NULL) return -1;
        if (is_named(&tag, "img")) return 1;
    }
    return 0;
}

/* Whether a table's first row names its columns, rather than itself by a <th> before its values. */
static int is_header(const char *s, const char *stop, const Tag *row) {
    const char *end, *next;
    Tag tag;
    int heads = 0;
    if (skip_element(s, stop, row, &end) == NULL) return -1;
    while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        s = read_tag(s, stop, &tag);
        if (s == NULL || tag.is_end) return -1;
        const char *inside_end;
        next = skip_element(s, stop, &tag, &inside_end);
        if (next == NULL) return -1;
        if (is_named(&tag, "th")) heads++;
        else {
            while (s < inside_end) {
                const char *text_end = memchr(s, '<', (size_t)(inside_end - s));
                if (text_end == NULL) text_end = inside_end;
                if (!is_all_space(s, text_end, 1)) return 0;
                if (text_end == inside_end) break;
                Tag inner;
                s = read_tag(text_end, stop, &inner);
                if (s == NULL) return -1;
            }
        }
        s = next;
    }
    return heads > 0;
}

typedef enum { NOT_WRITTEN_SO, AS_GRID, AS_BLOCKS, AS_HTML } TableForm;

static TableForm table_form(const Sheet *m, const char *s, const char *stop, const Tag *table) {
    const char *end;
    int has_layout = 0, has_table = 0, cells = 0, has_second = 0, in_group = 0, has_stray = 0;
    if (skip_element(s, stop, table, &end) == NULL) return NOT_WRITTEN_SO;
    while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        Tag tag;
        s = read_tag(s, stop, &tag);
        if (s == NULL) return NOT_WRITTEN_SO;
        if (is_named(&tag, "tbody") || is_named(&tag, "thead") || is_named(&tag, "tfoot")) in_group = !tag.is_end;
        if (tag.is_end) continue;
        int kind = kind_of(m, &tag);
        if ((kind & KIND) == ROW && !in_group) has_stray = 1; /* the parser would put a group around it */
        if (kind & LAYOUT) has_layout = 1;
        if ((kind & KIND) == TABLE) has_table = 1;
        if ((kind & KIND) == ROW) cells = 0;
        if ((kind & KIND) == CELL && ++cells > 1) has_second = 1;
    }
    if (!has_layout) return AS_GRID;
    return has_table || !has_second ? AS_BLOCKS : has_stray ? NOT_WRITTEN_SO : AS_HTML;
}

/* A count as an attribute gives it, 1 when it is none; -1 where Python has to say. */
static long count_of(const Tag *tag, const char *name, int *is_given) {
    Py_ssize_t size;
    const char *s = find_attribute(tag, name, (Py_ssize_t)strlen(name), &size);
    long value = 0;
    if (is_given) *is_given = s != NULL;
    if (s == NULL) return 1;
    for (Py_ssize_t i = 0; i < size; i++) if ((unsigned char)s[i] >= 128 || s[i] == '&') return -1;
    if (size < 1 || size > 9) return 1;
    for (Py_ssize_t i = 0; i < size; i++) {
        if (s[i] < '0' || s[i] > '9') return 1;
        value = value * 10 + (s[i] - '0');
    }
    return value;
}

/* ---- code ---- */

int read_language(const Tag *tag, const char **language, Py_ssize_t *size) {
    Py_ssize_t n;
    const char *s = find_attribute(tag, "class", 5, &n);
    *size = 0;
    if (s == NULL) return 0;
    for (const char *stop = s + n; s < stop;) {
        const char *word = s;
        while (s < stop && !is_plain_space((unsigned char)*s)) {
            if ((unsigned char)*s >= 128 || *s == '&') return 1;
            s++;
        }
        Py_ssize_t length = s - word - 9;
        if (!*size && length > 0 && memcmp(word, "language-", 9) == 0
            && strspn(word + 9, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+#.-") >= (size_t)length) {
            *language = word + 9;
            *size = length;
        }
        while (s < stop && is_plain_space((unsigned char)*s)) s++;
    }
    return 0;
}

/* The characters of a code block, and its language; what follows it, or NULL. */
static const char *read_sample(const char *s, const char *stop, const Tag *outer, Buffer *to, const char **language,
                               Py_ssize_t *size) {
    int depth = 1, seen = 0;
    if (read_language(outer, language, size)) return NULL;
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
        if (tag.is_end) {
            if (is_named(&tag, "pre") && !--depth) return s;
            continue;
        }
        if (is_named(&tag, "pre")) depth++;
        else if (is_named(&tag, "br")) { if (buffer_put(to, '\n') < 0) return NULL; }
        else if (is_named(&tag, "code") && !seen) {
            seen = 1;
            if (read_language(&tag, language, size)) return NULL;
        }
    }
    return NULL;
}

static int write_sample(Sheet *m, const Buffer *text, const char *language, Py_ssize_t size) {
    const char *s = text->data, *stop = s + text->size;
    int ticks = 3;
    if (is_all_space(s, stop, 0)) return 0;
    for (const char *c = s; c < stop; c++) {
        int run = 0;
        while (c < stop && *c == '`') { c++; run++; }
        if (run >= ticks) ticks = run + 1;
        if (c >= stop) break;
    }
    if (stop[-1] == '\n') stop--;
    TRY(begin_block(m, OTHER_BLOCK));
    TRY(begin_line(m, 0));
    for (int i = 0; i < ticks; i++) TRY(buffer_put(&m->out, '`'));
    TRY(buffer_add(&m->out, language, size));
    while (s <= stop) {
        const char *end = s < stop ? memchr(s, '\n', (size_t)(stop - s)) : NULL;
        if (end == NULL) end = stop;
        TRY(add_line(m, s, end - s));
        s = end + 1;
    }
    TRY(begin_line(m, 0));
    for (int i = 0; i < ticks; i++) TRY(buffer_put(&m->out, '`'));
    return sheet_owe(m);
}

/* ---- lists ---- */

static int leave_item(Sheet *m, List *list) {
    if (!list->has_item) return 0;
    list->has_item = 0;
    if (m->has_first) {
        TRY(next_line(m));
        TRY(buffer_add(&m->out, m->first.data, stripped_size(&m->first)));
        m->has_first = 0;
    }
    m->in_note = 0;
    leave_box(m, &list->item);
    m->previous = ITEM_BLOCK;
    m->is_owed = 0;
    /* An item with an empty line in it stands apart from the next. */
    return m->blanks > list->item.blanks || list->kind == NOTES ? sheet_owe(m) : 0;
}

static int enter_item(Sheet *m, List *list, const char *name, Py_ssize_t size) {
    char marker[400], indent[24];
    TRY(sheet_pay(m));
    if (list->kind == OL) {
        long number = list->number < 0 ? 0 : list->number > MAX_NUMBER ? MAX_NUMBER : list->number;
        int length = PyOS_snprintf(marker, sizeof marker, "%ld%c ", number, list->bullet);
        memset(indent, ' ', (size_t)length);
        indent[length] = 0;
    } else if (list->kind == NOTES) {
        /* At most 80 characters of at most four bytes. */
        if (size > 3 && memcmp(name, "fn-", 3) == 0 && is_note_name(name + 3, size - 3))
            PyOS_snprintf(marker, sizeof marker, "[^%.*s]: ", (int)(size - 3), name + 3);
        else PyOS_snprintf(marker, sizeof marker, "[^%ld]: ", list->number);
        strcpy(indent, "    ");
    } else {
        PyOS_snprintf(marker, sizeof marker, "%c ", list->bullet);
        strcpy(indent, "  ");
    }
    list->number++;
    TRY(enter_box(m, marker, indent, &list->item));
    list->has_item = 1;
    list->described = 0;
    m->in_note = list->kind == NOTES;
    m->line.in_item = 1;
    return 0;
}

/* 1 where Python has to say. */
static int open_list(Sheet *m, const Tag *tag, int kind, const char *s, const char *stop, Open *made) {
    Py_ssize_t size;
    List list = {kind == UNORDERED ? UL : kind == ORDERED ? OL : DL, 0, 0, 0, 0, 1, {0}};
    TRY(sheet_flush(m));
    if (list.kind == OL) {
        list.number = count_of(tag, "start", NULL);
        if (list.number < 0 || find_attribute(tag, "reversed", 8, &size)) return 1;
        if (m->opened && m->open[m->opened - 1].is_notes) list.kind = NOTES;
    }
    if (m->levels + 2 <= MAX_LEVELS) {
        m->levels += 2;
        /* Two lists with one bullet would become one list. */
        int second = m->previous == LISTS + 2 * (int)list.kind;
        list.bullet = (list.kind == OL ? ".)" : "-*")[second];
        list.name = LISTS + 2 * (int)list.kind + second;
        Py_ssize_t n = m->prefix.size;
        int in_item = n && m->prefix.data[n - 1] == ' ' && !(n > 1 && m->prefix.data[n - 2] == '>');
        if (in_item && m->previous == PARAGRAPH && list.kind != NOTES && list.number == 1) {
            int shows = first_shows(m, s, stop);
            if (shows < 0) return 1;
            if (shows) m->is_owed = 0;
        }
    }
    if (m->listed >= m->list_room) TRY(list_grow((void **)&m->lists, &m->list_room, sizeof(List)));
    made->list = m->listed;
    made->leave = END_LIST;
    m->lists[m->listed++] = list;
    return 0;
}

static int close_list(Sheet *m, Py_ssize_t number) {
    List *list = &m->lists[number];
    TRY(sheet_flush(m));
    TRY(leave_item(m, list));
    m->listed = number;
    if (!list->name) return 0;
    m->levels -= 2;
    TRY(sheet_owe(m));
    m->previous = list->name;
    return 0;
}

static int open_item(Sheet *m, const Tag *tag, Open *made) {
    Py_ssize_t size = 0;
    TRY(sheet_flush(m));
    made->leave = FLUSH;
    if (!m->listed || !m->lists[m->listed - 1].bullet) return 0;
    const char *name = find_attribute(tag, "id", 2, &size);
    List *list = &m->lists[m->listed - 1];
    TRY(leave_item(m, list));
    TRY(enter_item(m, list, name, name ? size : 0));
    made->leave = END_ITEM;
    made->list = m->listed - 1;
    return 0;
}

/* The open item of a description list, a new one when a term follows a description; NULL in other places. */
static int described_item(Sheet *m, int is_term, List **found) {
    List *list = m->listed ? &m->lists[m->listed - 1] : NULL;
    *found = NULL;
    if (list == NULL || list->kind != DL || !list->bullet) return sheet_flush(m);
    if (is_term && list->described) {
        TRY(sheet_flush(m));
        TRY(leave_item(m, list));
    }
    if (!list->has_item) {
        TRY(sheet_flush(m));
        TRY(enter_item(m, list, NULL, 0));
    } else if (is_term && m->line.count) {
        m->line.broken = 1;
    }
    *found = list;
    return 0;
}

static int open_term(Sheet *m, Open *made) {
    List *list;
    TRY(described_item(m, 1, &list));
    made->leave = list == NULL ? FLUSH : NOTHING;
    if (list == NULL || m->line.active & (1u << STRONG)) return 0;
    made->leave = POP;
    return line_push(&m->line, STRONG);
}

static int open_description(Sheet *m, Open *made) {
    List *list;
    TRY(described_item(m, 0, &list));
    made->leave = FLUSH;
    if (list == NULL) return 0;
    if (m->line.count && !list->described) {
        TRY(line_colon(&m->line));
        m->line.space = 1;
        m->line.broken = 0;
    } else {
        TRY(sheet_flush(m));
    }
    list->described = 1;
    return 0;
}

/* ---- tables ---- */

static int begin_row(Sheet *m, const Tag *tag, const char *s, const char *stop) {
    Grid *g = &m->grid;
    if (!g->row_count) {
        int header = m->opened && m->open[m->opened - 1].is_head ? 1 : is_header(s, stop, tag);
        if (header < 0) return 1;
        g->has_header = header;
    }
    if (g->row_count >= g->row_room) TRY(list_grow((void **)&g->rows, &g->row_room, sizeof(Py_ssize_t)));
    g->rows[g->row_count++] = g->count;
    return 0;
}

/* ---- elements ---- */

static int close_heading(Sheet *m, int level) {
    TRY(end_inline(m));
    if (!m->taken.size) return 0;
    TRY(begin_block(m, OTHER_BLOCK));
    TRY(begin_line(m, 0));
    TRY(buffer_add(&m->out, "######", level));
    TRY(buffer_put(&m->out, ' '));
    const char *s = m->taken.data;
    Py_ssize_t size = m->taken.size, bare = size;
    while (bare && s[bare - 1] == '#') bare--;
    /* Closing hashes would be taken off. */
    int is_closing = bare < size && (!bare || s[bare - 1] == ' ');
    TRY(buffer_add(&m->out, s, bare));
    if (is_closing) TRY(buffer_put(&m->out, '\\'));
    TRY(buffer_add(&m->out, s + bare, size - bare));
    return sheet_owe(m);
}

static int open_quotation(Sheet *m, const Tag *tag, Open *made) {
    static const char *const callouts[] = {"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"};
    TRY(sheet_flush(m));
    made->leave = FLUSH;
    if (m->levels + 1 > MAX_LEVELS) return 0;
    m->levels++;
    made->leave = END_QUOTATION;
    TRY(enter_box(m, "> ", "> ", &made->box));
    Py_ssize_t size;
    const char *kind = find_attribute(tag, "data-callout", 12, &size);
    for (size_t k = 0; kind && k < sizeof callouts / sizeof *callouts; k++) {
        if (strlen(callouts[k]) != (size_t)size || strncasecmp(callouts[k], kind, (size_t)size) != 0) continue;
        TRY(begin_block(m, OTHER_BLOCK));
        TRY(begin_line(m, 0));
        TRY(buffer_add(&m->out, "[!", 2));
        TRY(buffer_add(&m->out, callouts[k], size));
        TRY(buffer_put(&m->out, ']'));
        TRY(sheet_owe(m));
        m->glue = 1;
    }
    return 0;
}

static int close_quotation(Sheet *m, const Box *box) {
    TRY(sheet_flush(m));
    m->levels--;
    m->glue = 0;
    if (!leave_box(m, box)) return 0;
    TRY(sheet_owe(m));
    m->previous = OTHER_BLOCK;
    return 0;
}

static int write_rule(Sheet *m) {
    TRY(sheet_flush(m));
    /* At the beginning `---` would open front matter, in a list `- ---` would be a rule without an item. */
    const char *rule = m->has_lines && !m->has_first ? "---" : "___";
    TRY(begin_block(m, OTHER_BLOCK));
    TRY(add_line(m, rule, 3));
    return sheet_owe(m);
}

/* ---- HTML ---- */

static int begin_html(Sheet *m) {
    TRY(sheet_flush(m));
    return begin_block(m, OTHER_BLOCK);
}

static int end_html(Sheet *m) {
    /* Only an empty line ends HTML, also in an item that has no other. */
    m->blanks++;
    return sheet_owe(m);
}

/* Where the summary among an element's children stands, its tag in *tag; NULL when there is none. */
static const char *find_summary(const Sheet *m, const char *s, const char *stop, Tag *tag) {
    int depth = 1;
    while (depth && (s = memchr(s, '<', (size_t)(stop - s))) != NULL) {
        s = read_tag(s, stop, tag);
        if (s == NULL) return NULL;
        if (!tag->is_end && depth == 1 && is_named(tag, "summary")) return s;
        if (tag->is_end) depth--;
        else depth += !(kind_of(m, tag) & EMPTY);
    }
    return NULL;
}

static int open_details(Sheet *m, const char *s, const char *stop, Open *made) {
    Tag tag;
    TRY(begin_html(m));
    TRY(add_line(m, "<details>", 9));
    const char *inside = find_summary(m, s, stop, &tag);
    if (inside != NULL) {
        m->taken.size = 0;
        int unknown = raw_html(&m->taken, &tag, inside, stop, 1);
        if (unknown) return unknown;
        TRY(begin_line(m, 0));
        TRY(buffer_add(&m->out, "<summary>", 9));
        for (Py_ssize_t i = 0; i + 1 < m->taken.size; i++) TRY(buffer_put(&m->out, m->taken.data[i] == '\n' ? ' ' : m->taken.data[i]));
        TRY(buffer_add(&m->out, "</summary>", 10));
        made->summary = tag.name;
    }
    made->leave = END_DETAILS;
    return end_html(m);
}

static int write_html(Sheet *m, const Tag *tag, const char *s, const char *stop) {
    Buffer lines = {0};
    int unknown = begin_html(m);
    if (!unknown) unknown = raw_html(&lines, tag, s, stop, 0);
    for (Py_ssize_t from = 0; from < lines.size && !unknown;) {
        const char *line = lines.data + from, *end = memchr(line, '\n', (size_t)(lines.size - from));
        unknown = add_line(m, line, end - line);
        from += end - line + 1;
    }
    PyMem_Free(lines.data);
    return unknown ? unknown : end_html(m);
}

static int close_element(Sheet *m, const Open *left) {
    switch (left->leave) {
        case AT_EDGE: return at_edge(m);
        case FLUSH: return sheet_flush(m);
        case POP: return line_pop(&m->line);
        case END_LINK:
            m->line.in_link = 0;
            return line_pop(&m->line);
        case END_CODE:
            m->line.in_code--;
            return 0;
        case END_HEADING: return close_heading(m, left->level);
        case END_QUOTATION: return close_quotation(m, &left->box);
        case END_LIST: return close_list(m, left->list);
        case END_ITEM:
            TRY(sheet_flush(m));
            return leave_item(m, &m->lists[left->list]);
        case END_TABLE: return close_table(m);
        case END_ROW: return fill_row(&m->grid);
        case END_CELL: return close_cell(m, left);
        case END_DETAILS:
            TRY(begin_html(m));
            TRY(add_line(m, "</details>", 10));
            return end_html(m);
        default: return 0;
    }
}

static int open_inline(Sheet *m, const Tag *tag, int kind, Open *made) {
    Line *line = &m->line;
    int is_open = 0, unknown;
    if (kind >= FIRST_MARK) {
        if (line->in_code || line->active & (1u << (kind - FIRST_MARK))) return 0;
        made->leave = POP;
        return line_push(line, (MarkKind)(kind - FIRST_MARK));
    }
    switch (kind) {
        case CODE_TAG:
            if (!line->in_code++) line->codes++;
            made->leave = END_CODE;
            return 0;
        case ANCHOR:
            unknown = line_link(line, tag, &is_open);
            if (is_open) made->leave = END_LINK;
            return unknown;
        case IMAGE: return line_image(line, tag);
        default: return 0;
    }
}

static int open_table(Sheet *m, const Tag *tag, const char *s, const char *stop, Open *made) {
    TRY(sheet_flush(m));
    TableForm form = table_form(m, s, stop, tag);
    if (form == NOT_WRITTEN_SO || form == AS_HTML) return 1;
    made->leave = form == AS_GRID ? END_TABLE : FLUSH;
    if (form == AS_GRID) open_grid(&m->grid);
    return 0;
}

static int open_cell(Sheet *m, const Tag *tag, Open *made) {
    if (!m->grid.is_open) {
        made->leave = FLUSH;
        return sheet_flush(m);
    }
    long width = count_of(tag, "colspan", NULL), height = count_of(tag, "rowspan", NULL);
    if (width < 0 || height < 0 || !m->grid.row_count) return 1;
    made->width = width > MAX_SPAN ? MAX_SPAN : width ? (int)width : 1;
    made->height = height > MAX_SPAN ? MAX_SPAN : height ? (int)height : 1;
    made->leave = END_CELL;
    return begin_inline(m, "<br>");
}

static int open_block(Sheet *m, const Tag *tag, int kind, const char *s, const char *stop, Open *made) {
    switch (kind) {
        case HEADING:
            made->level = tag->name[1] - '0';
            made->leave = END_HEADING;
            return begin_inline(m, " ");
        case QUOTATION: return open_quotation(m, tag, made);
        case RULE: return write_rule(m);
        case ITEM: return open_item(m, tag, made);
        case UNORDERED: case ORDERED: case DEFINITIONS: return open_list(m, tag, kind, s, stop, made);
        case TERM: return open_term(m, made);
        case DESCRIPTION: return open_description(m, made);
        case TABLE: return open_table(m, tag, s, stop, made);
        case ROW:
            made->leave = m->grid.is_open ? END_ROW : FLUSH;
            TRY(sheet_flush(m));
            return m->grid.is_open ? begin_row(m, tag, s, stop) : 0;
        case CELL: return open_cell(m, tag, made);
        case DETAILS: return open_details(m, s, stop, made);
        case SUMMARY:
            made->leave = FLUSH;
            return sheet_flush(m);
        default: return 1;
    }
}

/* What follows an element that is dealt with as a whole; NULL when it is not so written, `s` when it is not one. */
static const char *take_whole(Sheet *m, const Tag *tag, int kind, const char *s, const char *stop) {
    Py_ssize_t size;
    const char *end;
    if ((kind & KIND) == SKIPPED) return kind & EMPTY ? s : skip_element(s, stop, tag, &end);
    if ((kind & KIND) == SAMPLE) {
        Buffer text = {0};
        const char *language = "";
        if (sheet_flush(m) < 0) return NULL;
        s = read_sample(s, stop, tag, &text, &language, &size);
        if (s != NULL && text.size && write_sample(m, &text, language, size) < 0) s = NULL;
        PyMem_Free(text.data);
        return s;
    }
    if ((kind & KIND) == TABLE) return write_html(m, tag, s, stop) ? NULL : skip_element(s, stop, tag, &end);
    if ((kind & KIND) == SUMMARY) return sheet_flush(m) < 0 ? NULL : skip_element(s, stop, tag, &end);
    const char *name = find_attribute(tag, "data-footnote-ref", 17, &size);
    if (line_reference(&m->line, name, size) < 0) return NULL;
    return skip_element(s, stop, tag, &end);
}

static int is_whole(const Sheet *m, const Tag *tag, int kind, const char *s, const char *stop) {
    Py_ssize_t size;
    const char *name;
    switch (kind & KIND) {
        case SKIPPED: return 1;
        case SAMPLE: return !m->in_line;
        case TABLE: return !m->in_line && table_form(m, s, stop, tag) == AS_HTML;
        case SUMMARY: return !m->in_line && m->opened && m->open[m->opened - 1].summary == tag->name;
        case FIRST_MARK + SUP:
            name = find_attribute(tag, "data-footnote-ref", 17, &size);
            return name != NULL && is_note_name(name, size);
        default: return 0;
    }
}

static int write_break(Sheet *m) {
    if (m->line.broken && !m->in_line) return sheet_flush(m);
    if (m->line.count) m->line.broken = 1;
    return 0;
}

/* Whether only Python writes an element. */
static int is_left_out(const Tag *tag, int kind) {
    Py_ssize_t size;
    return (kind & KIND) == LEFT_OUT || ((kind & KIND) == FORMULA_TAG && find_attribute(tag, "data-math", 9, &size) != NULL);
}

static int open_element(Sheet *m, const Tag *tag, int32_t number, const char *s, const char *stop) {
    int kind = m->kinds[number], unknown = 0;
    Py_ssize_t size;
    Open made = {.tag = number, .leave = NOTHING};
    if (kind & BLOCK) {
        if (m->in_line || (kind & KIND) == EDGE) {
            unknown = at_edge(m);
            made.leave = AT_EDGE;
        } else {
            unknown = open_block(m, tag, kind & KIND, s, stop, &made);
        }
    } else {
        unknown = (kind & KIND) == BREAK ? write_break(m) : open_inline(m, tag, kind & KIND, &made);
    }
    if (unknown) return unknown;
    if (kind & EMPTY) return close_element(m, &made);
    made.is_notes = find_attribute(tag, "data-footnotes", 14, &size) != NULL;
    made.is_head = is_named(tag, "thead");
    if (m->opened >= m->open_room) TRY(list_grow((void **)&m->open, &m->open_room, sizeof(Open)));
    m->open[m->opened++] = made;
    return 0;
}

/* 1 when all is written, 0 when the HTML is not as the sanitizer writes it, -1 after an error. */
static int write_all(Sheet *m, const char *s, const char *stop) {
    while (s < stop) {
        if (*s != '<') {
            const char *next = memchr(s, '<', (size_t)(stop - s));
            if (next == NULL) next = stop;
            int unknown = line_text(&m->line, s, next);
            if (unknown) return unknown < 0 ? -1 : 0;
            s = next;
            continue;
        }
        Tag tag;
        s = read_tag(s, stop, &tag);
        int32_t number = s ? table_find(m->tags, tag.name, tag.size) : -1;
        if (number < 0 || is_left_out(&tag, m->kinds[number])) return 0;
        if (tag.is_end) {
            if (!m->opened || m->open[m->opened - 1].tag != number) return 0;
            Open left = m->open[--m->opened];
            TRY(close_element(m, &left));
        } else if (is_whole(m, &tag, m->kinds[number], s, stop)) {
            s = take_whole(m, &tag, m->kinds[number], s, stop);
            if (s == NULL) return PyErr_Occurred() ? -1 : 0;
        } else {
            int unknown = open_element(m, &tag, number, s, stop);
            if (unknown) return unknown < 0 ? -1 : 0;
        }
    }
    if (m->opened) return 0;
    TRY(sheet_flush(m));
    return 1;
}

/* markdown(html, kinds: Lookup, invisible, every_dollar, category) -> str, or None where Python has to write it */
static PyObject *markdown(PyObject *module, PyObject *args) {
    PyObject *html;
    Lookup *lookup;
    Sheet m = {0};
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "UO!ppO", &html, &LookupType, &lookup, &m.line.invisible, &m.line.every_dollar, &m.line.category))
        return NULL;
    const char *s = PyUnicode_AsUTF8AndSize(html, &size);
    if (s == NULL || memchr(s, '\r', (size_t)size) || memchr(s, 0, (size_t)size)) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    int *kinds = lookup_kinds(lookup);
    if (kinds == NULL) return NULL;
    m.kinds = kinds;
    m.tags = &lookup->table;
    m.line.line_break = "\\\n";
    int done = write_all(&m, s, s + size);
    PyObject *result = NULL;
    if (done > 0) result = PyUnicode_DecodeUTF8(m.out.data ? m.out.data : "", m.out.size, NULL);
    else if (done == 0) result = Py_NewRef(Py_None);
    line_free(&m.line);
    PyMem_Free(kinds); PyMem_Free(m.out.data); PyMem_Free(m.prefix.data); PyMem_Free(m.first.data); PyMem_Free(m.owed.data);
    PyMem_Free(m.taken.data); PyMem_Free(m.lists); PyMem_Free(m.open); PyMem_Free(m.grid.text.data); PyMem_Free(m.grid.cells);
    PyMem_Free(m.grid.rows); PyMem_Free(m.grid.spans);
    return result;
}

PyMethodDef markdown_method = {"markdown", markdown, METH_VARARGS, "Sanitized HTML as Markdown."};

/* render.inline.Line and render.emphasis.settle(): text that stays text, and the inline elements around it. */

#include "markdown.h"

#define HIGHEST_PARENTHESES 3

static const char *const OPENINGS[] = {"*", "*", "~", "[", "<sub>", "<sup>", "<u>", "<ins>", "<mark>", "<kbd>", "\"", "\\("};
static const char *const CLOSINGS[] = {"*", "*", "~", "", "</sub>", "</sup>", "</u>", "</ins>", "</mark>", "</kbd>", "\"", ")"};

void line_free(Line *l) {
    PyMem_Free(l->text.data); PyMem_Free(l->ends.data); PyMem_Free(l->given.data); PyMem_Free(l->folded.data);
    PyMem_Free(l->pieces); PyMem_Free(l->pairs); PyMem_Free(l->marks);
}

/* ---- characters ---- */

static int is_punct(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

static int is_ascii_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static Py_UCS4 char_at(const char *s) {
    int step;
    return decode_one(s, &step);
}

static Py_UCS4 char_before(const char *s) {
    do s--; while (((unsigned char)*s & 0xC0) == 0x80);
    return char_at(s);
}

int is_note_name(const char *s, Py_ssize_t n) {
    int count = 0, step;
    for (const char *stop = s + n; s < stop; s += step, count++) {
        Py_UCS4 c = decode_one(s, &step);
        if (c != '_' && c != '-' && !Py_UNICODE_ISALNUM(c)) return 0;
    }
    return count >= 1 && count <= 80;
}

/* The first letter of a character's general category, 0 after an error. */
static char category_of(const Line *l, Py_UCS4 c) {
    char letter = 0;
    PyObject *one = PyUnicode_FromOrdinal((int)c), *name = one ? PyObject_CallOneArg(l->category, one) : NULL;
    if (name != NULL) {
        const char *s = PyUnicode_AsUTF8(name);
        if (s != NULL) letter = s[0];
    }
    Py_XDECREF(one);
    Py_XDECREF(name);
    return letter;
}

static int is_punctuation(const Line *l, Py_UCS4 c) {
    if (c < 128) return is_punct((char)c);
    if (Py_UNICODE_ISALNUM(c)) return 0;
    char letter = category_of(l, c);
    return letter ? letter == 'P' : -1;
}

static int is_word(const Line *l, Py_UCS4 c) {
    if (c < 128) return c != ' ' && !is_punct((char)c);
    if (Py_UNICODE_ISALNUM(c)) return 1;
    char letter = category_of(l, c);
    return letter ? letter != 'P' && letter != 'S' && letter != 'Z' : -1;
}

static int is_invisible(Py_UCS4 c) { return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF; }

/* White space as single spaces, none at the ends; *begins and *ends: whether there was some. */
static int fold(Buffer *to, const char *s, const char *stop, int invisible, int *begins, int *ends) {
    int owed = 0, step, is_first = 1;
    to->size = 0;
    *begins = *ends = 0;
    TRY(buffer_reserve(to, stop - s));
    char *out = to->data;
    while (s < stop) {
        if ((unsigned char)*s > ' ' && (unsigned char)*s < 128) {
            if (owed) *out++ = ' ';
            owed = is_first = 0;
            do *out++ = *s++; while (s < stop && (unsigned char)*s > ' ' && (unsigned char)*s < 128);
            continue;
        }
        Py_UCS4 c = decode_one(s, &step);
        if (invisible && is_invisible(c)) { s += step; continue; }
        if (Py_UNICODE_ISSPACE(c)) {
            if (is_first) *begins = 1;
            owed = out > to->data;
            is_first = 0;
            *ends = 1;
        } else {
            if (owed) *out++ = ' ';
            owed = is_first = 0;
            memcpy(out, s, (size_t)step);
            out += step;
        }
        s += step;
    }
    *ends = owed;
    to->size = out - to->data;
    return 0;
}

/* ---- escaping: what CommonMark would read as markup ---- */

static int is_reference_end(const char *s, const char *stop) {
    if (s < stop && *s == '#') s++;
    while (s < stop && is_ascii_alnum(*s)) s++;
    return s == stop || *s == ';';
}

/* Whether a bracket means nothing: "[1]" with nothing behind it. */
static int is_idle_bracket(const char *s, const char *stop) {
    int count = 0;
    if (s >= stop || *s == '!' || *s == '^' || *s == ' ') return 0;
    if ((*s == 'x' || *s == 'X') && s + 1 < stop && s[1] == ']') return 0;
    for (; s < stop && *s != '[' && *s != ']'; s++) count += ((unsigned char)*s & 0xC0) != 0x80;
    if (s >= stop || *s != ']' || count < 1 || count > 80) return 0;
    s++;
    return s < stop && *s != '(' && *s != '[' && *s != ':';
}

static int is_escaped(const char *start, const char *s, const char *stop, int in_link, int every_dollar) {
    const char *next = s + 1;
    switch (*s) {
        case '`': case '*': case '~': return 1;
        case '\\': return next == stop || is_punct(*next);
        case '_':
            return next == stop || !Py_UNICODE_ISALNUM(char_at(next)) || s == start || !Py_UNICODE_ISALNUM(char_before(s));
        case '<': return next == stop || !Py_UNICODE_ISSPACE(char_at(next));
        case '&': return is_reference_end(next, stop);
        case '^': return next < stop && *next == '[';
        case '[': return in_link || !is_idle_bracket(next, stop);
        case ']': return in_link;
        case '$': return every_dollar || next == stop || !Py_UNICODE_ISDECIMAL(char_at(next));
        default: return 0;
    }
}

static int add_escaped(Buffer *to, const char *s, Py_ssize_t n, int in_link, int every_dollar) {
    static const uint8_t special[256] = {
        ['\\'] = 1, ['`'] = 1, ['*'] = 1, ['_'] = 1, ['~'] = 1, ['['] = 1, [']'] = 1, ['<'] = 1, ['&'] = 1, ['$'] = 1, ['^'] = 1,
    };
    const char *start = s, *stop = s + n, *from = s;
    for (; s < stop; s++) {
        if (!special[(unsigned char)*s] || !is_escaped(start, s, stop, in_link, every_dollar)) continue;
        TRY(buffer_add(to, from, s - from));
        TRY(buffer_put(to, '\\'));
        from = s;
    }
    return buffer_add(to, from, stop - from);
}

/* ---- pieces ---- */

static int add_piece(Line *l, int kind, Py_ssize_t at) {
    if (l->count >= l->room) TRY(list_grow((void **)&l->pieces, &l->room, sizeof(Piece)));
    l->pieces[l->count++] = (Piece){NULL, at, l->text.size - at, -1, kind};
    return 0;
}

static int add_fixed(Line *l, const char *fixed, Py_ssize_t pair) {
    if (l->count >= l->room) TRY(list_grow((void **)&l->pieces, &l->room, sizeof(Piece)));
    l->pieces[l->count++] = (Piece){fixed, l->text.size, (Py_ssize_t)strlen(fixed), pair, PLAIN};
    return 0;
}

static const char *piece_text(const Line *l, const Piece *p) { return p->fixed ? p->fixed : l->text.data + p->at; }

/* Keeps "!" and "^" before a bracket from becoming part of it. */
static int shield(Line *l) {
    Piece *last = l->count ? &l->pieces[l->count - 1] : NULL;
    if (last == NULL || last->fixed || last->kind == CODE) return 0;
    char c = l->text.data[l->text.size - 1];
    if (c != '!' && c != '^') return 0;
    l->text.data[l->text.size - 1] = '\\';
    last->size++;
    return buffer_put(&l->text, c);
}

/* Writes the white space and the opening marks owed. */
static int open_owed(Line *l) {
    if (l->count) {
        if (l->broken) TRY(add_fixed(l, l->line_break, -1));
        else if (l->space) TRY(add_fixed(l, " ", -1));
    }
    l->space = l->broken = 0;
    for (; l->opened < l->marked; l->opened++) {
        Mark *mark = &l->marks[l->opened];
        if (mark->kind == LINK) TRY(shield(l));
        mark->at = l->count;
        mark->pair = -1;
        if (mark->kind <= DEL) {
            if (l->paired >= l->pair_room) TRY(list_grow((void **)&l->pairs, &l->pair_room, sizeof(Pair)));
            l->pairs[l->paired] = (Pair){mark->kind, l->count, -1, 0};
            mark->pair = l->paired++;
        }
        TRY(add_fixed(l, OPENINGS[mark->kind], mark->pair));
    }
    return 0;
}

static int add_code(Line *l) {
    const Piece *last = l->count && !l->broken && l->opened == l->marked ? &l->pieces[l->count - 1] : NULL;
    int goes_on = last && last->kind == CODE && l->space && l->last_code == l->codes;
    if (!goes_on) TRY(open_owed(l));
    Py_ssize_t at = l->text.size;
    if (goes_on) TRY(buffer_put(&l->text, ' '));
    TRY(buffer_add(&l->text, l->folded.data, l->folded.size));
    l->last_code = l->codes;
    return add_piece(l, CODE, at);
}

int line_text(Line *l, const char *s, const char *stop) {
    int begins, ends;
    if (memchr(s, '&', (size_t)(stop - s)) != NULL) {
        l->given.size = 0;
        int unknown = add_unescaped(&l->given, s, stop);
        if (unknown) return unknown;
        s = l->given.data;
        stop = s + l->given.size;
    }
    TRY(fold(&l->folded, s, stop, l->invisible, &begins, &ends));
    const char *text = l->folded.data;
    Py_ssize_t size = l->folded.size;
    if (begins) l->space = 1;
    if (!size) return 0;
    if (l->in_code) {
        TRY(add_code(l));
    } else {
        if (l->in_item && !l->count && size > 3 && memcmp(text, "\xE2\x98", 2) == 0 && text[3] == ' '
            && ((unsigned char)text[2] == 0x90 || (unsigned char)text[2] == 0x91 || (unsigned char)text[2] == 0x92)) {
            TRY(open_owed(l));
            TRY(add_fixed(l, (unsigned char)text[2] == 0x90 ? "[ ]" : "[x]", -1));
            text += 4;
            size -= 4;
            l->space = 1;
        }
        TRY(open_owed(l));
        Py_ssize_t at = l->text.size;
        if (l->count && strchr("([:", *text) && l->pieces[l->count - 1].kind == REFERENCE) {
            /* An escape of its own is one already. */
            if (!is_escaped(text, text, text + size, l->in_link, l->every_dollar)) TRY(buffer_put(&l->text, '\\'));
        }
        TRY(add_escaped(&l->text, text, size, l->in_link, l->every_dollar));
        TRY(add_piece(l, PLAIN, at));
    }
    l->space = ends;
    return 0;
}

static int close_mark(Line *l, Mark *mark) {
    if (mark->kind <= DEL) {
        l->pairs[mark->pair].end = l->count;
        return add_fixed(l, CLOSINGS[mark->kind], mark->pair);
    }
    if (mark->kind != LINK) return add_fixed(l, CLOSINGS[mark->kind], -1);
    const char *address = l->ends.data + mark->address;
    Piece *last = &l->pieces[l->count - 1];
    if (l->count == mark->at + 2 && last->kind == PLAIN) {
        /* An address that is its own text is written once. */
        const char *s = piece_text(l, last);
        Py_ssize_t k = 0;
        int same = 1;
        for (Py_ssize_t i = 0; i < last->size && same; i++) {
            if (s[i] == '\\') continue;
            same = k < mark->address_size && address[k] == s[i];
            k++;
        }
        Py_ssize_t scheme = mark->address_size > 7 && memcmp(address, "http://", 7) == 0 ? 7
                            : mark->address_size > 8 && memcmp(address, "https://", 8) == 0 ? 8 : 0;
        same = same && k == mark->address_size && scheme;
        for (Py_ssize_t i = scheme; i < mark->address_size && same; i++)
            same = is_ascii_alnum(address[i]) || (address[i] && strchr("./:?=#@,;+!~_-", address[i]) != NULL);
        if (same) {
            l->count = mark->at;
            Py_ssize_t at = l->text.size;
            TRY(buffer_put(&l->text, '<'));
            TRY(buffer_add(&l->text, address, mark->address_size));
            TRY(buffer_put(&l->text, '>'));
            return add_piece(l, PLAIN, at);
        }
    }
    Py_ssize_t at = l->text.size;
    TRY(buffer_add(&l->text, l->ends.data + mark->closing, mark->closing_size));
    return add_piece(l, PLAIN, at);
}

int line_push(Line *l, MarkKind kind) {
    if (l->marked >= l->mark_room) TRY(list_grow((void **)&l->marks, &l->mark_room, sizeof(Mark)));
    l->marks[l->marked++] = (Mark){kind, 0, 0, 0, 0, -1, -1};
    l->active |= 1u << kind;
    return 0;
}

int line_pop(Line *l) {
    Mark *mark = &l->marks[l->marked - 1];
    if (l->opened == l->marked) {
        TRY(close_mark(l, mark));
        l->opened--;
    }
    l->active &= ~(1u << mark->kind);
    if (mark->kind == LINK) l->ends.size = mark->address;
    l->marked--;
    return 0;
}

int line_reference(Line *l, const char *name, Py_ssize_t size) {
    TRY(open_owed(l));
    TRY(shield(l));
    Py_ssize_t at = l->text.size;
    TRY(buffer_add(&l->text, "[^", 2));
    TRY(buffer_add(&l->text, name, size));
    TRY(buffer_put(&l->text, ']'));
    return add_piece(l, REFERENCE, at);
}

/* A colon after a term, unless it ends in a mark already. */
int line_colon(Line *l) {
    char last = 0;
    for (Py_ssize_t i = l->count - 1; i >= 0 && i >= l->count - 2 && !last; i--) {
        const char *s = piece_text(l, &l->pieces[i]);
        Py_ssize_t size = l->pieces[i].size;
        while (size && s[size - 1] == '*') size--;
        if (size) last = s[size - 1];
    }
    return last && !strchr(":?!", last) ? add_fixed(l, ":", -1) : 0;
}

/* ---- addresses ---- */

/* An attribute's value, white space off its ends, in `given`. */
static int read_value(Line *l, const Tag *tag, const char *name, const char **value, const char **stop) {
    Py_ssize_t size;
    const char *raw = find_attribute(tag, name, (Py_ssize_t)strlen(name), &size);
    *value = *stop = "";
    if (raw == NULL) return 0;
    l->given.size = 0;
    int unknown = add_unescaped(&l->given, raw, raw + size);
    if (unknown || !l->given.size) return unknown;
    const char *s = l->given.data, *end = s + l->given.size;
    int step;
    while (s < end && Py_UNICODE_ISSPACE(decode_one(s, &step))) s += step;
    while (end > s && Py_UNICODE_ISSPACE(char_before(end))) do end--; while (((unsigned char)*end & 0xC0) == 0x80);
    *value = s;
    *stop = end;
    return 0;
}

static int is_entity(const char *s, const char *stop) {
    if (s < stop && *s == '#') s++;
    const char *from = s;
    while (s < stop && is_ascii_alnum(*s)) s++;
    return s > from && s < stop && *s == ';';
}

/* An address as a link destination: encoded or escaped where Markdown would end or change it. */
static int add_address(Buffer *to, const char *s, const char *stop) {
    int depth = 0, deepest = 0, step;
    for (const char *c = s; c < stop && depth >= 0; c++) {
        if (*c == '(') { if (++depth > deepest) deepest = depth; }
        else if (*c == ')') depth--;
    }
    int is_odd = depth != 0 || deepest > HIGHEST_PARENTHESES;
    for (; s < stop; s += step) {
        Py_UCS4 c = decode_one(s, &step);
        char encoded[8];
        switch (c) {
            case ' ': case '<': case '>': case '\\': case '`': case '"':
                PyOS_snprintf(encoded, sizeof encoded, "%%%02X", (unsigned)c);
                TRY(buffer_add(to, encoded, 3));
                continue;
            case '&': TRY(buffer_add(to, "&amp;", is_entity(s + 1, stop) ? 5 : 1)); continue;
            case '$': TRY(buffer_add(to, "\\$", 2)); continue;
            case '(': case ')':
                if (is_odd) TRY(buffer_put(to, '\\'));
                TRY(buffer_put(to, (char)c));
                continue;
            default:
                if (Py_UNICODE_ISSPACE(c)) return 1;
                TRY(buffer_add(to, s, step));
        }
    }
    return 0;
}

static int add_attribute(Line *l, const Tag *tag, const char *name, Buffer *to) {
    const char *s, *stop;
    int begins, ends, unknown = read_value(l, tag, name, &s, &stop);
    if (unknown) return unknown;
    TRY(fold(&l->folded, s, stop, 0, &begins, &ends));
    return add_escaped(to, l->folded.data ? l->folded.data : "", l->folded.size, 1, l->every_dollar);
}

static int add_title(Line *l, const Tag *tag, Buffer *to) {
    Py_ssize_t size, before = to->size;
    if (find_attribute(tag, "title", 5, &size) == NULL) return 0;
    TRY(buffer_add(to, " \"", 2));
    Py_ssize_t from = to->size;
    int unknown = add_attribute(l, tag, "title", to);
    if (unknown) return unknown;
    if (to->size == from) { to->size = before; return 0; }
    l->given.size = 0;
    TRY(buffer_add(&l->given, to->data + from, to->size - from));
    to->size = from;
    for (Py_ssize_t i = 0; i < l->given.size; i++) {
        if (l->given.data[i] == '"') TRY(buffer_put(to, '\\'));
        TRY(buffer_put(to, l->given.data[i]));
    }
    return buffer_put(to, '"');
}

int line_link(Line *l, const Tag *tag, int *is_open) {
    const char *s, *stop;
    int unknown = read_value(l, tag, "href", &s, &stop);
    *is_open = 0;
    if (unknown || s == stop || l->active & (1u << LINK)) return unknown;
    TRY(line_push(l, LINK));
    Mark *mark = &l->marks[l->marked - 1];
    mark->address = l->ends.size;
    mark->address_size = stop - s;
    TRY(buffer_add(&l->ends, s, stop - s));
    Py_ssize_t closing = l->ends.size;
    TRY(buffer_add(&l->ends, "](", 2));
    unknown = add_address(&l->ends, s, stop);
    if (!unknown) unknown = add_title(l, tag, &l->ends);
    if (unknown) return unknown;
    TRY(buffer_put(&l->ends, ')'));
    mark->closing = closing;
    mark->closing_size = l->ends.size - closing;
    l->in_link = *is_open = 1;
    return 0;
}

int line_image(Line *l, const Tag *tag) {
    const char *s, *stop;
    int unknown = read_value(l, tag, "src", &s, &stop);
    if (unknown || s == stop) return unknown;
    TRY(open_owed(l));
    Py_ssize_t at = l->text.size, begin = l->ends.size;
    TRY(buffer_add(&l->ends, s, stop - s));
    TRY(buffer_add(&l->text, "![", 2));
    unknown = add_attribute(l, tag, "alt", &l->text);
    if (unknown) return unknown;
    TRY(buffer_add(&l->text, "](", 2));
    unknown = add_address(&l->text, l->ends.data + begin, l->ends.data + l->ends.size);
    l->ends.size = begin;
    if (!unknown) unknown = add_title(l, tag, &l->text);
    if (unknown) return unknown;
    TRY(buffer_put(&l->text, ')'));
    return add_piece(l, PLAIN, at);
}

/* ---- emphasis ---- */

static Py_UCS4 edge(const Line *l, Py_ssize_t place, int is_last) {
    if (place < 0 || place >= l->count) return ' ';
    const Piece *p = &l->pieces[place];
    if (p->kind == CODE) return '`';
    const char *s = piece_text(l, p);
    return is_last ? char_before(s + p->size) : char_at(s);
}

/* 1 when a marker opens or closes here: beside a word inside, or a space or punctuation outside. */
static int holds(const Line *l, Py_UCS4 inside, Py_UCS4 outside) {
    int word = is_word(l, inside);
    if (word) return word;
    return Py_UNICODE_ISSPACE(outside) ? 1 : is_punctuation(l, outside);
}

/* The character to write a pair with, 0 when it has to be HTML, -1 after an error. */
static int marker_of(const Line *l, const Pair *pair, Py_UCS4 before, Py_UCS4 after) {
    if (pair->kind == DEL) return before == '~' || after == '~' ? 0 : '~';
    char written = '*';
    for (int side = 0; side < 2; side++) {
        Py_ssize_t place = side ? pair->end + 1 : pair->start - 1;
        Py_ssize_t number = place >= 0 && place < l->count ? l->pieces[place].pair : -1;
        if (number < 0) {
            if (!side && (before == '*' || before == '_')) return 0;
            continue;
        }
        const Pair *other = &l->pairs[number];
        if (other->written != '*' && other->written != '_') continue;
        /* The parent's marker: another character keeps the two apart. */
        if ((place == other->start) == !side) written = other->written == '*' ? '_' : '*';
        else if (!side) return 0;
    }
    if (written == '_') {
        int word = is_word(l, before);
        if (!word) word = is_word(l, after);
        if (word) return word < 0 ? -1 : 0;
    }
    return written;
}

static int settle(Line *l) {
    static const char *const html[][2] = {{"<strong>", "</strong>"}, {"<em>", "</em>"}, {"<del>", "</del>"}};
    for (Py_ssize_t i = 0; i < l->paired; i++) {
        Pair *pair = &l->pairs[i];
        Piece *start = &l->pieces[pair->start], *end = &l->pieces[pair->end];
        Py_UCS4 before = edge(l, pair->start - 1, 1), after = edge(l, pair->end + 1, 0);
        int opens = holds(l, edge(l, pair->start + 1, 0), before), closes = holds(l, edge(l, pair->end - 1, 1), after);
        int written = opens < 0 || closes < 0 ? -1 : opens && closes ? marker_of(l, pair, before, after) : 0;
        if (written < 0) return -1;
        pair->written = (char)written;
        if (written) {
            const char *twice = written == '*' ? "**" : written == '_' ? "__" : "~~";
            start->fixed = end->fixed = pair->kind == EM ? twice + 1 : twice;
        } else {
            start->fixed = html[pair->kind][0];
            end->fixed = html[pair->kind][1];
        }
        start->size = (Py_ssize_t)strlen(start->fixed);
        end->size = (Py_ssize_t)strlen(end->fixed);
    }
    return 0;
}

static int put_ticks(Buffer *to, Py_ssize_t count) {
    while (count-- > 0) TRY(buffer_put(to, '`'));
    return 0;
}

/* Pieces of code that touch become one span: two that touch would not be two. */
static int add_span(const Line *l, Buffer *to, Py_ssize_t from, Py_ssize_t stop) {
    Buffer code = {0};
    int failed = 0;
    for (Py_ssize_t i = from; i < stop && !failed; i++)
        failed = buffer_add(&code, l->text.data + l->pieces[i].at, l->pieces[i].size) < 0;
    Py_ssize_t length = 1;
    for (int again = !failed && memchr(code.data, '`', (size_t)code.size) != NULL; again;) {
        again = 0;
        for (Py_ssize_t i = 0, run = 0; i <= code.size; i++) {
            if (i < code.size && code.data[i] == '`') { run++; continue; }
            if (run == length) { length++; again = 1; break; }
            run = 0;
        }
    }
    int padded = !failed && (code.data[0] == '`' || code.data[code.size - 1] == '`');
    failed = failed || put_ticks(to, length) < 0 || (padded && buffer_put(to, ' ') < 0) || buffer_add(to, code.data, code.size) < 0
             || (padded && buffer_put(to, ' ') < 0) || put_ticks(to, length) < 0;
    PyMem_Free(code.data);
    return failed ? -1 : 0;
}

int line_take(Line *l, Buffer *to) {
    l->space = l->broken = 0;
    if (!l->count) return 0;
    l->in_item = 0;
    while (l->opened) TRY(close_mark(l, &l->marks[--l->opened]));
    if (l->paired) TRY(settle(l));
    for (Py_ssize_t i = 0; i < l->count;) {
        const Piece *p = &l->pieces[i];
        if (p->kind != CODE) {
            TRY(buffer_add(to, piece_text(l, p), p->size));
            i++;
            continue;
        }
        Py_ssize_t stop = i;
        while (stop < l->count && l->pieces[stop].kind == CODE) stop++;
        TRY(add_span(l, to, i, stop));
        i = stop;
    }
    l->count = l->paired = l->text.size = 0;
    return 0;
}

/* The tokenizer: the standard's states, as loops. */

#include "html.h"

#define FEW_ATTRIBUTES 24 /* more in one tag are looked up in a table */
#define LONGEST_REFERENCE 33

static inline int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline int is_digit(char c) { return c >= '0' && c <= '9'; }
static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static void own_add(Parser *p, const char *s, Py_ssize_t n) {
    if (buffer_add(&p->own, s, n) < 0) p->failed = 1;
}

static void own_put(Parser *p, char c) {
    if (buffer_put(&p->own, c) < 0) p->failed = 1;
}

/* What numbers from 128 to 159 are taken to mean: windows-1252. */
static const uint16_t WINDOWS[32] = {0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A, 0x0153, 0x9D, 0x017E, 0x0178};

/* The characters that a reference at `s`, which is a '&', represents; 0 when it is none. */
static int read_reference(const Parser *p, const char *s, const char *stop, int in_attribute, char *to, Py_ssize_t *length) {
    const char *q = s + 1;
    if (q < stop && *q == '#') {
        uint32_t value = 0;
        q++;
        int is_hex = q < stop && (*q == 'x' || *q == 'X');
        if (is_hex) q++;
        const char *digits = q;
        for (; q < stop; q++) {
            char c = lower(*q);
            int digit = is_digit(c) ? c - '0' : is_hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) break;
            if (value <= 0x10FFFF) value = value * (is_hex ? 16 : 10) + (uint32_t)digit;
        }
        if (q == digits) return 0;
        if (q < stop && *q == ';') q++;
        *length = q - s;
        if (value == 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) value = 0xFFFD;
        else if (value >= 0x80 && value <= 0x9F) value = WINDOWS[value - 0x80];
        return (int)(put_utf8(to, value) - to);
    }
    while (q < stop && q - s < LONGEST_REFERENCE && (is_letter(*q) || is_digit(*q))) q++;
    Py_ssize_t named = q - s - 1;
    if (!named) return 0;
    int32_t found = -1;
    Py_ssize_t size = named + 1;
    if (q < stop && *q == ';') found = lookup_find(p->entities, s + 1, size);
    /* Without a semicolon only names of up to six letters count. */
    for (size = named < 6 && found < 0 ? named : found < 0 ? 6 : size; found < 0 && size >= 2; size--)
        if ((found = lookup_find(p->entities, s + 1, size)) >= 0) {
            const char *after = s + 1 + size;
            if (in_attribute && after < stop && (*after == '=' || is_letter(*after) || is_digit(*after))) return 0;
            break;
        }
    if (found < 0) return 0;
    *length = size + 1;
    uint64_t codes = (uint64_t)p->entities->entries[found].value;
    char *end = put_utf8(to, (Py_UCS4)(codes & 0x1FFFFF));
    if (codes >> 21) end = put_utf8(end, (Py_UCS4)(codes >> 21));
    return (int)(end - to);
}

/* Adds characters with their references resolved. */
static void add_resolved(Parser *p, const char *s, const char *stop) {
    char meant[8];
    while (s < stop) {
        const char *amp = memchr(s, '&', (size_t)(stop - s));
        if (amp == NULL) amp = stop;
        own_add(p, s, amp - s);
        if ((s = amp) == stop) return;
        Py_ssize_t length;
        int n = read_reference(p, s, stop, 0, meant, &length);
        if (n) { own_add(p, meant, n); s += length; }
        else { own_put(p, '&'); s++; }
    }
}

static void escape_value(Parser *p, const char *s, Py_ssize_t n) {
    if (add_markup(&p->own, s, n, 1) < 0) p->failed = 1;
}

/* What ends an attribute's name, and what is not written as it is in a value. */
enum { ENDS_NAME = 1, IS_ESCAPED = 2 };
static const uint8_t SIGNS[256] = {[0] = ENDS_NAME, ['\t'] = ENDS_NAME, ['\n'] = ENDS_NAME, ['\f'] = ENDS_NAME,
    ['\r'] = ENDS_NAME, [' '] = ENDS_NAME, ['='] = ENDS_NAME, ['/'] = ENDS_NAME, ['>'] = ENDS_NAME | IS_ESCAPED, ['&'] = IS_ESCAPED,
    ['<'] = IS_ESCAPED, ['"'] = IS_ESCAPED, [0xC2] = IS_ESCAPED};

typedef char Bytes __attribute__((vector_size(16)));

static inline int has_escaped(Bytes b) {
    Bytes found = (b == '&') | (b == '<') | (b == '>') | (b == '"') | (b == '\xC2');
    uint64_t halves[2];
    memcpy(halves, &found, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/* Copies up to what has to be escaped, at which it returns; *to ends behind the copy. */
static inline const char *copy_plain(char **to, const char *s, const char *stop) {
    Bytes b;
    char *at = *to;
    for (; stop - s >= (Py_ssize_t)sizeof b; s += sizeof b, at += sizeof b) {
        memcpy(&b, s, sizeof b);
        if (has_escaped(b)) break;
        memcpy(at, &b, sizeof b);
    }
    while (s < stop && !(SIGNS[(uint8_t)*s] & IS_ESCAPED)) *at++ = *s++;
    *to = at;
    return s;
}

/* An attribute's value as it is written again. */
static void add_value(Parser *p, const char *s, const char *stop) {
    char meant[8];
    while (s < stop) {
        const char *from = s;
        while (s < stop && !(SIGNS[(uint8_t)*s] & IS_ESCAPED)) s++;
        own_add(p, from, s - from);
        if (s == stop) return;
        Py_ssize_t length = 1;
        int n = *s == '&' ? read_reference(p, s, stop, 1, meant, &length) : 0;
        if (n) escape_value(p, meant, n);
        else {
            if (*s == '\xC2' && s + 1 < stop) length = 2;
            escape_value(p, s, length);
        }
        s += length;
    }
}

/* ---- tags ---- */

int32_t tag_number_of(Parser *p, const char *s, Py_ssize_t n) {
    if (buffer_reserve(&p->own, n + 1) < 0) { p->failed = 1; return T_NONE; }
    char *name = p->own.data + p->own.size; /* for a moment */
    int fresh;
    int32_t tag = table_put(&p->names, name, lowered(name, s, n), &fresh);
    if (tag < 0) { p->failed = 1; return T_NONE; }
    return tag;
}

static int is_word(const char *s, Py_ssize_t n, const char *word) {
    return (Py_ssize_t)strlen(word) == n && strncasecmp(s, word, (size_t)n) == 0;
}

/* The names of a tag's attributes: the first of a name counts. */
typedef struct {
    struct { int32_t at, size; } few[FEW_ATTRIBUTES];
    int count;
    Table many;
} Names;

/* Whether a name was there before, -1 without memory; else it is noted. It is at `at` in p->own. */
static int is_repeated(const Parser *p, Names *names, Py_ssize_t at, Py_ssize_t size) {
    const char *own = p->own.data;
    int fresh;
    if (names->count < FEW_ATTRIBUTES) {
        for (int i = 0; i < names->count; i++)
            if (names->few[i].size == size && memcmp(own + names->few[i].at, own + at, (size_t)size) == 0) return 1;
        names->few[names->count].at = (int32_t)at;
        names->few[names->count++].size = (int32_t)size;
        return 0;
    }
    if (names->many.keys == NULL) {
        if (table_init(&names->many, 4 * FEW_ATTRIBUTES) < 0) return -1;
        for (int i = 0; i < names->count; i++)
            if (table_put(&names->many, own + names->few[i].at, names->few[i].size, &fresh) < 0) return -1;
    }
    return table_put(&names->many, own + at, size, &fresh) < 0 ? -1 : !fresh;
}

/* What tree construction has to know of an attribute, which is at `at` in p->own: its name, '="', its value, '"'. */
static void note_attribute(const Parser *p, Token *t, Py_ssize_t at, Py_ssize_t named) {
    const char *name = p->own.data + at, *value = name + named + 2;
    if (t->tag == T_INPUT && is_word(name, named, "type")) t->is_hidden = is_word(value, p->own.data + p->own.size - 1 - value, "hidden");
    if (t->tag == T_FONT && (is_word(name, named, "color") || is_word(name, named, "face") || is_word(name, named, "size")))
        t->is_styled = 1;
}

/* The rest of a tag from p->at on: its attributes are written anew; 0 when the page ends inside. */
static int read_attributes(Parser *p, Token *t, Names *names) {
    const char *s = p->html + p->at, *stop = p->html + p->size;
    t->at = (int32_t)p->own.size;
    for (;;) {
        while (is_html_space(*s)) s++;
        if (s >= stop) return 0;
        if (*s == '>') break;
        if (*s == '/') {
            s++;
            if (*s == '>') { t->is_self_closing = 1; break; }
            continue;
        }
        const char *name = s++;
        while (!(SIGNS[(uint8_t)*s] & ENDS_NAME)) s++; /* at the null behind the page at last */
        Py_ssize_t named = s - name;
        const char *value = NULL, *value_end = NULL;
        while (is_html_space(*s)) s++;
        if (*s == '=') {
            s++;
            while (is_html_space(*s)) s++;
            if (*s == '"' || *s == '\'') {
                value = s + 1;
                value_end = memchr(value, *s, (size_t)(stop - value));
                if (value_end == NULL) return 0;
                s = value_end + 1;
            } else if (*s != '>') {
                value = s;
                while (s < stop && *s != '>' && !is_html_space(*s)) s++;
                value_end = s;
            }
        }
        if (s >= stop) return 0;
        if (names == NULL) continue;
        Py_ssize_t began = p->own.size, most = named + (value_end - value) + 4; /* where nothing is escaped */
        if (began + most > p->own.room && buffer_reserve(&p->own, most) < 0) { p->failed = 1; return 0; }
        char *to = p->own.data + began;
        *to++ = ' ';
        to += lowered(to, name, named);
        int again = is_repeated(p, names, began + 1, named);
        if (again < 0) { p->failed = 1; return 0; }
        if (again) continue;
        *to++ = '=';
        *to++ = '"';
        value = copy_plain(&to, value, value_end);
        p->own.size = to - p->own.data;
        if (value < value_end) add_value(p, value, value_end);
        own_put(p, '"');
        if (p->failed) return 0;
        if (t->tag == T_INPUT || t->tag == T_FONT) note_attribute(p, t, began + 1, named);
    }
    t->size = (int32_t)p->own.size - t->at;
    p->at = s + 1 - p->html;
    return 1;
}

/* A tag at p->at, which is a '<'; 0 when the page ends inside. */
static int read_html_tag(Parser *p, Token *t) {
    const char *s = p->html + p->at + 1, *stop = p->html + p->size;
    t->type = START_TAG;
    if (*s == '/') { t->type = END_TAG; s++; }
    const char *name = s;
    while (s < stop && *s != '>' && *s != '/' && !is_html_space(*s)) s++;
    if (s >= stop) return 0;
    t->tag = tag_number_of(p, name, s - name);
    p->at = s - p->html;
    if (t->type == END_TAG) return read_attributes(p, t, NULL);
    Names names;
    names.count = 0;
    names.many.keys = NULL;
    int is_whole = read_attributes(p, t, &names);
    if (names.many.keys) table_free(&names.many);
    return is_whole;
}

/* ---- comments and the like ---- */

static void set_comment(Parser *p, Token *t, const char *s, const char *stop, const char *next) {
    t->type = COMMENT_TOKEN;
    t->at = (int32_t)(s - p->html);
    t->size = (int32_t)(stop - s);
    p->at = next - p->html;
}

static void read_bogus_comment(Parser *p, Token *t, const char *s) {
    const char *stop = p->html + p->size, *close = memchr(s, '>', (size_t)(stop - s));
    set_comment(p, t, s, close ? close : stop, close ? close + 1 : stop);
}

/* "<?" and a name other than xml begins a processing instruction, which ends as a comment would; 0 when it is none. */
static int read_instruction(Parser *p, Token *t, const char *s) {
    const char *stop = p->html + p->size, *q = s;
    if (!is_letter(*q) && *q != '_' && q < stop) return 0;
    while (is_letter(*q) || is_digit(*q) || *q == '_' || *q == '-') q++;
    if (!is_html_space(*q) && *q != '?' && *q != '>' && q < stop) return 0;
    if (q < stop && (is_word(s, q - s, "xml") || is_word(s, q - s, "xml-stylesheet"))) return 0;
    const char *close = memchr(q, '>', (size_t)(stop - q));
    if (close == NULL) { /* the page ends inside */
        p->at = p->size;
        t->type = END_OF_FILE;
        return 1;
    }
    set_comment(p, t, s, close > q && close[-1] == '?' ? close - 1 : close, close + 1);
    t->is_own = 1;
    return 1;
}

static void read_comment(Parser *p, Token *t, const char *s) {
    const char *stop = p->html + p->size;
    if (*s == '>') { set_comment(p, t, s, s, s + 1); return; }
    if (s[0] == '-' && s[1] == '>') { set_comment(p, t, s, s, s + 2); return; }
    for (const char *q = s; (q = memchr(q, '-', (size_t)(stop - q))); q++) {
        if (stop - q >= 3 && q[1] == '-' && q[2] == '>') { set_comment(p, t, s, q, q + 3); return; }
        if (stop - q >= 4 && q[1] == '-' && q[2] == '!' && q[3] == '>') { set_comment(p, t, s, q, q + 4); return; }
    }
    /* The page ends inside: what its end could have been the beginning of is left out. */
    const char *end = stop;
    if (end - s >= 3 && memcmp(end - 3, "--!", 3) == 0) end -= 3;
    else if (end - s >= 2 && memcmp(end - 2, "--", 2) == 0) end -= 2;
    else if (end - s >= 1 && end[-1] == '-') end--;
    set_comment(p, t, s, end, stop);
}

static const char *skip_space(const char *s) {
    while (is_html_space(*s)) s++;
    return s;
}

static int begins(const char *s, Py_ssize_t n, const char *with) {
    Py_ssize_t size = (Py_ssize_t)strlen(with);
    return n >= size && strncasecmp(s, with, (size_t)size) == 0;
}

static void set_doctype(Parser *p, int part, const char *s, Py_ssize_t n) {
    p->doctype[part].at = (int32_t)p->own.size;
    p->doctype[part].size = (int32_t)n;
    own_add(p, s, n);
    if (part == DOCTYPE_NAME && !p->failed) lowered(p->own.data + p->own.size - n, s, n);
}

static int is_quote(char c) { return c == '"' || c == '\''; }

/* Reads the quoted identifier at *s and the space behind it; 0 where the doctype ends inside. */
static int read_identifier(Parser *p, int part, const char **s, const char *stop) {
    const char *from = *s + 1, *end = from;
    while (end < stop && *end != **s && *end != '>') end++;
    set_doctype(p, part, from, end - from);
    int is_whole = end < stop && *end != '>';
    *s = is_whole ? skip_space(end + 1) : end;
    return is_whole;
}

static void read_doctype(Parser *p, Token *t, const char *s) {
    const char *stop = p->html + p->size, *name = skip_space(s);
    t->type = DOCTYPE_TOKEN;
    if (p->mode) { /* a later one is ignored, and must not take the place of the first */
        const char *close = memchr(name, '>', (size_t)(stop - name));
        p->at = (close ? close + 1 : stop) - p->html;
        return;
    }
    for (int k = 0; k < DOCTYPE_PARTS; k++) p->doctype[k].size = -1;
    for (s = name; s < stop && *s != '>' && !is_html_space(*s);) s++;
    if (s > name) set_doctype(p, DOCTYPE_NAME, name, s - name);
    t->is_quirky = s == name;
    s = skip_space(s);
    if (s < stop && *s != '>') {
        int is_public = begins(s, stop - s, "public"), is_known = is_public || begins(s, stop - s, "system");
        if (is_known) s = skip_space(s + 6);
        int is_whole = is_known && is_quote(*s) && read_identifier(p, is_public ? PUBLIC_ID : SYSTEM_ID, &s, stop);
        if (is_whole && is_public && is_quote(*s)) is_whole = read_identifier(p, SYSTEM_ID, &s, stop);
        /* Behind a system identifier anything is ignored. */
        t->is_quirky |= !is_whole || (*s != '>' && p->doctype[SYSTEM_ID].size < 0);
    }
    t->is_quirky |= s >= stop;
    const char *close = s < stop ? memchr(s, '>', (size_t)(stop - s)) : NULL;
    p->at = (close ? close + 1 : stop) - p->html;
}

/* ---- characters ---- */

/* "</>" is nothing at all. */
static int is_empty_end(const char *s) { return s[0] == '<' && s[1] == '/' && s[2] == '>'; }

/* Whether markup begins at `s`, which is a '<'. */
static int is_markup(const char *s, const char *stop) {
    if (stop - s < 2) return 0;
    return is_letter(s[1]) || s[1] == '!' || s[1] == '?' || (s[1] == '/' && stop - s > 2 && s[2] != '>');
}

/* Copies characters that nulls or empty end tags are in, with references resolved where they are markup. */
static void add_pieces(Parser *p, Token *t, const char *s, const char *stop, int content) {
    const char *gap = NULL;
    while (s < stop) {
        if (gap < s && (content != MARKUP || (gap = memmem(s, (size_t)(stop - s), "</>", 3)) == NULL)) gap = stop;
        const char *null = p->nulls < p->nulls_end && *p->nulls < stop - p->html ? p->html + *p->nulls : stop;
        const char *end = null < gap ? null : gap;
        if (content == MARKUP) add_resolved(p, s, end);
        else own_add(p, s, end - s);
        if (end == stop) return;
        if (end == null) {
            own_put(p, 0);
            t->has_null = 1;
            p->nulls++;
        }
        s = end + 3; /* as long as both are */
    }
}

/* Characters of some content: as they are in the page, or copied where that is not what they mean. */
static void set_characters(Parser *p, Token *t, const char *s, const char *stop, int content, int has_gap) {
    while (p->nulls < p->nulls_end && *p->nulls < s - p->html) p->nulls++;
    int has_null = (content == MARKUP || content == CDATA_SECTION) && p->nulls < p->nulls_end && *p->nulls < stop - p->html;
    int is_resolved = content == MARKUP || content == RCDATA;
    t->type = CHARACTERS;
    t->is_own = has_null || has_gap || (is_resolved && s < stop && memchr(s, '&', (size_t)(stop - s)) != NULL);
    t->at = (int32_t)(t->is_own ? p->own.size : s - p->html);
    if (has_null || has_gap) add_pieces(p, t, s, stop, content);
    else if (t->is_own) add_resolved(p, s, stop);
    t->size = (int32_t)(t->is_own ? p->own.size - t->at : stop - s);
}

void read_cdata(Parser *p, Token *t, const char *s) {
    const char *stop = p->html + p->size, *end = memmem(s, (size_t)(stop - s), "]]>", 3);
    set_characters(p, t, s, end ? end : stop, CDATA_SECTION, 0);
    p->at = (end ? end + 3 : stop) - p->html;
}

void next_html_token(Parser *p, Token *t) {
    const char *stop = p->html + p->size;
    for (;;) {
        const char *s = p->html + p->at;
        memset(t, 0, sizeof *t);
        if (s >= stop) { t->type = END_OF_FILE; return; }
        if (p->is_plain || *s != '<' || !is_markup(s, stop)) {
            const char *next = p->is_plain ? NULL : s;
            int has_gap = 0;
            while (next && (next == s || !is_markup(next, stop))) {
                has_gap |= is_empty_end(next);
                next = memchr(next + 1, '<', (size_t)(stop - next - 1));
            }
            if (next == NULL) next = stop;
            set_characters(p, t, s, next, p->is_plain ? PLAIN_TEXT : MARKUP, has_gap);
            p->at = next - p->html;
            if (!t->size) continue;
            return;
        }
        if (s[1] == '!') {
            if (s[2] == '-' && s[3] == '-') read_comment(p, t, s + 4);
            else if (begins(s + 2, stop - s - 2, "doctype")) read_doctype(p, t, s + 9);
            else if (stop - s >= 9 && memcmp(s, "<![CDATA[", 9) == 0 && adjusted_current(p)->space != IN_HTML) {
                read_cdata(p, t, s + 9);
                if (!t->size) continue;
            } else read_bogus_comment(p, t, s + 2);
            return;
        }
        if (s[1] == '?') {
            if (!read_instruction(p, t, s + 2)) read_bogus_comment(p, t, s + 1);
        } else if (s[1] == '/' && !is_letter(s[2])) read_bogus_comment(p, t, s + 2);
        else if (!read_html_tag(p, t)) {
            p->at = p->size;
            t->type = END_OF_FILE;
        }
        return;
    }
}

/* Whether a tag's name is at `s`, in any case. */
static int is_name_at(const char *s, const char *stop, const char *name, int32_t size) {
    return stop - s > size && strncasecmp(s, name, (size_t)size) == 0 && (is_html_space(s[size]) || s[size] == '/' || s[size] == '>');
}

/* The next end tag of a name, from `s` on; NULL without one. Inside a comment a script may hold another with its end tag, which is
   the standard's "script data double escaped state". */
static const char *find_end(const char *s, const char *stop, const char *name, int32_t size, int is_script) {
    enum { PLAIN, ESCAPED, DOUBLE } state = PLAIN;
    const char *comment_end = stop;
    for (; (s = memchr(s, '<', (size_t)(stop - s))); s++) {
        if (state != PLAIN && s > comment_end) state = PLAIN;
        if (state == DOUBLE && s[1] == '/' && is_name_at(s + 2, stop, "script", 6)) state = ESCAPED;
        else if (state != DOUBLE && s[1] == '/' && is_name_at(s + 2, stop, name, size)) return s;
        else if (state == ESCAPED && is_name_at(s + 1, stop, "script", 6)) state = DOUBLE;
        else if (is_script && state == PLAIN && stop - s >= 4 && memcmp(s, "<!--", 4) == 0) {
            state = ESCAPED;
            /* "<!-->" is a whole comment. */
            comment_end = memmem(s + 2, (size_t)(stop - s - 2), "-->", 3);
            if (comment_end == NULL) comment_end = stop;
        }
    }
    return NULL;
}

int read_raw(Parser *p, Token *t, int32_t tag, int content) {
    const char *s = p->html + p->at, *stop = p->html + p->size, *end = NULL;
    int32_t size;
    const char *name = tag_name(p, tag, &size);
    if (size) end = find_end(s, stop, name, size, content == SCRIPT_DATA);
    memset(t, 0, sizeof *t);
    set_characters(p, t, s, end ? end : stop, content, 0);
    p->at = p->size;
    if (end == NULL) return 0;
    Token closing = {.tag = tag};
    p->at = end + 2 + size - p->html;
    if (read_attributes(p, &closing, NULL)) return 1;
    p->at = p->size;
    return 0;
}

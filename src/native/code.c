/* elements.code: blocks of text, in colours or in lines, and the frames around them. Which language they are in is asked of Python; a
   draft with blocks of another kind is not ordinary. Each function says 1, 0 when the draft is not ordinary, or -1 after an
   error, if nothing else is said. */

#include "ordinary.h"

#define FRAMES 9       /* elements around a block that may be its frame */
#define BESIDE 12      /* nodes on either side of it */
#define LONG_LABEL 60  /* characters */
#define LONG_TITLE 300
#define LONG_HEADER 199
#define NEAR 3
#define LETTERS_PER_SIGN 25 /* as preformatted.py has it */

static int is_part_of_table(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    return tag == o->td || tag == o->tr || tag == o->tbody || tag == o->table;
}

static int is_line(int marks) { return marks & LINE && !(marks & TOKEN); }

/* code._is_canonical() */
static int is_canonical(const Ordinary *o, Id block) {
    Id code = NODE(block)->first;
    if (NODE(block)->size || code == NONE || NODE(code)->after != NONE || NODE(code)->tag != o->code) return 0;
    Id only = NODE(code)->first;
    if (only == NONE || NODE(only)->after != NONE || NODE(only)->tag != TEXT) return 0;
    const char *s = NODE(only)->s, *stop = s + NODE(only)->size, *bare = skip_space_back(s, stop);
    if (memchr(bare, '\n', (size_t)(stop - bare))) return 0;
    if (NODE(code)->size == 0) return 1;
    Py_ssize_t size;
    const char *attrs = NODE(code)->s, *end = attrs + NODE(code)->size, *cls = attribute(o, code, "class", &size);
    const char *equals = memchr(attrs, '=', (size_t)(end - attrs)), *quote = memchr(equals + 2, '"', (size_t)(end - equals - 2));
    if (quote + 1 != end) return 0; /* more than one attribute */
    return cls == NULL || (size >= 9 && memcmp(cls, "language-", 9) == 0 && memchr(cls, ' ', (size_t)size) == NULL);
}

enum { HARD_BLOCK, COLOURED_BLOCK, LINED_BLOCK, PROSE };

/* Whether a block holds text, coloured at most, or what has to be read line by line, or what is no code; *linked is set when a link
   is in it. Some are left to Python. */
static int kind_of(const Ordinary *o, Id block, int *linked) {
    Py_ssize_t size = 0;
    Id above = block;
    int kind = COLOURED_BLOCK;
    *linked = 0;
    for (int k = 0; k <= NEAR && above != NONE; k++, above = NODE(above)->parent)
        if (NODE(above)->marks & NEXTRA) return HARD_BLOCK;
    for (Id at = next_inside(&o->d, block, block); at != NONE; at = next_inside(&o->d, block, at)) {
        int32_t tag = NODE(at)->tag;
        int marks = NODE(at)->marks, traits = TRAITS(at);
        if (tag == TEXT) continue;
        if (traits & HEADING_TAG || tag == o->img || tag == o->picture || tag == o->iframe || tag == o->video || tag == o->blockquote || tag == o->dl)
            return PROSE;
        if (marks & NEXTRA) return HARD_BLOCK;
        if (tag == o->a && attribute(o, at, "href", &size) && size) *linked = 1;
        if (!(traits & COLOURED) || marks & (GUTTER | TOOL) || is_line(marks) || attribute(o, at, "data-line", &size)) kind = LINED_BLOCK;
    }
    return kind;
}

/* Whether a word ends in another, which stands alone or after a hyphen. */
static int ends_with(const char *s, Py_ssize_t size, const char *end) {
    Py_ssize_t n = (Py_ssize_t)strlen(end);
    return size >= n && strncasecmp(s + size - n, end, (size_t)n) == 0 && (size == n || s[size - n - 1] == '-' || s[size - n - 1] == '_');
}

/* Whether a class has a word of code._TITLES. */
static int has_title_name(const Ordinary *o, Id id) {
    Py_ssize_t size = 0;
    const char *s = attribute(o, id, "class", &size), *stop = s ? s + size : NULL;
    while (s < stop) {
        const char *word = s;
        while (s < stop && !is_plain_space((unsigned char)*s)) s++;
        size = s - word;
        if (ends_with(word, size, "title") || ends_with(word, size, "filename") || ends_with(word, size, "file-name")
            || (size >= 14 && strncasecmp(word, "codeblocktitle", 14) == 0) || (size == 12 && strncasecmp(word, "code-caption", 12) == 0))
            return 1;
        s += s < stop;
    }
    return 0;
}

/* Whether code._title() takes an element that says something for a title. */
static int is_title(const Ordinary *o, Id id) {
    if (NODE(id)->tag == o->figcaption) return 1;
    int seen = 0;
    for (Id at = id; at != NONE && seen < 3; at = next_inside(&o->d, id, at)) {
        if (NODE(at)->tag == TEXT) continue;
        seen++;
        if (has_title_name(o, at)) return 1;
    }
    static const char name[] = "data-rehype-pretty-code-";
    for (const char *s = NODE(id)->s, *stop = s + NODE(id)->size; s < stop;) {
        const char *equals = memchr(s, '=', (size_t)(stop - s)), *quote = memchr(equals + 2, '"', (size_t)(stop - equals - 2));
        if (equals - s > (Py_ssize_t)strlen(name) && memcmp(s + 1, name, strlen(name)) == 0) return 1;
        s = quote + 1;
    }
    return 0;
}

/* code._titles_around(): whether nothing but decoration and titles, which are noted, stand beside an element; -1 after an error. */
static int is_alone(Ordinary *o, Id id) {
    for (int before = 1; before >= 0; before--) {
        int steps = 0;
        for (Id other = id; (other = before ? NODE(other)->before : NODE(other)->after) != NONE;) {
            const DraftNode *n = NODE(other);
            if (++steps > BESIDE) return 0;
            if (n->tag == TEXT) {
                if (!n->is_blank) return 0;
                continue;
            }
            if (n->tag == o->input || n->tag == o->noscript || n->marks & GUTTER) continue;
            Py_ssize_t length = folded_length(o, other, LONG_TITLE);
            if (length == 0) {
                if (holds(o, other, o->img) || holds(o, other, o->pre) || holds(o, other, o->iframe) || holds(o, other, o->video)) return 0;
            } else if (length > LONG_LABEL || !(n->marks & TOOL)) {
                if (length > LONG_TITLE || !is_title(o, other)) return 0;
                TRY(add_id(&o->titles[!before], other));
            }
        }
    }
    return 1;
}

/* What an element says of the language: *known is set where it says something. The answer for the same attributes is kept. */
static int language_of(Ordinary *o, Id id, int is_trusted, Said **known) {
    const char *s = NODE(id)->s, *stop = s + NODE(id)->size;
    int fresh;
    *known = NULL;
    o->pad.size = 0;
    while (s < stop) {
        const char *equals = memchr(s, '=', (size_t)(stop - s)), *quote = memchr(equals + 2, '"', (size_t)(stop - equals - 2));
        Py_ssize_t size = equals - s - 1;
        if ((size == 5 && memcmp(s + 1, "class", 5) == 0) || (size == 4 && memcmp(s + 1, "lang", 4) == 0) || (size > 5 && memcmp(s + 1, "data-", 5) == 0))
            TRY(buffer_add(&o->pad, s, quote + 1 - s));
        s = quote + 1;
    }
    if (o->pad.size == 0) return 1;
    TRY(buffer_put(&o->pad, is_trusted ? '1' : '0'));
    if (o->languages.slots == NULL && table_init(&o->languages, 16) < 0) return -1;
    int32_t number = table_put(&o->languages, o->pad.data, o->pad.size, &fresh);
    if (number < 0) return -1;
    if (number >= o->said_room && list_grow((void **)&o->said, &o->said_room, sizeof(Said)) < 0) return -1;
    Said *said = &o->said[number];
    if (fresh) {
        *said = (Said){0};
        PyObject *attrs = attributes(o, id), *get = attrs ? PyObject_GetAttrString(attrs, "get") : NULL, *told = NULL;
        if (get) told = PyObject_CallFunctionObjArgs(o->language_said, get, is_trusted ? Py_True : Py_False, NULL);
        Py_XDECREF(attrs);
        Py_XDECREF(get);
        if (told == NULL) return -1;
        if (told != Py_None) {
            const char *name = PyUnicode_AsUTF8AndSize(told, &said->size);
            if (name) said->name = kept_bytes(o, name, said->size);
        }
        int failed = told != Py_None && said->name == NULL;
        Py_DECREF(told);
        if (failed) return -1;
    }
    if (said->name) *known = said;
    return 1;
}

/* language.language_of(): of a block in so many frames. */
static int find_language(Ordinary *o, Id block, int frames, Said **known) {
    Id at = next_inside(&o->d, block, block);
    while (at != NONE && NODE(at)->tag != o->code) at = next_inside(&o->d, block, at);
    if (at != NONE) STEP(language_of(o, at, 1, known));
    at = block;
    for (int k = 0; k <= frames && at > 0 && !*known; k++, at = NODE(at)->parent) STEP(language_of(o, at, 1, known));
    for (int k = 0; k < NEAR && at > 0 && !*known; k++, at = NODE(at)->parent) STEP(language_of(o, at, 0, known));
    return 1;
}

static int add_text(Ordinary *o, Id block) {
    for (Id at = block; at != NONE; at = next_inside(&o->d, block, at))
        if (NODE(at)->tag == TEXT) TRY(buffer_add(&o->text, NODE(at)->s, NODE(at)->size));
    return 0;
}

static int is_line_tag(const Ordinary *o, int32_t tag) { return tag == o->div || tag == o->p || tag == o->li || tag == o->tr; }

static int has_lines(const Ordinary *o, Id id) {
    for (Id child = NODE(id)->first; child != NONE; child = NODE(child)->after)
        if (is_line_tag(o, NODE(child)->tag)) return 1;
    return 0;
}

static char last_of(const Buffer *b) { return b->size ? b->data[b->size - 1] : 0; }

/* An element whose children are read. */
typedef struct {
    Id next;
    int is_line, has_lines;
    Py_ssize_t start;
} Level;

typedef struct {
    Level *list;
    Py_ssize_t count, room;
    int lines; /* how many of them are lines */
    int owed;  /* a line element has ended, its newline has not been seen yet */
} Levels;

static int enter(Ordinary *o, Levels *levels, Id id, Id first, int is_line) {
    if (levels->count >= levels->room && list_grow((void **)&levels->list, &levels->room, sizeof(Level)) < 0) return -1;
    levels->list[levels->count++] = (Level){first, is_line, has_lines(o, id), o->text.size};
    levels->lines += is_line;
    return 0;
}

static int add_line_break(Ordinary *o, Levels *levels) {
    levels->owed = 0;
    return buffer_put(&o->text, '\n');
}

static int add_data(Ordinary *o, Levels *levels, Id text) {
    const DraftNode *n = NODE(text);
    if (n->size == 0) return 0;
    if (levels->owed && *n->s != '\n') TRY(buffer_put(&o->text, '\n'));
    levels->owed = 0;
    return buffer_add(&o->text, n->s, n->size);
}

static int add_element(Ordinary *o, Levels *levels, Id id) {
    const DraftNode *n = NODE(id);
    Id only = n->first != NONE && NODE(n->first)->after == NONE ? n->first : NONE;
    Py_ssize_t size;
    if (n->tag == o->br) return add_line_break(o, levels);
    if (n->tag == o->input || n->tag == o->noscript || n->marks & (GUTTER | TOOL)) return 0;
    int is_block = is_line_tag(o, n->tag);
    int line = is_block || is_line(n->marks) || (n->tag == o->span && attribute(o, id, "data-line", &size));
    if (line && !is_block && n->first == NONE && levels->lines) return 0; /* a line holds no lines */
    if (line && (levels->owed || (is_block && last_of(&o->text) && last_of(&o->text) != '\n'))) TRY(add_line_break(o, levels));
    if (only == NONE || NODE(only)->tag != TEXT || line) {
        int is_kept_open = only != NONE && NODE(only)->tag == TEXT && NODE(only)->size == 1 && *NODE(only)->s == ' ';
        return enter(o, levels, id, is_kept_open ? NONE : n->first, line);
    }
    return add_data(o, levels, only);
}

/* highlighting.code_text() of what is not coloured only */
static int add_lines(Ordinary *o, Id block) {
    Levels levels = {0};
    int failed = enter(o, &levels, block, NODE(block)->first, 0);
    while (!failed && levels.count) {
        Level *level = &levels.list[levels.count - 1];
        Id id = level->next;
        if (id == NONE) {
            levels.count--;
            levels.lines -= level->is_line;
            if (level->is_line && (o->text.size == level->start || last_of(&o->text) != '\n')) levels.owed = 1;
            continue;
        }
        const DraftNode *n = NODE(id);
        level->next = n->after;
        if (n->tag != TEXT) failed = add_element(o, &levels, id);
        else if (!(level->has_lines && is_all_space(n->s, n->s + n->size, 1))) failed = add_data(o, &levels, id);
    }
    PyMem_Free(levels.list);
    return failed;
}

/* The text of a block without the blank lines at its end, as code of a language; 0 when it is blank, NONE after an error. */
static Id made_of(Ordinary *o, Id block, int is_lined, const Said *language) {
    o->text.size = o->pad.size = 0;
    if ((is_lined ? add_lines(o, block) : add_text(o, block)) < 0) return NONE;
    const char *s = o->text.size ? o->text.data : "", *stop = s + o->text.size, *bare = skip_space_back(s, stop);
    const char *newline = memchr(bare, '\n', (size_t)(stop - bare));
    if (newline) stop = newline;
    if (is_blank_text(s, stop)) return 0;
    if (language && language->size
        && (buffer_add(&o->pad, " class=\"language-", 17) < 0 || buffer_add(&o->pad, language->name, language->size) < 0 || buffer_put(&o->pad, '"') < 0))
        return NONE;
    const char *attrs = kept_bytes(o, o->pad.data, o->pad.size), *bytes = attrs ? kept_bytes(o, s, stop - s) : NULL;
    Id pre = bytes ? draft_new(&o->d, o->pre, "", 0) : NONE, code = pre == NONE ? NONE : draft_new(&o->d, o->code, attrs, o->pad.size);
    Id text = code == NONE ? NONE : draft_new(&o->d, TEXT, bytes, stop - s);
    if (text == NONE) return NONE;
    append_child(&o->d, pre, code);
    append_child(&o->d, code, text);
    return pre;
}

/* The paragraph that a title becomes; NONE after an error. */
static Id paragraph_of(Ordinary *o, Id title) {
    o->text.size = o->pad.size = 0;
    if (add_text(o, title) < 0 || add_squeezed(&o->pad, &o->pads.pad, o->text.data, o->text.data + o->text.size) < 0) return NONE;
    Id made = draft_new(&o->d, o->p, "", 0), said = made == NONE ? NONE : new_text(o, o->pad.data, o->pad.size);
    if (said == NONE) return NONE;
    append_child(&o->d, made, said);
    return made;
}

static int put_title(Ordinary *o, Id frame, Id title) {
    Id made = paragraph_of(o, title);
    if (made == NONE) return -1;
    insert_before(&o->d, frame, made);
    return 0;
}

/* code._rewrite() */
static int rewrite_block(Ordinary *o, Id block, int is_lined) {
    Id frame = block, current = block;
    int depth = 0, frames = 0, in_cell = 0;
    Py_ssize_t before = 0, after = 0;
    o->titles[0].count = o->titles[1].count = 0;
    while (depth < FRAMES) {
        Id parent = NODE(current)->parent;
        if (parent == 0 || !(TRAITS(parent) & FRAME)) break;
        int is_part = is_part_of_table(o, parent);
        in_cell = in_cell || (is_part && NODE(parent)->marks & CODE_CELL);
        if (is_part && !in_cell) break;
        int alone = is_alone(o, current);
        if (alone < 0) return -1;
        if (!alone) break;
        current = parent;
        depth++;
        if (is_part && NODE(parent)->tag != o->table) continue; /* it is left as a whole or not at all */
        frame = parent;
        frames = depth;
        before = o->titles[0].count;
        after = o->titles[1].count;
    }
    Id header = element_beside(o, frame, 1);
    if (header != NONE && NODE(header)->marks & HEADER && has_at_most(o, header, LONG_HEADER)) take_out(o, header);
    Said *language = NULL;
    STEP(find_language(o, block, frames, &language));
    if (is_lined && language && language->size == 4 && memcmp(language->name, "diff", 4) == 0) return 0; /* its signs may be classes */
    Id made = made_of(o, block, is_lined, language);
    if (made == NONE) return -1;
    while (before > 0) TRY(put_title(o, frame, o->titles[0].ids[--before]));
    if (made) insert_before(&o->d, frame, made);
    for (Py_ssize_t k = 0; k < after; k++) TRY(put_title(o, frame, o->titles[1].ids[k]));
    take_out(o, frame);
    return 1;
}

/* code._is_gutter(), of a block that has no such name itself: whether it holds only the line numbers of another; -1 after an error. */
static int is_gutter(Ordinary *o, Id block) {
    Id above = NODE(block)->parent, cell = NONE;
    for (int k = 0; k < NEAR && above != NONE; k++, above = NODE(above)->parent) {
        if (NODE(above)->marks & GUTTER) return 1;
        if (cell == NONE && NODE(above)->tag == o->td) cell = above;
    }
    if (cell == NONE || !(NODE(cell)->marks & LINED_CELL)) return 0;
    o->text.size = 0;
    TRY(add_text(o, block));
    if (o->text.size == 0 || is_blank_text(o->text.data, o->text.data + o->text.size)) return 0;
    o->text.size = 0;
    TRY(add_lines(o, block));
    return o->text.size == 0 || is_blank_text(o->text.data, o->text.data + o->text.size);
}

/* preformatted.is_set_text(), of a block with a link. */
static int is_set_text(Ordinary *o, Id block) {
    Py_ssize_t signs = 0, letters = 0;
    int step;
    for (Id at = next_inside(&o->d, block, block); at != NONE; at = next_inside(&o->d, block, at)) {
        if (NODE(at)->tag != TEXT) {
            if (!(TRAITS(at) & SET_TAG)) return 0;
            continue;
        }
        for (const char *s = NODE(at)->s, *stop = s + NODE(at)->size; s < stop; s += step) {
            if (*s == '&') {
                signs += s[2] == 't'; /* &lt; and &gt; */
                step = (int)((const char *)memchr(s, ';', (size_t)(stop - s)) + 1 - s);
                continue;
            }
            Py_UCS4 c = decode_one(s, &step);
            letters += Py_UNICODE_ISALPHA(c) != 0;
            signs += c == '{' || c == '}' || c == ';' || c == '=' || c == '|' || c == '$' || c == '\\';
        }
    }
    if (LETTERS_PER_SIGN * signs > letters) return 0;
    Said *language = NULL;
    TRY(find_language(o, block, NEAR, &language));
    return language == NULL || language->size == 0;
}

/* preformatted.keep_links() */
static int keep_links(Ordinary *o, Id block) {
    Py_ssize_t size;
    for (Id at = next_inside(&o->d, block, block), next; at != NONE; at = next) {
        next = next_inside(&o->d, block, at);
        int32_t tag = NODE(at)->tag;
        if (tag == TEXT || (tag == o->a && attribute(o, at, "href", &size) && size)) continue;
        if (tag == o->br) {
            Id made = new_text(o, "\n", 1);
            if (made == NONE) return -1;
            insert_before(&o->d, at, made);
            take_out(o, at);
        } else {
            take_off(o, at);
        }
    }
    return 1;
}

int rewrite_code(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->blocks.count; k++) {
        Id block = o->blocks.ids[k];
        if (NODE(block)->tag == TEXT) continue;
        if (NODE(block)->marks & GUTTER) return 0;
        int goes = is_gutter(o, block);
        if (goes < 0) return -1;
        if (goes) take_out(o, block);
    }
    for (Py_ssize_t k = 0; k < o->blocks.count; k++) {
        Id block = o->blocks.ids[k];
        int linked, is_set = 0;
        if (NODE(block)->tag == TEXT || is_canonical(o, block)) continue;
        int kind = kind_of(o, block, &linked);
        if (kind == HARD_BLOCK) return 0;
        if (kind == PROSE) {
            NODE(block)->tag = o->div;
            continue;
        }
        if (linked) is_set = is_set_text(o, block);
        if (is_set < 0) return -1;
        STEP(is_set ? keep_links(o, block) : rewrite_block(o, block, kind == LINED_BLOCK));
    }
    return 1;
}

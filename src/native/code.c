/* elements.code: blocks of text, in colours or in lines, and the frames around them. Which language they are in is asked of Python; a
   draft with blocks of another kind is not ordinary. Each function says 1, 0 when the draft is not ordinary, or -1 after an
   error, if nothing else is said. */

#include "ordinary.h"

#define FRAMES 9       /* elements around a block that may be its frame */
#define BESIDE 12      /* nodes on either side of it */
#define LONG_LABEL 60  /* characters */
#define LONG_TITLE 300
#define NEAR 3

static int is_part_of_table(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    return tag == o->td || tag == o->tr || tag == o->tbody || tag == o->table;
}

/* Whether an element is a part of a table that may be one of code, with its line numbers in a cell of their own. */
static int may_hold_lines(const Ordinary *o, Id id) {
    Py_ssize_t size;
    return is_part_of_table(o, id) && attribute(o, id, "class", &size) != NULL;
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

enum { HARD_BLOCK, COLOURED_BLOCK, LINED_BLOCK };

/* Whether a block holds text, coloured at most, or what has to be read line by line, or what is left to Python. */
static int kind_of(const Ordinary *o, Id block) {
    Py_ssize_t size = 0;
    Id above = NODE(block)->parent;
    int kind = COLOURED_BLOCK;
    if (NODE(block)->marks & (GUTTER | NEXTRA)) return HARD_BLOCK;
    for (int k = 0; k < NEAR && above != NONE; k++, above = NODE(above)->parent)
        if (NODE(above)->marks & (GUTTER | NEXTRA) || may_hold_lines(o, above)) return HARD_BLOCK;
    for (Id at = next_inside(&o->d, block, block); at != NONE; at = next_inside(&o->d, block, at)) {
        int32_t tag = NODE(at)->tag;
        int marks = NODE(at)->marks, traits = TRAITS(at);
        if (tag == TEXT) continue;
        if (marks & NEXTRA || traits & HEADING_TAG || tag == o->img || tag == o->picture || tag == o->iframe || tag == o->video
            || tag == o->blockquote || tag == o->dl || (tag == o->a && attribute(o, at, "href", &size) && size))
            return HARD_BLOCK;
        if (!(traits & COLOURED) || marks & (GUTTER | TOOL) || is_line(marks) || attribute(o, at, "data-line", &size)) kind = LINED_BLOCK;
    }
    return kind;
}

/* Whether an element, or one of the first two in it, has a name that titles of code have. */
static int may_be_title(const Ordinary *o, Id id) {
    static const char *const parts[] = {"title", "file", "caption"};
    if (NODE(id)->tag == o->figcaption) return 1;
    Id at = id;
    for (int seen = 0; at != NONE && seen < 3; at = next_inside(&o->d, id, at)) {
        if (NODE(at)->tag == TEXT) continue;
        seen++;
        Py_ssize_t size = 0;
        const char *cls = attribute(o, at, "class", &size);
        for (size_t k = 0; cls && k < sizeof parts / sizeof *parts; k++) {
            Py_ssize_t length = (Py_ssize_t)strlen(parts[k]);
            for (Py_ssize_t i = 0; i + length <= size; i++) if (strncasecmp(cls + i, parts[k], (size_t)length) == 0) return 1;
        }
    }
    const char *s = NODE(id)->s, *stop = s + NODE(id)->size;
    for (; s < stop && (s = memchr(s, 'd', (size_t)(stop - s))) != NULL; s++)
        if (stop - s > 11 && memcmp(s, "data-rehype", 11) == 0) return 1;
    return 0;
}

/* code._titles_around(): sets *alone when nothing but decoration stands beside an element. */
static int look_beside(const Ordinary *o, Id id, int *alone) {
    *alone = 0;
    for (int before = 1; before >= 0; before--) {
        int steps = 0;
        for (Id other = id; (other = before ? NODE(other)->before : NODE(other)->after) != NONE;) {
            const DraftNode *n = NODE(other);
            if (++steps > BESIDE) return 1;
            if (n->tag == TEXT) {
                if (!n->is_blank) return 1;
                continue;
            }
            if (n->tag == o->input || n->tag == o->noscript) return 0;
            if (n->marks & GUTTER) continue;
            Py_ssize_t length = folded_length(o, other, LONG_TITLE);
            if (length == 0) {
                if (holds(o, other, o->img) || holds(o, other, o->pre) || holds(o, other, o->iframe) || holds(o, other, o->video)) return 1;
            } else if (length > LONG_LABEL || !(n->marks & TOOL)) {
                return !(length <= LONG_TITLE && may_be_title(o, other));
            }
        }
    }
    *alone = 1;
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
    for (int k = 0; k <= frames && !*known; k++, at = NODE(at)->parent) STEP(language_of(o, at, 1, known));
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

/* code._rewrite() */
static int rewrite_block(Ordinary *o, Id block) {
    Id frame = block;
    int frames = 0, alone, is_lined = kind_of(o, block) == LINED_BLOCK;
    for (; frames < FRAMES; frames++) {
        Id parent = NODE(frame)->parent;
        if (parent == 0 || !(TRAITS(parent) & FRAME)) break;
        if (may_hold_lines(o, parent)) return 0;
        if (is_part_of_table(o, parent)) break;
        STEP(look_beside(o, frame, &alone));
        if (!alone) break;
        frame = parent;
    }
    Id header = element_beside(o, frame, 1);
    if (header != NONE && NODE(header)->marks & HEADER) return 0;
    Said *language = NULL;
    STEP(find_language(o, block, frames, &language));
    if (is_lined && language && language->size == 4 && memcmp(language->name, "diff", 4) == 0) return 0; /* its signs may be classes */
    Id made = made_of(o, block, is_lined, language);
    if (made == NONE) return -1;
    if (made) insert_before(&o->d, frame, made);
    take_out(o, frame);
    return 1;
}

int rewrite_code(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->blocks.count; k++)
        if (NODE(o->blocks.ids[k])->tag != TEXT && kind_of(o, o->blocks.ids[k]) == HARD_BLOCK) return 0;
    for (Py_ssize_t k = 0; k < o->blocks.count; k++) {
        Id block = o->blocks.ids[k];
        if (NODE(block)->tag == TEXT || is_canonical(o, block)) continue;
        STEP(rewrite_block(o, block));
    }
    return 1;
}

/* Tree construction: the standard's insertion modes, foreign content and the adoption agency. */

#include "html.h"

#define DEEPEST 512 /* open elements, beyond which what is inside is put beside, and which scopes are not searched beyond */
/* The budget for what the standard repeats: bytes, and so many for an element. Pages that people wrote need less than 20,000. */
#define ELEMENT_COST 32
#define SPARE 1000000

enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION, IN_COLUMN_GROUP,
    IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, AFTER_AFTER_BODY,
    IN_FRAMESET, AFTER_FRAMESET, AFTER_AFTER_FRAMESET
};

const uint16_t TAG_BITS[T_KNOWN] = {
    0,
#define X(id, name, bits) bits,
    TAGS(X)
#undef X
};

/* ---- nodes ---- */

int32_t new_dom(Parser *p, int kind, int32_t tag, int32_t at, int32_t size) {
    if (p->count >= p->room && list_grow((void **)&p->nodes, &p->room, sizeof(Dom)) < 0) { p->failed = 1; return 0; }
    p->nodes[p->count] = (Dom){.kind = (uint8_t)kind, .tag = tag, .at = at, .size = size};
    return p->count++;
}

static void take_out(Parser *p, int32_t i) {
    Dom *n = &p->nodes[i];
    if (!n->parent) return; /* it is nowhere: nothing is moved out of the document itself */
    Dom *above = &p->nodes[n->parent];
    if (n->prev) p->nodes[n->prev].next = n->next;
    else above->first = n->next;
    if (n->next) p->nodes[n->next].prev = n->prev;
    else above->last = n->prev;
    n->parent = n->prev = n->next = 0;
}

void put_in(Parser *p, int32_t above, int32_t before, int32_t i) {
    if (p->failed) return;
    Dom *n = &p->nodes[i], *a = &p->nodes[above];
    n->parent = above;
    n->next = before;
    n->prev = before ? p->nodes[before].prev : a->last;
    if (n->prev) p->nodes[n->prev].next = i;
    else a->first = i;
    if (before) p->nodes[before].prev = i;
    else a->last = i;
}

/* ---- the stack of open elements ---- */

/* How far down the stack is searched. */
static inline int32_t floor_of(const Parser *p) { return p->open.count > DEEPEST ? p->open.count - DEEPEST : 0; }
static inline int32_t node_at(const Parser *p, int32_t place) { return p->open.list[place]; }
static inline Dom *dom_at(const Parser *p, int32_t place) { return &p->nodes[p->open.list[place]]; }
static inline int is_html_tag(const Dom *n, int32_t tag) { return n->tag == tag && n->space == IN_HTML; }
static inline int current_has(const Parser *p, int bits) { return p->open.count && has_bits(dom_at(p, p->open.count - 1), bits); }
static inline int current_is(const Parser *p, int32_t tag) { return p->open.count && is_html_tag(dom_at(p, p->open.count - 1), tag); }

/* Puts a number into a list; -1 without memory. */
static int put_number(Parser *p, Numbers *to, int32_t place, int32_t number) {
    if (to->count >= to->room && list_grow((void **)&to->list, &to->room, sizeof(int32_t)) < 0) { p->failed = 1; return -1; }
    memmove(to->list + place + 1, to->list + place, sizeof(int32_t) * (size_t)(to->count++ - place));
    to->list[place] = number;
    return 0;
}

static void take_number(Numbers *from, int32_t place) {
    memmove(from->list + place, from->list + place + 1, sizeof(int32_t) * (size_t)(--from->count - place));
}

/* The last place of a number in a list, from one place on; -1 if it is not there. */
static int32_t find_number(const Numbers *in, int32_t number, int32_t from) {
    int32_t k = in->count - 1;
    while (k >= from && in->list[k] != number) k--;
    return k >= from ? k : -1;
}

static void push(Parser *p, int32_t i) { put_number(p, &p->open, p->open.count, i); }
static inline void pop(Parser *p) { p->open.count--; }
/* An element's place in the stack, -1 if it is not there. */
static int32_t place_of(const Parser *p, int32_t i) { return find_number(&p->open, i, floor_of(p)); }
static int32_t listed_place(const Parser *p, int32_t i) { return find_number(&p->formatting, i, 0); }

/* Takes an element off the stack, wherever it is. */
static void take_off(Parser *p, int32_t i) {
    int32_t place = place_of(p, i);
    if (place >= 0) take_number(&p->open, place);
}

/* Whether an element has a bit in HTML, or the one that means the same in drawings and formulas. */
static int is_marked(const Dom *n, int in_html) { return bits_of(n->tag) & (n->space == IN_HTML ? in_html : n->space == IN_SVG ? SVG_SCOPE : MATH_SCOPE); }

static int is_special(const Dom *n) { return is_marked(n, SPECIAL); }

enum { PLAIN_SCOPE, LIST_SCOPE, BUTTON_SCOPE, TABLE_SCOPE };

static int ends_search(const Dom *n, int kind) {
    if (kind == TABLE_SCOPE) return n->space == IN_HTML && (n->tag == T_HTML || n->tag == T_TABLE || n->tag == T_TEMPLATE);
    if (is_marked(n, SCOPE)) return 1;
    if (n->space != IN_HTML) return 0;
    return kind == LIST_SCOPE ? n->tag == T_OL || n->tag == T_UL : kind == BUTTON_SCOPE && n->tag == T_BUTTON;
}

/* The place of the nearest element of a tag in scope, -1 without one. */
static int32_t in_scope(const Parser *p, int32_t tag, int kind) {
    for (int32_t k = p->open.count - 1, last = floor_of(p); k >= last; k--) {
        if (is_html_tag(dom_at(p, k), tag)) return k;
        if (ends_search(dom_at(p, k), kind)) return -1;
    }
    return -1;
}

/* Whether the element at a place of the stack is in scope. */
static int is_in_scope(const Parser *p, int32_t place) {
    for (int32_t k = p->open.count - 1; k > place; k--)
        if (ends_search(dom_at(p, k), PLAIN_SCOPE)) return 0;
    return 1;
}

static int is_in_context(const Parser *p, int32_t tag) { return p->context && is_html_tag(&p->nodes[p->context], tag); }

static int has_template(const Parser *p) { return p->templates.count > is_in_context(p, T_TEMPLATE); }

static void imply_ends_of(Parser *p, int bits, int32_t except) {
    for (const Dom *n; n = dom_at(p, p->open.count - 1), has_bits(n, bits) && n->tag != except;) pop(p);
}

static void imply_ends(Parser *p, int32_t except) { imply_ends_of(p, IMPLIED, except); }

static void pop_until(Parser *p, int32_t tag) {
    while (p->open.count > 1 && !current_is(p, tag)) pop(p);
    if (p->open.count > 1) pop(p);
}

static int is_named(const Dom *n, const int32_t *tags) {
    for (; *tags; tags++)
        if (is_html_tag(n, *tags)) return 1;
    return 0;
}

/* Clears the stack back to one of some tags. */
static void clear_back_to(Parser *p, const int32_t *tags) {
    while (p->open.count > 1 && !is_named(dom_at(p, p->open.count - 1), tags)) pop(p);
}

static const int32_t TABLE_CONTEXT[] = {T_TABLE, T_TEMPLATE, T_HTML, 0};
static const int32_t BODY_CONTEXT[] = {T_TBODY, T_TFOOT, T_THEAD, T_TEMPLATE, T_HTML, 0};
static const int32_t ROW_CONTEXT[] = {T_TR, T_TEMPLATE, T_HTML, 0};

/* ---- inserting ---- */

typedef struct {
    int32_t above, before;
} Place;

static Place place_for(const Parser *p, int32_t target) {
    const Dom *n = &p->nodes[target];
    if (!p->is_fostering || n->space != IN_HTML || !(bits_of(n->tag) & FOSTERS))
        return (Place){p->open.count > DEEPEST && n->parent ? n->parent : target, 0};
    int32_t table = -1, template = -1, last = floor_of(p);
    for (int32_t k = p->open.count - 1; k >= last && (table < 0 || template < 0); k--) {
        if (table < 0 && is_html_tag(dom_at(p, k), T_TABLE)) table = k;
        if (template < 0 && is_html_tag(dom_at(p, k), T_TEMPLATE)) template = k;
    }
    if (template >= 0 && template > table) return (Place){node_at(p, template), 0};
    if (table < 0) return (Place){node_at(p, 0), 0};
    int32_t i = node_at(p, table);
    if (p->nodes[i].parent) return (Place){p->nodes[i].parent, i};
    return (Place){node_at(p, table - 1), 0};
}

static void insert_at(Parser *p, Place place, int32_t i) { put_in(p, place.above, place.before, i); }

static int32_t insert_element(Parser *p, int32_t tag, int32_t at, int32_t size, int space) {
    int32_t i = new_dom(p, ELEMENT, tag, at, size);
    if (p->failed) return 0;
    p->nodes[i].space = (uint8_t)space;
    insert_at(p, place_for(p, current(p)), i);
    push(p, i);
    return i;
}

static int32_t insert_html(Parser *p, const Token *t) { return insert_element(p, t->tag, t->at, t->size, IN_HTML); }
static int32_t insert_bare(Parser *p, int32_t tag) { return insert_element(p, tag, 0, 0, IN_HTML); }

static void insert_empty(Parser *p, const Token *t) {
    insert_html(p, t);
    pop(p);
}

static void insert_text(Parser *p, int kind, int32_t at, int32_t size) {
    if (!size) return;
    Place place = place_for(p, current(p));
    if (place.above == 0) return;
    int32_t i = new_dom(p, kind, 0, at, size);
    if (p->failed) return;
    insert_at(p, place, i);
    p->nodes[i].continues = (uint8_t)is_text_node(&p->nodes[p->nodes[i].prev]);
}

static void insert_characters(Parser *p, const Token *t) { insert_text(p, t->is_own ? OWN_TEXT : TEXT, t->at, t->size); }

static void insert_comment(Parser *p, const Token *t, int32_t above) {
    int32_t i = new_dom(p, t->is_own ? INSTRUCTION : COMMENT, 0, t->at, t->size);
    if (p->failed) return;
    if (above < 0) insert_at(p, place_for(p, current(p)), i);
    else put_in(p, above, 0, i);
}

static const char *characters_of(const Parser *p, const Token *t) { return (t->is_own ? p->own.data : p->html) + t->at; }

/* An element whose content is no markup, up to its end tag. */
static void insert_raw(Parser *p, const Token *t) {
    Token content;
    int has_references = t->tag == T_TITLE || t->tag == T_TEXTAREA;
    insert_html(p, t);
    if (p->failed) return;
    read_raw(p, &content, t->tag, has_references ? RCDATA : t->tag == T_SCRIPT ? SCRIPT_DATA : RAW_CONTENT);
    if (p->failed) return;
    if (t->tag == T_TEXTAREA && content.size && *characters_of(p, &content) == '\n') { content.at++; content.size--; }
    insert_text(p, !has_references ? RAW_TEXT : content.is_own ? OWN_TEXT : TEXT, content.at, content.size);
    pop(p);
}

static int32_t leading_space(const Parser *p, const Token *t) {
    const char *s = characters_of(p, t);
    int32_t n = 0;
    while (n < t->size && is_html_space(s[n])) n++;
    return n;
}

/* Nulls are left out in HTML; elsewhere each is U+FFFD. */
static void drop_nulls(Parser *p, Token *t) {
    char *from = p->own.data + t->at, *to = from;
    for (const char *stop = from + t->size; from < stop; from++)
        if (*from) *to++ = *from;
    t->size = (int32_t)(to - p->own.data) - t->at;
    t->has_null = 0;
}

static void replace_nulls(Parser *p, Token *t) {
    Py_ssize_t began = p->own.size;
    if (buffer_reserve(&p->own, 3 * (Py_ssize_t)t->size) < 0) { p->failed = 1; return; }
    for (const char *s = p->own.data + t->at, *stop = s + t->size; s < stop; s++) buffer_add(&p->own, *s ? s : "\xEF\xBF\xBD", *s ? 1 : 3);
    t->at = (int32_t)began;
    t->size = (int32_t)(p->own.size - began);
}

/* Takes from the budget; 0 where nothing is left of it. */
static int can_spend(Parser *p, int64_t cost, int limit) {
    if (p->spare <= 0) { p->limits |= limit; return 0; }
    p->spare -= cost;
    return 1;
}

/* Attributes of a second <html> or <body> that the first lacks. */
static void merge_attributes(Parser *p, int32_t i, const Token *t) {
    const Dom *n = &p->nodes[i];
    if (!t->size || !can_spend(p, n->size, TOO_MANY_ROOTS)) return;
    Py_ssize_t began = p->own.size;
    Attribute a;
    if (buffer_reserve(&p->own, n->size + t->size) < 0) { p->failed = 1; return; }
    char *own = p->own.data;
    buffer_add(&p->own, own + n->at, n->size);
    for (const char *s = own + t->at, *stop = s + t->size, *name = s; s < stop && can_spend(p, n->size / 8, TOO_MANY_ROOTS); name = s) {
        s = next_attribute(name, stop, &a);
        /* With the space before its name and the quote behind it. */
        if (memmem(own + began, (size_t)(p->own.size - began), name, (size_t)(a.value - name)) == NULL) buffer_add(&p->own, name, s - name);
    }
    p->nodes[i].at = (int32_t)began;
    p->nodes[i].size = (int32_t)(p->own.size - began);
}

/* ---- active formatting elements ---- */

static int are_alike(Parser *p, const Dom *a, const Dom *b) {
    if (a->tag != b->tag || a->space != b->space || a->size != b->size) return 0;
    const char *x = p->own.data + a->at, *y = p->own.data + b->at;
    if (a->at == b->at || memcmp(x, y, (size_t)a->size) == 0) return 1;
    for (const char *stop = x + a->size, *end; x < stop; x = end) {
        Attribute a;
        end = next_attribute(x, stop, &a);
        if (!can_spend(p, b->size / 8, TOO_MUCH_FORMATTING) || memmem(y, (size_t)b->size, x, (size_t)(end - x)) == NULL) return 0;
    }
    return 1;
}

static void push_marker(Parser *p) { put_number(p, &p->formatting, p->formatting.count, 0); }

static void push_formatting(Parser *p, int32_t i) {
    if (p->failed) return;
    int alike = 0;
    int32_t earliest = -1, k = p->formatting.count - 1;
    for (; k >= 0 && p->formatting.list[k]; k--)
        if (are_alike(p, &p->nodes[p->formatting.list[k]], &p->nodes[i])) { alike++; earliest = k; }
    if (alike >= 3) take_number(&p->formatting, earliest);
    if (p->formatting.count - k <= DEEPEST) put_number(p, &p->formatting, p->formatting.count, i);
    else p->limits |= TOO_MUCH_FORMATTING;
}

static void clear_to_marker(Parser *p) {
    while (p->formatting.count && p->formatting.list[--p->formatting.count]) {}
}

static int32_t copy_of(Parser *p, int32_t i) {
    p->spare -= ELEMENT_COST + p->nodes[i].size;
    int32_t made = new_dom(p, ELEMENT, p->nodes[i].tag, p->nodes[i].at, p->nodes[i].size);
    if (!p->failed) p->nodes[made].space = p->nodes[i].space;
    return made;
}

static void reconstruct(Parser *p) {
    if (!p->formatting.count) return;
    int32_t k = p->formatting.count - 1;
    if (!p->formatting.list[k] || place_of(p, p->formatting.list[k]) >= 0) return;
    while (k > 0 && p->formatting.list[k - 1] && place_of(p, p->formatting.list[k - 1]) < 0) k--;
    for (; k < p->formatting.count && can_spend(p, 0, TOO_MUCH_FORMATTING); k++) {
        int32_t i = copy_of(p, p->formatting.list[k]);
        if (p->failed) return;
        insert_at(p, place_for(p, current(p)), i);
        push(p, i);
        p->formatting.list[k] = i;
    }
}

static void any_other_end(Parser *p, int32_t tag) {
    for (int32_t k = p->open.count - 1, last = floor_of(p); k >= last; k--) {
        if (is_html_tag(dom_at(p, k), tag)) {
            imply_ends(p, tag);
            p->open.count = k < p->open.count ? k : p->open.count;
            return;
        }
        if (is_special(dom_at(p, k))) return;
    }
}

static int32_t listed_tag(const Parser *p, int32_t tag) {
    for (int32_t k = p->formatting.count - 1; k >= 0 && p->formatting.list[k]; k--)
        if (is_html_tag(&p->nodes[p->formatting.list[k]], tag)) return k;
    return -1;
}

/* One turn of the adoption agency's outer loop; 0 when it is done. */
static int adopt(Parser *p, int32_t tag) {
    int32_t listed = listed_tag(p, tag);
    if (listed < 0 || !can_spend(p, 0, TOO_MUCH_FORMATTING)) { any_other_end(p, tag); return 0; }
    int32_t formatting = p->formatting.list[listed], place = place_of(p, formatting);
    if (place < 0) { take_number(&p->formatting, listed); return 0; }
    if (!is_in_scope(p, place)) return 0;
    int32_t furthest = place + 1;
    while (furthest < p->open.count && !is_special(dom_at(p, furthest))) furthest++;
    if (furthest >= p->open.count) {
        p->open.count = place;
        take_number(&p->formatting, listed);
        return 0;
    }
    int32_t block = node_at(p, furthest), ancestor = node_at(p, place - 1), bookmark = listed, last = block, k = furthest;
    for (int turn = 1;; turn++) {
        int32_t i = node_at(p, --k);
        if (i == formatting) break;
        int32_t at = listed_place(p, i);
        if (turn > 3 && at >= 0) {
            take_number(&p->formatting, at);
            if (at < bookmark) bookmark--;
            at = -1;
        }
        if (at < 0) { take_number(&p->open, k); continue; }
        int32_t made = copy_of(p, i);
        if (p->failed) return 0;
        p->formatting.list[at] = made;
        p->open.list[k] = made;
        if (last == block) bookmark = at + 1;
        take_out(p, last);
        put_in(p, made, 0, last);
        last = made;
    }
    take_out(p, last);
    insert_at(p, place_for(p, ancestor), last);
    int32_t made = copy_of(p, formatting);
    if (p->failed) return 0;
    for (int32_t child = p->nodes[block].first; child; child = p->nodes[child].next) p->nodes[child].parent = made;
    p->nodes[made].first = p->nodes[block].first;
    p->nodes[made].last = p->nodes[block].last;
    p->nodes[block].first = p->nodes[block].last = 0;
    put_in(p, block, 0, made);
    listed = listed_place(p, formatting);
    take_number(&p->formatting, listed);
    if (listed < bookmark) bookmark--;
    take_off(p, formatting);
    return put_number(p, &p->formatting, bookmark, made) == 0 && put_number(p, &p->open, place_of(p, block) + 1, made) == 0;
}

static void run_adoption_agency(Parser *p, int32_t tag) {
    if (current_is(p, tag) && listed_place(p, current(p)) < 0) { pop(p); return; }
    for (int turn = 0; turn < 8 && adopt(p, tag) && !p->failed; turn++) {}
}

/* ---- insertion modes ---- */

/* Closes the nearest element of a tag that is in scope, with what is inside it; 0 without one. */
static int close_in_scope(Parser *p, int32_t tag, int scope, int32_t except) {
    if (in_scope(p, tag, scope) < 0) return 0;
    imply_ends(p, except);
    pop_until(p, tag);
    return 1;
}

static void close_p(Parser *p) { close_in_scope(p, T_P, BUTTON_SCOPE, T_P); }

static int mode_of(const Parser *p, const Dom *n, int is_last) {
    if (n->space != IN_HTML) return INITIAL;
    switch (n->tag) {
    case T_TD: case T_TH: return is_last ? INITIAL : IN_CELL;
    case T_TR: return IN_ROW;
    case T_TBODY: case T_THEAD: case T_TFOOT: return IN_TABLE_BODY;
    case T_CAPTION: return IN_CAPTION;
    case T_COLGROUP: return IN_COLUMN_GROUP;
    case T_TABLE: return IN_TABLE;
    case T_TEMPLATE: return p->templates.list[p->templates.count - 1];
    case T_HEAD: return is_last ? INITIAL : IN_HEAD;
    case T_BODY: return IN_BODY;
    case T_FRAMESET: return IN_FRAMESET;
    case T_HTML: return p->head ? AFTER_HEAD : BEFORE_HEAD;
    }
    return INITIAL;
}

static void reset_mode(Parser *p) {
    p->mode = INITIAL;
    for (int32_t k = p->open.count - 1; k >= 0 && p->mode == INITIAL; k--)
        p->mode = mode_of(p, k || !p->context ? dom_at(p, k) : &p->nodes[p->context], !k);
    if (p->mode == INITIAL) p->mode = IN_BODY;
}

static void push_template(Parser *p) { put_number(p, &p->templates, p->templates.count, IN_TEMPLATE); }

static void start_template(Parser *p, const Token *t) {
    insert_html(p, t);
    push_marker(p);
    p->mode = IN_TEMPLATE;
    push_template(p);
}

static void leave_template(Parser *p) {
    pop_until(p, T_TEMPLATE);
    clear_to_marker(p);
    p->templates.count--;
    reset_mode(p);
}

static void end_template(Parser *p) {
    if (!has_template(p)) return;
    imply_ends_of(p, IMPLIED | THOROUGH, 0);
    leave_template(p);
}

/* Elements that belong into the head, wherever they stand; 0 for others. */
static int start_in_head(Parser *p, const Token *t) {
    switch (t->tag) {
    case T_BASE: case T_BASEFONT: case T_BGSOUND: case T_LINK: case T_META: insert_empty(p, t); return 1;
    case T_TITLE: case T_NOFRAMES: case T_STYLE: case T_SCRIPT: insert_raw(p, t); return 1;
    case T_TEMPLATE: start_template(p, t); return 1;
    }
    return 0;
}

static void close_list_item(Parser *p, int32_t one, int32_t other) {
    for (int32_t k = p->open.count - 1, last = floor_of(p); k >= last; k--) {
        const Dom *n = dom_at(p, k);
        if (is_html_tag(n, one) || is_html_tag(n, other)) {
            int32_t tag = n->tag;
            imply_ends(p, tag);
            pop_until(p, tag);
            break;
        }
        if (is_special(n) && !is_html_tag(n, T_ADDRESS) && !is_html_tag(n, T_DIV) && !is_html_tag(n, T_P)) break;
    }
    close_p(p);
}

static int says_html(const Parser *p, const Token *t) {
    const char *s = p->own.data + t->at, *name = t->size ? memmem(s, (size_t)t->size, " encoding=\"", 11) : NULL;
    if (name == NULL) return 0;
    const char *value = name + 11, *end = memchr(value, '"', (size_t)(s + t->size - value));
    return (end - value == 9 && strncasecmp(value, "text/html", 9) == 0)
        || (end - value == 21 && strncasecmp(value, "application/xhtml+xml", 21) == 0);
}

static void start_foreign(Parser *p, const Token *t, int space) {
    adjust_attributes(p, t->at, t->size, space);
    int32_t i = insert_element(p, t->tag, t->at, t->size, space);
    if (t->tag == T_ANNOTATION_XML && space == IN_MATH && !p->failed) p->nodes[i].is_html_inside = (uint8_t)says_html(p, t);
    if (t->is_self_closing) pop(p);
}

/* Whether a <frameset> can no longer take the place of a body that has this element. */
static int ends_frames(const Token *t) {
    switch (t->tag) {
    case T_APPLET: case T_AREA: case T_BR: case T_BUTTON: case T_DD: case T_DT: case T_EMBED: case T_HR: case T_IFRAME: case T_IMAGE:
    case T_IMG: case T_KEYGEN: case T_LI: case T_LISTING: case T_MARQUEE: case T_OBJECT: case T_PRE: case T_SELECT: case T_TABLE:
    case T_TEXTAREA: case T_WBR: case T_XMP: return 1;
    }
    return t->tag == T_INPUT && !t->is_hidden;
}

static void start_in_body(Parser *p, Token *t) {
    int bits = bits_of(t->tag);
    if (p->is_framed && ends_frames(t)) p->is_framed = 0;
    switch (t->tag) {
    case T_HTML:
        if (!has_template(p)) merge_attributes(p, p->open.list[0], t);
        return;
    case T_BODY:
        if (p->open.count < 2 || !is_html_tag(dom_at(p, 1), T_BODY) || has_template(p)) return;
        p->is_framed = 0;
        merge_attributes(p, p->open.list[1], t);
        return;
    case T_FRAMESET:
        if (p->open.count < 2 || !is_html_tag(dom_at(p, 1), T_BODY) || !p->is_framed) return;
        take_out(p, node_at(p, 1));
        p->open.count = 1;
        insert_html(p, t);
        p->mode = IN_FRAMESET;
        return;
    case T_PLAINTEXT:
        close_p(p);
        insert_html(p, t);
        p->is_plain = 1;
        return;
    case T_PRE: case T_LISTING:
        close_p(p);
        insert_html(p, t);
        p->skip_line = 1;
        return;
    case T_FORM: {
        int templated = has_template(p);
        if (p->form && !templated) return;
        close_p(p);
        int32_t form = insert_html(p, t);
        if (!templated) p->form = form;
        return;
    }
    case T_LI:
        close_list_item(p, T_LI, T_LI);
        insert_html(p, t);
        return;
    case T_DD: case T_DT:
        close_list_item(p, T_DD, T_DT);
        insert_html(p, t);
        return;
    case T_BUTTON:
        close_in_scope(p, T_BUTTON, PLAIN_SCOPE, 0);
        break;
    case T_A: {
        int32_t listed = listed_tag(p, T_A);
        if (listed < 0) break;
        int32_t i = p->formatting.list[listed];
        run_adoption_agency(p, T_A);
        if ((listed = listed_place(p, i)) >= 0) take_number(&p->formatting, listed);
        take_off(p, i);
        break;
    }
    case T_NOBR:
        reconstruct(p);
        if (in_scope(p, T_NOBR, PLAIN_SCOPE) >= 0) run_adoption_agency(p, T_NOBR);
        break;
    case T_APPLET: case T_MARQUEE: case T_OBJECT:
        reconstruct(p);
        insert_html(p, t);
        push_marker(p);
        return;
    case T_TABLE:
        if (!p->is_quirky) close_p(p);
        insert_html(p, t);
        p->mode = IN_TABLE;
        return;
    case T_IMAGE: t->tag = T_IMG; /* fall through */
    case T_AREA: case T_BR: case T_EMBED: case T_IMG: case T_KEYGEN: case T_WBR:
        reconstruct(p);
        insert_empty(p, t);
        return;
    case T_PARAM: case T_SOURCE: case T_TRACK: insert_empty(p, t); return;
    case T_INPUT:
        if (is_in_context(p, T_SELECT)) return;
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) pop_until(p, T_SELECT);
        reconstruct(p);
        insert_empty(p, t);
        return;
    case T_HR:
        close_p(p);
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) imply_ends(p, 0);
        insert_empty(p, t);
        return;
    case T_TEXTAREA: case T_IFRAME: case T_NOEMBED: insert_raw(p, t); return;
    case T_XMP:
        close_p(p);
        reconstruct(p);
        insert_raw(p, t);
        return;
    case T_SELECT:
        if (is_in_context(p, T_SELECT)) return;
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) { pop_until(p, T_SELECT); return; }
        break;
    case T_OPTION: case T_OPTGROUP:
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) imply_ends(p, t->tag == T_OPTION ? T_OPTGROUP : 0);
        else if (current_is(p, T_OPTION)) pop(p);
        break;
    case T_RB: case T_RTC: case T_RP: case T_RT:
        if (in_scope(p, T_RUBY, PLAIN_SCOPE) >= 0) imply_ends(p, t->tag == T_RP || t->tag == T_RT ? T_RTC : 0);
        insert_html(p, t);
        return;
    case T_MATH: case T_SVG:
        reconstruct(p);
        start_foreign(p, t, t->tag == T_SVG ? IN_SVG : IN_MATH);
        return;
    }
    if (bits & TABLE_PART || t->tag == T_FRAME || t->tag == T_HEAD || start_in_head(p, t)) return;
    if (bits & HEADED) {
        close_p(p);
        if (current_has(p, HEADED)) pop(p);
        insert_html(p, t);
    } else if (bits & CLOSES_P) {
        close_p(p);
        insert_html(p, t);
    } else {
        reconstruct(p);
        int32_t i = insert_html(p, t);
        if (bits & FORMATTING && !p->failed) push_formatting(p, i);
    }
}

static void end_in_body(Parser *p, const Token *t) {
    int bits = bits_of(t->tag);
    switch (t->tag) {
    case T_TEMPLATE: end_template(p); return;
    case T_BODY: case T_HTML:
        if (in_scope(p, T_BODY, PLAIN_SCOPE) >= 0) p->mode = AFTER_BODY;
        return;
    case T_FORM:
        if (has_template(p)) close_in_scope(p, T_FORM, PLAIN_SCOPE, 0);
        else {
            int32_t form = p->form, place = form ? place_of(p, form) : -1;
            p->form = 0;
            if (place < 0 || !is_in_scope(p, place)) return;
            imply_ends(p, 0);
            take_off(p, form);
        }
        return;
    case T_P:
        if (in_scope(p, T_P, BUTTON_SCOPE) < 0) insert_bare(p, T_P);
        close_p(p);
        return;
    case T_LI: case T_DD: case T_DT:
        close_in_scope(p, t->tag, t->tag == T_LI ? LIST_SCOPE : PLAIN_SCOPE, t->tag);
        return;
    case T_APPLET: case T_MARQUEE: case T_OBJECT:
        if (close_in_scope(p, t->tag, PLAIN_SCOPE, 0)) clear_to_marker(p);
        return;
    case T_BR:
        p->is_framed = 0;
        reconstruct(p);
        insert_bare(p, T_BR);
        pop(p);
        return;
    }
    if (bits & HEADED) {
        int32_t place = -1; /* the nearest heading's, of any level */
        for (int32_t tag = T_H1; tag <= T_H6; tag++) place = Py_MAX(place, in_scope(p, tag, PLAIN_SCOPE));
        if (place >= 0) p->open.count = place;
    } else if (bits & CLOSED) {
        int32_t place = in_scope(p, t->tag, PLAIN_SCOPE);
        if (place >= 0) p->open.count = place;
    } else if (bits & FORMATTING) run_adoption_agency(p, t->tag);
    else any_other_end(p, t->tag);
}

static void in_body(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS:
        if (t->has_null) drop_nulls(p, t);
        if (!t->size) return;
        if (p->is_framed && leading_space(p, t) < t->size) p->is_framed = 0;
        reconstruct(p);
        insert_characters(p, t);
        return;
    case COMMENT_TOKEN: insert_comment(p, t, -1); return;
    case START_TAG: start_in_body(p, t); return;
    case END_TAG: end_in_body(p, t); return;
    }
}

static void with_fostering(Parser *p, Token *t) {
    p->is_fostering = 1;
    in_body(p, t);
    p->is_fostering = 0;
}

/* Closes a caption or cell that is in scope; 0 without one. */
static int close_part(Parser *p, int32_t tag, int mode) {
    if (!close_in_scope(p, tag, TABLE_SCOPE, 0)) return 0;
    clear_to_marker(p);
    p->mode = mode;
    return 1;
}

static int close_cell(Parser *p) { return close_part(p, T_TD, IN_ROW) || close_part(p, T_TH, IN_ROW); }

/* Ends the part of a table that is open inside a context. */
static int end_part(Parser *p, const int32_t *context, int mode, int again) {
    clear_back_to(p, context);
    pop(p);
    p->mode = mode;
    return again;
}

/* Begins a part of a table, with the token's attributes or, where the token is for what is inside it, without; returns 1 then. */
static int begin_part(Parser *p, const Token *t, int32_t tag, const int32_t *context, int mode) {
    clear_back_to(p, context);
    if (tag == t->tag) insert_html(p, t);
    else insert_bare(p, tag);
    p->mode = mode;
    return tag != t->tag;
}

static int is_table_part_or_page(const Token *t) { return bits_of(t->tag) & TABLE_PART || t->tag == T_BODY || t->tag == T_HTML; }

/* The rules of each mode return 1 where the token is to be processed again, by the mode that is then set. */

static int end_table(Parser *p) {
    if (in_scope(p, T_TABLE, TABLE_SCOPE) < 0) return 0;
    pop_until(p, T_TABLE);
    reset_mode(p);
    return 1;
}

static int in_table(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS:
        if (t->has_null) drop_nulls(p, t);
        if ((current_has(p, FOSTERS) || current_is(p, T_TEMPLATE)) && leading_space(p, t) == t->size) insert_characters(p, t);
        else with_fostering(p, t);
        return 0;
    case COMMENT_TOKEN: insert_comment(p, t, -1); return 0;
    case START_TAG:
        switch (t->tag) {
        case T_CAPTION:
            push_marker(p);
            return begin_part(p, t, T_CAPTION, TABLE_CONTEXT, IN_CAPTION);
        case T_COLGROUP: case T_COL: return begin_part(p, t, T_COLGROUP, TABLE_CONTEXT, IN_COLUMN_GROUP);
        case T_TBODY: case T_TFOOT: case T_THEAD: return begin_part(p, t, t->tag, TABLE_CONTEXT, IN_TABLE_BODY);
        case T_TD: case T_TH: case T_TR: return begin_part(p, t, T_TBODY, TABLE_CONTEXT, IN_TABLE_BODY);
        case T_TABLE: return end_table(p);
        case T_STYLE: case T_SCRIPT: case T_TEMPLATE: start_in_head(p, t); return 0;
        case T_INPUT:
            if (!t->is_hidden) break;
            insert_empty(p, t);
            return 0;
        case T_FORM:
            if (p->form || has_template(p)) return 0;
            p->form = insert_html(p, t);
            pop(p);
            return 0;
        }
        break;
    case END_TAG:
        switch (t->tag) {
        case T_TABLE: end_table(p); return 0;
        case T_TEMPLATE: end_template(p); return 0;
        }
        if (is_table_part_or_page(t)) return 0;
        break;
    }
    with_fostering(p, t);
    return 0;
}

static int in_caption(Parser *p, Token *t) {
    int ends_it = t->type == END_TAG && t->tag == T_CAPTION;
    int ends_more = (t->type == END_TAG && t->tag == T_TABLE) || (t->type == START_TAG && bits_of(t->tag) & TABLE_PART);
    if (ends_it || ends_more) return close_part(p, T_CAPTION, IN_TABLE) && ends_more;
    if (t->type != END_TAG || !is_table_part_or_page(t)) in_body(p, t);
    return 0;
}

/* What follows the white space that characters begin with is left in the token; 0 if nothing. */
static int drop_space(const Parser *p, Token *t) {
    int32_t n = leading_space(p, t);
    t->at += n;
    t->size -= n;
    return t->size > 0;
}

static int keep_space(Parser *p, Token *t) {
    insert_text(p, t->is_own ? OWN_TEXT : TEXT, t->at, leading_space(p, t));
    return drop_space(p, t);
}

/* Of characters, only white space. */
static void insert_spaces(Parser *p, const Token *t) {
    const char *s = characters_of(p, t);
    for (int32_t k = 0, from = 0; k <= t->size; k++) {
        if (k < t->size && is_html_space(s[k])) continue;
        insert_text(p, t->is_own ? OWN_TEXT : TEXT, t->at + from, k - from);
        from = k + 1;
    }
}

/* Leading white space, comments and a second <html>: 1 where nothing is left to do. */
static int is_common(Parser *p, Token *t) {
    if (t->type == CHARACTERS) return !keep_space(p, t);
    if (t->type == COMMENT_TOKEN) insert_comment(p, t, -1);
    else if (t->type == START_TAG && t->tag == T_HTML) in_body(p, t);
    else return 0;
    return 1;
}

/* Whether a token ends something that is not there yet, and counts for nothing: </body>, </html> and </br> begin the body. */
static int is_stray_end(const Token *t) { return t->type == END_TAG && t->tag != T_BODY && t->tag != T_HTML && t->tag != T_BR; }

static int in_column_group(Parser *p, Token *t) {
    if (is_common(p, t)) return 0;
    if (t->type == START_TAG && t->tag == T_COL) { insert_empty(p, t); return 0; }
    if (t->tag == T_TEMPLATE && t->type == START_TAG) { start_template(p, t); return 0; }
    if (t->tag == T_TEMPLATE && t->type == END_TAG) { end_template(p); return 0; }
    if (t->type == END_TAG && t->tag == T_COL) return 0;
    if (!current_is(p, T_COLGROUP)) {
        if (t->type == CHARACTERS) insert_spaces(p, t);
        return 0;
    }
    pop(p);
    p->mode = IN_TABLE;
    return !(t->type == END_TAG && t->tag == T_COLGROUP);
}

static int in_table_body(Parser *p, Token *t) {
    int is_outer = t->type == END_TAG && t->tag == T_TABLE;
    if (t->type == START_TAG) switch (t->tag) {
        case T_TR: case T_TH: case T_TD: return begin_part(p, t, T_TR, BODY_CONTEXT, IN_ROW);
        default: is_outer = bits_of(t->tag) & TABLE_PART;
        }
    if (is_outer) {
        int is_inside = in_scope(p, T_TBODY, TABLE_SCOPE) >= 0 || in_scope(p, T_THEAD, TABLE_SCOPE) >= 0 || in_scope(p, T_TFOOT, TABLE_SCOPE) >= 0;
        return is_inside ? end_part(p, BODY_CONTEXT, IN_TABLE, 1) : 0;
    }
    if (t->type == END_TAG && (t->tag == T_TBODY || t->tag == T_TFOOT || t->tag == T_THEAD))
        return in_scope(p, t->tag, TABLE_SCOPE) >= 0 ? end_part(p, BODY_CONTEXT, IN_TABLE, 0) : 0;
    return t->type == END_TAG && is_table_part_or_page(t) ? 0 : in_table(p, t);
}

static int end_row(Parser *p, int again) { return in_scope(p, T_TR, TABLE_SCOPE) < 0 ? 0 : end_part(p, ROW_CONTEXT, IN_TABLE_BODY, again); }

static int in_row(Parser *p, Token *t) {
    if (t->type == START_TAG && (t->tag == T_TH || t->tag == T_TD)) {
        push_marker(p);
        return begin_part(p, t, t->tag, ROW_CONTEXT, IN_CELL);
    }
    if (t->type == START_TAG && bits_of(t->tag) & TABLE_PART) return end_row(p, 1);
    if (t->type == END_TAG) switch (t->tag) {
        case T_TR: return end_row(p, 0);
        case T_TABLE: return end_row(p, 1);
        case T_TBODY: case T_TFOOT: case T_THEAD: return in_scope(p, t->tag, TABLE_SCOPE) < 0 ? 0 : end_row(p, 1);
        default: if (is_table_part_or_page(t)) return 0;
        }
    return in_table(p, t);
}

static int in_cell(Parser *p, Token *t) {
    if (t->type == START_TAG && bits_of(t->tag) & TABLE_PART) return close_cell(p);
    if (t->type == END_TAG) switch (t->tag) {
        case T_TD: case T_TH: close_part(p, t->tag, IN_ROW); return 0;
        case T_TABLE: case T_TBODY: case T_TFOOT: case T_THEAD: case T_TR: return in_scope(p, t->tag, TABLE_SCOPE) >= 0 && close_cell(p);
        default: if (is_table_part_or_page(t)) return 0;
        }
    in_body(p, t);
    return 0;
}

static int in_template(Parser *p, Token *t) {
    int mode = IN_BODY;
    switch (t->type) {
    case CHARACTERS: case COMMENT_TOKEN: in_body(p, t); return 0;
    case END_TAG:
        if (t->tag == T_TEMPLATE) end_template(p);
        return 0;
    case START_TAG:
        if (start_in_head(p, t)) return 0;
        switch (t->tag) {
        case T_CAPTION: case T_COLGROUP: case T_TBODY: case T_TFOOT: case T_THEAD: mode = IN_TABLE; break;
        case T_COL: mode = IN_COLUMN_GROUP; break;
        case T_TR: mode = IN_TABLE_BODY; break;
        case T_TD: case T_TH: mode = IN_ROW; break;
        }
        p->templates.list[p->templates.count - 1] = mode;
        p->mode = mode;
        return 1;
    }
    return 0;
}

static int in_head(Parser *p, Token *t) {
    if (is_common(p, t)) return 0;
    if (t->type == START_TAG) {
        if (t->tag == T_HEAD || start_in_head(p, t)) return 0;
        if (t->tag == T_NOSCRIPT) {
            insert_html(p, t);
            p->mode = IN_HEAD_NOSCRIPT;
            return 0;
        }
    } else if (t->type == END_TAG) {
        if (t->tag == T_TEMPLATE) { end_template(p); return 0; }
        if (t->tag != T_HEAD && is_stray_end(t)) return 0;
    }
    pop(p);
    p->mode = AFTER_HEAD;
    return !(t->type == END_TAG && t->tag == T_HEAD);
}

static int in_head_noscript(Parser *p, Token *t) {
    if (is_common(p, t)) return 0;
    if (t->type == START_TAG) switch (t->tag) {
        case T_BASEFONT: case T_BGSOUND: case T_LINK: case T_META: case T_NOFRAMES: case T_STYLE: start_in_head(p, t); return 0;
        case T_HEAD: case T_NOSCRIPT: return 0;
        }
    int is_end = t->type == END_TAG && t->tag == T_NOSCRIPT;
    if (t->type == END_TAG && !is_end && t->tag != T_BR) return 0;
    pop(p);
    p->mode = IN_HEAD;
    return !is_end;
}

static int after_head(Parser *p, Token *t) {
    if (is_common(p, t)) return 0;
    if (t->type == START_TAG) switch (t->tag) {
        case T_HEAD: return 0;
        case T_BODY:
            insert_html(p, t);
            p->is_framed = 0;
            p->mode = IN_BODY;
            return 0;
        case T_FRAMESET:
            insert_html(p, t);
            p->mode = IN_FRAMESET;
            return 0;
        case T_BASE: case T_BASEFONT: case T_BGSOUND: case T_LINK: case T_META: case T_NOFRAMES: case T_SCRIPT: case T_STYLE:
        case T_TEMPLATE: case T_TITLE:
            push(p, p->head);
            if (p->failed) return 0;
            start_in_head(p, t);
            take_off(p, p->head);
            return 0;
        }
    if (t->type == END_TAG && t->tag == T_TEMPLATE) { end_template(p); return 0; }
    if (is_stray_end(t)) return 0;
    insert_bare(p, T_BODY);
    p->mode = IN_BODY;
    return 1;
}

static int before_head(Parser *p, Token *t) {
    if (t->type == CHARACTERS ? !drop_space(p, t) : is_common(p, t)) return 0;
    if (t->type == START_TAG && t->tag == T_HEAD) {
        p->head = insert_html(p, t);
        p->mode = IN_HEAD;
        return 0;
    }
    if (t->tag != T_HEAD && is_stray_end(t)) return 0;
    p->head = insert_bare(p, T_HEAD);
    p->mode = IN_HEAD;
    return 1;
}

static void insert_root(Parser *p, int32_t at, int32_t size) {
    p->root = new_dom(p, ELEMENT, T_HTML, at, size);
    if (p->failed) return;
    put_in(p, 0, 0, p->root);
    push(p, p->root);
    p->mode = BEFORE_HEAD;
}

static int before_html(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !drop_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, 0); return 0; }
    if (t->type == START_TAG && t->tag == T_HTML) { insert_root(p, t->at, t->size); return 0; }
    if (t->tag != T_HEAD && is_stray_end(t)) return 0;
    insert_root(p, 0, 0);
    return 1;
}

static int is_part(const Parser *p, int part, int from, const char *text, int is_beginning) {
    Py_ssize_t size = (Py_ssize_t)strlen(text), n = p->doctype[part].size - from;
    return (is_beginning ? n >= size : n == size) && strncasecmp(p->own.data + p->doctype[part].at + from, text, (size_t)size) == 0;
}

/* Public identifiers that mean quirks mode, by what they begin with behind "-//". */
static const char *QUIRKS[] = {"AS//DTD HTML 3.0 asWedit + extensions//", "AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//",
    "IETF//DTD HTML 2.0 Level 1//", "IETF//DTD HTML 2.0 Level 2//", "IETF//DTD HTML 2.0 Strict Level 1//", "IETF//DTD HTML 2.0 Strict Level 2//",
    "IETF//DTD HTML 2.0 Strict//", "IETF//DTD HTML 2.0//", "IETF//DTD HTML 2.1E//", "IETF//DTD HTML 3.0//", "IETF//DTD HTML 3.2 Final//",
    "IETF//DTD HTML 3.2//", "IETF//DTD HTML 3//", "IETF//DTD HTML Level 0//", "IETF//DTD HTML Level 1//", "IETF//DTD HTML Level 2//",
    "IETF//DTD HTML Level 3//", "IETF//DTD HTML Strict Level 0//", "IETF//DTD HTML Strict Level 1//", "IETF//DTD HTML Strict Level 2//",
    "IETF//DTD HTML Strict Level 3//", "IETF//DTD HTML Strict//", "IETF//DTD HTML//", "Metrius//DTD Metrius Presentational//",
    "Microsoft//DTD Internet Explorer 2.0 HTML Strict//", "Microsoft//DTD Internet Explorer 2.0 HTML//",
    "Microsoft//DTD Internet Explorer 2.0 Tables//", "Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "Microsoft//DTD Internet Explorer 3.0 HTML//", "Microsoft//DTD Internet Explorer 3.0 Tables//", "Netscape Comm. Corp.//DTD HTML//",
    "Netscape Comm. Corp.//DTD Strict HTML//", "O'Reilly and Associates//DTD HTML 2.0//", "O'Reilly and Associates//DTD HTML Extended 1.0//",
    "O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//", "SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//", "Spyglass//DTD HTML 2.0 Extended//",
    "Sun Microsystems Corp.//DTD HotJava HTML//", "Sun Microsystems Corp.//DTD HotJava Strict HTML//", "W3C//DTD HTML 3 1995-03-24//",
    "W3C//DTD HTML 3.2 Draft//", "W3C//DTD HTML 3.2 Final//", "W3C//DTD HTML 3.2//", "W3C//DTD HTML 3.2S Draft//",
    "W3C//DTD HTML 4.0 Frameset//", "W3C//DTD HTML 4.0 Transitional//", "W3C//DTD HTML Experimental 19960712//",
    "W3C//DTD HTML Experimental 970421//", "W3C//DTD W3 HTML//", "W3O//DTD W3 HTML 3.0//", "WebTechs//DTD Mozilla HTML 2.0//",
    "WebTechs//DTD Mozilla HTML//", NULL};

static int means_quirks(Parser *p) {
    if (!is_part(p, DOCTYPE_NAME, 0, "html", 0) || is_part(p, SYSTEM_ID, 0, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd", 0)) return 1;
    if (is_part(p, PUBLIC_ID, 0, "-//W3O//DTD W3 HTML Strict 3.0//EN//", 0) || is_part(p, PUBLIC_ID, 0, "-/W3C/DTD HTML 4.0 Transitional/EN", 0)
        || is_part(p, PUBLIC_ID, 0, "html", 0) || is_part(p, PUBLIC_ID, 0, "+//Silmaril//dtd html Pro v0r11 19970101//", 1))
        return 1;
    if (p->doctype[SYSTEM_ID].size < 0
        && (is_part(p, PUBLIC_ID, 0, "-//W3C//DTD HTML 4.01 Frameset//", 1) || is_part(p, PUBLIC_ID, 0, "-//W3C//DTD HTML 4.01 Transitional//", 1)))
        return 1;
    if (!is_part(p, PUBLIC_ID, 0, "-//", 1)) return 0;
    for (const char **each = QUIRKS; *each; each++)
        if (is_part(p, PUBLIC_ID, 3, *each, 1)) return 1;
    return 0;
}

static int initially(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !drop_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, 0); return 0; }
    p->mode = BEFORE_HTML;
    p->is_quirky = t->type != DOCTYPE_TOKEN || t->is_quirky || means_quirks(p);
    if (t->type != DOCTYPE_TOKEN) return 1;
    int32_t i = new_dom(p, DOCTYPE, 0, 0, 0);
    if (!p->failed) put_in(p, 0, 0, i);
    return 0;
}

static int after_body(Parser *p, Token *t) {
    if (t->type == COMMENT_TOKEN) {
        insert_comment(p, t, p->mode == AFTER_BODY ? p->open.list[0] : 0);
        return 0;
    }
    /* The standard would repeat formatting elements for white space here. Chromium does not, and nobody could see it. */
    if (t->type == CHARACTERS && !keep_space(p, t)) return 0;
    if (t->type == START_TAG && t->tag == T_HTML) { in_body(p, t); return 0; }
    if (t->type == END_TAG && t->tag == T_HTML && p->mode == AFTER_BODY) {
        if (!p->context) p->mode = AFTER_AFTER_BODY;
        return 0;
    }
    p->mode = IN_BODY;
    return 1;
}

static int in_frames(Parser *p, Token *t) {
    if (t->type == CHARACTERS) insert_spaces(p, t);
    else if (t->type == COMMENT_TOKEN) insert_comment(p, t, p->mode == AFTER_AFTER_FRAMESET ? 0 : -1);
    else if (t->type == START_TAG && t->tag == T_HTML) in_body(p, t);
    else if (t->type == START_TAG && t->tag == T_NOFRAMES) insert_raw(p, t);
    else if (p->mode == AFTER_FRAMESET && t->type == END_TAG && t->tag == T_HTML) p->mode = AFTER_AFTER_FRAMESET;
    else if (p->mode == IN_FRAMESET && t->type == START_TAG && t->tag == T_FRAMESET) insert_html(p, t);
    else if (p->mode == IN_FRAMESET && t->type == START_TAG && t->tag == T_FRAME) insert_empty(p, t);
    else if (p->mode == IN_FRAMESET && t->type == END_TAG && t->tag == T_FRAMESET && p->open.count > 1) {
        pop(p);
        if (!p->context && !current_is(p, T_FRAMESET)) p->mode = AFTER_FRAMESET;
    }
    return 0;
}

static int in_page(Parser *p, Token *t) {
    if (t->type == END_TAG && t->tag == T_HTML && in_scope(p, T_BODY, PLAIN_SCOPE) >= 0) {
        p->mode = AFTER_BODY;
        return 1;
    }
    in_body(p, t);
    return 0;
}

static int by_mode(Parser *p, Token *t) {
    /* In the order of the modes. */
    static int (*const rules[])(Parser *, Token *) = {initially, before_html, before_head, in_head, in_head_noscript, after_head, in_page,
        in_table, in_caption, in_column_group, in_table_body, in_row, in_cell, in_template, after_body, after_body, in_frames, in_frames, in_frames};
    return t->type == DOCTYPE_TOKEN && p->mode != INITIAL ? 0 : rules[p->mode](p, t);
}

/* ---- foreign content ---- */

static int takes_text(const Dom *n) { return n->space == IN_MATH && bits_of(n->tag) & MATH_SCOPE && n->tag != T_ANNOTATION_XML; }

static int takes_html(const Dom *n) { return n->space == IN_SVG ? bits_of(n->tag) & SVG_SCOPE : n->is_html_inside; }

static int is_foreign(const Parser *p, const Token *t) {
    if (!p->open.count || t->type == END_OF_FILE) return 0;
    const Dom *n = adjusted_current(p);
    if (n->space == IN_HTML) return 0;
    if (t->type == CHARACTERS) return !takes_text(n) && !takes_html(n);
    if (t->type != START_TAG) return 1;
    if (takes_text(n)) return t->tag == T_MGLYPH || t->tag == T_MALIGNMARK;
    if (n->space == IN_MATH && n->tag == T_ANNOTATION_XML && t->tag == T_SVG) return 0;
    return !takes_html(n);
}

static void break_out(Parser *p) {
    while (p->open.count > 1) {
        const Dom *n = dom_at(p, p->open.count - 1);
        if (n->space == IN_HTML || takes_text(n) || takes_html(n)) return;
        pop(p);
    }
}

/* 1 where the token is for the insertion mode. */
static int in_foreign(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS: {
        const char *s = characters_of(p, t);
        for (int32_t k = 0; k < t->size && p->is_framed; k++) p->is_framed = !s[k] || is_html_space(s[k]);
        if (t->has_null) replace_nulls(p, t);
        insert_characters(p, t);
        return 0;
    }
    case COMMENT_TOKEN: insert_comment(p, t, -1); return 0;
    case DOCTYPE_TOKEN: return 0;
    case START_TAG:
        if (bits_of(t->tag) & BREAKS_OUT || (t->tag == T_FONT && t->is_styled)) { break_out(p); return 1; }
        start_foreign(p, t, adjusted_current(p)->space);
        return 0;
    case END_TAG:
        if (t->tag == T_BR || t->tag == T_P) { break_out(p); return 1; }
        for (int32_t k = p->open.count - 1; k > 0; k--) {
            if (dom_at(p, k)->tag == t->tag) { p->open.count = k; return 0; }
            if (dom_at(p, k - 1)->space == IN_HTML) return 1;
        }
        return 0;
    }
    return 1;
}

static const struct { const char *name; int size; } KNOWN[] = {
    {"", 0},
#define X(id, name, bits) {name, sizeof(name) - 1},
    TAGS(X)
#undef X
};

int known_bits(const char *name, Py_ssize_t n) {
    for (int i = 0; i < T_KNOWN; i++)
        if (KNOWN[i].size == n && memcmp(KNOWN[i].name, name, (size_t)n) == 0) return TAG_BITS[i];
    return 0;
}

const char *known_name(int tag) { return KNOWN[tag].name; }

static Table known_tags; /* their numbers, with which every parser starts */

int number_known_tags(void) {
    if (table_init(&known_tags, 256) < 0) return -1;
    for (int i = 0, fresh; i < T_KNOWN; i++)
        if (table_put(&known_tags, KNOWN[i].name, KNOWN[i].size, &fresh) != i) return -1;
    return 0;
}

const char *tag_name(const Parser *p, int32_t tag, int32_t *size) {
    *size = p->names.keys[tag].size;
    return p->names.bytes.data + p->names.keys[tag].at;
}

int parser_init(Parser *p, const Source *page, const Lookup *entities) {
    *p = (Parser){.entities = entities, .html = page->text.data, .size = page->text.size, .nulls = page->nulls, .is_framed = 1,
                  .limits = page->is_cut ? TOO_LONG : 0};
    p->nulls_end = p->nulls + page->null_count;
    p->spare = SPARE + 2 * (int64_t)p->size;
    p->room = p->size / 32 + 32; /* most pages need no more */
    p->nodes = PyMem_Malloc(sizeof(Dom) * (size_t)p->room);
    for (int k = 0; k < DOCTYPE_PARTS; k++) p->doctype[k].size = -1;
    if (p->nodes == NULL) { no_memory(); return -1; }
    if (buffer_reserve(&p->own, p->size / 2 + 1) < 0 || table_copy(&p->names, &known_tags) < 0) return -1;
    new_dom(p, DOCUMENT, 0, 0, 0);
    return p->failed ? -1 : 0;
}

void parser_free(Parser *p) {
    PyMem_Free(p->nodes);
    PyMem_Free(p->own.data);
    PyMem_Free(p->open.list);
    PyMem_Free(p->formatting.list);
    PyMem_Free(p->templates.list);
    table_free(&p->names);
}

/* The standard's "HTML fragment parsing algorithm", up to the first token. */
static void start_fragment(Parser *p, const char *context) {
    int space = strncmp(context, "svg ", 4) == 0 ? IN_SVG : strncmp(context, "math ", 5) == 0 ? IN_MATH : IN_HTML;
    const char *name = space == IN_SVG ? context + 4 : space == IN_MATH ? context + 5 : context;
    int32_t tag = tag_number_of(p, name, (Py_ssize_t)strlen(name));
    insert_root(p, 0, 0);
    p->context = new_dom(p, ELEMENT, tag, 0, 0);
    if (p->failed) return;
    p->nodes[p->context].space = (uint8_t)space;
    if (space == IN_HTML && tag == T_TEMPLATE) push_template(p);
    if (p->failed) return;
    reset_mode(p);
    if (space != IN_HTML) return;
    if (tag == T_FORM) p->form = p->context;
    p->is_plain = tag == T_PLAINTEXT;
    int has_references = tag == T_TITLE || tag == T_TEXTAREA;
    if (!has_references && !(bits_of(tag) & RAWTEXT)) return;
    Token t;
    read_raw(p, &t, T_NONE, has_references ? RCDATA : RAW_CONTENT);
    if (!p->failed) insert_text(p, !has_references ? RAW_TEXT : t.is_own ? OWN_TEXT : TEXT, t.at, t.size);
}

/* What every page has, even an empty one; what is open stays as it is. */
static void end_page(Parser *p, Token *t) {
    while (has_template(p)) leave_template(p);
    while (p->mode < IN_BODY && !p->failed && by_mode(p, t)) {}
}

int parse_source(Parser *p, const Source *page, const Lookup *entities, const char *context) {
    Token t = {0};
    if (parser_init(p, page, entities) < 0) return -1;
    if (context) start_fragment(p, context);
    while (!p->failed && t.type != END_OF_FILE) {
        next_html_token(p, &t);
        if (p->skip_line) {
            p->skip_line = 0;
            if (t.type == CHARACTERS && *characters_of(p, &t) == '\n') { t.at++; t.size--; }
        }
        if (t.type == END_OF_FILE) end_page(p, &t);
        else if (!is_foreign(p, &t) || in_foreign(p, &t))
            while (!p->failed && by_mode(p, &t)) {}
    }
    return p->failed ? -1 : 0;
}

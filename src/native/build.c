/* Tree construction: the standard's insertion modes, foreign content and the adoption agency. */

#include "html.h"

/* What is declined beyond, since it takes more than one look. */
#define DEEPEST 500        /* open elements */
#define LONGEST_MERGED 2000 /* attributes that are compared one by one */

enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION, IN_COLUMN_GROUP,
    IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, AFTER_AFTER_BODY
};

const uint16_t TAG_BITS[T_KNOWN] = {
    0,
#define X(id, name, bits) bits,
    TAGS(X)
#undef X
};

static inline int bits_of(int32_t tag) { return tag < T_KNOWN ? TAG_BITS[tag] : 0; }

/* ---- nodes ---- */

static int32_t new_node(Parser *p, int kind, int32_t tag, int32_t at, int32_t size) {
    /* Formatting elements that are never closed may be repeated without end. */
    if (p->count > p->size + 10000) p->declined = 1;
    if (p->count >= p->room) {
        Py_ssize_t room = p->room;
        if (room > INT32_MAX / 4 || list_grow((void **)&p->nodes, &room, sizeof(Dom)) < 0) { p->failed = 1; return 0; }
        p->room = (int32_t)room;
    }
    p->nodes[p->count] = (Dom){.kind = (uint8_t)kind, .tag = tag, .at = at, .size = size};
    return p->count++;
}

static void take_out(Parser *p, int32_t i) {
    Dom *n = &p->nodes[i];
    if (!n->parent && p->nodes[0].first != i && !n->prev) return; /* stands nowhere */
    Dom *above = &p->nodes[n->parent];
    if (n->prev) p->nodes[n->prev].next = n->next;
    else above->first = n->next;
    if (n->next) p->nodes[n->next].prev = n->prev;
    else above->last = n->prev;
    n->parent = n->prev = n->next = 0;
}

/* Before another child, or as the last one where that is 0. */
static void put_in(Parser *p, int32_t above, int32_t before, int32_t i) {
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

static inline int32_t node_at(const Parser *p, int32_t place) { return p->open[place]; }
static inline Dom *dom_at(const Parser *p, int32_t place) { return &p->nodes[p->open[place]]; }
static inline int32_t current(const Parser *p) { return p->opened ? p->open[p->opened - 1] : 0; }
static inline int is_html_tag(const Dom *n, int32_t tag) { return n->tag == tag && n->space == IN_HTML; }
static inline int current_is(const Parser *p, int32_t tag) { return p->opened && is_html_tag(dom_at(p, p->opened - 1), tag); }

static void push(Parser *p, int32_t i) {
    if (p->opened >= DEEPEST) { p->declined = 1; return; }
    p->open[p->opened++] = i;
}

static inline void pop(Parser *p) { p->opened--; }

static void take_off(Parser *p, int32_t place) {
    memmove(p->open + place, p->open + place + 1, sizeof(int32_t) * (size_t)(p->opened - place - 1));
    p->opened--;
}

/* Its place in the stack, -1 if it is not there. */
static int32_t place_of(const Parser *p, int32_t i) {
    for (int32_t k = p->opened - 1; k >= 0; k--)
        if (p->open[k] == i) return k;
    return -1;
}

static int is_special(const Dom *n) {
    int bits = bits_of(n->tag);
    return n->space == IN_HTML ? bits & SPECIAL : n->space == IN_SVG ? bits & SVG_SCOPE : bits & MATH_SCOPE;
}

static int ends_scope(const Dom *n) {
    int bits = bits_of(n->tag);
    return n->space == IN_HTML ? bits & SCOPE : n->space == IN_SVG ? bits & SVG_SCOPE : bits & MATH_SCOPE;
}

enum { PLAIN_SCOPE, LIST_SCOPE, BUTTON_SCOPE, TABLE_SCOPE };

static int ends_search(const Dom *n, int kind) {
    if (kind == TABLE_SCOPE) return n->space == IN_HTML && (n->tag == T_HTML || n->tag == T_TABLE || n->tag == T_TEMPLATE);
    if (ends_scope(n)) return 1;
    if (n->space != IN_HTML) return 0;
    return kind == LIST_SCOPE ? n->tag == T_OL || n->tag == T_UL : kind == BUTTON_SCOPE && n->tag == T_BUTTON;
}

/* The place of the nearest element of a tag in scope, -1 without one. */
static int32_t in_scope(const Parser *p, int32_t tag, int kind) {
    for (int32_t k = p->opened - 1; k >= 0; k--) {
        if (is_html_tag(dom_at(p, k), tag)) return k;
        if (ends_search(dom_at(p, k), kind)) return -1;
    }
    return -1;
}

static int32_t heading_in_scope(const Parser *p) {
    for (int32_t k = p->opened - 1; k >= 0; k--) {
        if (dom_at(p, k)->space == IN_HTML && bits_of(dom_at(p, k)->tag) & HEADED) return k;
        if (ends_search(dom_at(p, k), PLAIN_SCOPE)) return -1;
    }
    return -1;
}

static int has_template(const Parser *p) {
    for (int32_t k = p->opened - 1; k >= 0; k--)
        if (is_html_tag(dom_at(p, k), T_TEMPLATE)) return 1;
    return 0;
}

static void imply_ends(Parser *p, int32_t except) {
    while (p->opened) {
        const Dom *n = dom_at(p, p->opened - 1);
        if (n->space != IN_HTML || !(bits_of(n->tag) & IMPLIED) || n->tag == except) return;
        pop(p);
    }
}

static void imply_ends_thoroughly(Parser *p) {
    while (p->opened) {
        const Dom *n = dom_at(p, p->opened - 1);
        if (n->space != IN_HTML || !(bits_of(n->tag) & (IMPLIED | THOROUGH))) return;
        pop(p);
    }
}

static void pop_until(Parser *p, int32_t tag) {
    while (p->opened && !current_is(p, tag)) pop(p);
    if (p->opened) pop(p);
}

static int is_named(const Dom *n, const int32_t *tags) {
    for (; *tags; tags++)
        if (is_html_tag(n, *tags)) return 1;
    return 0;
}

/* Clears the stack back to one of some tags. */
static void clear_back_to(Parser *p, const int32_t *tags) {
    while (p->opened > 1 && !is_named(dom_at(p, p->opened - 1), tags)) pop(p);
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
    if (!p->is_fostering || n->space != IN_HTML || !(bits_of(n->tag) & FOSTERS)) return (Place){target, 0};
    int32_t table = -1, template = -1;
    for (int32_t k = p->opened - 1; k >= 0 && (table < 0 || template < 0); k--) {
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
    int32_t i = new_node(p, ELEMENT, tag, at, size);
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
    int32_t i = new_node(p, kind, 0, at, size);
    if (!p->failed) insert_at(p, place, i);
}

static void insert_characters(Parser *p, const Token *t) { insert_text(p, t->is_own ? OWN_TEXT : TEXT, t->at, t->size); }

static void insert_comment(Parser *p, const Token *t, int32_t above) {
    int32_t i = new_node(p, t->is_own ? INSTRUCTION : COMMENT, 0, t->at, t->size);
    if (p->failed) return;
    if (above < 0) insert_at(p, place_for(p, current(p)), i);
    else put_in(p, above, 0, i);
}

/* An element whose content is no markup, up to its end tag. */
static void insert_raw(Parser *p, const Token *t) {
    Token content;
    insert_html(p, t);
    if (p->declined || p->failed) return;
    read_raw(p, &content, t->tag);
    int is_raw = t->tag != T_TITLE && t->tag != T_TEXTAREA;
    int was = p->is_fostering;
    p->is_fostering = 0;
    insert_text(p, is_raw ? RAW_TEXT : content.is_own ? OWN_TEXT : TEXT, content.at, content.size);
    p->is_fostering = was;
    pop(p);
}

static const char *characters_of(const Parser *p, const Token *t) { return (t->is_own ? p->own.data : p->html) + t->at; }

static int32_t leading_space(const Parser *p, const Token *t) {
    const char *s = characters_of(p, t);
    int32_t n = 0;
    while (n < t->size && is_html_space(s[n])) n++;
    return n;
}

/* Attributes of a second <html> or <body> that the first lacks. */
static void merge_attributes(Parser *p, int32_t i, const Token *t) {
    if (!t->size) return;
    const Dom *n = &p->nodes[i];
    if (n->size > LONGEST_MERGED) { p->declined = 1; return; }
    Py_ssize_t began = p->own.size;
    if (buffer_reserve(&p->own, n->size + t->size) < 0) { p->failed = 1; return; }
    char *own = p->own.data;
    buffer_add(&p->own, own + n->at, n->size);
    const char *s = own + t->at, *stop = s + t->size;
    while (s < stop) {
        const char *name = s, *equals = memchr(s + 2, '=', (size_t)(stop - s - 2));
        Py_ssize_t size = equals + 2 - name; /* with the space before it and the quote after it */
        s = (const char *)memchr(equals + 2, '"', (size_t)(stop - equals - 2)) + 1;
        if (memmem(own + began, (size_t)(p->own.size - began), name, (size_t)size) == NULL) buffer_add(&p->own, name, s - name);
    }
    p->nodes[i].at = (int32_t)began;
    p->nodes[i].size = (int32_t)(p->own.size - began);
}

/* ---- active formatting elements ---- */

static int are_alike(Parser *p, const Dom *a, const Dom *b) {
    if (a->tag != b->tag || a->space != b->space || a->size != b->size) return 0;
    const char *x = p->own.data + a->at, *y = p->own.data + b->at;
    if (a->at == b->at || memcmp(x, y, (size_t)a->size) == 0) return 1;
    if (a->size > LONGEST_MERGED) { p->declined = 1; return 1; }
    for (const char *stop = x + a->size; x < stop;) {
        const char *quote = memchr(memchr(x + 2, '=', (size_t)(stop - x - 2)), '"', (size_t)(stop - x));
        const char *end = (const char *)memchr(quote + 1, '"', (size_t)(stop - quote - 1)) + 1;
        if (memmem(y, (size_t)b->size, x, (size_t)(end - x)) == NULL) return 0;
        x = end;
    }
    return 1;
}

static int32_t listed_place(const Parser *p, int32_t i) {
    for (int32_t k = p->listed - 1; k >= 0; k--)
        if (p->formatting[k] == i) return k;
    return -1;
}

static void unlist(Parser *p, int32_t place) {
    memmove(p->formatting + place, p->formatting + place + 1, sizeof(int32_t) * (size_t)(p->listed - place - 1));
    p->listed--;
}

static void list_at(Parser *p, int32_t place, int32_t i) {
    if (p->listed >= DEEPEST) { p->declined = 1; return; }
    memmove(p->formatting + place + 1, p->formatting + place, sizeof(int32_t) * (size_t)(p->listed - place));
    p->formatting[place] = i;
    p->listed++;
}

static void push_marker(Parser *p) { list_at(p, p->listed, 0); }

static void push_formatting(Parser *p, int32_t i) {
    int alike = 0;
    int32_t earliest = -1;
    for (int32_t k = p->listed - 1; k >= 0 && p->formatting[k]; k--)
        if (are_alike(p, &p->nodes[p->formatting[k]], &p->nodes[i])) { alike++; earliest = k; }
    if (alike >= 3) unlist(p, earliest);
    list_at(p, p->listed, i);
}

static void clear_to_marker(Parser *p) {
    while (p->listed && p->formatting[--p->listed]) {}
}

static int32_t copy_of(Parser *p, int32_t i) {
    int32_t made = new_node(p, ELEMENT, p->nodes[i].tag, p->nodes[i].at, p->nodes[i].size);
    if (!p->failed) p->nodes[made].space = p->nodes[i].space;
    return made;
}

static void reconstruct(Parser *p) {
    if (!p->listed) return;
    int32_t k = p->listed - 1;
    if (!p->formatting[k] || place_of(p, p->formatting[k]) >= 0) return;
    while (k > 0 && p->formatting[k - 1] && place_of(p, p->formatting[k - 1]) < 0) k--;
    for (; k < p->listed && !p->failed && !p->declined; k++) {
        int32_t i = copy_of(p, p->formatting[k]);
        if (p->failed) return;
        insert_at(p, place_for(p, current(p)), i);
        push(p, i);
        p->formatting[k] = i;
    }
}

static void any_other_end(Parser *p, int32_t tag) {
    for (int32_t k = p->opened - 1; k >= 0; k--) {
        if (is_html_tag(dom_at(p, k), tag)) {
            imply_ends(p, tag);
            p->opened = k < p->opened ? k : p->opened;
            return;
        }
        if (is_special(dom_at(p, k))) return;
    }
}

static int32_t listed_tag(const Parser *p, int32_t tag) {
    for (int32_t k = p->listed - 1; k >= 0 && p->formatting[k]; k--)
        if (is_html_tag(&p->nodes[p->formatting[k]], tag)) return k;
    return -1;
}

/* One turn of the adoption agency's outer loop; 0 when it is done. */
static int adopt(Parser *p, int32_t tag) {
    int32_t listed = listed_tag(p, tag);
    if (listed < 0) { any_other_end(p, tag); return 0; }
    int32_t formatting = p->formatting[listed], place = place_of(p, formatting);
    if (place < 0) { unlist(p, listed); return 0; }
    for (int32_t k = p->opened - 1; k > place; k--)
        if (ends_search(dom_at(p, k), PLAIN_SCOPE)) return 0;
    int32_t furthest = place + 1;
    while (furthest < p->opened && !is_special(dom_at(p, furthest))) furthest++;
    if (furthest >= p->opened) {
        p->opened = place;
        unlist(p, listed);
        return 0;
    }
    int32_t block = node_at(p, furthest), ancestor = node_at(p, place - 1), bookmark = listed, last = block, k = furthest;
    for (int turn = 1;; turn++) {
        int32_t i = node_at(p, --k);
        if (i == formatting) break;
        int32_t at = listed_place(p, i);
        if (turn > 3 && at >= 0) {
            unlist(p, at);
            if (at < bookmark) bookmark--;
            at = -1;
        }
        if (at < 0) { take_off(p, k); continue; }
        int32_t made = copy_of(p, i);
        if (p->failed) return 0;
        p->formatting[at] = made;
        p->open[k] = made;
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
    unlist(p, listed);
    if (listed < bookmark) bookmark--;
    list_at(p, bookmark, made);
    take_off(p, place_of(p, formatting));
    if (p->declined) return 0;
    int32_t below = place_of(p, block) + 1;
    push(p, 0);
    if (p->declined) return 0;
    memmove(p->open + below + 1, p->open + below, sizeof(int32_t) * (size_t)(p->opened - 1 - below));
    p->open[below] = made;
    return 1;
}

static void run_adoption_agency(Parser *p, int32_t tag) {
    if (current_is(p, tag) && listed_place(p, current(p)) < 0) { pop(p); return; }
    for (int turn = 0; turn < 8 && adopt(p, tag) && !p->failed && !p->declined; turn++) {}
}

/* ---- insertion modes ---- */

static void close_p(Parser *p) {
    if (in_scope(p, T_P, BUTTON_SCOPE) < 0) return;
    imply_ends(p, T_P);
    pop_until(p, T_P);
}

static void reset_mode(Parser *p) {
    for (int32_t k = p->opened - 1; k >= 0; k--) {
        const Dom *n = dom_at(p, k);
        if (n->space != IN_HTML) continue;
        switch (n->tag) {
        case T_TD: case T_TH: if (k) { p->mode = IN_CELL; return; } break;
        case T_TR: p->mode = IN_ROW; return;
        case T_TBODY: case T_THEAD: case T_TFOOT: p->mode = IN_TABLE_BODY; return;
        case T_CAPTION: p->mode = IN_CAPTION; return;
        case T_COLGROUP: p->mode = IN_COLUMN_GROUP; return;
        case T_TABLE: p->mode = IN_TABLE; return;
        case T_TEMPLATE: p->mode = p->templates[p->templated - 1]; return;
        case T_HEAD: if (k) { p->mode = IN_HEAD; return; } break;
        case T_BODY: p->mode = IN_BODY; return;
        case T_HTML: p->mode = p->is_fragment ? IN_BODY : p->head ? AFTER_HEAD : BEFORE_HEAD; return;
        }
    }
    p->mode = IN_BODY;
}

static void start_template(Parser *p, const Token *t) {
    insert_html(p, t);
    push_marker(p);
    p->mode = IN_TEMPLATE;
    if (p->templated >= DEEPEST) { p->declined = 1; return; }
    p->templates[p->templated++] = IN_TEMPLATE;
}

static void end_template(Parser *p) {
    if (!has_template(p)) return;
    imply_ends_thoroughly(p);
    pop_until(p, T_TEMPLATE);
    clear_to_marker(p);
    p->templated--;
    reset_mode(p);
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
    for (int32_t k = p->opened - 1; k >= 0; k--) {
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
    if (t->tag == T_TEMPLATE) p->declined = 1; /* foreign, it would still count as one that is open */
    adjust_attributes(p, t->at, t->size, space);
    int32_t i = insert_element(p, t->tag, t->at, t->size, space);
    if (t->tag == T_ANNOTATION_XML && space == IN_MATH && !p->failed) p->nodes[i].is_html_inside = (uint8_t)says_html(p, t);
    if (t->is_self_closing) pop(p);
}

static void start_in_body(Parser *p, Token *t) {
    int bits = bits_of(t->tag);
    switch (t->tag) {
    case T_HTML:
        if (!has_template(p)) merge_attributes(p, p->open[0], t);
        return;
    case T_BODY:
        if (p->opened > 1 && is_html_tag(dom_at(p, 1), T_BODY) && !has_template(p)) merge_attributes(p, p->open[1], t);
        return;
    case T_FRAMESET: case T_PLAINTEXT: case T_SELECTEDCONTENT: p->declined = 1; return;
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
        if (in_scope(p, T_BUTTON, PLAIN_SCOPE) >= 0) {
            imply_ends(p, 0);
            pop_until(p, T_BUTTON);
        }
        reconstruct(p);
        insert_html(p, t);
        return;
    case T_A: {
        int32_t listed = listed_tag(p, T_A);
        if (listed >= 0) {
            int32_t i = p->formatting[listed], place;
            run_adoption_agency(p, T_A);
            if (p->failed || p->declined) return;
            if ((listed = listed_place(p, i)) >= 0) unlist(p, listed);
            if ((place = place_of(p, i)) >= 0) take_off(p, place);
        }
        reconstruct(p);
        push_formatting(p, insert_html(p, t));
        return;
    }
    case T_NOBR:
        reconstruct(p);
        if (in_scope(p, T_NOBR, PLAIN_SCOPE) >= 0) {
            run_adoption_agency(p, T_NOBR);
            reconstruct(p);
        }
        push_formatting(p, insert_html(p, t));
        return;
    case T_APPLET: case T_MARQUEE: case T_OBJECT:
        reconstruct(p);
        insert_html(p, t);
        push_marker(p);
        return;
    case T_TABLE:
        /* Inside another table it ends the list. */
        if (p->mode != IN_BODY && in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) { p->declined = 1; return; }
        if (!p->is_quirky) close_p(p);
        insert_html(p, t);
        p->mode = IN_TABLE;
        return;
    case T_IMAGE: t->tag = T_IMG; /* fall through */
    case T_AREA: case T_BR: case T_EMBED: case T_IMG: case T_KEYGEN: case T_PARAM: case T_SOURCE: case T_TRACK: case T_WBR:
        reconstruct(p);
        insert_empty(p, t);
        return;
    case T_INPUT:
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
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) { pop_until(p, T_SELECT); return; }
        reconstruct(p);
        insert_html(p, t);
        return;
    case T_OPTION: case T_OPTGROUP:
        if (in_scope(p, T_SELECT, PLAIN_SCOPE) >= 0) imply_ends(p, t->tag == T_OPTION ? T_OPTGROUP : 0);
        else if (current_is(p, T_OPTION)) pop(p);
        reconstruct(p);
        insert_html(p, t);
        return;
    case T_RB: case T_RTC: case T_RP: case T_RT:
        if (in_scope(p, T_RUBY, PLAIN_SCOPE) >= 0) imply_ends(p, t->tag == T_RP || t->tag == T_RT ? T_RTC : 0);
        insert_html(p, t);
        return;
    case T_MATH: case T_SVG:
        reconstruct(p);
        start_foreign(p, t, t->tag == T_SVG ? IN_SVG : IN_MATH);
        return;
    }
    if (bits & IGNORED_IN_BODY || start_in_head(p, t)) return;
    if (bits & HEADED) {
        close_p(p);
        if (p->opened && dom_at(p, p->opened - 1)->space == IN_HTML && bits_of(dom_at(p, p->opened - 1)->tag) & HEADED) pop(p);
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
        if (has_template(p)) {
            if (in_scope(p, T_FORM, PLAIN_SCOPE) < 0) return;
            imply_ends(p, 0);
            pop_until(p, T_FORM);
        } else {
            int32_t form = p->form, place = form ? place_of(p, form) : -1;
            p->form = 0;
            if (place < 0) return;
            for (int32_t k = p->opened - 1; k > place; k--)
                if (ends_search(dom_at(p, k), PLAIN_SCOPE)) return;
            imply_ends(p, 0);
            if ((place = place_of(p, form)) >= 0) take_off(p, place);
        }
        return;
    case T_P:
        if (in_scope(p, T_P, BUTTON_SCOPE) < 0) insert_bare(p, T_P);
        close_p(p);
        return;
    case T_LI: case T_DD: case T_DT:
        if (in_scope(p, t->tag, t->tag == T_LI ? LIST_SCOPE : PLAIN_SCOPE) < 0) return;
        imply_ends(p, t->tag);
        pop_until(p, t->tag);
        return;
    case T_APPLET: case T_MARQUEE: case T_OBJECT:
        if (in_scope(p, t->tag, PLAIN_SCOPE) < 0) return;
        imply_ends(p, 0);
        pop_until(p, t->tag);
        clear_to_marker(p);
        return;
    case T_BR:
        reconstruct(p);
        insert_bare(p, T_BR);
        pop(p);
        return;
    }
    if (bits & HEADED) {
        int32_t place = heading_in_scope(p);
        if (place >= 0) p->opened = place;
    } else if (bits & CLOSED) {
        int32_t place = in_scope(p, t->tag, PLAIN_SCOPE);
        if (place >= 0) p->opened = place;
    } else if (bits & FORMATTING) run_adoption_agency(p, t->tag);
    else any_other_end(p, t->tag);
}

static void in_body(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS:
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

static void close_cell(Parser *p) {
    imply_ends(p, 0);
    while (p->opened && !current_is(p, T_TD) && !current_is(p, T_TH)) pop(p);
    if (p->opened) pop(p);
    clear_to_marker(p);
    p->mode = IN_ROW;
}

/* The rules of each mode return 1 where the token is to be processed again, by the mode that is then set. */

static int in_table(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS:
        if (p->opened && dom_at(p, p->opened - 1)->space == IN_HTML
            && (bits_of(dom_at(p, p->opened - 1)->tag) & FOSTERS || current_is(p, T_TEMPLATE)) && leading_space(p, t) == t->size)
            insert_characters(p, t);
        else with_fostering(p, t);
        return 0;
    case COMMENT_TOKEN: insert_comment(p, t, -1); return 0;
    case START_TAG:
        switch (t->tag) {
        case T_CAPTION:
            clear_back_to(p, TABLE_CONTEXT);
            push_marker(p);
            insert_html(p, t);
            p->mode = IN_CAPTION;
            return 0;
        case T_COLGROUP:
            clear_back_to(p, TABLE_CONTEXT);
            insert_html(p, t);
            p->mode = IN_COLUMN_GROUP;
            return 0;
        case T_COL:
            clear_back_to(p, TABLE_CONTEXT);
            insert_bare(p, T_COLGROUP);
            p->mode = IN_COLUMN_GROUP;
            return 1;
        case T_TBODY: case T_TFOOT: case T_THEAD:
            clear_back_to(p, TABLE_CONTEXT);
            insert_html(p, t);
            p->mode = IN_TABLE_BODY;
            return 0;
        case T_TD: case T_TH: case T_TR:
            clear_back_to(p, TABLE_CONTEXT);
            insert_bare(p, T_TBODY);
            p->mode = IN_TABLE_BODY;
            return 1;
        case T_TABLE:
            if (in_scope(p, T_TABLE, TABLE_SCOPE) < 0) return 0;
            pop_until(p, T_TABLE);
            reset_mode(p);
            return 1;
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
        case T_TABLE:
            if (in_scope(p, T_TABLE, TABLE_SCOPE) < 0) return 0;
            pop_until(p, T_TABLE);
            reset_mode(p);
            return 0;
        case T_BODY: case T_CAPTION: case T_COL: case T_COLGROUP: case T_HTML: case T_TBODY: case T_TD: case T_TFOOT: case T_TH:
        case T_THEAD: case T_TR:
            return 0;
        case T_TEMPLATE: end_template(p); return 0;
        }
        break;
    }
    with_fostering(p, t);
    return 0;
}

static int in_caption(Parser *p, Token *t) {
    int ends_it = t->type == END_TAG && t->tag == T_CAPTION;
    int is_outer = t->type == END_TAG && t->tag == T_TABLE;
    if (t->type == START_TAG) switch (t->tag) {
        case T_CAPTION: case T_COL: case T_COLGROUP: case T_TBODY: case T_TD: case T_TFOOT: case T_TH: case T_THEAD: case T_TR:
            is_outer = 1;
        }
    if (ends_it || is_outer) {
        if (in_scope(p, T_CAPTION, TABLE_SCOPE) < 0) return 0;
        imply_ends(p, 0);
        pop_until(p, T_CAPTION);
        clear_to_marker(p);
        p->mode = IN_TABLE;
        return is_outer;
    }
    if (t->type == END_TAG) switch (t->tag) {
        case T_BODY: case T_COL: case T_COLGROUP: case T_HTML: case T_TBODY: case T_TD: case T_TFOOT: case T_TH: case T_THEAD: case T_TR:
            return 0;
        }
    in_body(p, t);
    return 0;
}

/* What stands after the white space that characters begin with is left in the token; 0 if nothing. */
static int keep_space(Parser *p, Token *t) {
    int32_t n = leading_space(p, t);
    insert_text(p, t->is_own ? OWN_TEXT : TEXT, t->at, n);
    t->at += n;
    t->size -= n;
    return t->size > 0;
}

static int drop_space(const Parser *p, Token *t) {
    int32_t n = leading_space(p, t);
    t->at += n;
    t->size -= n;
    return t->size > 0;
}

static int in_column_group(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !keep_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, -1); return 0; }
    if (t->type == START_TAG && t->tag == T_HTML) { in_body(p, t); return 0; }
    if (t->type == START_TAG && t->tag == T_COL) { insert_empty(p, t); return 0; }
    if (t->tag == T_TEMPLATE && t->type == START_TAG) { start_template(p, t); return 0; }
    if (t->tag == T_TEMPLATE && t->type == END_TAG) { end_template(p); return 0; }
    if (!current_is(p, T_COLGROUP)) {
        /* Of characters each that is no white space is left out. */
        if (t->type == CHARACTERS) p->declined = 1;
        return 0;
    }
    pop(p);
    p->mode = IN_TABLE;
    return !(t->type == END_TAG && t->tag == T_COLGROUP);
}

static int32_t body_in_scope(const Parser *p) {
    int32_t found = in_scope(p, T_TBODY, TABLE_SCOPE);
    if (found < 0) found = in_scope(p, T_THEAD, TABLE_SCOPE);
    return found < 0 ? in_scope(p, T_TFOOT, TABLE_SCOPE) : found;
}

static int in_table_body(Parser *p, Token *t) {
    if (t->type == START_TAG) switch (t->tag) {
        case T_TR:
            clear_back_to(p, BODY_CONTEXT);
            insert_html(p, t);
            p->mode = IN_ROW;
            return 0;
        case T_TH: case T_TD:
            clear_back_to(p, BODY_CONTEXT);
            insert_bare(p, T_TR);
            p->mode = IN_ROW;
            return 1;
        case T_CAPTION: case T_COL: case T_COLGROUP: case T_TBODY: case T_TFOOT: case T_THEAD: goto outer;
        }
    if (t->type == END_TAG) switch (t->tag) {
        case T_TBODY: case T_TFOOT: case T_THEAD:
            if (in_scope(p, t->tag, TABLE_SCOPE) < 0) return 0;
            clear_back_to(p, BODY_CONTEXT);
            pop(p);
            p->mode = IN_TABLE;
            return 0;
        case T_TABLE: goto outer;
        case T_BODY: case T_CAPTION: case T_COL: case T_COLGROUP: case T_HTML: case T_TD: case T_TH: case T_TR: return 0;
        }
    return in_table(p, t);
outer:
    if (body_in_scope(p) < 0) return 0;
    clear_back_to(p, BODY_CONTEXT);
    pop(p);
    p->mode = IN_TABLE;
    return 1;
}

static int end_row(Parser *p, int again) {
    if (in_scope(p, T_TR, TABLE_SCOPE) < 0) return 0;
    clear_back_to(p, ROW_CONTEXT);
    pop(p);
    p->mode = IN_TABLE_BODY;
    return again;
}

static int in_row(Parser *p, Token *t) {
    if (t->type == START_TAG) switch (t->tag) {
        case T_TH: case T_TD:
            clear_back_to(p, ROW_CONTEXT);
            insert_html(p, t);
            p->mode = IN_CELL;
            push_marker(p);
            return 0;
        case T_CAPTION: case T_COL: case T_COLGROUP: case T_TBODY: case T_TFOOT: case T_THEAD: case T_TR: return end_row(p, 1);
        }
    if (t->type == END_TAG) switch (t->tag) {
        case T_TR: return end_row(p, 0);
        case T_TABLE: return end_row(p, 1);
        case T_TBODY: case T_TFOOT: case T_THEAD: return in_scope(p, t->tag, TABLE_SCOPE) < 0 ? 0 : end_row(p, 1);
        case T_BODY: case T_CAPTION: case T_COL: case T_COLGROUP: case T_HTML: case T_TD: case T_TH: return 0;
        }
    return in_table(p, t);
}

static int in_cell(Parser *p, Token *t) {
    if (t->type == START_TAG) switch (t->tag) {
        case T_CAPTION: case T_COL: case T_COLGROUP: case T_TBODY: case T_TD: case T_TFOOT: case T_TH: case T_THEAD: case T_TR:
            if (in_scope(p, T_TD, TABLE_SCOPE) < 0 && in_scope(p, T_TH, TABLE_SCOPE) < 0) return 0;
            close_cell(p);
            return 1;
        }
    if (t->type == END_TAG) switch (t->tag) {
        case T_TD: case T_TH:
            if (in_scope(p, t->tag, TABLE_SCOPE) < 0) return 0;
            imply_ends(p, 0);
            pop_until(p, t->tag);
            clear_to_marker(p);
            p->mode = IN_ROW;
            return 0;
        case T_BODY: case T_CAPTION: case T_COL: case T_COLGROUP: case T_HTML: return 0;
        case T_TABLE: case T_TBODY: case T_TFOOT: case T_THEAD: case T_TR:
            if (in_scope(p, t->tag, TABLE_SCOPE) < 0) return 0;
            close_cell(p);
            return 1;
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
        p->templates[p->templated - 1] = mode;
        p->mode = mode;
        return 1;
    }
    return 0;
}

static int in_head(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !keep_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, -1); return 0; }
    if (t->type == START_TAG) {
        if (t->tag == T_HTML) { in_body(p, t); return 0; }
        if (t->tag == T_HEAD || start_in_head(p, t)) return 0;
        if (t->tag == T_NOSCRIPT) {
            insert_html(p, t);
            p->mode = IN_HEAD_NOSCRIPT;
            return 0;
        }
    } else if (t->type == END_TAG) {
        if (t->tag == T_TEMPLATE) { end_template(p); return 0; }
        if (t->tag == T_HEAD) {
            pop(p);
            p->mode = AFTER_HEAD;
            return 0;
        }
        if (t->tag != T_BODY && t->tag != T_HTML && t->tag != T_BR) return 0;
    }
    pop(p);
    p->mode = AFTER_HEAD;
    return 1;
}

static int in_head_noscript(Parser *p, Token *t) {
    if (t->type == CHARACTERS && leading_space(p, t) == t->size) { insert_characters(p, t); return 0; }
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, -1); return 0; }
    if (t->type == START_TAG) switch (t->tag) {
        case T_HTML: in_body(p, t); return 0;
        case T_BASEFONT: case T_BGSOUND: case T_LINK: case T_META: case T_NOFRAMES: case T_STYLE: start_in_head(p, t); return 0;
        case T_HEAD: case T_NOSCRIPT: return 0;
        }
    if (t->type == END_TAG && t->tag != T_BR) {
        if (t->tag != T_NOSCRIPT) return 0;
        pop(p);
        p->mode = IN_HEAD;
        return 0;
    }
    pop(p);
    p->mode = IN_HEAD;
    return 1;
}

static int after_head(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !keep_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, -1); return 0; }
    if (t->type == START_TAG) switch (t->tag) {
        case T_BODY:
            insert_html(p, t);
            p->mode = IN_BODY;
            return 0;
        case T_FRAMESET: p->declined = 1; return 0;
        case T_BASE: case T_BASEFONT: case T_BGSOUND: case T_LINK: case T_META: case T_NOFRAMES: case T_SCRIPT: case T_STYLE:
        case T_TEMPLATE: case T_TITLE: {
            push(p, p->head);
            if (p->declined) return 0;
            start_in_head(p, t);
            int32_t place = place_of(p, p->head);
            if (place >= 0) take_off(p, place);
            return 0;
        }
        }
    if (t->type == END_TAG) {
        if (t->tag == T_TEMPLATE) { end_template(p); return 0; }
        if (t->tag != T_BODY && t->tag != T_HTML && t->tag != T_BR) return 0;
    }
    insert_bare(p, T_BODY);
    p->mode = IN_BODY;
    return 1;
}

static int before_head(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !drop_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, -1); return 0; }
    if (t->type == START_TAG && t->tag == T_HTML) { in_body(p, t); return 0; }
    if (t->type == START_TAG && t->tag == T_HEAD) {
        p->head = insert_html(p, t);
        p->mode = IN_HEAD;
        return 0;
    }
    if (t->type == END_TAG && t->tag != T_HEAD && t->tag != T_BODY && t->tag != T_HTML && t->tag != T_BR) return 0;
    p->head = insert_bare(p, T_HEAD);
    p->mode = IN_HEAD;
    return 1;
}

static void insert_root(Parser *p, int32_t at, int32_t size) {
    p->root = new_node(p, ELEMENT, T_HTML, at, size);
    if (p->failed) return;
    put_in(p, 0, 0, p->root);
    push(p, p->root);
    p->mode = BEFORE_HEAD;
}

static int before_html(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !drop_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, 0); return 0; }
    if (t->type == START_TAG && t->tag == T_HTML) { insert_root(p, t->at, t->size); return 0; }
    if (t->type == END_TAG && t->tag != T_HEAD && t->tag != T_BODY && t->tag != T_HTML && t->tag != T_BR) return 0;
    insert_root(p, 0, 0);
    return 1;
}

static int initially(Parser *p, Token *t) {
    if (t->type == CHARACTERS && !drop_space(p, t)) return 0;
    if (t->type == COMMENT_TOKEN) { insert_comment(p, t, 0); return 0; }
    p->mode = BEFORE_HTML;
    if (t->type == DOCTYPE_TOKEN) {
        p->is_quirky = t->is_quirky;
        int32_t i = new_node(p, DOCTYPE, 0, 0, 0);
        if (!p->failed) put_in(p, 0, 0, i);
        return 0;
    }
    p->is_quirky = 1;
    return 1;
}

static int after_body(Parser *p, Token *t) {
    if (t->type == COMMENT_TOKEN) {
        insert_comment(p, t, p->mode == AFTER_BODY ? p->open[0] : 0);
        return 0;
    }
    if (t->type == CHARACTERS) {
        int32_t n = leading_space(p, t);
        Token space = *t;
        space.size = n;
        if (n) in_body(p, &space);
        t->at += n;
        t->size -= n;
        if (!t->size) return 0;
    }
    if (t->type == END_TAG && t->tag == T_TEMPLATE) return 0;
    if (t->type == END_TAG && t->tag == T_HTML && p->mode == AFTER_BODY) { p->mode = AFTER_AFTER_BODY; return 0; }
    p->mode = IN_BODY;
    return 1;
}

static int by_mode(Parser *p, Token *t) {
    if (t->type == DOCTYPE_TOKEN && p->mode != INITIAL) return 0;
    switch (p->mode) {
    case INITIAL: return initially(p, t);
    case BEFORE_HTML: return before_html(p, t);
    case BEFORE_HEAD: return before_head(p, t);
    case IN_HEAD: return in_head(p, t);
    case IN_HEAD_NOSCRIPT: return in_head_noscript(p, t);
    case AFTER_HEAD: return after_head(p, t);
    case IN_TABLE: return in_table(p, t);
    case IN_CAPTION: return in_caption(p, t);
    case IN_COLUMN_GROUP: return in_column_group(p, t);
    case IN_TABLE_BODY: return in_table_body(p, t);
    case IN_ROW: return in_row(p, t);
    case IN_CELL: return in_cell(p, t);
    case IN_TEMPLATE: return in_template(p, t);
    case AFTER_BODY: case AFTER_AFTER_BODY: return after_body(p, t);
    }
    if (t->type == END_TAG && t->tag == T_HTML && in_scope(p, T_BODY, PLAIN_SCOPE) >= 0) {
        p->mode = AFTER_BODY;
        return 1;
    }
    in_body(p, t);
    return 0;
}

/* ---- foreign content ---- */

static int takes_text(const Dom *n) { return n->space == IN_MATH && bits_of(n->tag) & MATH_SCOPE && n->tag != T_ANNOTATION_XML; }

static int takes_html(const Dom *n) { return n->space == IN_SVG ? bits_of(n->tag) & SVG_SCOPE : n->is_html_inside; }

static int is_foreign(const Parser *p, const Token *t) {
    if (!p->opened || t->type == END_OF_FILE) return 0;
    const Dom *n = dom_at(p, p->opened - 1);
    if (n->space == IN_HTML) return 0;
    if (t->type == CHARACTERS) return !takes_text(n) && !takes_html(n);
    if (t->type != START_TAG) return 1;
    if (takes_text(n)) return t->tag == T_MGLYPH || t->tag == T_MALIGNMARK;
    if (n->space == IN_MATH && n->tag == T_ANNOTATION_XML && t->tag == T_SVG) return 0;
    return !takes_html(n);
}

static void break_out(Parser *p) {
    while (p->opened) {
        const Dom *n = dom_at(p, p->opened - 1);
        if (n->space == IN_HTML || takes_text(n) || takes_html(n)) return;
        pop(p);
    }
}

/* 1 where the token is for the insertion mode. */
static int in_foreign(Parser *p, Token *t) {
    switch (t->type) {
    case CHARACTERS: insert_characters(p, t); return 0;
    case COMMENT_TOKEN: insert_comment(p, t, -1); return 0;
    case DOCTYPE_TOKEN: return 0;
    case START_TAG:
        if (bits_of(t->tag) & BREAKS_OUT || (t->tag == T_FONT && t->has_look)) { break_out(p); return 1; }
        start_foreign(p, t, dom_at(p, p->opened - 1)->space);
        return 0;
    case END_TAG:
        if (t->tag == T_BR || t->tag == T_P) { break_out(p); return 1; }
        for (int32_t k = p->opened - 1; k > 0; k--) {
            if (dom_at(p, k)->tag == t->tag) { p->opened = k; return 0; }
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

static int start_names(Parser *p) {
    if (table_init(&p->names, 256) < 0) return -1;
    for (int i = 0; i < T_KNOWN; i++) {
        int fresh;
        if (table_put(&p->names, KNOWN[i].name, KNOWN[i].size, &fresh) != i) return -1;
    }
    return 0;
}

const char *tag_name(const Parser *p, int32_t tag, int32_t *size) {
    *size = p->names.keys[tag].size;
    return p->names.bytes.data + p->names.keys[tag].at;
}

int build_tree(Parser *p) {
    int32_t open[DEEPEST], formatting[DEEPEST];
    int templates[DEEPEST];
    p->open = open;
    p->formatting = formatting;
    p->templates = templates;
    if (start_names(p) < 0) return -1;
    new_node(p, DOCUMENT, 0, 0, 0);
    if (p->is_fragment) {
        insert_root(p, 0, 0);
        p->mode = IN_BODY;
    }
    Token t;
    do {
        next_html_token(p, &t);
        if (p->skip_line) {
            p->skip_line = 0;
            if (t.type == CHARACTERS && *characters_of(p, &t) == '\n') { t.at++; t.size--; }
        }
        if (t.type == END_OF_FILE) {
            /* What every page has, even an empty one; what is open stays as it is. */
            while (p->templated) {
                pop_until(p, T_TEMPLATE);
                clear_to_marker(p);
                p->templated--;
                reset_mode(p);
            }
            while (p->mode < IN_BODY && !p->failed && by_mode(p, &t)) {}
            break;
        }
        if (is_foreign(p, &t) && !in_foreign(p, &t)) continue;
        while (!p->failed && !p->declined && by_mode(p, &t)) {}
    } while (!p->failed && !p->declined);
    return p->failed ? -1 : !p->declined;
}

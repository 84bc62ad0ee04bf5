/* elements.callouts.standardize_callouts(): what a name, a class or a first word means is asked of Python. Each function says
   as those of code.c do whether it is done. */

#include "ordinary.h"

#define SEARCHED 24  /* elements of a box among which its title is looked for */
#define BEGINNING 4  /* elements of a box that may begin with the word for it */
#define WORD 40      /* characters of an element that may be such a word */
#define CONTENT 20   /* characters of a box that is no message of the site */

enum { SURE = 0, IF_CONTENT = 1, IF_WORD = 2 }; /* as callouts.named_kind() has them */

/* survey.lead(), into the pad. */
static int add_lead(Ordinary *o, Id id, Py_ssize_t count) {
    Py_ssize_t size = 0;
    int step;
    o->text.size = o->pad.size = 0;
    for (Id at = id; at != NONE && size <= count; at = next_inside(&o->d, id, at)) {
        if (NODE(at)->tag != TEXT) continue;
        const char *s = NODE(at)->s, *stop = s + NODE(at)->size;
        while (s < stop && is_html_space(*s)) s++;
        while (stop > s && is_html_space(stop[-1])) stop--;
        if (s == stop) continue;
        if (o->text.size) TRY(buffer_put(&o->text, ' '));
        TRY(buffer_add(&o->text, s, stop - s));
        for (; s < stop; size++) {
            const char *end = *s == '&' ? memchr(s, ';', (size_t)(stop - s)) : NULL;
            if (end) s = end + 1;
            else { decode_one(s, &step); s += step; }
        }
    }
    return add_squeezed(&o->pad, &o->pads.pad, o->text.data, o->text.data + o->text.size);
}

static PyObject *text_in(const Buffer *b) { return PyUnicode_DecodeUTF8(b->size ? b->data : "", b->size, NULL); }

/* Whether what is in the pad is only the word for a box; -1 after an error. */
static int is_word(Ordinary *o) { return o->pad.size ? is_told(o->is_word, text_in(&o->pad)) : 0; }

/* Whether a class has a word that a function of Python knows; -1 after an error. */
static int is_named(Ordinary *o, Id id, PyObject *function) {
    Py_ssize_t size;
    const char *names = attribute(o, id, "class", &size);
    return names && size ? is_told(function, unescaped(o, names, size)) : 0;
}

/* Whether a box whose names say so is one; -1 after an error. */
static int is_proven(Ordinary *o, Id box, int proof) {
    if (proof == SURE) return 1;
    if (proof == IF_CONTENT) {
        if (holds(o, box, o->input)) return 0;
        TRY(add_lead(o, box, CONTENT));
        return count_characters(o->pad.data, o->pad.size) >= CONTENT;
    }
    Id at = next_inside(&o->d, box, box);
    for (int seen = 0; at != NONE && seen < BEGINNING; at = next_inside(&o->d, box, at)) {
        if (NODE(at)->tag == TEXT) continue;
        seen++;
        TRY(add_lead(o, at, WORD));
        if (o->pad.size == 0) continue;
        int word = is_word(o);
        if (word) return word;
        if (NODE(at)->tag != o->p && NODE(at)->tag != o->div) return 0;
    }
    return 0;
}

static Id first_shown(const Ordinary *o, Id id) {
    Id child = NODE(id)->first;
    while (child != NONE && NODE(child)->tag == TEXT && NODE(child)->is_blank) child = NODE(child)->after;
    return child;
}

/* callouts._drop_leading_word() */
static int drop_leading_word(Ordinary *o, Id box) {
    Id first = first_shown(o, box);
    for (int k = 0; k < 3 && first != NONE && NODE(first)->tag != TEXT; k++) {
        TRY(add_lead(o, first, WORD));
        int word = is_word(o);
        if (word < 0) return -1;
        if (word) {
            take_out(o, first);
            return 1;
        }
        if (NODE(first)->tag != o->p && NODE(first)->tag != o->div) return 1;
        first = first_shown(o, first);
    }
    return 1;
}

/* Takes the icons out of a title. */
static int clear_title(Ordinary *o, Id title) {
    for (int is_span = 0; is_span < 2; is_span++) {
        for (Id at = next_inside(&o->d, title, title), next; at != NONE; at = next) {
            int32_t tag = NODE(at)->tag;
            int goes = is_span ? tag == o->span : tag == o->i || tag == o->img;
            if (goes && is_span) goes = is_named(o, at, o->decorates_box);
            if (goes < 0) return -1;
            next = next_inside(&o->d, title, at);
            if (!goes) continue;
            Id after = at;
            while (after != title && NODE(after)->after == NONE) after = NODE(after)->parent;
            next = after == title ? NONE : NODE(after)->after;
            take_out(o, at);
        }
    }
    return 1;
}

/* callouts._take_title(): *made is a paragraph of what a title says beyond the type, NONE without one. */
static int take_title(Ordinary *o, Id box, Id *made) {
    Id title = next_inside(&o->d, box, box);
    *made = NONE;
    for (int seen = 0; title != NONE; title = next_inside(&o->d, box, title)) {
        if (NODE(title)->tag == TEXT) continue;
        if (++seen > SEARCHED) { title = NONE; break; }
        int named = NODE(title)->tag == o->summary && NODE(box)->tag == o->details ? 1 : is_named(o, title, o->titles_box);
        if (named < 0) return -1;
        if (named) break;
    }
    if (title == NONE) return drop_leading_word(o, box);
    STEP(clear_title(o, title));
    o->text.size = o->pad.size = 0;
    int holds_elements = 0, holds_blocks = 0;
    for (Id at = next_inside(&o->d, title, title); at != NONE; at = next_inside(&o->d, title, at)) {
        if (NODE(at)->tag == TEXT) TRY(buffer_add(&o->text, NODE(at)->s, NODE(at)->size));
        else holds_elements = 1;
    }
    for (Id child = NODE(title)->first; child != NONE; child = NODE(child)->after)
        holds_blocks = holds_blocks || NODE(child)->tag == o->p || NODE(child)->tag == o->div || TRAITS(child) & HEADING_TAG;
    TRY(add_squeezed(&o->pad, &o->pads.pad, o->text.data, o->text.data + o->text.size));
    int word = is_word(o);
    if (word < 0) return -1;
    if (o->pad.size && !word) {
        Id strong = draft_new(&o->d, o->strong, "", 0);
        *made = strong == NONE ? NONE : draft_new(&o->d, o->p, "", 0);
        if (*made == NONE) return -1;
        append_child(&o->d, *made, strong);
        if (holds_blocks || !holds_elements) {
            o->text.size = 0;
            TRY(add_markup(&o->text, o->pad.data, o->pad.size, 0));
            const char *bytes = kept_bytes(o, o->text.data, o->text.size);
            Id said = bytes ? draft_new(&o->d, TEXT, bytes, o->text.size) : NONE;
            if (said == NONE) return -1;
            NODE(said)->is_blank = is_blank_text(bytes, bytes + o->text.size);
            append_child(&o->d, strong, said);
        } else {
            while (NODE(title)->first != NONE) append_child(&o->d, strong, NODE(title)->first);
        }
    }
    take_out(o, title);
    return 1;
}

static int drop_icons(Ordinary *o, Id box) {
    Id icons[SEARCHED];
    int count = 0;
    for (Id at = next_inside(&o->d, box, box); at != NONE && count < SEARCHED; at = next_inside(&o->d, box, at)) {
        int32_t tag = NODE(at)->tag;
        if (tag == o->span || tag == o->i || tag == o->div || tag == o->label) icons[count++] = at;
    }
    for (int k = 0; k < count; k++) {
        if (NODE(icons[k])->tag == TEXT) continue;
        int named = is_named(o, icons[k], o->decorates_box);
        if (named <= 0) { TRY(named); continue; }
        TRY(add_lead(o, icons[k], CONTENT));
        if (count_characters(o->pad.data, o->pad.size) < CONTENT) take_out(o, icons[k]);
    }
    return 1;
}

/* Leaves an element its class and its id, and adds its type. */
static int mark(Ordinary *o, Id box, const char *kind, Py_ssize_t kind_size) {
    o->pad.size = 0;
    for (const char *s = NODE(box)->s, *stop = s + NODE(box)->size; s < stop;) {
        const char *equals = memchr(s, '=', (size_t)(stop - s)), *quote = memchr(equals + 2, '"', (size_t)(stop - equals - 2));
        Py_ssize_t size = equals - s - 1;
        if ((size == 5 && memcmp(s + 1, "class", 5) == 0) || (size == 2 && memcmp(s + 1, "id", 2) == 0)) TRY(buffer_add(&o->pad, s, quote + 1 - s));
        s = quote + 1;
    }
    TRY(buffer_add(&o->pad, " data-callout=\"", 15));
    TRY(buffer_add(&o->pad, kind, kind_size));
    TRY(buffer_put(&o->pad, '"'));
    return set_bytes(o, box, &o->pad);
}

static int rewrite_box(Ordinary *o, Id box, const char *kind, Py_ssize_t kind_size) {
    Id title;
    STEP(take_title(o, box, &title));
    STEP(drop_icons(o, box));
    NODE(box)->tag = o->blockquote;
    TRY(mark(o, box, kind, kind_size));
    if (title == NONE) return 1;
    if (NODE(box)->first == NONE) append_child(&o->d, box, title);
    else insert_before(&o->d, NODE(box)->first, title);
    return 1;
}

int rewrite_boxes(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->boxes.count; k++) {
        Id box = o->boxes.ids[k];
        if (NODE(box)->tag == TEXT) continue;
        PyObject *attrs = attributes(o, box), *get = attrs ? PyObject_GetAttrString(attrs, "get") : NULL, *named = NULL, *kind;
        if (get) named = PyObject_CallOneArg(o->named_kind, get);
        Py_XDECREF(attrs);
        Py_XDECREF(get);
        int proof = 0, done = named == NULL ? -1 : 1;
        if (done > 0 && named != Py_None) {
            done = PyArg_ParseTuple(named, "Ui", &kind, &proof) ? is_proven(o, box, proof) : -1;
            Py_ssize_t size = 0;
            const char *name = done > 0 ? PyUnicode_AsUTF8AndSize(kind, &size) : NULL;
            if (done > 0) done = name ? rewrite_box(o, box, name, size) : -1;
            else if (done == 0) done = 1;
        }
        Py_XDECREF(named);
        if (done <= 0) return done;
    }
    return 1;
}

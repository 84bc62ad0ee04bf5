/* elements.footnotes: references and the notes they refer to. What a link says is asked of Python. Each function says as those of
   code.c do whether it is done, if nothing else is said. */

#include "ordinary.h"

#define STEPS 4        /* elements up from an id to its note, and down to the end of a note */
#define ROUNDS 3       /* of taking out what is empty without its notes */
#define LONG_LABEL 59  /* characters */

/* What is known of elements, beside what their classes say. */
enum { HOLDS_NOTES = 1 << 20, WANTED = 1 << 21, LOOKED_AT = 1 << 22, POINTS_BACK = 1 << 23, NOTED = 1 << 24,
       NUMBERED = 1 << 25 /* with the number in the lowest bits, instead of what the class says */, NUMBER = (1 << 20) - 1 };

typedef struct {
    Id element, note; /* that has the id, and that is the note; NONE without */
    int is_named;
} Target;

typedef struct {
    Id anchor;
    int32_t target;
} Reference;

typedef struct {
    Table ids; /* that references point to */
    Target *targets;
    Reference *references;
    Py_ssize_t room, count, reference_room;
    PyObject *marks; /* ids of references */
    Ids taken, outer, above;
    int numbers;
} Notes;

static int is_definition(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    return tag == o->li || tag == o->aside || tag == o->dd || tag == o->p || tag == o->div || tag == o->dt || tag == o->tr || tag == o->td || tag == o->section;
}

static int is_list(const Ordinary *o, Id id) { return NODE(id)->tag == o->ol || NODE(id)->tag == o->ul; }

static int says_nothing(const Ordinary *o, Id id) { return is_silent(o, id) && !holds(o, id, o->img); }

static int has_ancestor(const Ordinary *o, Id id, int mark) {
    for (Id above = NODE(id)->parent; above != NONE; above = NODE(above)->parent)
        if (NODE(above)->marks & mark) return 1;
    return 0;
}

/* ---- references ---- */

static int is_raised(const Ordinary *o, Id anchor) {
    if (NODE(NODE(anchor)->parent)->tag == o->sup) return 1;
    Id only = NONE;
    for (Id child = NODE(anchor)->first; child != NONE; child = NODE(child)->after) {
        if (NODE(child)->tag == TEXT && NODE(child)->is_blank) continue;
        if (only != NONE) return 0;
        only = child;
    }
    return only != NONE && NODE(only)->tag == o->sup;
}

/* Whether an address leads to the page itself, if that can be told here. */
static int may_be_local(const Ordinary *o, const char *href, Py_ssize_t size) {
    if (*href == '#' || !(*href > ' ' && *href < 0x7F) || memchr(href, '&', (size_t)size)) return 1;
    Py_ssize_t base_size = 0;
    const char *base = PyUnicode_Check(o->base_url) ? PyUnicode_AsUTF8AndSize(o->base_url, &base_size) : NULL;
    if (base == NULL) {
        PyErr_Clear();
        return PyUnicode_Check(o->base_url);
    }
    const char *end = memchr(base, '#', (size_t)base_size);
    if (end) base_size = end - base;
    return size > base_size && href[base_size] == '#' && memcmp(href, base, (size_t)base_size) == 0;
}

/* Whether what stands behind "#" may be one of footnotes._REFERENCE_ID. */
static int may_name_note(const char *id, Py_ssize_t size) {
    static const char *const names[] = {"fn", "ftn", "_ftn", "edn", "_edn", "foot", "endn", "cite", "note", "sdfo", "easy"};
    static const char prefix[] = "user-content-";
    Py_ssize_t skipped = size >= 13 && strncasecmp(id, prefix, 13) == 0 ? 13 : 0;
    for (Py_ssize_t k = 0; k < size && k < skipped + 4; k++) if (id[k] & 0x80 || id[k] == '&') return 1;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        Py_ssize_t length = (Py_ssize_t)strlen(names[k]);
        if (size - skipped >= length && strncasecmp(id + skipped, names[k], (size_t)length) == 0) return 1;
    }
    return 0;
}

/* Whether a link may be the mark of a note, before its text is looked at. */
static int may_refer(Ordinary *o, Id anchor, const char *href, Py_ssize_t size, int raised) {
    Py_ssize_t role_size;
    const char *role = attribute(o, anchor, "role", &role_size);
    int is_marked = raised || (role && role_size == 11 && memcmp(role, "doc-noteref", 11) == 0);
    if (!may_be_local(o, href, size)) return 0;
    if (*href == '#' && !is_marked && !(NODE(anchor)->marks & REFERENCE_NAME) && !may_name_note(href + 1, size - 1)) return 0;
    PyObject *address = unescaped(o, href, size), *names = address ? attribute_value(o, anchor, "class") : NULL, *told = NULL;
    if (names) told = PyObject_CallFunctionObjArgs(o->may_refer, address, names, is_marked ? Py_True : Py_False, o->base_url, NULL);
    Py_XDECREF(address);
    Py_XDECREF(names);
    int refers = told ? PyObject_IsTrue(told) : -1;
    Py_XDECREF(told);
    return refers;
}

static int add_reference(Ordinary *o, Notes *n, Id anchor, PyObject *id, int is_named) {
    Py_ssize_t size;
    int fresh;
    const char *s = PyUnicode_AsUTF8AndSize(id, &size);
    if (s == NULL || (n->ids.slots == NULL && table_init(&n->ids, 16) < 0)) return -1;
    int32_t number = table_put(&n->ids, s, size, &fresh);
    if (number < 0 || (number >= n->room && list_grow((void **)&n->targets, &n->room, sizeof(Target)) < 0)) return -1;
    if (fresh) n->targets[number] = (Target){NONE, NONE, is_named};
    if (n->count >= n->reference_room && list_grow((void **)&n->references, &n->reference_room, sizeof(Reference)) < 0) return -1;
    n->references[n->count++] = (Reference){anchor, number};
    return 0;
}

/* What attributes an element has, as a function. */
static PyObject *attribute_getter(Ordinary *o, Id id) {
    PyObject *attrs = attributes(o, id), *get = attrs ? PyObject_GetAttrString(attrs, "get") : NULL;
    Py_XDECREF(attrs);
    return get;
}

static int read_reference(Ordinary *o, Notes *n, Id anchor, int raised) {
    PyObject *get = attribute_getter(o, anchor), *text = get ? text_of(o, anchor) : NULL, *told = NULL, *id;
    if (text) told = PyObject_CallFunctionObjArgs(o->reference, get, text, raised ? Py_True : Py_False, o->base_url, NULL);
    Py_XDECREF(get);
    Py_XDECREF(text);
    int is_named, failed = told == NULL;
    if (!failed && told != Py_None) failed = !PyArg_ParseTuple(told, "Up", &id, &is_named) || add_reference(o, n, anchor, id, is_named) < 0;
    Py_XDECREF(told);
    return failed ? -1 : 1;
}

/* footnotes._references() */
static int find_references(Ordinary *o, Notes *n) {
    for (Py_ssize_t k = 0; k < o->links.count; k++) {
        Id anchor = o->links.ids[k];
        if (NODE(anchor)->tag == TEXT) continue;
        Py_ssize_t size, before = n->count;
        const char *href = attribute(o, anchor, "href", &size);
        if (href == NULL || memchr(href, '#', (size_t)size) == NULL) continue;
        int raised = is_raised(o, anchor), refers = may_refer(o, anchor, href, size, raised);
        if (refers < 0 || (refers && read_reference(o, n, anchor, raised) < 0)) return -1;
        if (n->count > before && anchor >= o->read) return 0; /* links to what is embedded are not in order */
    }
    return 1;
}

/* Adds the ids that a reference has itself. */
static int add_marks(Ordinary *o, Notes *n, Id anchor) {
    Id owners[] = {anchor, NODE(anchor)->parent};
    for (int k = 0; k < 2; k++) {
        Py_ssize_t size = 0;
        const char *s = attribute(o, owners[k], "id", &size);
        if (size == 0) s = attribute(o, owners[k], "name", &size);
        if (s == NULL || size == 0) continue;
        PyObject *id = unescaped(o, s, size);
        int failed = id == NULL || PySet_Add(n->marks, id) < 0;
        Py_XDECREF(id);
        if (failed) return -1;
    }
    return 0;
}

/* ---- definitions ---- */

/* Finds the elements that references point to: of several the last. */
static int find_elements(Ordinary *o, Notes *n) {
    for (Id at = next_inside(&o->d, 0, 0); at != NONE; at = next_inside(&o->d, 0, at)) {
        if (NODE(at)->tag == TEXT || NODE(at)->size == 0) continue;
        Py_ssize_t size = 0;
        const char *s = attribute(o, at, "id", &size);
        if (size == 0 && NODE(at)->tag == o->a) s = attribute(o, at, "name", &size);
        if (s == NULL || size == 0) continue;
        o->pad.size = 0;
        TRY(add_unescaped(&o->pad, s, s + size));
        int32_t number = table_find(&n->ids, o->pad.data, o->pad.size);
        if (number >= 0) n->targets[number].element = at;
    }
    return 0;
}

/* footnotes._note_of() */
static Id note_of(const Ordinary *o, Id id) {
    for (int k = 0; k < STEPS && id > 0; k++, id = NODE(id)->parent)
        if (is_definition(o, id)) return id;
    return NONE;
}

static int points_back(Ordinary *o, Notes *n, Id note) {
    if (NODE(note)->marks & LOOKED_AT) return (NODE(note)->marks & POINTS_BACK) != 0;
    int points = 0;
    for (Id at = next_inside(&o->d, note, note); at != NONE && !points; at = next_inside(&o->d, note, at)) {
        if (NODE(at)->tag != o->a) continue;
        Py_ssize_t size = 0;
        const char *href = attribute(o, at, "href", &size);
        for (; size && *href == '#'; size--) href++;
        PyObject *id = unescaped(o, href ? href : "", size);
        points = id ? PySet_Contains(n->marks, id) : -1;
        Py_XDECREF(id);
        if (points < 0) return -1;
    }
    NODE(note)->marks |= LOOKED_AT | (points ? POINTS_BACK : 0);
    return points;
}

/* footnotes._definitions() */
static int find_definitions(Ordinary *o, Notes *n) {
    for (Py_ssize_t k = 0; k < n->count; k++) {
        Target *target = &n->targets[n->references[k].target];
        if (target->note != NONE || target->element == NONE) continue;
        Id note = note_of(o, target->element), above = n->references[k].anchor;
        while (above != NONE && above != note) above = NODE(above)->parent;
        if (note == NONE || above == note) continue;
        int is_note = NODE(note)->marks & HOLDS_NOTES || has_ancestor(o, note, HOLDS_NOTES) || target->is_named ? 1 : points_back(o, n, note);
        if (is_note < 0) return -1;
        if (!is_note) continue;
        target->note = note;
        NODE(note)->marks |= WANTED;
        n->numbers = 1;
    }
    return 0;
}

/* footnotes._containers() */
static void find_holders(Ordinary *o) {
    Py_ssize_t kept = 0;
    for (Py_ssize_t k = 0; k < o->notes.count; k++) {
        Id id = o->notes.ids[k];
        int32_t tag = NODE(id)->tag;
        if (tag != o->div && tag != o->section && tag != o->aside && tag != o->ol && tag != o->dl && tag != o->ul) continue;
        NODE(id)->marks |= HOLDS_NOTES;
        o->notes.ids[kept++] = id;
    }
    o->notes.count = kept;
}

/* ---- notes ---- */

/* With a note that is wanted go all others of its list. */
static void want_lists(Ordinary *o, Id holder) {
    for (Id list = holder; list != NONE; list = next_inside(&o->d, holder, list)) {
        int wanted = 0;
        if (NODE(list)->tag == TEXT || !is_list(o, list)) continue;
        for (Id child = NODE(list)->first; child != NONE && !wanted; child = NODE(child)->after)
            wanted = NODE(child)->tag == o->li && NODE(child)->marks & WANTED;
        for (Id child = NODE(list)->first; child != NONE && wanted; child = NODE(child)->after)
            if (NODE(child)->tag == o->li) NODE(child)->marks |= WANTED;
    }
}

/* footnotes._body_of() */
static Id body_of(const Ordinary *o, Id term) {
    Id after = NODE(term)->after;
    while (after != NONE && NODE(after)->tag == TEXT) after = NODE(after)->after;
    return after != NONE && NODE(after)->tag == o->dd ? after : NONE;
}

/* footnotes._leads_back(); -1 after an error. */
static int leads_back(Ordinary *o, Notes *n, Id id) {
    Py_ssize_t size, cls, role;
    if (NODE(id)->tag != o->a) return NODE(id)->marks & BACK_LABEL && has_at_most(o, id, LONG_LABEL);
    const char *href = attribute(o, id, "href", &size);
    if (!attribute(o, id, "class", &cls) && !attribute(o, id, "role", &role) && (href == NULL || memchr(href, '#', (size_t)size) == NULL)) return 0;
    PyObject *get = attribute_getter(o, id), *text = get ? text_of(o, id) : NULL, *told = NULL;
    if (text) told = PyObject_CallFunctionObjArgs(o->leads_back, get, text, n->marks, o->base_url, NULL);
    Py_XDECREF(get);
    Py_XDECREF(text);
    int leads = told ? PyObject_IsTrue(told) : -1;
    Py_XDECREF(told);
    return leads;
}

static int add_once(Ordinary *o, Ids *list, Id id) {
    if (NODE(id)->marks & NOTED) return 0;
    NODE(id)->marks |= NOTED;
    return add_id(list, id);
}

/* Takes the way back out of a note, and what stood only around it. */
static int take_way_back(Ordinary *o, Notes *n, Id source) {
    n->outer.count = 0;
    for (Id at = next_inside(&o->d, source, source), next; at != NONE; at = next) {
        int32_t tag = NODE(at)->tag;
        int leads = tag == o->a || tag == o->span || tag == o->sup ? leads_back(o, n, at) : 0;
        if (leads < 0) return -1;
        next = next_inside(&o->d, source, at);
        if (!leads) continue;
        Id after = at, outer = NODE(at)->parent;
        while (after != source && NODE(after)->after == NONE) after = NODE(after)->parent;
        next = after == source ? NONE : NODE(after)->after;
        take_out(o, at);
        if (NODE(outer)->tag == o->sup || NODE(outer)->tag == o->span || NODE(outer)->tag == o->small) TRY(add_once(o, &n->outer, outer));
    }
    for (Py_ssize_t k = 0; k < n->outer.count; k++) {
        NODE(n->outer.ids[k])->marks &= ~NOTED;
        if (NODE(n->outer.ids[k])->tag != TEXT && is_silent(o, n->outer.ids[k])) take_out(o, n->outer.ids[k]);
    }
    return 0;
}

/* footnotes._trim_end() */
static void trim_end(Ordinary *o, Id item) {
    for (int k = 0; k < STEPS && NODE(item)->last != NONE; k++) {
        Id last = NODE(item)->last;
        DraftNode *node = NODE(last);
        if (node->tag == TEXT) {
            const char *stop = node->s + node->size;
            while (stop > node->s) {
                if (stop[-1] == ' ' || stop[-1] == '\n' || stop[-1] == '\t') stop--;
                else if (stop - node->s >= 6 && memcmp(stop - 6, "&nbsp;", 6) == 0) stop -= 6;
                else break;
            }
            node->size = stop - node->s;
            if (node->size) return;
            unlink_node(&o->d, last);
        } else if (node->tag == o->p && says_nothing(o, last)) {
            take_out(o, last);
        } else {
            item = last;
        }
    }
}

/* footnotes._item() as a new element; NONE after an error. */
static Id item_of(Ordinary *o, Notes *n, Id note) {
    Id source = note;
    if (NODE(note)->tag == o->dt && body_of(o, note) != NONE) source = body_of(o, note);
    if (NODE(note)->tag == o->tr)
        for (Id child = NODE(note)->first; child != NONE; child = NODE(child)->after) if (NODE(child)->tag != TEXT) source = child;
    if (take_way_back(o, n, source) < 0) return NONE;
    Id item = draft_new(&o->d, o->li, "", 0);
    if (item == NONE) return NONE;
    while (NODE(source)->first != NONE) append_child(&o->d, item, NODE(source)->first);
    trim_end(o, item);
    return item;
}

static int is_emptied(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    int has_tag = tag == o->ol || tag == o->ul || tag == o->dl || tag == o->aside || tag == o->tr || tag == o->tbody || tag == o->table || tag == o->div || tag == o->section;
    return has_tag && is_silent(o, id) && !holds(o, id, o->img) && !holds(o, id, o->li);
}

/* footnotes._remove_emptied() */
static int remove_emptied(Ordinary *o, Notes *n) {
    n->outer.count = 0;
    for (Py_ssize_t k = 0; k < n->taken.count; k++) {
        Id note = n->taken.ids[k], parent = NODE(note)->parent;
        if (parent != NONE) TRY(add_once(o, &n->outer, parent));
        Id body = NODE(note)->tag == o->dt ? body_of(o, note) : NONE;
        if (body != NONE && NODE(body)->first == NONE) take_out(o, body);
        if (NODE(note)->tag != TEXT) take_out(o, note);
    }
    for (int round = 0; round < ROUNDS; round++) {
        n->above.count = 0;
        for (Py_ssize_t k = 0; k < n->outer.count; k++) NODE(n->outer.ids[k])->marks &= ~NOTED;
        for (Py_ssize_t k = 0; k < n->outer.count; k++) {
            Id id = n->outer.ids[k], parent = NODE(id)->parent;
            if (id == 0 || parent == NONE || NODE(id)->tag == TEXT || !is_emptied(o, id)) continue;
            take_out(o, id);
            TRY(add_once(o, &n->above, parent));
        }
        Ids swapped = n->outer;
        n->outer = n->above;
        n->above = swapped;
    }
    return 0;
}

static const char *numbered(Ordinary *o, const char *name, const char *before, int number, Py_ssize_t *size) {
    char written[64];
    *size = snprintf(written, sizeof written, " %s=\"%s%d\"", name, before, number);
    return kept_bytes(o, written, *size);
}

/* footnotes._gather() */
static int gather(Ordinary *o, Notes *n) {
    for (Py_ssize_t k = 0; k < o->notes.count; k++)
        if (NODE(o->notes.ids[k])->tag != TEXT) want_lists(o, o->notes.ids[k]);
    Ids ordered = {0};
    int failed = 0;
    for (Id at = next_inside(&o->d, 0, 0); at != NONE && !failed; at = next_inside(&o->d, 0, at))
        if (NODE(at)->tag != TEXT && NODE(at)->marks & WANTED && is_definition(o, at)) failed = add_id(&ordered, at);
    Id section = failed ? NONE : draft_new(&o->d, o->section, " data-footnotes=\"\"", 18), list = section == NONE ? NONE : draft_new(&o->d, o->ol, "", 0);
    n->numbers = 0;
    failed = list == NONE;
    for (Py_ssize_t k = 0; k < ordered.count && !failed; k++) {
        Id note = ordered.ids[k], item;
        if (NODE(note)->tag == TEXT || has_ancestor(o, note, NUMBERED)) continue;
        item = item_of(o, n, note);
        failed = item == NONE || add_id(&n->taken, note) < 0;
        if (failed || says_nothing(o, item)) continue;
        if (holds(o, item, o->img)) { PyMem_Free(ordered.ids); return 0; } /* it may be shown before, which is after it now */
        if (n->numbers == NUMBER) { PyMem_Free(ordered.ids); return 0; }
        NODE(note)->marks = NUMBERED | ++n->numbers;
        Py_ssize_t size;
        const char *attrs = numbered(o, "id", "fn-", n->numbers, &size);
        failed = attrs == NULL;
        if (failed) break;
        NODE(item)->s = attrs;
        NODE(item)->size = size;
        append_child(&o->d, list, item);
    }
    PyMem_Free(ordered.ids);
    if (failed || remove_emptied(o, n) < 0) return -1;
    for (Py_ssize_t k = 0; k < o->notes.count; k++)
        if (NODE(o->notes.ids[k])->tag != TEXT && says_nothing(o, o->notes.ids[k])) take_out(o, o->notes.ids[k]);
    if (n->numbers == 0) return 1;
    append_child(&o->d, section, list);
    append_child(&o->d, 0, section);
    return 1;
}

/* footnotes._alone() */
static int is_alone(const Ordinary *o, Id anchor, Id parent) {
    for (Id child = NODE(parent)->first; child != NONE; child = NODE(child)->after) {
        if (child == anchor) continue;
        if (NODE(child)->tag != TEXT) return 0;
        const char *s = NODE(child)->s, *stop = s + NODE(child)->size;
        while (s < stop) {
            if (stop - s >= 6 && memcmp(s, "&nbsp;", 6) == 0) s += 6;
            else if (memchr(" \n\t[]()", *s, 7)) s++;
            else return 0;
        }
    }
    return 1;
}

static int add_folded(Ordinary *o, Id id) {
    o->text.size = o->pad.size = 0;
    for (Id at = id; at != NONE; at = next_inside(&o->d, id, at))
        if (NODE(at)->tag == TEXT) TRY(buffer_add(&o->text, NODE(at)->s, NODE(at)->size));
    return add_squeezed(&o->pad, &o->pads.pad, o->text.data, o->text.data + o->text.size);
}

/* footnotes._write_reference() */
static int write_reference(Ordinary *o, Id anchor, int number) {
    Id outer = anchor, parent = NODE(anchor)->parent;
    if (NODE(anchor)->tag == TEXT || parent == NONE) return 0;
    if (NODE(parent)->tag == o->sup) {
        if (is_alone(o, anchor, parent)) outer = parent;
        else take_off(o, parent);
    }
    if (NODE(outer)->parent == NONE) return 0;
    TRY(add_folded(o, number ? anchor : outer));
    if (!number && o->pad.size == 0) TRY(add_folded(o, anchor));
    char written[16];
    if (number && o->pad.size == 0) TRY(buffer_add(&o->pad, written, snprintf(written, sizeof written, "%d", number)));
    Py_ssize_t ref_size = 0, href_size = 0;
    const char *ref = number ? numbered(o, "data-footnote-ref", "", number, &ref_size) : "", *href = number ? numbered(o, "href", "#fn-", number, &href_size) : "";
    Id text = ref && href ? new_text(o, o->pad.data ? o->pad.data : "", o->pad.size) : NONE;
    Id sup = text == NONE ? NONE : draft_new(&o->d, o->sup, ref, ref_size), link = sup == NONE ? NONE : draft_new(&o->d, o->a, href, href_size);
    if (link == NONE) return -1;
    if (number) append_child(&o->d, sup, link);
    append_child(&o->d, number ? link : sup, text);
    insert_before(&o->d, outer, sup);
    take_out(o, outer);
    return 0;
}

static int rewrite(Ordinary *o, Notes *n) {
    STEP(find_references(o, n));
    if (n->count == 0) return 1;
    if ((n->marks = PySet_New(NULL)) == NULL) return -1;
    for (Py_ssize_t k = 0; k < n->count; k++) TRY(add_marks(o, n, n->references[k].anchor));
    find_holders(o);
    TRY(find_elements(o, n));
    TRY(find_definitions(o, n));
    if (n->numbers) STEP(gather(o, n));
    for (Py_ssize_t k = 0; k < n->count; k++) {
        Id note = n->targets[n->references[k].target].note;
        int marks = note == NONE ? 0 : NODE(note)->marks;
        TRY(write_reference(o, n->references[k].anchor, marks & NUMBERED ? marks & NUMBER : 0));
    }
    return 1;
}

int rewrite_notes(Ordinary *o) {
    Notes n = {0};
    int done = rewrite(o, &n);
    if (n.ids.slots) table_free(&n.ids);
    Py_XDECREF(n.marks);
    PyMem_Free(n.targets); PyMem_Free(n.references); PyMem_Free(n.taken.ids); PyMem_Free(n.outer.ids); PyMem_Free(n.above.ids);
    return done;
}

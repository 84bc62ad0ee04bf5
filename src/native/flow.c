/* elements.flow.standardize_flow() with lists.py and inline.py: paragraphs, headings, lists and figures around the hard
   elements. The functions are named as there. */

#include "flow.h"

#define BUDGET 300000
#define MOST_HOLDERS 200
#define MOST_RUNS 8

typedef struct {
    Py_ssize_t from, stop; /* in the list of nodes */
    int is_in_heading;
} Run;

typedef struct {
    Draft d;
    Ids order, nodes, labels; /* elements to visit; a run being looked at, and which piece each of its nodes is in */
    Run *runs;
    Py_ssize_t run_count, run_room;
    long budget;
    int32_t a, br, wbr, img, pre, p, div, span, ul, ol, li, dl, dt, dd, td, th, colgroup, figure, figcaption, table, summary,
        details;
} Flow;

#define NODE(id) (&f->d.nodes[id])
#define TRAITS(id) traits_of(&f->d, NODE(id)->tag)

static Id make(Flow *f, int32_t tag) { return draft_new(&f->d, tag, "", 0); }

/* ---- inline.py ---- */

static int is_inline(const Flow *f, Id id) { return !(TRAITS(id) & BLOCK_TAG); }

static int shows(const Flow *f, Id id) {
    int32_t tag = NODE(id)->tag;
    return tag == TEXT ? !NODE(id)->is_blank : tag != f->br && tag != f->wbr;
}

static int is_blank_node(const Flow *f, Id id) { return NODE(id)->tag == TEXT && NODE(id)->is_blank; }

static int holds(const Flow *f, Id id, int32_t tag) {
    for (Id at = next_inside(&f->d, id, id); at != NONE; at = next_inside(&f->d, id, at))
        if (NODE(at)->tag == tag) return 1;
    return 0;
}

static int holds_image(const Flow *f, Id id) { return NODE(id)->tag == f->img || holds(f, id, f->img); }

/* Gives a text its bare form; whether anything is left of it. */
static int stripped(Flow *f, Id id, const char *s, const char *stop) {
    if (s == stop) { unlink_node(&f->d, id); return 0; }
    NODE(id)->s = s;
    NODE(id)->size = stop - s;
    return 1;
}

static void trim(Flow *f, Id element) {
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        const DraftNode *n = NODE(child);
        next = n->after;
        if (n->tag != TEXT || stripped(f, child, skip_space(n->s, n->s + n->size), n->s + n->size)) break;
    }
    for (Id child = NODE(element)->last, next; child != NONE; child = next) {
        const DraftNode *n = NODE(child);
        next = n->before;
        if (n->tag != TEXT || stripped(f, child, n->s, skip_space_back(n->s, n->s + n->size))) break;
    }
}

static void trim_breaks(Flow *f, Id element) {
    for (int side = 0; side < 2; side++) {
        for (Id child = side ? NODE(element)->last : NODE(element)->first, next; child != NONE; child = next) {
            if (NODE(child)->tag != f->br && !is_blank_node(f, child)) break;
            next = side ? NODE(child)->before : NODE(child)->after;
            unlink_node(&f->d, child);
        }
    }
}

/* Cuts the run in `nodes` where two or more line breaks follow each other: `labels` says which piece a node is in, -1 what
   stands between them. How many pieces show something; they come first. */
static int paragraphs(Flow *f) {
    Py_ssize_t n = f->nodes.count, breaks = -1, pieces = 0, in_piece = 0, count = 0;
    f->labels.count = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Id id = f->nodes.ids[i];
        TRY(add_id(&f->labels, -1));
        if (NODE(id)->tag == f->br || ((breaks >= 0 || !in_piece) && is_blank_node(f, id))) {
            if (breaks < 0) breaks = i;
            continue;
        }
        if (breaks >= 0) {
            int lines = 0;
            for (Py_ssize_t k = breaks; k < i; k++) lines += NODE(f->nodes.ids[k])->tag == f->br;
            if (in_piece && lines < 2) for (Py_ssize_t k = breaks; k < i; k++) f->labels.ids[k] = (Id)pieces;
            else if (in_piece) { pieces++; in_piece = 0; }
            breaks = -1;
        }
        f->labels.ids[i] = (Id)pieces;
        in_piece = 1;
    }
    pieces += in_piece;
    /* What shows nothing stands between. */
    Py_ssize_t i = 0;
    for (Py_ssize_t piece = 0; piece < pieces; piece++) {
        while (f->labels.ids[i] != (Id)piece) i++;
        Py_ssize_t from = i;
        int shown = 0;
        for (; i < n && f->labels.ids[i] == (Id)piece; i++) shown = shown || shows(f, f->nodes.ids[i]);
        for (Py_ssize_t k = from; k < i; k++) f->labels.ids[k] = shown ? (Id)count : -1;
        count += shown;
    }
    return (int)count;
}

/* ---- lists.py ---- */

static int adopt_orphans(Flow *f, Id element) {
    Id made = NONE;
    int32_t kind = TEXT;
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        int32_t tag = NODE(child)->tag, wanted = tag == f->li ? f->ul : tag == f->dt || tag == f->dd ? f->dl : TEXT;
        next = NODE(child)->after;
        if (wanted == TEXT) {
            if (!is_blank_node(f, child)) made = NONE;
            continue;
        }
        if (made == NONE || kind != wanted) {
            made = make(f, kind = wanted);
            if (made == NONE) return -1;
            insert_before(&f->d, child, made);
        }
        append_child(&f->d, made, child);
    }
    return 0;
}

/* repair_list() and repair_definitions() */
static int repair_list(Flow *f, Id element, int is_definitions) {
    Id item = NONE, loose = NONE;
    Py_ssize_t made = f->d.count; /* items made here are new, and nothing else is */
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        int32_t tag = NODE(child)->tag;
        next = NODE(child)->after;
        if (is_definitions ? tag == f->dt || tag == f->dd : tag == f->li) {
            item = child;
            loose = NONE;
        } else if (!shows(f, child)) {
            if (tag != TEXT) unlink_node(&f->d, child);
        } else if (is_definitions && tag == f->dl && loose == NONE) {
            unwrap(&f->d, child);
        } else if (!is_definitions && (tag == f->ul || tag == f->ol) && item != NONE) {
            append_child(&f->d, item, child);
        } else {
            if (loose == NONE) {
                item = loose = make(f, is_definitions ? f->dd : f->li);
                if (loose == NONE) return -1;
                insert_before(&f->d, child, loose);
            }
            append_child(&f->d, loose, child);
        }
    }
    for (Py_ssize_t k = made, stop = f->d.count; k < stop; k++) TRY(adopt_orphans(f, (Id)k));
    return 0;
}

/* ---- flow.py: names ---- */

static int stands_as_block(const Flow *f, Id element) {
    for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after) {
        int traits = TRAITS(child);
        if (NODE(child)->tag == UNKNOWN - 1 || traits & BLOCK_TAG || RENAMED(traits)) return 1;
    }
    Id parent = NODE(element)->parent;
    if (!(TRAITS(parent) & FLOW_TAG)) return 0;
    Id sides[] = {NODE(element)->before, NODE(element)->after};
    for (int k = 0; k < 2; k++) {
        if (sides[k] == NONE) continue;
        if (NODE(sides[k])->tag == TEXT ? !NODE(sides[k])->is_blank : TRAITS(sides[k]) & INLINE_TAG) return 0;
    }
    return 1;
}

static int has_attribute(const Flow *f, Id id, const char *name) {
    const DraftNode *n = NODE(id);
    Tag tag = {.attrs = n->s, .attrs_end = n->s + n->size};
    Py_ssize_t size;
    return find_attribute(&tag, name, (Py_ssize_t)strlen(name), &size) != NULL;
}

/* Names and takes off elements, outermost first; those that are left stand in `order`. */
static int rename_all(Flow *f) {
    for (Id id = NODE(0)->first, next; id != NONE; id = next) {
        next = next_inside(&f->d, 0, id);
        int32_t tag = NODE(id)->tag;
        int traits = TRAITS(id);
        if (tag == TEXT) continue;
        if (tag == f->span) {
            if (!has_attribute(f, id, "data-math")) { unwrap(&f->d, id); continue; }
        } else if (!(traits & KNOWN_TAG)) {
            int renamed = RENAMED(traits);
            if (!renamed && !(tag == UNKNOWN - 1 && stands_as_block(f, id))) { unwrap(&f->d, id); continue; }
            static const char *const names[] = {"div", "div", "code", "s", "abbr", "ul", "p"};
            const char *name = names[renamed];
            NODE(id)->tag = table_find(&f->d.lookup->table, name, (Py_ssize_t)strlen(name));
        } else if (tag == f->div) {
            Id only = NODE(id)->first;
            if (only != NONE && NODE(only)->after == NONE && NODE(only)->tag == f->div) { unwrap(&f->d, id); continue; }
        }
        TRY(add_id(&f->order, id));
    }
    return 0;
}

/* ---- flow.py: inline elements ---- */

static long child_count(const Flow *f, Id id) {
    long count = 0;
    for (Id child = NODE(id)->first; child != NONE; child = NODE(child)->after) count++;
    return count;
}

/* Adds the runs of a holder that show something; of a link those without a link in them. */
static int add_runs(Flow *f, Id holder, int is_link) {
    Py_ssize_t from = f->nodes.count;
    for (Id child = NODE(holder)->first;; child = NODE(child)->after) {
        if (child != NONE && is_inline(f, child)) {
            TRY(add_id(&f->nodes, child));
            continue;
        }
        int shown = 0, has_link = 0;
        for (Py_ssize_t k = from; k < f->nodes.count; k++) {
            shown = shown || shows(f, f->nodes.ids[k]);
            has_link = has_link || (is_link && (NODE(f->nodes.ids[k])->tag == f->a || holds(f, f->nodes.ids[k], f->a)));
        }
        if (shown && !has_link) {
            if (f->run_count >= f->run_room && list_grow((void **)&f->runs, &f->run_room, sizeof(Run)) < 0) return -1;
            f->runs[f->run_count++] = (Run){from, f->nodes.count, (TRAITS(holder) & HEADING_TAG) != 0};
            from = f->nodes.count;
        } else {
            f->nodes.count = from;
        }
        if (child == NONE) return 0;
    }
}

/* inline.telling(): of what a link is wrapped around, the part that says most. */
static Py_ssize_t telling(const Flow *f) {
    Py_ssize_t some = -1;
    for (Py_ssize_t k = 0; k < f->run_count && k < MOST_RUNS; k++) {
        Py_ssize_t words = 0;
        for (Py_ssize_t i = f->runs[k].from; i < f->runs[k].stop; i++) words += count_words(&f->d, f->nodes.ids[i], 0);
        if (words > 2) return k;
        if (words && some < 0) some = k;
    }
    return some < 0 ? 0 : some;
}

static int push_down(Flow *f, Id element, int32_t tag) {
    int is_link = tag == f->a;
    f->budget -= child_count(f, element);
    f->nodes.count = f->run_count = 0;
    Py_ssize_t only = -1;
    if (TRAITS(element) & PUSHED && f->budget > 0) {
        Py_ssize_t holders = 1;
        for (Id at = next_inside(&f->d, element, element); at != NONE; at = next_inside(&f->d, element, at))
            holders += (TRAITS(at) & RUN_HOLDER) != 0;
        if (holders <= MOST_HOLDERS || is_link) {
            for (Id at = element; at != NONE; at = next_inside(&f->d, element, at)) {
                if (at != element && !(TRAITS(at) & RUN_HOLDER)) continue;
                Py_ssize_t before = f->run_count;
                TRY(add_runs(f, at, is_link));
                if (is_link && TRAITS(at) & HEADING_TAG && f->run_count > before) { only = f->run_count - 1; break; }
            }
        }
    }
    if (is_link && only < 0) only = telling(f);
    const char *attributes = NODE(element)->s;
    Py_ssize_t size = NODE(element)->size;
    for (Py_ssize_t k = is_link ? only : 0; k < f->run_count && (!is_link || k == only); k++) {
        Py_ssize_t from = f->runs[k].from, stop = f->runs[k].stop;
        while (!shows(f, f->nodes.ids[from])) from++;
        while (!shows(f, f->nodes.ids[stop - 1])) stop--;
        if (stop - from == 1 && NODE(f->nodes.ids[from])->tag == tag) continue;
        Id copy = draft_new(&f->d, tag, attributes, size);
        if (copy == NONE) return -1;
        insert_before(&f->d, f->nodes.ids[from], copy);
        for (Py_ssize_t i = from; i < stop; i++) append_child(&f->d, copy, f->nodes.ids[i]);
        f->budget -= stop - from;
    }
    unwrap(&f->d, element);
    return 0;
}

static int visit_inline(Flow *f, Id element, int32_t tag) {
    int visible = 0;
    for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after) {
        if (TRAITS(child) & BLOCK_TAG) return push_down(f, element, tag);
        visible = visible || shows(f, child);
    }
    if (!visible) {
        unwrap(&f->d, element); /* The white space and breaks in it still part words. */
    } else if (tag == f->a) {
        for (Id at = next_inside(&f->d, element, element), next; at != NONE; at = next) {
            next = next_inside(&f->d, element, at);
            if (NODE(at)->tag == f->a) unwrap(&f->d, at);
        }
    }
    return 0;
}

/* ---- flow.py: blocks ---- */

static int remove_block(Flow *f, Id element) {
    Id before = NODE(element)->before, after = NODE(element)->after, parent = NODE(element)->parent;
    if (!((TRAITS(element) | TRAITS(parent)) & TABLE_TAG) && before != NONE && after != NONE && is_inline(f, before) && is_inline(f, after)) {
        for (int k = 0; k < 1 + ((TRAITS(parent) & FLOW_TAG) != 0); k++) {
            Id made = make(f, f->br);
            if (made == NONE) return -1;
            insert_before(&f->d, element, made);
        }
    }
    unlink_node(&f->d, element);
    return 0;
}

static int wrap_run(Flow *f) {
    Ids *run = &f->nodes;
    int all_blank = 1;
    for (Py_ssize_t i = 0; i < run->count && all_blank; i++) all_blank = is_blank_node(f, run->ids[i]);
    if (all_blank) {
        NODE(run->ids[0])->s = "\n";
        NODE(run->ids[0])->size = 1;
        for (Py_ssize_t i = 1; i < run->count; i++) unlink_node(&f->d, run->ids[i]);
        return 0;
    }
    int pieces = paragraphs(f);
    TRY(pieces);
    Py_ssize_t i = 0;
    for (int piece = 0; piece < pieces; piece++) {
        Id made = make(f, f->p);
        if (made == NONE) return -1;
        while (f->labels.ids[i] != piece) i++;
        insert_before(&f->d, run->ids[i], made);
        for (; i < run->count && f->labels.ids[i] == piece; i++) append_child(&f->d, made, run->ids[i]);
        trim(f, made);
    }
    for (i = 0; i < run->count; i++) if (f->labels.ids[i] < 0) unlink_node(&f->d, run->ids[i]);
    return 0;
}

/* Puts inline content that stands between blocks into paragraphs. */
static int wrap_runs(Flow *f, Id element) {
    f->nodes.count = 0;
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        next = NODE(child)->after;
        if (is_inline(f, child)) {
            TRY(add_id(&f->nodes, child));
            if (next != NONE) continue;
        }
        if (f->nodes.count) TRY(wrap_run(f));
        f->nodes.count = 0;
    }
    return 0;
}

/* Cuts a paragraph where line breaks stand for an empty line. */
static int split(Flow *f, Id element) {
    f->nodes.count = 0;
    for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after) TRY(add_id(&f->nodes, child));
    int pieces = paragraphs(f);
    TRY(pieces);
    if (!pieces) return remove_block(f, element);
    for (Py_ssize_t i = 0; i < f->nodes.count; i++) if (f->labels.ids[i] < 0) unlink_node(&f->d, f->nodes.ids[i]);
    Py_ssize_t i = 0;
    for (int piece = 0; piece < pieces - 1; piece++) {
        Id made = make(f, f->p);
        if (made == NONE) return -1;
        insert_before(&f->d, element, made);
        while (f->labels.ids[i] != piece) i++;
        for (; i < f->nodes.count && f->labels.ids[i] == piece; i++) append_child(&f->d, made, f->nodes.ids[i]);
        trim(f, made);
    }
    trim(f, element);
    return 0;
}

static void take_off(Flow *f, Id element) {
    f->budget -= child_count(f, element);
    if (f->budget > 0) unwrap(&f->d, element);
}

static int is_only(const Flow *f, Id element, Id parent) {
    int count = 0;
    for (Id child = NODE(parent)->first; child != NONE; child = NODE(child)->after)
        if (++count > 8) return 0;
    for (Id child = NODE(parent)->first; child != NONE; child = NODE(child)->after)
        if (child != element && shows(f, child)) return 0;
    return 1;
}

typedef struct {
    int block, br, visible, orphan;
} Holds;

/* A <div> of inline content is a paragraph; one of blocks is nothing. */
static int division(Flow *f, Id element, Holds in) {
    Id parent = NODE(element)->parent;
    if (!in.block) {
        if (TRAITS(parent) & ITEM_TAG && is_only(f, element, parent)) {
            take_off(f, element);
            return 0;
        }
        NODE(element)->tag = f->p;
        if (in.br) return split(f, element);
        trim(f, element);
        return 0;
    }
    if (NODE(parent)->tag != f->dl) {
        if (in.orphan) TRY(adopt_orphans(f, element));
        TRY(wrap_runs(f, element));
    }
    take_off(f, element);
    return 0;
}

static int heading(Flow *f, Id element, Holds in) {
    int plain = 1;
    for (Id child = NODE(element)->first; child != NONE && plain; child = NODE(child)->after)
        plain = is_inline(f, child) || NODE(child)->tag == f->p;
    if (!plain) {
        NODE(element)->tag = f->div;
        return division(f, element, in);
    }
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        next = NODE(child)->after;
        if (NODE(child)->tag != f->p) continue;
        if (NODE(child)->before != NONE) {
            Id space = draft_new(&f->d, TEXT, " ", 1);
            if (space == NONE) return -1;
            NODE(space)->is_blank = 1;
            insert_before(&f->d, child, space);
        }
        unwrap(&f->d, child);
    }
    trim_breaks(f, element);
    return 0;
}

static int in_figure(const Flow *f, Id element) {
    Id parent = NODE(element)->parent;
    for (int k = 0; k < 4 && parent != NONE; k++, parent = NODE(parent)->parent)
        if (NODE(parent)->tag == f->figure) return 1;
    return 0;
}

static int item(Flow *f, Id element, int32_t tag, Holds in) {
    Id parent = NODE(element)->parent;
    if ((tag == f->summary && NODE(parent)->tag != f->details) || (tag == f->figcaption && !in_figure(f, element))) {
        NODE(element)->tag = f->div;
        return division(f, element, in);
    }
    if (in.orphan) TRY(adopt_orphans(f, element));
    if (in.br) trim_breaks(f, element);
    if (in.block && TRAITS(element) & SINGLE) {
        Id only = NONE;
        int shown = 0;
        for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after)
            if (shows(f, child)) { only = child; shown++; }
        if (shown == 1 && NODE(only)->tag == f->p) unwrap(&f->d, only);
    }
    return 0;
}

/* ---- flow.py: figures ---- */

static int holds_block(const Flow *f, Id element) {
    for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after)
        if (TRAITS(child) & BLOCK_TAG) return 1;
    return 0;
}

static int plain(Flow *f, Id caption) {
    NODE(caption)->tag = f->div;
    return division(f, caption, (Holds){holds_block(f, caption), 1, 1, 0});
}

/* Text beside a picture becomes its caption unless there is one. */
static int caption(Flow *f, Id element) {
    Ids extra = {0};
    int captions = 0, failed = 0, made_one = 0;
    for (Id child = NODE(element)->first; child != NONE && !failed; child = NODE(child)->after)
        if (NODE(child)->tag == f->figcaption && captions++) failed = add_id(&extra, child);
    for (Py_ssize_t k = 0; k < extra.count && !failed; k++) failed = plain(f, extra.ids[k]);
    PyMem_Free(extra.ids);
    if (failed) return -1;
    f->nodes.count = 0;
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        next = NODE(child)->after;
        int goes_on = is_inline(f, child) && !holds_image(f, child);
        if (goes_on) {
            TRY(add_id(&f->nodes, child));
            if (next != NONE) continue;
        }
        int has_words = 0;
        for (Py_ssize_t i = 0; i < f->nodes.count && !has_words; i++) has_words = count_words(&f->d, f->nodes.ids[i], 1) > 0;
        if (has_words) {
            Id made = make(f, captions || made_one ? f->p : f->figcaption);
            if (made == NONE) return -1;
            insert_before(&f->d, f->nodes.ids[0], made);
            for (Py_ssize_t i = 0; i < f->nodes.count; i++) append_child(&f->d, made, f->nodes.ids[i]);
            trim(f, made);
            made_one = 1;
        }
        f->nodes.count = 0;
    }
    return 0;
}

static int figure(Flow *f, Id element, Holds in) {
    if (holds(f, element, f->figure) || !holds_image(f, element) || holds(f, element, f->table)) {
        Ids captions = {0};
        int failed = 0;
        for (Id at = next_inside(&f->d, element, element); at != NONE && !failed; at = next_inside(&f->d, element, at))
            if (NODE(at)->tag == f->figcaption) failed = add_id(&captions, at);
        for (Py_ssize_t k = 0; k < captions.count && !failed; k++) failed = plain(f, captions.ids[k]);
        PyMem_Free(captions.ids);
        if (failed) return -1;
        NODE(element)->tag = f->div;
        return division(f, element, (Holds){holds_block(f, element), in.br, 1, 0});
    }
    for (Id child = NODE(element)->first, next; child != NONE; child = next) {
        next = NODE(child)->after;
        if (NODE(child)->tag == f->br) unlink_node(&f->d, child);
        else if (NODE(child)->tag == f->p && holds_image(f, child)) unwrap(&f->d, child);
    }
    return caption(f, element);
}

static int visit_block(Flow *f, Id element, int32_t tag) {
    Holds in = {0, 0, 0, 0};
    for (Id child = NODE(element)->first; child != NONE; child = NODE(child)->after) {
        int32_t name = NODE(child)->tag;
        if (name == f->br) in.br = 1;
        else if (TRAITS(child) & BLOCK_TAG) {
            in.block = in.visible = 1;
            in.orphan = in.orphan || name == f->li || name == f->dt || name == f->dd;
        } else in.visible = in.visible || shows(f, child);
    }
    if (!in.visible) return tag == f->td || tag == f->th || tag == f->colgroup ? 0 : remove_block(f, element);
    if (tag == f->p) {
        if (in.block) {
            NODE(element)->tag = f->div;
            return division(f, element, in);
        }
        return in.br ? split(f, element) : 0;
    }
    if (tag == f->div) return division(f, element, in);
    if (TRAITS(element) & HEADING_TAG) {
        if (in.block) return heading(f, element, in);
        if (in.br) trim_breaks(f, element);
        return 0;
    }
    if (tag == f->ul || tag == f->ol || tag == f->dl) return repair_list(f, element, tag == f->dl);
    if (tag == f->figure) return figure(f, element, in);
    if (TRAITS(element) & ITEM_TAG) return item(f, element, tag, in);
    if (TRAITS(element) & FLOW_TAG) {
        if (in.orphan) TRY(adopt_orphans(f, element));
        return wrap_runs(f, element);
    }
    return 0;
}

static int is_blank_inside(const Flow *f, Id element) {
    for (Id at = element; at != NONE; at = next_inside(&f->d, element, at))
        if (NODE(at)->tag == TEXT && !NODE(at)->is_blank) return 0;
    return 1;
}

static int run(Flow *f) {
    TRY(rename_all(f));
    for (Py_ssize_t k = f->order.count - 1; k >= 0; k--) {
        Id element = f->order.ids[k];
        int32_t tag = NODE(element)->tag;
        int traits = TRAITS(element);
        if (traits & INLINE_TAG) TRY(visit_inline(f, element, tag));
        else if (tag == f->pre) { if (is_blank_inside(f, element)) unlink_node(&f->d, element); }
        else if (!(traits & VOID_TAG)) TRY(visit_block(f, element, tag));
    }
    TRY(adopt_orphans(f, 0));
    return wrap_runs(f, 0);
}

static int name_tags(Flow *f) {
    const struct { const char *name; int32_t *tag; } tags[] = {
        {"a", &f->a}, {"br", &f->br}, {"wbr", &f->wbr}, {"img", &f->img}, {"pre", &f->pre}, {"p", &f->p}, {"div", &f->div},
        {"span", &f->span}, {"ul", &f->ul}, {"ol", &f->ol}, {"li", &f->li}, {"dl", &f->dl}, {"dt", &f->dt}, {"dd", &f->dd},
        {"td", &f->td}, {"th", &f->th}, {"colgroup", &f->colgroup}, {"figure", &f->figure}, {"figcaption", &f->figcaption},
        {"table", &f->table}, {"summary", &f->summary}, {"details", &f->details},
    };
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
        *tags[k].tag = table_find(&f->d.lookup->table, tags[k].name, (Py_ssize_t)strlen(tags[k].name));
        if (*tags[k].tag < 0) { PyErr_SetString(PyExc_ValueError, "a tag is missing"); return -1; }
    }
    return 0;
}

int draft_flow(Draft *d, Py_ssize_t size, Buffer *to) {
    Flow f = {.budget = BUDGET, .d = *d};
    int failed = name_tags(&f) < 0 || run(&f) < 0 || buffer_reserve(to, size) < 0 || draft_write(&f.d, to, f.a, f.pre) < 0;
    *d = f.d;
    PyMem_Free(f.order.ids); PyMem_Free(f.nodes.ids); PyMem_Free(f.labels.ids); PyMem_Free(f.runs);
    return failed ? -1 : 0;
}

/* flow(html, lengths of its texts: list, tags: Lookup) -> str, or None when the HTML is not as the parser writes it or holds what is not read here */
static PyObject *flow(PyObject *module, PyObject *args) {
    PyObject *html, *lengths, *result = NULL;
    Draft d = {0};
    Buffer out = {0};
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "UO!O!", &html, &PyList_Type, &lengths, &LookupType, &d.lookup)) return NULL;
    const char *s = PyUnicode_AsUTF8AndSize(html, &size);
    if (s == NULL) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    int done = draft_read(&d, s, s + size, lengths);
    if (done == 0) result = Py_NewRef(Py_None);
    else if (done > 0 && draft_flow(&d, size, &out) == 0) result = PyUnicode_DecodeUTF8(out.data ? out.data : "", out.size, NULL);
    PyMem_Free(out.data); PyMem_Free(d.nodes);
    return result;
}

PyMethodDef flow_method = {"flow", flow, METH_VARARGS, "A draft's flow in canonical form."};

/* images._build_figure(): an element that holds one image and a caption marked only by its class becomes a figure. */

#include "ordinary.h"

#define STEPS 2
#define CHILDREN 12
#define MOST_NODES 500

static int is_holder(const Ordinary *o, Id id) {
    int32_t tag = NODE(id)->tag;
    return tag == o->div || tag == o->p || tag == o->dl || tag == o->span || tag == o->center || tag == o->li || tag == o->section;
}

static int is_small(const Ordinary *o, Id id) {
    int count = 0;
    for (Id child = NODE(id)->first; child != NONE; child = NODE(child)->after) if (++count > CHILDREN) return 0;
    return 1;
}

/* images._says_no_more() */
static int says_no_more(const Ordinary *o, Id outer, Py_ssize_t size) {
    int count = 0;
    for (Id at = next_inside(&o->d, outer, outer); at != NONE; at = next_inside(&o->d, outer, at)) if (++count > MOST_NODES) return 0;
    return folded_length(o, outer, size) <= size;
}

/* images._make_figure() */
static int make_figure(Ordinary *o, Id outer, Id caption, Id image) {
    if (holds(o, outer, o->figure)) return 0;
    Id link = NODE(image)->parent, shown = NODE(link)->tag == o->a && link != outer ? link : image;
    Id words = draft_new(&o->d, o->figcaption, "", 0), figure = words == NONE ? NONE : draft_new(&o->d, o->figure, "", 0);
    if (figure == NONE) return -1;
    while (NODE(caption)->first != NONE) append_child(&o->d, words, NODE(caption)->first);
    append_child(&o->d, figure, shown);
    append_child(&o->d, figure, words);
    if (NODE(outer)->tag == o->li) {
        while (NODE(outer)->first != NONE) take_out(o, NODE(outer)->first);
        append_child(&o->d, outer, figure);
    } else {
        insert_before(&o->d, outer, figure);
        take_out(o, outer);
    }
    return 0;
}

static int build_figure(Ordinary *o, Id caption) {
    Py_ssize_t length = folded_length(o, caption, PY_SSIZE_T_MAX - 1);
    if (length == 0 || holds(o, caption, o->img)) return 0;
    Id outer = NODE(caption)->parent;
    for (int k = 0; k < STEPS; k++, outer = NODE(outer)->parent) {
        if (outer <= 0 || !is_holder(o, outer)) return 0;
        if (!is_small(o, outer)) continue;
        if (!says_no_more(o, outer, length + 1)) return 0;
        Id image = first_image(o, outer);
        if (image == NONE) continue;
        Id at = next_inside(&o->d, outer, image);
        while (at != NONE && NODE(at)->tag != o->img) at = next_inside(&o->d, outer, at);
        return at == NONE ? make_figure(o, outer, caption, image) : 0;
    }
    return 0;
}

int build_figures(Ordinary *o) {
    for (Py_ssize_t k = 0; k < o->captions.count; k++)
        if (NODE(o->captions.ids[k])->tag != TEXT) TRY(build_figure(o, o->captions.ids[k]));
    return 1;
}

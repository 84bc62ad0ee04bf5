/* The chosen part of a page, copied out of its source. What the tags mean, which elements go and which get another name is
   given; the walk itself touches no Python object, and runs without the interpreter lock. */

#include "native.h"

enum { MEDIA = 1, EMPTY = 2, GONE = 4, KEPT_EMPTY = 8, INERT = 16, FIGURE = 32, LINE = 64, SCRIPT = 128, BREAK = 256,
    CONTAINER = 512, LED = 1024, SAMPLE = 2048, SOURCE = 4096, VERBATIM = 8192, CUSTOM = 16384 };
/* The bits that compose.py gives tags. */
enum { WRITTEN = 1, BOX = 2, SPOKEN = 4, TAKEN_OUT = 8, STAYS = 16, PLACE = 32 };
/* And elements: what is written in any case, a box to tick, what is no block but has text that is written, what goes, what stays,
   a place that links lead to. */

typedef struct {
    const char *name;
    Py_ssize_t size;
    int traits;
} Name;

typedef struct {
    int32_t end;
    const char *name;
    Py_ssize_t size;
} Open;

typedef struct {
    Tree *t;
    int32_t *traits; /* by tag number */
    int32_t *kept, *media, *lines, *silent; /* running totals; media: those that stay */
    uint8_t *shown;  /* by node */
    int32_t *marked; /* by node: the bits below */
    int32_t *renamed;               /* by node, from 1: which of `names` it gets; NULL when none has another */
    Name *names;
    int32_t max_depth, verbatim_end;
    int32_t parted; /* the parent of a block that was left out since the last text or block was written in it */
    Buffer out;
    Open *open;
    Py_ssize_t opened, open_room;
    Memory memory;
} Composer;

static int is_wanted(const Composer *c, int32_t i, int traits) {
    const Tree *t = c->t;
    int32_t end = t->end[i];
    if (c->kept[end] > c->kept[i] || c->marked[i] & WRITTEN) return 1;
    int32_t above = t->parent[i];
    if (c->marked[i] & BOX && c->marked[above] & PLACE) above = t->parent[above]; /* its label */
    if (traits & GONE)
        return traits & MEDIA || (c->marked[i] & BOX && c->kept[t->end[above]] > c->kept[above]);
    if (traits & SOURCE) return c->traits[t->tag[above]] & MEDIA;
    if (c->marked[i] & PLACE) return c->kept[t->end[above]] > c->kept[above];
    if (t->chars[end] > t->chars[i] && !(traits & (FIGURE | MEDIA))) return 0; /* the words in a player are not its own */
    if (traits & KEPT_EMPTY || (i < c->verbatim_end && c->silent[end] == c->silent[i])) return 1;
    return c->media[end] > c->media[i];
}

/* Those with a plain name that is no script's. */
static int write_attributes(Composer *c, int32_t i) {
    const Tree *t = c->t;
    const char *at = t->source.data + t->attrs[i].at, *stop = at + t->attrs[i].size, *next;
    for (Attribute a; at < stop; at = next) {
        next = next_attribute(at, stop, &a);
        int plain = !(a.named >= 2 && a.name[0] == 'o' && a.name[1] == 'n');
        for (const char *p = a.name; plain && p < a.name + a.named; p++)
            plain = (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z') || strchr("_:.-", *p) != NULL;
        if (plain && buffer_add(&c->out, at, next - at) < 0) return -1;
    }
    return 0;
}

static int write_tag(Composer *c, const char *name, Py_ssize_t size, int is_closing) {
    return buffer_add(&c->out, "</", is_closing ? 2 : 1) < 0 || buffer_add(&c->out, name, size) < 0 ? -1 : 0;
}

static int push(Composer *c, int32_t end, const char *name, Py_ssize_t size) {
    if (c->opened >= c->open_room && list_grow((void **)&c->open, &c->open_room, sizeof(Open)) < 0) return -1;
    c->open[c->opened++] = (Open){end, name, size};
    return 0;
}

static int pop(Composer *c) {
    Open *last = &c->open[--c->opened];
    return write_tag(c, last->name, last->size, 1) < 0 ? -1 : buffer_put(&c->out, '>');
}

static int write_text(Composer *c, int32_t i) {
    const Tree *t = c->t;
    Py_ssize_t n;
    const char *s = text_bytes(t, i, &n);
    int is_script = c->traits[t->tag[t->parent[i]]] & SCRIPT;
    if (!is_script && !c->shown[i] && !is_all_space(s, s + n)) return 0;
    if (!is_script) return add_markup(&c->out, s, n, 0);
    /* A script's text is not escaped, but must not end the script. */
    for (Py_ssize_t k = 0; k < n; k++) {
        if (buffer_put(&c->out, s[k]) < 0) return -1;
        if (s[k] == '<' && k + 1 < n && s[k + 1] == '/' && buffer_put(&c->out, ' ') < 0) return -1;
    }
    return 0;
}

/* What an inline element without text does to the words around it. */
static int write_spacing(Composer *c, int32_t i) {
    const Tree *t = c->t;
    for (int32_t j = i + 1; j < t->end[i]; j++) {
        if (t->tag[j] ? c->traits[t->tag[j]] & BREAK : 0) {
            if (buffer_add(&c->out, "<br>", 4) < 0) return -1;
        } else if (!t->tag[j]) {
            Py_ssize_t n;
            const char *s = text_bytes(t, j, &n);
            if (is_all_space(s, s + n) && add_markup(&c->out, s, n, 0) < 0) return -1;
        }
    }
    return 0;
}

/* A block that was left out still parts the words before and behind it: an empty one takes its place. */
static int write_parting(Composer *c, int32_t i) {
    int is_beside = c->parted == c->t->parent[i];
    c->parted = -1;
    return is_beside && i >= c->verbatim_end ? buffer_add(&c->out, "<div></div>", 11) : 0;
}

/* The name an element is written under, and its bits. */
static void name_of(const Composer *c, int32_t i, const char **name, Py_ssize_t *size, int *traits) {
    const Tree *t = c->t;
    if (c->renamed && c->renamed[i]) {
        const Name *other = &c->names[c->renamed[i] - 1];
        *name = other->name;
        *size = other->size;
        *traits = other->traits;
        return;
    }
    const Key *key = &t->tags.keys[t->tag[i]];
    *traits = c->traits[t->tag[i]];
    *name = t->tags.bytes.data + key->at;
    *size = key->size;
    if (*traits & CUSTOM) {
        int is_block = c->lines[t->end[i]] > c->lines[i] || t->words[t->end[i]] - t->words[i] > 20;
        *name = is_block ? "div" : "span";
    } else if (*traits & CONTAINER || (*traits & INERT && c->kept[t->end[i]] > c->kept[i])) {
        *name = "div";
    } else if (*traits & SAMPLE) {
        *name = "pre";
    } else {
        return;
    }
    *size = (Py_ssize_t)strlen(*name);
    *traits = *traits & SAMPLE ? LED : *traits & ~(EMPTY | LED);
}

static int write_part(Composer *c, int32_t root, const char *root_name, Py_ssize_t root_size) {
    const Tree *t = c->t;
    int32_t i = root, stop = t->end[root];
    for (int32_t j = root; j >= 0; j = t->parent[j])
        if (c->traits[t->tag[j]] & VERBATIM && t->end[j] > c->verbatim_end) c->verbatim_end = t->end[j];
    while (i < stop) {
        while (c->opened && c->open[c->opened - 1].end <= i) if (pop(c) < 0) return -1;
        int traits = t->tag[i] ? c->traits[t->tag[i]] : 0;
        if (t->gap[i] && i > root && buffer_put(&c->out, '\n') < 0) return -1;
        if (!t->tag[i]) {
            if ((c->shown[i] && write_parting(c, i) < 0) || write_text(c, i) < 0) return -1;
            i++;
            continue;
        }
        if (c->marked[i] & TAKEN_OUT || (i != root && !is_wanted(c, i, traits))) {
            if (!(traits & (GONE | LINE)) && t->chars[t->end[i]] == t->chars[i] && write_spacing(c, i) < 0) return -1;
            if (traits & LINE) c->parted = t->parent[i];
            i = t->end[i];
            continue;
        }
        if (traits & LINE) c->parted = -1;
        else if (c->kept[t->end[i]] > c->kept[i] && write_parting(c, i) < 0) return -1;
        if (traits & VERBATIM && t->end[i] > c->verbatim_end) c->verbatim_end = t->end[i];
        const char *name;
        Py_ssize_t size;
        name_of(c, i, &name, &size, &traits);
        if (i == root && root_size) { name = root_name; size = root_size; traits &= ~(EMPTY | LED); }
        if (t->depth[i] - t->depth[root] <= c->max_depth && size) {
            if (write_tag(c, name, size, 0) < 0 || write_attributes(c, i) < 0 || buffer_put(&c->out, '>') < 0) return -1;
            /* Parsers drop the line feed that such an element begins with. */
            if (traits & LED && buffer_put(&c->out, '\n') < 0) return -1;
            if (!(traits & EMPTY) && push(c, t->end[i], name, size) < 0) return -1;
        }
        i++;
    }
    while (c->opened) if (pop(c) < 0) return -1;
    return 0;
}

/* {node: name}; the names are used as long as the dict is there. */
static int read_renamed(Composer *c, PyObject *renamed, PyObject *traits_of) {
    Py_ssize_t count = PyDict_GET_SIZE(renamed), at = 0;
    if (count == 0) return 0;
    c->renamed = memory_new(&c->memory, c->t->n, sizeof *c->renamed);
    c->names = memory_new(&c->memory, count, sizeof *c->names);
    if (c->memory.failed) { PyErr_NoMemory(); return -1; }
    PyObject *node, *name;
    for (Name *own = c->names; PyDict_Next(renamed, &at, &node, &name); own++) {
        long i = PyLong_AsLong(node);
        if (PyErr_Occurred() || (own->name = PyUnicode_AsUTF8AndSize(name, &own->size)) == NULL) return -1;
        PyObject *bits = PyDict_GetItemWithError(traits_of, name);
        own->traits = bits ? (int)PyLong_AsLong(bits) : 0;
        if (i >= 0 && i < c->t->n) c->renamed[i] = (int32_t)(own - c->names) + 1;
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* Sums up what is kept and what there is before each node. */
static void add_up(Composer *c, const uint8_t *wanted) {
    const Tree *t = c->t;
    for (int32_t b = 0; b < t->blocks; b++) {
        if (!wanted[b]) continue;
        for (int32_t i = t->first[b]; i <= t->last[b]; i++) c->shown[i] = !t->tag[i];
    }
    for (int32_t i = 0, spoken = 0; i < t->n; i++) {
        int traits = t->tag[i] ? c->traits[t->tag[i]] : 0, is_spoken = i < spoken && !t->tag[i];
        if (c->marked[i] & SPOKEN) spoken = t->end[i];
        if (is_spoken) c->shown[i] = 1;
        c->kept[i + 1] = c->kept[i] + (is_spoken ? 1 : c->shown[i] ? t->chars[i + 1] - t->chars[i] : 0);
        c->media[i + 1] = c->media[i] + (c->marked[i] & STAYS) / STAYS;
        c->lines[i + 1] = c->lines[i] + (traits & LINE) / LINE;
        c->silent[i + 1] = c->silent[i] + (traits & GONE) / GONE;
    }
}

/* compose(keep, marked, max_depth, renamed, root, root_name, wrapper, traits) -> bytes in UTF-8 */
PyObject *tree_compose(Tree *t, PyObject *args) {
    Py_buffer keep;
    PyObject *marked, *renamed, *traits_of, *result = NULL;
    int max_depth, root, failed = 0;
    const char *root_name, *wrapper;
    Py_ssize_t root_size, wrapper_size;
    if (!PyArg_ParseTuple(args, "y*O!iO!is#s#O!", &keep, &PyDict_Type, &marked, &max_depth, &PyDict_Type, &renamed, &root, &root_name,
            &root_size, &wrapper, &wrapper_size, &PyDict_Type, &traits_of))
        return NULL;
    int32_t n = t->n;
    Composer c = {.t = t, .max_depth = max_depth, .parted = -1};
    if (keep.len != t->blocks || root < 0 || root >= n) {
        PyErr_SetString(PyExc_ValueError, "not the blocks of this page");
        goto out;
    }
    int32_t **totals[] = {&c.kept, &c.media, &c.lines, &c.silent, &c.marked};
    for (int k = 0; k < 5; k++) *totals[k] = memory_new(&c.memory, n + 1, sizeof(int32_t));
    c.shown = memory_new(&c.memory, n, 1);
    if (c.memory.failed) { PyErr_NoMemory(); goto out; }
    if ((c.traits = numbers_of_tags(t, traits_of, &c.memory)) == NULL) goto out;
    if (read_bits(t, marked, c.marked) < 0 || read_renamed(&c, renamed, traits_of) < 0) goto out;
    Py_BEGIN_ALLOW_THREADS
    add_up(&c, keep.buf);
    failed = (wrapper_size && (write_tag(&c, wrapper, wrapper_size, 0) < 0 || buffer_put(&c.out, '>') < 0))
             || write_part(&c, root, root_name, root_size) < 0
             || (wrapper_size && (write_tag(&c, wrapper, wrapper_size, 1) < 0 || buffer_put(&c.out, '>') < 0));
    Py_END_ALLOW_THREADS
    if (!failed) result = PyBytes_FromStringAndSize(c.out.data ? c.out.data : "", c.out.size);
out:
    memory_free(&c.memory);
    PyMem_Free(c.out.data); PyMem_Free(c.open);
    PyBuffer_Release(&keep);
    return result;
}

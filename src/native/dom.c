/* The editable tree: Node and its kinds Element, Text and Comment.

   A parent owns its children; a child only points back, and that pointer is cleared when the parent goes. So there are no
   reference cycles, and a node taken out of a tree that is gone has no parent. Attributes and texts stay in the parser's
   bytes until Python reads or sets them. No function recurses: trees may be as deep as they like. */

#include "dom.h"
#include "html.h"

struct Origin {
    Py_ssize_t references;
    Buffer own;
    Source page;
};

static PyObject *TAG_NAMES[T_KNOWN]; /* str by number */
static PyObject *TAG_NUMBERS;        /* {str: number} */

static inline int is_node(PyObject *o) {
    return Py_TYPE(o) == &ElementType || Py_TYPE(o) == &TextType || Py_TYPE(o) == &CommentType;
}
static inline PyObject *reference(const Node *n) { return Py_NewRef(n ? (PyObject *)n : Py_None); }

/* ---- making and freeing ---- */

static Node *new_node(PyTypeObject *type) {
    Node *n = PyObject_New(Node, type);
    if (n) memset((char *)n + sizeof(PyObject), 0, sizeof(Node) - sizeof(PyObject));
    return n;
}

static void release_origin(Origin *o) {
    if (o == NULL || --o->references) return;
    PyMem_Free(o->own.data);
    source_free(&o->page);
    PyMem_Free(o);
}

/* Lets go of all children. Those that nobody else holds give up theirs first, which are put in their place in the list. */
static void release_children(Node *n) {
    Node *list = n->first;
    for (Node *child = list; child; child = child->next) child->parent = NULL;
    n->first = n->last = NULL;
    while (list) {
        Node *child = list;
        list = child->next;
        if (child->first && Py_REFCNT(child) == 1) {
            for (Node *inner = child->first; inner; inner = inner->next) inner->parent = NULL;
            child->last->next = list;
            list = child->first;
            child->first = child->last = NULL;
        }
        child->next = child->prev = NULL;
        Py_DECREF(child);
    }
}

static void node_dealloc(Node *n) {
    release_children(n);
    release_origin(n->origin);
    Py_XDECREF(n->value);
    Py_XDECREF(n->tag);
    PyObject_Free(n);
}

void unlink_node(Node *n) {
    Node *above = n->parent;
    if (n->prev) n->prev->next = n->next;
    else above->first = n->next;
    if (n->next) n->next->prev = n->prev;
    else above->last = n->prev;
    n->parent = n->next = n->prev = NULL;
}

/* Puts a node that has no parent before another child, or last where that is NULL; takes over a reference. */
static void link_node(Node *above, Node *before, Node *n) {
    n->parent = above;
    n->next = before;
    n->prev = before ? before->prev : above->last;
    if (n->prev) n->prev->next = n;
    else above->first = n;
    if (before) before->prev = n;
    else above->last = n;
}

static PyObject *decoded(const char *s, Py_ssize_t n) { return PyUnicode_DecodeUTF8(s, n, "surrogatepass"); }

/* ---- attributes and characters ---- */

/* The attributes as a dict, borrowed. */
static PyObject *attributes_of(Node *n) {
    if (n->value == NULL) n->value = attributes_in(n->bytes, n->bytes + n->size, NULL);
    return n->value;
}

/* The characters of a text or comment as a str, borrowed. */
static PyObject *characters_of(Node *n) {
    if (n->value == NULL) n->value = decoded(n->bytes, n->size);
    return n->value;
}

/* Writes a str as it is, or as an attribute's value. */
static int write_str(Buffer *out, PyObject *text, int is_value) {
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "an attribute must be a str, not %.80s", Py_TYPE(text)->tp_name);
        return -1;
    }
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    PyObject *bytes = NULL;
    if (s == NULL) {
        PyErr_Clear(); /* half of a surrogate pair */
        if ((bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass")) == NULL) return -1;
        s = PyBytes_AS_STRING(bytes);
        n = PyBytes_GET_SIZE(bytes);
    }
    int failed = is_value ? add_markup(out, s, n, 1) : buffer_add(out, s, n);
    Py_XDECREF(bytes);
    return failed;
}

static int write_characters(Buffer *out, const Node *n) { return has_set_text(n) ? write_str(out, n->value, 0) : buffer_add(out, n->bytes, n->size); }

/* ---- writing ---- */

static int write_attributes(Buffer *out, const Node *n) {
    if (n->value == NULL) return buffer_add(out, n->bytes, n->size);
    Py_ssize_t at = 0;
    PyObject *name, *value;
    while (PyDict_Next(n->value, &at, &name, &value))
        if (buffer_put(out, ' ') < 0 || write_str(out, name, 0) < 0 || buffer_add(out, "=\"", 2) < 0
            || (value != Py_None && write_str(out, value, 1) < 0) || buffer_put(out, '"') < 0)
            return -1;
    return 0;
}

int copy_nodes(Parser *p, const Node *root) {
    int32_t above = 0;
    p->root = 1;
    for (const Node *n = root; n;) {
        int32_t at = (int32_t)p->own.size, tag = n->number; /* tags that the standard names have the parser's own numbers */
        int kind = is_element(n) ? ELEMENT : is_text(n) ? OWN_TEXT : n->is_instruction ? INSTRUCTION : COMMENT;
        if (p->own.size > INT32_MAX / 4 || p->count >= INT32_MAX / 2) { PyErr_SetString(PyExc_OverflowError, "the HTML is too long"); return -1; }
        if (kind == ELEMENT && tag == T_NONE) {
            Buffer name = {0};
            if (write_str(&name, n->tag, 0) == 0) tag = tag_number_of(p, name.size ? name.data : "", name.size);
            PyMem_Free(name.data);
        }
        if (PyErr_Occurred() || (kind == ELEMENT ? write_attributes(&p->own, n) : write_characters(&p->own, n)) < 0) return -1;
        int32_t i = new_dom(p, kind, tag, at, (int32_t)(p->own.size - at));
        if (p->failed) return -1;
        p->nodes[i].space = n->space;
        put_in(p, above, 0, i);
        if (n->first) { n = n->first; above = i; continue; }
        for (; n != root && !n->next; n = n->parent) above = p->nodes[above].parent;
        n = n == root ? NULL : n->next;
    }
    p->html = p->own.data; /* where comments are looked for */
    return 0;
}

static PyObject *written(const Node *n, int is_outer) {
    const Source nothing = {.text = {.data = ""}};
    Parser p = {0};
    Buffer out = {0};
    int failed = parser_init(&p, &nothing, NULL) < 0 || copy_nodes(&p, n) < 0 || write_tree(&p, is_outer ? 0 : p.root, &out) < 0;
    parser_free(&p);
    if (!failed) return buffer_str(&out);
    PyMem_Free(out.data);
    return NULL;
}

static PyObject *node_html(Node *n, void *unused) { return written(n, 1); }
static PyObject *node_inner_html(Node *n, void *unused) { return written(n, 0); }

/* ---- walking ---- */

Node *following(const Node *n, const Node *root) {
    if (n->first) return n->first;
    for (; n && n != root; n = n->parent)
        if (n->next) return n->next;
    return NULL;
}

static PyObject *node_text(Node *root, void *unused) {
    if (is_text(root)) return Py_XNewRef(characters_of(root));
    const Node *only = root->first;
    if (only && !only->next && is_text(only)) return Py_XNewRef(characters_of((Node *)only));
    Buffer out = {0};
    int failed = 0;
    for (const Node *n = root->first; n && !failed; n = following(n, root))
        if (is_text(n)) failed = write_characters(&out, n) < 0;
    if (!failed) return buffer_str(&out);
    PyMem_Free(out.data);
    return NULL;
}

/* Which tags are wanted. */
typedef struct {
    int is_any;
    uint64_t known[T_KNOWN / 64 + 1]; /* by number */
    PyObject *others;                 /* a list of str, or NULL */
} Tags;

static int add_wanted(Tags *tags, PyObject *name) {
    if (!PyUnicode_Check(name)) { PyErr_SetString(PyExc_TypeError, "a tag must be a str"); return -1; }
    PyObject *number = PyDict_GetItemWithError(TAG_NUMBERS, name);
    if (number) {
        long k = PyLong_AsLong(number);
        tags->known[k / 64] |= (uint64_t)1 << k % 64;
        return 0;
    }
    if (PyErr_Occurred() || (tags->others == NULL && (tags->others = PyList_New(0)) == NULL)) return -1;
    return PyList_Append(tags->others, name);
}

/* One tag, an iterable of tags, or None for all. */
static int read_tags(Tags *tags, PyObject *wanted) {
    *tags = (Tags){.is_any = wanted == NULL || wanted == Py_None};
    if (tags->is_any) return 0;
    if (PyUnicode_Check(wanted)) return add_wanted(tags, wanted);
    PyObject *each = PyObject_GetIter(wanted), *name = NULL;
    if (each == NULL) return -1;
    int failed = 0;
    while (!failed && (name = PyIter_Next(each))) {
        failed = add_wanted(tags, name) < 0;
        Py_DECREF(name);
    }
    Py_DECREF(each);
    return failed || PyErr_Occurred() ? -1 : 0;
}

static int is_wanted(const Tags *tags, const Node *n) {
    if (tags->is_any) return 1;
    if (n->number) return tags->known[n->number / 64] >> n->number % 64 & 1;
    for (Py_ssize_t k = 0; tags->others && k < PyList_GET_SIZE(tags->others); k++) {
        PyObject *name = PyList_GET_ITEM(tags->others, k);
        if (name == n->tag || PyUnicode_Compare(name, n->tag) == 0) return 1;
    }
    return 0;
}

typedef enum { NODES, ELEMENTS, STRINGS, ANCESTORS } Walked;

/* An iterator. It holds the node that it looks at next, so that the one it gave may be taken out, moved or unwrapped. */
typedef struct {
    PyObject_HEAD
    Node *root, *next;
    Walked kind;
    Tags tags;
} Walk;

static PyObject *new_walk(Node *root, Node *first, Walked kind) {
    Walk *w = PyObject_New(Walk, &WalkType);
    if (w == NULL) return NULL;
    w->root = (Node *)Py_NewRef(root);
    w->next = (Node *)Py_XNewRef(first);
    w->kind = kind;
    w->tags = (Tags){.is_any = 1};
    return (PyObject *)w;
}

static void walk_dealloc(Walk *w) {
    Py_DECREF(w->root);
    Py_XDECREF(w->next);
    Py_XDECREF(w->tags.others);
    PyObject_Free(w);
}

static PyObject *walk_next(Walk *w) {
    Node *n = w->next;
    if (n == NULL) return NULL;
    /* No Python code runs here, so that nodes that are passed over need not be held. */
    while (n && (w->kind == ELEMENTS ? !is_element(n) || !is_wanted(&w->tags, n) : w->kind == STRINGS && !is_text(n))) n = following(n, w->root);
    Node *after = n == NULL ? NULL : w->kind == ANCESTORS ? n->parent : following(n, w->root);
    Py_XINCREF(n);
    Py_XINCREF(after);
    Py_SETREF(w->next, after);
    if (n == NULL || w->kind != STRINGS) return (PyObject *)n;
    PyObject *text = Py_XNewRef(characters_of(n));
    Py_DECREF(n);
    return text;
}

PyTypeObject WalkType = {
    TYPE(Walk, Walk, 0, "An iterator over nodes."),
    .tp_dealloc = (destructor)walk_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)walk_next,
};

static PyObject *node_descendants(Node *n, void *unused) { return new_walk(n, n->first, NODES); }
static PyObject *node_strings(Node *n, void *unused) { return new_walk(n, is_text(n) ? n : n->first, STRINGS); }
static PyObject *node_ancestors(Node *n, void *unused) { return new_walk(n, n->parent, ANCESTORS); }

static PyObject *element_iter_elements(Node *n, PyObject *args, PyObject *named) {
    PyObject *tags = NULL;
    int is_self = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|Op", (char *[]){"tags", "include_self", NULL}, &tags, &is_self)) return NULL;
    PyObject *walk = new_walk(n, is_self ? n : n->first, ELEMENTS);
    if (walk && read_tags(&((Walk *)walk)->tags, tags) < 0) Py_CLEAR(walk);
    return walk;
}

static PyObject *node_closest(Node *n, PyObject *wanted) {
    Tags tags;
    int failed = read_tags(&tags, wanted) < 0;
    while (!failed && n && !(is_element(n) && is_wanted(&tags, n))) n = n->parent;
    Py_XDECREF(tags.others);
    return failed ? NULL : reference(n);
}

/* ---- children ---- */

static Py_ssize_t node_length(Node *n) {
    Py_ssize_t count = 0;
    for (const Node *child = n->first; child; child = child->next) count++;
    return count;
}

static PyObject *node_item(Node *n, Py_ssize_t at) {
    const Node *child = n->first;
    while (child && at-- > 0) child = child->next;
    if (child && at < 0) return reference(child);
    PyErr_SetString(PyExc_IndexError, "no such child");
    return NULL;
}

static PyObject *node_children(Node *n, void *unused) {
    PyObject *children = PyTuple_New(node_length(n));
    if (children == NULL) return NULL;
    Py_ssize_t k = 0;
    for (const Node *child = n->first; child; child = child->next) PyTuple_SET_ITEM(children, k++, reference(child));
    return children;
}

static PyObject *node_iter(Node *n) {
    PyObject *children = node_children(n, NULL), *each = children ? PyObject_GetIter(children) : NULL;
    Py_XDECREF(children);
    return each;
}

static PyObject *node_parent(Node *n, void *unused) { return reference(n->parent); }
static PyObject *node_next(Node *n, void *unused) { return reference(n->next); }
static PyObject *node_previous(Node *n, void *unused) { return reference(n->prev); }

/* ---- editing ---- */

static int may_hold(const Node *above, PyObject *child) {
    if (!is_node(child)) {
        PyErr_Format(PyExc_TypeError, "a child must be a node, not %.80s", Py_TYPE(child)->tp_name);
        return 0;
    }
    for (const Node *n = above; n && (((Node *)child)->first || n == above); n = n->parent)
        if ((PyObject *)n == child) {
            PyErr_SetString(PyExc_ValueError, "a node cannot be put into itself");
            return 0;
        }
    return 1;
}

static int is_among(PyObject *const *nodes, Py_ssize_t count, const Node *n) {
    for (Py_ssize_t k = 0; k < count; k++)
        if (nodes[k] == (PyObject *)n) return 1;
    return 0;
}

/* Puts nodes before a child that is none of them, or last; they are checked first, so that all of them move or none. */
static int put_nodes(Node *above, Node *before, PyObject *const *nodes, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++)
        if (!may_hold(above, nodes[k])) return -1;
    while (before && is_among(nodes, count, before)) before = before->next;
    for (Py_ssize_t k = 0; k < count; k++) {
        Node *n = (Node *)nodes[k];
        if (n->parent) unlink_node(n);
        else Py_INCREF(n);
        link_node(above, before, n);
    }
    return 0;
}

static Node *parent_of(const Node *n) {
    if (n->parent == NULL) PyErr_SetString(PyExc_ValueError, "the node has no parent");
    return n->parent;
}

static PyObject *done(int failed) { return failed < 0 ? NULL : Py_NewRef(Py_None); }

static PyObject *element_append(Node *n, PyObject *child) { return done(put_nodes(n, NULL, &child, 1)); }

static PyObject *element_extend(Node *n, PyObject *children) {
    PyObject *list = PySequence_Fast(children, "children must be nodes");
    if (list == NULL) return NULL;
    int failed = put_nodes(n, NULL, PySequence_Fast_ITEMS(list), PySequence_Fast_GET_SIZE(list));
    Py_DECREF(list);
    return done(failed);
}

static PyObject *node_insert_before(Node *n, PyObject *const *nodes, Py_ssize_t count) {
    Node *above = parent_of(n);
    return above ? done(put_nodes(above, n, nodes, count)) : NULL;
}

static PyObject *node_insert_after(Node *n, PyObject *const *nodes, Py_ssize_t count) {
    Node *above = parent_of(n);
    return above ? done(put_nodes(above, n->next, nodes, count)) : NULL;
}

static PyObject *node_replace_with(Node *n, PyObject *const *nodes, Py_ssize_t count) {
    Node *above = parent_of(n);
    if (above == NULL || put_nodes(above, n->next, nodes, count) < 0) return NULL;
    if (n->parent == above && !is_among(nodes, count, n)) {
        unlink_node(n);
        Py_DECREF(n);
    }
    Py_RETURN_NONE;
}

static PyObject *node_extract(Node *n, PyObject *unused) {
    if (n->parent == NULL) return Py_NewRef(n);
    unlink_node(n);
    return (PyObject *)n; /* with the reference that was the parent's */
}

static PyObject *node_unwrap(Node *n, PyObject *unused) {
    Node *above = parent_of(n);
    if (above == NULL) return NULL;
    for (Node *child; (child = n->first);) {
        unlink_node(child);
        link_node(above, n, child);
    }
    unlink_node(n);
    return (PyObject *)n;
}

static PyObject *element_clear(Node *n, PyObject *unused) {
    release_children(n);
    Py_RETURN_NONE;
}

static int set_characters(Node *n, PyObject *value, void *unused) {
    if (value == NULL || !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "the characters of a text must be a str");
        return -1;
    }
    Py_XSETREF(n->value, Py_NewRef(value));
    n->bytes = NULL;
    return 0;
}

/* ---- elements ---- */

/* A name that would not be one when it is parsed again. */
static int is_tag_name(PyObject *name) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    for (Py_ssize_t k = 0; k < n; k++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(name, k);
        if (c <= ' ' || c == '/' || c == '<' || c == '>' || c == '=' || c == '"' || c == '\'' || c == 0x7F) return 0;
    }
    return n > 0;
}

static int set_tag(Node *n, PyObject *value, void *unused) {
    if (value == NULL || !PyUnicode_Check(value)) { PyErr_SetString(PyExc_TypeError, "a tag must be a str"); return -1; }
    PyObject *number = PyDict_GetItemWithError(TAG_NUMBERS, value), *name = NULL;
    if (number == NULL && PyErr_Occurred()) return -1;
    if (number == NULL) {
        if (!is_tag_name(value)) { PyErr_Format(PyExc_ValueError, "%R is not a tag name", value); return -1; }
        if ((name = PyObject_CallMethod(value, "lower", NULL)) == NULL) return -1;
        number = PyDict_GetItemWithError(TAG_NUMBERS, name);
        if (number == NULL && PyErr_Occurred()) { Py_DECREF(name); return -1; }
    }
    n->number = number ? (uint16_t)PyLong_AsLong(number) : T_NONE;
    if (number) Py_XSETREF(name, Py_NewRef(TAG_NAMES[n->number]));
    Py_XSETREF(n->tag, name);
    return 0;
}

/* Element(tag, attrs=None, children=()) */
static PyObject *element_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    PyObject *tag, *attrs = Py_None, *children = Py_None, *put;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|OO", (char *[]){"tag", "attrs", "children", NULL}, &tag, &attrs, &children)) return NULL;
    Node *n = new_node(type);
    if (n == NULL || set_tag(n, tag, NULL) < 0) goto failed;
    if (attrs != Py_None && ((n->value = PyDict_New()) == NULL || PyDict_Update(n->value, attrs) < 0)) goto failed;
    if (children != Py_None) {
        if ((put = element_extend(n, children)) == NULL) goto failed;
        Py_DECREF(put);
    }
    return (PyObject *)n;
failed:
    Py_XDECREF(n);
    return NULL;
}

static PyObject *text_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    PyObject *data;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O", (char *[]){"data", NULL}, &data)) return NULL;
    Node *n = new_node(type);
    if (n && set_characters(n, data, NULL) < 0) Py_CLEAR(n);
    return (PyObject *)n;
}

static PyObject *element_attr(Node *n, PyObject *name) {
    if (n->value) {
        PyObject *found = PyDict_GetItemWithError(n->value, name);
        return found || !PyErr_Occurred() ? Py_NewRef(found ? found : Py_None) : NULL;
    }
    Py_ssize_t size;
    const char *wanted = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : NULL;
    if (wanted == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an attribute's name must be a str");
        return NULL;
    }
    Tag tag = {n->bytes, n->bytes + n->size};
    const char *value = find_attribute(&tag, wanted, size, &size);
    return value ? value_of(value, size, 0) : Py_NewRef(Py_None);
}

static PyObject *element_attrs(Node *n, void *unused) { return Py_XNewRef(attributes_of(n)); }
static PyObject *element_tag(Node *n, void *unused) { return Py_NewRef(n->tag); }
static PyObject *element_namespace(Node *n, void *unused) {
    return PyUnicode_FromString(n->space == IN_HTML ? "html" : n->space == IN_SVG ? "svg" : "math");
}
static PyObject *text_data(Node *n, void *unused) { return Py_XNewRef(characters_of(n)); }
static PyObject *element_repr(Node *n) { return PyUnicode_FromFormat("Element(%R)", n->tag); }
static PyObject *text_repr(Node *n) {
    return characters_of(n) ? PyUnicode_FromFormat(is_text(n) ? "Text(%R)" : "Comment(%R)", n->value) : NULL;
}
static int node_bool(PyObject *n) { return 1; }

/* ---- from the parser ---- */

typedef struct {
    const Parser *p;
    Origin *origin;
    PyObject **names; /* of tags that the parser has no number for, by its number in this parse */
    Node *above;
} Build;

/* Gives a node the bytes it was parsed from. */
static void set_bytes(Build *b, Node *n, const char *bytes, int32_t size) {
    n->origin = b->origin;
    b->origin->references++;
    n->bytes = bytes;
    n->size = size;
}

/* The str of a tag, borrowed or, for the few that SVG writes in mixed case, new and owned by the node alone. */
static int set_built_tag(Build *b, Node *n, const Dom *d) {
    int32_t size;
    const char *name = tag_name(b->p, d->tag, &size), *drawn = d->space == IN_SVG ? svg_tag_name(name, size) : name;
    if (drawn != name) return (n->tag = decoded(drawn, size)) ? 0 : -1;
    if (d->tag < T_KNOWN) {
        n->number = (uint16_t)d->tag;
        n->tag = Py_NewRef(TAG_NAMES[d->tag]);
        return 0;
    }
    PyObject **known = &b->names[d->tag];
    if (*known == NULL && (*known = decoded(name, size)) == NULL) return -1;
    n->tag = Py_NewRef(*known);
    return 0;
}

/* Texts side by side are one: the parser's node `i` and those after it; returns the last. */
static int32_t build_text(Build *b, int32_t i) {
    Buffer joined = {0};
    Py_ssize_t size;
    const char *s = whole_text(b->p, &i, &joined, &size);
    Node *n = s ? new_node(&TextType) : NULL;
    if (n && !joined.size) set_bytes(b, n, s, (int32_t)size);
    else if (n && (n->value = decoded(s, size)) == NULL) Py_CLEAR(n);
    PyMem_Free(joined.data);
    if (n == NULL) return -1;
    link_node(b->above, NULL, n);
    return i;
}

/* Makes nodes of all that is below the parser's node `top`; they become the children of `root`. */
static int build_nodes(Build *b, int32_t top, Node *root) {
    const Dom *nodes = b->p->nodes;
    b->above = root;
    for (int32_t i = nodes[top].first; i;) {
        const Dom *d = &nodes[i];
        if (is_text_node(d)) {
            if ((i = build_text(b, i)) < 0) return -1;
        } else if (d->kind != DOCTYPE) {
            Node *n = new_node(d->kind == ELEMENT ? &ElementType : &CommentType);
            if (n == NULL) return -1;
            set_bytes(b, n, node_bytes(b->p, d), d->size);
            link_node(b->above, NULL, n);
            n->space = d->space;
            n->is_instruction = d->kind == INSTRUCTION;
            if (d->kind == ELEMENT && set_built_tag(b, n, d) < 0) return -1;
            if (d->first) {
                b->above = n;
                i = d->first;
                continue;
            }
        }
        while (!nodes[i].next) {
            if ((i = nodes[i].parent) == top) return 0;
            b->above = b->above->parent;
        }
        i = nodes[i].next;
    }
    return 0;
}

/* fragment(html, references) -> an Element <div> that holds what was parsed */
PyObject *core_fragment(PyObject *module, PyObject *args) {
    PyObject *html, *references;
    if (!PyArg_ParseTuple(args, "OO!", &html, &LookupType, &references)) return NULL;
    Origin *origin = PyMem_Calloc(1, sizeof *origin);
    if (origin == NULL) return PyErr_NoMemory();
    origin->references = 1;
    Parser p = {0};
    Build b = {.p = &p, .origin = origin};
    Node *root = NULL;
    int parsed = source_init(&origin->page, html);
    if (parsed == 0) {
        Py_BEGIN_ALLOW_THREADS
        parsed = parse_source(&p, &origin->page, (const Lookup *)references, "div");
        Py_END_ALLOW_THREADS
    }
    origin->own = p.own;
    if (parsed == 0 && (b.names = PyMem_Calloc((size_t)p.names.count + 1, sizeof(PyObject *))) == NULL) PyErr_NoMemory();
    else if (parsed == 0 && (root = new_node(&ElementType))) {
        root->number = T_DIV;
        root->tag = Py_NewRef(TAG_NAMES[T_DIV]);
        if (build_nodes(&b, p.root, root) < 0) Py_CLEAR(root);
    }
    for (int32_t k = T_KNOWN; b.names && k < p.names.count; k++) Py_XDECREF(b.names[k]);
    PyMem_Free(b.names);
    release_origin(origin);
    p.own = (Buffer){0}; /* the origin's */
    parser_free(&p);
    return (PyObject *)root;
}

/* ---- types ---- */

#define READ(name, function) {name, (getter)(function), NULL, NULL, NULL}
#define METHOD(name, function, flags, doc) {name, (PyCFunction)(void (*)(void))(function), flags, doc}

static PyGetSetDef node_properties[] = {
    READ("parent", node_parent), READ("next_sibling", node_next), READ("previous_sibling", node_previous),
    READ("children", node_children), READ("descendants", node_descendants), READ("ancestors", node_ancestors),
    READ("strings", node_strings), READ("text", node_text),
    READ("html", node_html), READ("inner_html", node_inner_html), {NULL},
};

static PyMethodDef node_methods[] = {
    METHOD("closest", node_closest, METH_O, "The nearest element of some tags: this one, or one around it."),
    METHOD("insert_before", node_insert_before, METH_FASTCALL, "Put nodes before this one."),
    METHOD("insert_after", node_insert_after, METH_FASTCALL, "Put nodes after this one."),
    METHOD("replace_with", node_replace_with, METH_FASTCALL, "Put nodes in the place of this one."),
    METHOD("extract", node_extract, METH_NOARGS, "Take this node out of its parent."),
    METHOD("unwrap", node_unwrap, METH_NOARGS, "Put this node's children in its place."),
    {NULL},
};

static PySequenceMethods node_sequence = {.sq_length = (lenfunc)node_length, .sq_item = (ssizeargfunc)node_item};
static PyNumberMethods node_number = {.nb_bool = node_bool};

PyTypeObject NodeType = {
    TYPE(Node, Node, Py_TPFLAGS_DISALLOW_INSTANTIATION, "A node of a parsed piece of HTML."),
    .tp_dealloc = (destructor)node_dealloc,
    .tp_iter = (getiterfunc)node_iter,
    .tp_as_sequence = &node_sequence,
    .tp_as_number = &node_number,
    .tp_methods = node_methods,
    .tp_getset = node_properties,
};

static PyGetSetDef element_properties[] = {
    {"tag", (getter)element_tag, (setter)set_tag, NULL, NULL}, READ("attrs", element_attrs), READ("namespace", element_namespace), {NULL},
};

static PyMethodDef element_methods[] = {
    METHOD("attr", element_attr, METH_O, "The value of an attribute, None without it."),
    METHOD("iter_elements", element_iter_elements, METH_VARARGS | METH_KEYWORDS, "The elements inside, all or those of some tags."),
    METHOD("append", element_append, METH_O, "Put a node last."),
    METHOD("extend", element_extend, METH_O, "Put nodes last."),
    METHOD("clear", element_clear, METH_NOARGS, "Take out all children."),
    {NULL},
};

PyTypeObject ElementType = {
    TYPE(Element, Node, 0, "Element(tag, attrs=None, children=None)"),
    .tp_base = &NodeType,
    .tp_new = element_new,
    .tp_repr = (reprfunc)element_repr,
    .tp_methods = element_methods,
    .tp_getset = element_properties,
};

static PyGetSetDef text_properties[] = {{"data", (getter)text_data, (setter)set_characters, NULL, NULL}, {NULL}};

PyTypeObject TextType = {
    TYPE(Text, Node, 0, "Text(data)"),
    .tp_base = &NodeType,
    .tp_new = text_new,
    .tp_repr = (reprfunc)text_repr,
    .tp_getset = text_properties,
};

PyTypeObject CommentType = {
    TYPE(Comment, Node, Py_TPFLAGS_DISALLOW_INSTANTIATION, "A comment, or a processing instruction."),
    .tp_base = &NodeType,
    .tp_repr = (reprfunc)text_repr,
    .tp_getset = text_properties,
};

int add_dom_types(PyObject *module) {
    PyTypeObject *types[] = {&NodeType, &ElementType, &TextType, &CommentType};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (PyModule_AddType(module, types[k]) < 0) return -1;
    if (number_known_tags() < 0 || PyType_Ready(&WalkType) < 0 || (TAG_NUMBERS = PyDict_New()) == NULL) return -1;
    for (int k = 1; k < T_KNOWN; k++) {
        PyObject *number = PyLong_FromLong(k);
        TAG_NAMES[k] = PyUnicode_InternFromString(known_name(k));
        if (number == NULL || TAG_NAMES[k] == NULL || PyDict_SetItem(TAG_NUMBERS, TAG_NAMES[k], number) < 0) return -1;
        Py_DECREF(number);
    }
    return 0;
}

/* The parser from outside: a page made ready for it, and what it built written as HTML or listed for tests. */

#include "html.h"

static int add_name(const Parser *p, const Dom *n, Buffer *out) {
    int32_t size;
    const char *name = tag_name(p, n->tag, &size);
    return buffer_add(out, n->space == IN_SVG ? svg_tag_name(name, size) : name, size);
}

int is_empty(const Dom *n) { return has_bits(n, EMPTY); }

static int begin(const Parser *p, const Dom *n, Buffer *out) {
    const char *s = node_bytes(p, n);
    const Dom *above = &p->nodes[n->parent], *child = &p->nodes[n->first];
    if (is_text_node(n)) {
        int is_raw = has_bits(above, RAWTEXT) || (above->tag == T_PLAINTEXT && above->space == IN_HTML);
        return is_raw ? buffer_add(out, s, n->size) : add_markup(out, s, n->size, 0);
    }
    if (n->kind == COMMENT) return buffer_add(out, "<!--", 4) < 0 || buffer_add(out, s, n->size) < 0 ? -1 : buffer_add(out, "-->", 3);
    if (n->kind == INSTRUCTION) return buffer_add(out, "<?", 2) < 0 || buffer_add(out, s, n->size) < 0 ? -1 : buffer_put(out, '>');
    if (n->kind != ELEMENT) return 0;
    if (buffer_put(out, '<') < 0 || add_name(p, n, out) < 0 || buffer_add(out, s, n->size) < 0 || buffer_put(out, '>') < 0) return -1;
    /* The parser drops one line feed there. */
    int is_led = has_bits(n, LED_BY_LINE) && n->first && is_text_node(child) && child->size && *node_bytes(p, child) == '\n';
    return is_led ? buffer_put(out, '\n') : 0;
}

int write_tree(const Parser *p, int32_t top, Buffer *out) {
    if (buffer_reserve(out, p->size + p->size / 8 + 256) < 0) return -1;
    int32_t i = is_empty(&p->nodes[top]) ? 0 : p->nodes[top].first;
    while (i) {
        const Dom *n = &p->nodes[i];
        if (begin(p, n, out) < 0) return -1;
        if (n->first && !is_empty(n)) { i = n->first; continue; }
        for (;;) {
            n = &p->nodes[i];
            if (n->kind == ELEMENT && !is_empty(n)
                && (buffer_add(out, "</", 2) < 0 || add_name(p, n, out) < 0 || buffer_put(out, '>') < 0))
                return -1;
            if (n->next) { i = n->next; break; }
            if ((i = n->parent) == top) return 0;
        }
    }
    return 0;
}

const char *whole_text(const Parser *p, int32_t *i, Buffer *joined, Py_ssize_t *size) {
    const Dom *n = &p->nodes[*i];
    const char *s = node_bytes(p, n);
    *size = n->size;
    joined->size = 0;
    for (int32_t next; (next = n->next) && is_text_node(&p->nodes[next]); *i = next) {
        if (!joined->size && buffer_add(joined, s, *size) < 0) return NULL;
        n = &p->nodes[next];
        if (buffer_add(joined, node_bytes(p, n), n->size) < 0) return NULL;
        s = joined->data;
        *size = joined->size;
    }
    return s;
}

/* ---- pages made ready ---- */

#define LONGEST_PAGE (INT32_MAX / 16) /* positions have 32 bits, and an escaped character takes up to six bytes */

/* What the standard does to a page before anything else: line ends become line feeds. Nulls become U+FFFD, as nearly
   everywhere; where they were is noted for the few places where they are left out. */
static int add_normalized(Source *page, const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    Py_ssize_t room = 0;
    const char *null = memchr(s, 0, (size_t)n);
    while (s < stop) {
        if (null && null < s) null = memchr(s, 0, (size_t)(stop - s));
        const char *end = null ? null : stop, *next = memchr(s, '\r', (size_t)(end - s));
        if (next == NULL) next = end;
        if (buffer_add(&page->text, s, next - s) < 0) return -1;
        if ((s = next) == stop) break;
        if (*s++ == '\r') {
            if (buffer_put(&page->text, '\n') < 0) return -1;
            if (s < stop && *s == '\n') s++;
            continue;
        }
        if (page->null_count >= room && list_grow((void **)&page->nulls, &room, sizeof(int32_t)) < 0) return -1;
        page->nulls[page->null_count++] = (int32_t)page->text.size;
        if (buffer_add(&page->text, "\xEF\xBF\xBD", 3) < 0) return -1;
    }
    return 0;
}

/* How much of a page is read: all, or whole characters up to a limit. */
static Py_ssize_t readable(Source *page, const char *s, Py_ssize_t n) {
    Py_ssize_t most = LONGEST_PAGE;
    if (n <= most) return n;
    page->is_cut = 1;
    while (most && ((unsigned char)s[most] & 0xC0) == 0x80) most--;
    return most;
}

int source_init(Source *page, PyObject *html) {
    *page = (Source){0};
    PyObject *data = NULL;
    if (Py_TYPE(html) == &Utf8Type) data = Py_NewRef(((Utf8 *)html)->data);
    else if (!PyUnicode_Check(html)) PyErr_SetString(PyExc_TypeError, "html must be a str or Utf8");
    else if ((data = PyUnicode_AsUTF8String(html)) == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        /* Half of a surrogate pair is no character. */
        PyErr_Clear();
        PyObject *wide = PyUnicode_AsEncodedString(html, "utf-16-le", "surrogatepass");
        PyObject *whole = wide ? PyUnicode_FromEncodedObject(wide, "utf-16-le", "replace") : NULL;
        data = whole ? PyUnicode_AsUTF8String(whole) : NULL;
        Py_XDECREF(wide);
        Py_XDECREF(whole);
    }
    return data == NULL ? -1 : source_of_bytes(page, data);
}

int source_of_bytes(Source *page, PyObject *data) {
    *page = (Source){0};
    const char *s = PyBytes_AS_STRING(data);
    Py_ssize_t n = readable(page, s, PyBytes_GET_SIZE(data));
    page->owner = data;
    page->text = (Buffer){(char *)s, n, 0};
    if (n == PyBytes_GET_SIZE(data) && !memchr(s, '\r', (size_t)n) && !memchr(s, 0, (size_t)n)) return 0;
    page->text = (Buffer){0};
    int failed = add_normalized(page, s, n) < 0 || buffer_put(&page->text, 0) < 0;
    page->text.size--;
    page->owner = NULL;
    Py_DECREF(data);
    if (failed) source_free(page);
    return failed ? -1 : 0;
}

void source_free(Source *page) {
    if (page->owner == NULL) PyMem_Free(page->text.data);
    Py_CLEAR(page->owner);
    PyMem_Free(page->nulls);
    *page = (Source){0};
}

/* ---- what the parser builds and reads, for tests ---- */

static PyObject *str_of(const char *s, Py_ssize_t n) { return PyUnicode_DecodeUTF8(n > 0 ? s : "", n > 0 ? n : 0, NULL); }

PyObject *doctype_of(const Span *given, const char *bytes) {
    PyObject *parts = PyTuple_New(DOCTYPE_PARTS);
    for (int k = 0; parts && k < DOCTYPE_PARTS; k++) {
        PyObject *part = given[k].size < 0 ? Py_NewRef(Py_None) : str_of(bytes + given[k].at, given[k].size);
        if (part == NULL) Py_CLEAR(parts);
        else PyTuple_SET_ITEM(parts, k, part);
    }
    return parts;
}

static PyObject *listed_node(const Parser *p, const Dom *n, int depth) {
    if (n->kind == DOCTYPE) return Py_BuildValue("iiisN", depth, n->kind, 0, "", doctype_of(p->doctype, p->own.data));
    int32_t size = 0;
    const char *name = n->kind == ELEMENT ? tag_name(p, n->tag, &size) : "";
    return Py_BuildValue("iiiNN", depth, n->kind, n->kind == ELEMENT ? n->space : n->continues,
                         str_of(n->space == IN_SVG ? svg_tag_name(name, size) : name, size), str_of(node_bytes(p, n), n->size));
}

/* parsed_nodes(html, references, context="") -> [(depth, kind, detail, name, data)]: a page's nodes in document order, or a fragment's.
   Kinds are those of html.h; the detail of an element is its namespace, that of a text whether it continues the one before it; an
   element's data are its attributes as they are written. */
PyObject *core_parsed_nodes(PyObject *module, PyObject *args) {
    PyObject *html, *references;
    const char *context = NULL;
    if (!PyArg_ParseTuple(args, "OO!|s", &html, &LookupType, &references, &context)) return NULL;
    Source page;
    Parser p = {0};
    if (source_init(&page, html) < 0) return NULL;
    int failed = parse_source(&p, &page, (const Lookup *)references, context) < 0, depth = 0;
    PyObject *list = failed ? NULL : PyList_New(0);
    int32_t top = context ? p.root : 0;
    for (int32_t i = list ? p.nodes[top].first : 0; i;) {
        const Dom *n = &p.nodes[i];
        if (append_new(list, listed_node(&p, n, depth)) < 0) { Py_CLEAR(list); break; }
        if (n->first) { i = n->first; depth++; continue; }
        for (; i != top && !p.nodes[i].next; depth--) i = p.nodes[i].parent;
        i = i == top ? 0 : p.nodes[i].next;
    }
    parser_free(&p);
    source_free(&page);
    return list;
}

static PyObject *listed_token(const Parser *p, const Token *t) {
    int32_t size = 0;
    if (t->type == DOCTYPE_TOKEN) return Py_BuildValue("isNi", t->type, "", doctype_of(p->doctype, p->own.data), t->is_quirky);
    if (t->type == CHARACTERS || t->type == COMMENT_TOKEN) {
        const char *s = (t->type == CHARACTERS && t->is_own ? p->own.data : p->html) + t->at;
        return Py_BuildValue("isNi", t->type, "", str_of(s, t->size), t->is_own);
    }
    const char *name = tag_name(p, t->tag, &size);
    return Py_BuildValue("iNNi", t->type, str_of(name, size), str_of(p->own.data + t->at, t->size), t->is_self_closing);
}

/* parsed_tokens(html, references, content, tag) -> [(type, name, data, flag)]: what the tokenizer reads. It begins in the content
   (see html.h) of an element of that tag, "" for none. */
PyObject *core_parsed_tokens(PyObject *module, PyObject *args) {
    PyObject *html, *references;
    const char *tag;
    int content;
    if (!PyArg_ParseTuple(args, "OO!is", &html, &LookupType, &references, &content, &tag)) return NULL;
    Source page;
    Parser p = {0};
    if (source_init(&page, html) < 0) return NULL;
    PyObject *list = parser_init(&p, &page, (const Lookup *)references) < 0 ? NULL : PyList_New(0);
    Token t = {.type = CHARACTERS}, end = {.type = END_TAG};
    int is_closed = 0;
    if (list && content == CDATA_SECTION) read_cdata(&p, &t, p.html);
    else if (list && content != MARKUP && content != PLAIN_TEXT)
        is_closed = read_raw(&p, &t, end.tag = tag_number_of(&p, tag, (Py_ssize_t)strlen(tag)), content);
    p.is_plain = content == PLAIN_TEXT;
    for (; list && t.type != END_OF_FILE; is_closed ? (void)(t = end) : next_html_token(&p, &t), is_closed = 0)
        if ((t.type != CHARACTERS || t.size) && append_new(list, listed_token(&p, &t)) < 0) Py_CLEAR(list);
    parser_free(&p);
    source_free(&page);
    return list;
}

/* A parsed page written as HTML, in the one form that serializers agree on. */

#include "html.h"

static int add_name(const Parser *p, const Dom *n, Buffer *out) {
    int32_t size;
    const char *name = tag_name(p, n->tag, &size);
    return buffer_add(out, n->space == IN_SVG ? svg_tag_name(name, size) : name, size);
}

int is_empty(const Dom *n) { return n->space == IN_HTML && n->tag < T_KNOWN && TAG_BITS[n->tag] & EMPTY; }

/* A processing instruction: its target, a space, and the rest. */
static int add_instruction(Buffer *out, const char *s, Py_ssize_t n) {
    const char *stop = s + n, *rest = s;
    while (rest < stop && !is_html_space(*rest) && *rest != '?') rest++;
    if (buffer_add(out, "<?", 2) < 0 || buffer_add(out, s, rest - s) < 0 || buffer_put(out, ' ') < 0) return -1;
    while (rest < stop && is_html_space(*rest)) rest++;
    return buffer_add(out, rest, stop - rest) < 0 ? -1 : buffer_put(out, '>');
}

static int begin(const Parser *p, const Dom *n, Buffer *out) {
    switch (n->kind) {
    case TEXT: return add_markup(out, p->html + n->at, n->size, 0);
    case OWN_TEXT: return add_markup(out, p->own.data + n->at, n->size, 0);
    case RAW_TEXT: return buffer_add(out, p->html + n->at, n->size);
    case COMMENT: return buffer_add(out, "<!--", 4) < 0 || buffer_add(out, p->html + n->at, n->size) < 0 ? -1 : buffer_add(out, "-->", 3);
    case INSTRUCTION: return add_instruction(out, p->html + n->at, n->size);
    case DOCTYPE: return buffer_add(out, "<!DOCTYPE html>", 15);
    }
    if (buffer_put(out, '<') < 0 || add_name(p, n, out) < 0 || buffer_add(out, n->size ? p->own.data + n->at : "", n->size) < 0
        || buffer_put(out, '>') < 0)
        return -1;
    if (n->first && n->space == IN_HTML && n->tag < T_KNOWN && TAG_BITS[n->tag] & LED_BY_LINE) {
        const Dom *child = &p->nodes[n->first];
        int is_led = (child->kind == TEXT && p->html[child->at] == '\n') || (child->kind == OWN_TEXT && p->own.data[child->at] == '\n');
        if (is_led && buffer_put(out, '\n') < 0) return -1;
    }
    return 0;
}

int write_tree(const Parser *p, Buffer *out) {
    if (buffer_reserve(out, p->size + p->size / 8 + 256) < 0) return -1;
    int32_t i = p->nodes[0].first;
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
            if (!(i = n->parent)) break;
        }
    }
    return 0;
}

/* What the standard does to a page before anything else: line ends become line feeds. */
static void normalize(Buffer *page) {
    const char *s = page->data, *stop = s + page->size, *line;
    char *to = page->data;
    while ((line = memchr(s, '\r', (size_t)(stop - s)))) {
        memmove(to, s, (size_t)(line - s));
        to += line - s;
        *to++ = '\n';
        s = line + 1;
        if (s < stop && *s == '\n') s++;
    }
    memmove(to, s, (size_t)(stop - s));
    page->size = to + (stop - s) - page->data;
}

static int parse(Parser *p, const Lookup *entities, const Buffer *page, int is_wide, int is_fragment) {
    *p = (Parser){.entities = entities, .is_wide = is_wide, .is_fragment = is_fragment, .html = page->data, .size = page->size};
    /* Most pages need no more. */
    p->room = (int32_t)(page->size / 32 + 32);
    p->nodes = PyMem_Malloc(sizeof(Dom) * (size_t)p->room);
    if (p->nodes == NULL) { PyErr_NoMemory(); return -1; }
    return buffer_reserve(&p->own, page->size / 2) < 0 ? -1 : build_tree(p);
}

int parse_page(Parser *p, const Lookup *entities, const Buffer *page, int is_wide) { return parse(p, entities, page, is_wide, 0); }

static int is_too_much(Py_ssize_t size, const char *data) {
    return size > INT32_MAX / 8 || (size && memchr(data, 0, (size_t)size));
}

/* The page as the parser reads it: 1 ready, 0 if it is for the other parser, -1 without memory. */
static int ready_page(PyObject *html, Buffer *page, PyObject **owner, int *is_wide) {
    *owner = NULL;
    if (Py_TYPE(html) == &Utf8Type) {
        PyObject *data = ((Utf8 *)html)->data;
        Buffer given = {PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), 0};
        *is_wide = ((Utf8 *)html)->most > 0xFF;
        if (is_too_much(given.size, given.data)) return 0;
        if (!given.size || !memchr(given.data, '\r', (size_t)given.size)) {
            *page = given;
            *owner = Py_NewRef(data);
            return 1;
        }
        if (buffer_add(page, given.data, given.size) < 0) return -1;
    } else if (PyUnicode_Check(html)) {
        int failed = add_utf8(page, html);
        *is_wide = PyUnicode_KIND(html) != PyUnicode_1BYTE_KIND;
        if (failed) return failed < 0 ? -1 : 0;
        if (is_too_much(page->size, page->data)) return 0;
    } else {
        PyErr_SetString(PyExc_TypeError, "html must be a str or Utf8");
        return -1;
    }
    if (page->size && memchr(page->data, '\r', (size_t)page->size)) normalize(page);
    if (buffer_put(page, 0) < 0) return -1;
    page->size--;
    return 1;
}

int parse_html(PyObject *html, const Lookup *entities, Parser *p, Buffer *page, PyObject **owner) {
    int is_wide, ready = ready_page(html, page, owner, &is_wide);
    *p = (Parser){0};
    return ready == 1 ? parse_page(p, entities, page, is_wide) : ready;
}

int parse_fragment(PyObject *html, const Lookup *entities, Parser *p, Buffer *page, PyObject **owner) {
    int is_wide, ready = ready_page(html, page, owner, &is_wide);
    *p = (Parser){0};
    return ready == 1 ? parse(p, entities, page, is_wide, 1) : ready;
}

void parser_free(Parser *p) {
    PyMem_Free(p->nodes);
    PyMem_Free(p->own.data);
    table_free(&p->names);
}

/* written(html, entities) -> the page as the parser would write it; None where it is left to the other parser */
static PyObject *html_written(PyObject *module, PyObject *args) {
    PyObject *html, *entities, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO!", &html, &LookupType, &entities)) return NULL;
    Parser p;
    Buffer page = {0}, out = {0};
    PyObject *owner;
    int done = parse_html(html, (const Lookup *)entities, &p, &page, &owner);
    if (done == 1 && write_tree(&p, &out) < 0) done = -1;
    if (done == 1) result = PyUnicode_DecodeUTF8(out.size ? out.data : "", out.size, "surrogatepass");
    else if (done == 0) result = Py_NewRef(Py_None);
    parser_free(&p);
    if (owner) Py_DECREF(owner);
    else PyMem_Free(page.data);
    PyMem_Free(out.data);
    return result;
}

PyMethodDef written_method = {"written", html_written, METH_VARARGS, "A page as the parser would write it, or None."};

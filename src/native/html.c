/* A parsed page written as HTML, in the one form that serializers agree on. */

#include "html.h"

static int add_escaped(Buffer *out, const char *s, Py_ssize_t n) {
    const char *stop = s + n;
    while (s < stop) {
        const char *from = s;
        while (s < stop && *s != '&' && *s != '<' && *s != '>' && *s != '\xC2') s++;
        if (buffer_add(out, from, s - from) < 0) return -1;
        if (s == stop) return 0;
        const char *escape = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : NULL;
        if (*s == '\xC2' && s + 1 < stop && s[1] == '\xA0') { escape = "&nbsp;"; s++; }
        if ((escape ? buffer_add(out, escape, (Py_ssize_t)strlen(escape)) : buffer_put(out, *s)) < 0) return -1;
        s++;
    }
    return 0;
}

static int add_name(const Parser *p, const Dom *n, Buffer *out) {
    int32_t size;
    const char *name = tag_name(p, n->tag, &size);
    return buffer_add(out, n->space == IN_SVG ? svg_tag_name(name, size) : name, size);
}

static int is_empty(const Dom *n) { return n->space == IN_HTML && n->tag < T_KNOWN && TAG_BITS[n->tag] & EMPTY; }

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
    case TEXT: return add_escaped(out, p->html + n->at, n->size);
    case OWN_TEXT: return add_escaped(out, p->own.data + n->at, n->size);
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
static int normalize(const char *s, Py_ssize_t n, Buffer *out) {
    const char *stop = s + n, *line;
    while ((line = memchr(s, '\r', (size_t)(stop - s)))) {
        if (buffer_add(out, s, line - s) < 0 || buffer_put(out, '\n') < 0) return -1;
        s = line + 1;
        if (s < stop && *s == '\n') s++;
    }
    return buffer_add(out, s, stop - s);
}

int parse_html(PyObject *html, const Lookup *entities, Buffer *out) {
    Buffer page = {0}, normal = {0};
    Parser p = {.entities = entities, .is_wide = PyUnicode_KIND(html) != PyUnicode_1BYTE_KIND};
    int done = buffer_reserve(&page, PyUnicode_GET_LENGTH(html) + 1) < 0 ? -1 : add_utf8(&page, html);
    if (done) { done = done < 0 ? -1 : 0; goto out; }
    if (page.size > INT32_MAX / 8 || memchr(page.data, 0, (size_t)page.size)) goto out;
    if (page.size && memchr(page.data, '\r', (size_t)page.size)) {
        if (normalize(page.data, page.size, &normal) < 0) { done = -1; goto out; }
        PyMem_Free(page.data);
        page = normal;
    }
    if (buffer_put(&page, 0) < 0) { done = -1; goto out; }
    p.html = page.data;
    p.size = page.size - 1;
    done = build_tree(&p);
    /* with a null behind it, so that one may look a byte ahead */
    if (done == 1 && (write_tree(&p, out) < 0 || buffer_put(out, 0) < 0)) done = -1;
    if (done == 1) out->size--;
out:
    PyMem_Free(p.nodes);
    PyMem_Free(p.own.data);
    table_free(&p.names);
    PyMem_Free(page.data);
    return done;
}

/* written(html, entities) -> the page as the parser would write it; None where it is left to the other parser */
static PyObject *html_written(PyObject *module, PyObject *args) {
    PyObject *html, *entities, *result = NULL;
    if (!PyArg_ParseTuple(args, "UO!", &html, &LookupType, &entities)) return NULL;
    Buffer out = {0};
    int done = parse_html(html, (const Lookup *)entities, &out);
    if (done == 1) result = PyUnicode_DecodeUTF8(out.data, out.size, "surrogatepass");
    else if (done == 0) result = Py_NewRef(Py_None);
    PyMem_Free(out.data);
    return result;
}

PyMethodDef written_method = {"written", html_written, METH_VARARGS, "A page as the parser would write it, or None."};

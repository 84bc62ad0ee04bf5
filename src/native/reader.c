/* Sanitized HTML read once more, by someone who did not write it: is it what the policy allows and nothing else, and does it
   parse into what is written? It knows the one form in which such HTML is written, and accepts no other; what it does not
   accept is looked at by the HTML library and its own sanitizer.

   Most of it is nested so that the standard has nothing to close, move or repeat: each end tag ends the element that was
   opened last, and no start tag stands where it would end another. What is not is parsed here, and written again. */

#include "html.h"

typedef struct {
    PyObject_HEAD
    Table tags, names, schemes;
    uint8_t *allowed;    /* by tag and name */
    uint8_t *is_address; /* by name */
    uint16_t *known;     /* what the standard says of a tag, by tag; 0 of one that is not known here */
    PyObject *references;
} Reader;

extern PyTypeObject ReaderType;

static int is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

static const char *name_end(const char *s, const char *stop) {
    while (s < stop && is_name_letter(*s)) s++;
    return s;
}

#define PIECE 16 /* bytes looked at together */
static const uint8_t SIGNS[256] = {['<'] = 1, ['>'] = 1, ['&'] = 1, ['\r'] = 1, [0] = 1, [0xC2] = 1};

/* Whether a piece holds one of these signs: told without branches, so that all are looked at at once. */
static int holds_sign(const char *s) {
    uint8_t found = 0;
    for (int k = 0; k < PIECE; k++) found |= (s[k] == '<') | (s[k] == '>') | (s[k] == '&') | (s[k] == '\r') | (s[k] == 0) | (s[k] == '\xC2');
    return found;
}

/* Whether characters, of a value if `quoted`, are written as the parser writes them. */
static int are_as_written(const char *s, const char *stop, int quoted) {
    while (s < stop) {
        if (stop - s >= PIECE && !holds_sign(s)) { s += PIECE; continue; }
        for (const char *end = stop - s < PIECE ? stop : s + PIECE; s < end; s++) {
            Py_ssize_t length, size;
            if (!SIGNS[(uint8_t)*s]) continue;
            if (*s == '\xC2') {
                if (stop - s > 1 && s[1] == '\xA0') return 0;
                continue;
            }
            const char *means = *s == '&' ? read_escape(s, stop, &length, &size) : NULL;
            if (means == NULL || (*means == '"' && !quoted)) return 0;
            s += length - 1;
        }
    }
    return 1;
}

/* Whether an address is relative, or of a scheme that is allowed; one that has to be thought about is not. */
static int is_safe_address(const Reader *r, const char *s, const char *stop) {
    const char *p = s;
    for (; p < stop && *p != '/' && *p != '?' && *p != '#'; p++) {
        if (*p == ':') return table_find(&r->schemes, s, p - s) >= 0;
        if ((unsigned char)*p <= ' ' || *p == '&' || *p == '\\' || (unsigned char)*p >= 0x7F) return 0;
    }
    /* Two slashes at the beginning lead to another host. */
    return p < stop && (p > s || stop - p < 2 || (p[1] != '/' && p[1] != '\\'));
}

#define MOST_NAMES 16

/* Reads a start tag's attributes; returns where its text begins, or NULL. */
static const char *read_attributes(const Reader *r, const char *s, const char *stop, int32_t tag) {
    int32_t names[MOST_NAMES];
    for (int count = 0; s < stop && *s == ' '; count++) {
        const char *name = s + 1, *equals = name_end(name, stop);
        if (count == MOST_NAMES || stop - equals < 2 || equals[0] != '=' || equals[1] != '"') return NULL;
        int32_t number = table_find(&r->names, name, equals - name);
        if (number < 0 || !r->allowed[(size_t)tag * (size_t)r->names.count + (size_t)number]) return NULL;
        for (int k = 0; k < count; k++) if (names[k] == number) return NULL; /* the parser takes the first */
        names[count] = number;
        const char *value = equals + 2, *end = memchr(value, '"', (size_t)(stop - value));
        if (end == NULL || !are_as_written(value, end, 1) || (r->is_address[number] && !is_safe_address(r, value, end))) return NULL;
        s = end + 1;
    }
    return s < stop && *s == '>' ? s + 1 : NULL;
}

/* ---- nesting ---- */

/* Of tags: the standard ends a paragraph before them; a paragraph outside of them is not ended by what is inside; they may stand in
   an item that what is inside does not end; they are parts of a table. */
enum { IS_KNOWN = 1, ENDS_P = 2, KEEPS_P = 4, KEEPS_ITEM = 8, HOLDS_NOTHING = 16, WHOLE_TABLE = 32, ROW_GROUP = 64, TABLE_ROW = 128, TABLE_CELL = 256, COLUMN_GROUP = 512,
       ONE_COLUMN = 1024, TABLE_CAPTION = 2048, STRUCTURE = WHOLE_TABLE | ROW_GROUP | TABLE_ROW | COLUMN_GROUP };
/* Of elements: what they stand in, each of which a start tag of its kind would end. */
enum { IN_P = 1, IN_ITEM = 2, IN_ENTRY = 4, IN_HEADING = 8, IN_LINK = 16 };

#define BLOCK (ENDS_P | KEEPS_ITEM)
static const struct { const char *name; uint16_t bits; } TAGS[] = {
    {"p", ENDS_P}, {"div", ENDS_P}, {"address", ENDS_P},
    {"h1", BLOCK}, {"h2", BLOCK}, {"h3", BLOCK}, {"h4", BLOCK}, {"h5", BLOCK}, {"h6", BLOCK}, {"ul", BLOCK}, {"ol", BLOCK}, {"li", BLOCK},
    {"dl", BLOCK}, {"dt", BLOCK}, {"dd", BLOCK}, {"blockquote", BLOCK}, {"pre", BLOCK}, {"figure", BLOCK}, {"figcaption", BLOCK},
    {"details", BLOCK}, {"summary", BLOCK}, {"section", BLOCK}, {"article", BLOCK}, {"hr", BLOCK | HOLDS_NOTHING},
    {"table", BLOCK | KEEPS_P | WHOLE_TABLE}, {"caption", KEEPS_P | KEEPS_ITEM | TABLE_CAPTION}, {"colgroup", KEEPS_ITEM | COLUMN_GROUP},
    {"col", ONE_COLUMN | HOLDS_NOTHING}, {"thead", KEEPS_ITEM | ROW_GROUP}, {"tbody", KEEPS_ITEM | ROW_GROUP}, {"tfoot", KEEPS_ITEM | ROW_GROUP},
    {"tr", KEEPS_ITEM | TABLE_ROW}, {"td", KEEPS_P | KEEPS_ITEM | TABLE_CELL}, {"th", KEEPS_P | KEEPS_ITEM | TABLE_CELL},
    {"img", HOLDS_NOTHING}, {"br", HOLDS_NOTHING}, {"wbr", HOLDS_NOTHING},
    {"a", 0}, {"strong", 0}, {"em", 0}, {"b", 0}, {"i", 0}, {"u", 0}, {"s", 0}, {"del", 0}, {"ins", 0}, {"mark", 0}, {"small", 0},
    {"sub", 0}, {"sup", 0}, {"q", 0}, {"cite", 0}, {"abbr", 0}, {"dfn", 0}, {"kbd", 0}, {"samp", 0}, {"var", 0}, {"code", 0}, {"time", 0},
    {"span", 0}, {"ruby", 0}, {"rt", 0}, {"rp", 0}, {"bdi", 0}, {"bdo", 0},
};

static int is_named(const char *name, Py_ssize_t size, const char *as) { return (size_t)size == strlen(as) && memcmp(name, as, (size_t)size) == 0; }

#define DEEPEST 250

typedef struct {
    const char *name; /* of the element */
    Py_ssize_t size;
    uint16_t known;
    int in; /* what holds inside it */
} Level;

/* Whether the standard puts an element just where it stands, and what holds inside it. */
static int fits(const Level *above, const char *name, Py_ssize_t size, uint16_t known, Level *made) {
    uint16_t outer = above->known;
    int in = above->in, kind = 0;
    int has_place = known & TABLE_CELL ? outer & TABLE_ROW : known & TABLE_ROW ? outer & ROW_GROUP : known & ONE_COLUMN ? outer & COLUMN_GROUP
                    : known & (ROW_GROUP | COLUMN_GROUP | TABLE_CAPTION) ? outer & WHOLE_TABLE : !(outer & STRUCTURE);
    if (!known || !has_place || (known & ENDS_P && in & IN_P)) return 0;
    switch (*name) {
    case 'a': kind = size == 1 ? IN_LINK : 0; break;
    case 'p': kind = size == 1 ? IN_P : 0; break;
    case 'l': kind = IN_ITEM; break;
    case 'd': kind = size == 2 && (name[1] == 'd' || name[1] == 't') ? IN_ENTRY : 0; break;
    case 'h': kind = name[1] != 'r' ? IN_HEADING : 0; break;
    case 'r': if (size == 2 && !is_named(above->name, above->size, "ruby")) return 0; break; /* rt and rp */
    }
    if (in & kind) return 0;
    if (known & KEEPS_P) in &= ~IN_P;
    if (known & KEEPS_ITEM) in &= ~(IN_ITEM | IN_ENTRY);
    *made = (Level){name, size, known, in | kind};
    return 1;
}

static int is_space_only(const char *s, const char *stop) {
    while (s < stop && is_html_space(*s)) s++;
    return s == stop;
}

enum { REFUSED, DOUBTFUL, SURE };

/* Whether all is allowed, and surely parsed into what is written. */
static int look_at(const Reader *r, const char *s, const char *stop) {
    Level levels[DEEPEST + 1] = {{"body", 4, IS_KNOWN, 0}};
    int depth = 0, sure = 1;
    while (s < stop) {
        const char *next = memchr(s, '<', (size_t)(stop - s));
        if (next == NULL) next = stop;
        if (!are_as_written(s, next, 0)) return REFUSED;
        if (levels[depth].known & STRUCTURE && !is_space_only(s, next)) sure = 0;
        if ((s = next) == stop) break;
        int is_end = stop - s > 1 && s[1] == '/';
        const char *name = s + 1 + is_end, *end = name_end(name, stop);
        Py_ssize_t size = end - name;
        int32_t tag = table_find(&r->tags, name, size);
        if (tag < 0) return REFUSED;
        uint16_t known = r->known[tag];
        if (is_end) {
            if (end >= stop || *end != '>') return REFUSED;
            s = end + 1;
            sure = sure && depth && levels[depth].size == size && memcmp(levels[depth].name, name, (size_t)size) == 0;
            depth -= sure;
            continue;
        }
        if ((s = read_attributes(r, end, stop, tag)) == NULL) return REFUSED;
        sure = sure && depth < DEEPEST && fits(&levels[depth], name, size, known, &levels[depth + 1]);
        /* A line break is skipped after this tag, and one is written before another. */
        if (*name == 'p' && size == 3 && s < stop && *s == '\n' && !(stop - s > 1 && s[1] == '\n')) sure = 0;
        depth += sure && !(known & HOLDS_NOTHING);
    }
    return sure && depth == 0 ? SURE : DOUBTFUL;
}

#define BEFORE "<!DOCTYPE html><html><head></head><body>"
#define BEHIND "</body></html>"

/* 1 when it is parsed into what is written, 0 when it is not or that is not known, -1 without memory */
static int is_read_back(const Reader *r, const char *s, Py_ssize_t n) {
    Buffer page = {0}, out = {0};
    Parser p = {0};
    int done = -1;
    if (n > INT32_MAX / 16) return 0;
    if (buffer_reserve(&page, n + 64) < 0 || buffer_add(&page, BEFORE, sizeof BEFORE - 1) < 0 || buffer_add(&page, s, n) < 0
        || buffer_add(&page, BEHIND, sizeof BEHIND) < 0)
        goto out;
    page.size--; /* the null behind it */
    done = parse_page(&p, (const Lookup *)r->references, &page, 0);
    if (done == 1 && write_tree(&p, &out) < 0) done = -1;
    if (done == 1) done = out.size == page.size && memcmp(out.data, page.data, (size_t)out.size) == 0;
out:
    parser_free(&p);
    PyMem_Free(page.data);
    PyMem_Free(out.data);
    return done;
}

/* accepts(html) -> bool */
static PyObject *reader_accepts(Reader *self, PyObject *html) {
    Py_ssize_t n;
    if (!PyUnicode_Check(html) && !PyBytes_Check(html)) { PyErr_SetString(PyExc_TypeError, "html must be a str or bytes in UTF-8"); return NULL; }
    Buffer page = {0};
    const char *s = NULL;
    int done = 0;
    if (PyBytes_Check(html)) {
        s = PyBytes_AS_STRING(html);
        n = PyBytes_GET_SIZE(html);
    } else if (PyUnicode_IS_ASCII(html)) {
        s = PyUnicode_DATA(html);
        n = PyUnicode_GET_LENGTH(html);
    } else if ((done = add_utf8(&page, html)) == 0) {
        s = page.data;
        n = page.size;
    }
    if (s != NULL) done = look_at(self, s, s + n);
    if (s != NULL && done != REFUSED) done = done == SURE ? 1 : is_read_back(self, s, n);
    else if (done > 0) done = 0;
    PyMem_Free(page.data);
    return done < 0 ? NULL : PyBool_FromLong(done);
}

static int put_names(Table *table, PyObject *names) {
    PyObject *each = PyObject_GetIter(names), *name;
    while (each && (name = PyIter_Next(each))) {
        Py_ssize_t n;
        int fresh;
        const char *s = PyUnicode_AsUTF8AndSize(name, &n);
        int failed = s == NULL || table_put(table, s, n, &fresh) < 0;
        Py_DECREF(name);
        if (failed) break;
    }
    Py_XDECREF(each);
    return PyErr_Occurred() ? -1 : 0;
}

static int allow(Reader *r, PyObject *attributes, PyObject *addresses) {
    PyObject *tag, *names;
    Py_ssize_t at = 0;
    while (PyDict_Next(attributes, &at, &tag, &names))
        if (put_names(&r->names, names) < 0) return -1;
    if (put_names(&r->tags, attributes) < 0) return -1;
    r->allowed = PyMem_Calloc((size_t)r->tags.count * (size_t)r->names.count + 1, 1);
    r->is_address = PyMem_Calloc((size_t)r->names.count + 1, 1);
    r->known = PyMem_Calloc((size_t)r->tags.count + 1, sizeof *r->known);
    if (r->allowed == NULL || r->is_address == NULL || r->known == NULL) { PyErr_NoMemory(); return -1; }
    for (size_t k = 0; k < sizeof TAGS / sizeof *TAGS; k++) {
        int32_t number = table_find(&r->tags, TAGS[k].name, (Py_ssize_t)strlen(TAGS[k].name));
        if (number >= 0) r->known[number] = TAGS[k].bits | IS_KNOWN;
    }
    Table own;
    at = 0;
    for (int32_t k = 0; PyDict_Next(attributes, &at, &tag, &names); k++) {
        if (table_init(&own, 16) < 0 || put_names(&own, names) < 0) { table_free(&own); return -1; }
        for (int32_t i = 0; i < own.count; i++)
            r->allowed[(size_t)k * (size_t)r->names.count
                       + (size_t)table_find(&r->names, own.bytes.data + own.keys[i].at, own.keys[i].size)] = 1;
        table_free(&own);
    }
    if (table_init(&own, 16) < 0 || put_names(&own, addresses) < 0) { table_free(&own); return -1; }
    for (int32_t i = 0; i < own.count; i++) {
        int32_t number = table_find(&r->names, own.bytes.data + own.keys[i].at, own.keys[i].size);
        if (number >= 0) r->is_address[number] = 1;
    }
    table_free(&own);
    return 0;
}

static void reader_dealloc(Reader *r) {
    table_free(&r->tags);
    table_free(&r->names);
    table_free(&r->schemes);
    PyMem_Free(r->allowed);
    PyMem_Free(r->is_address);
    PyMem_Free(r->known);
    Py_XDECREF(r->references);
    PyObject_Free(r);
}

/* Reader(attributes: {tag: names}, addresses: names of attributes that hold one, schemes, references) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *attributes, *addresses, *schemes, *references;
    if (!PyArg_ParseTuple(args, "O!OOO!", &PyDict_Type, &attributes, &addresses, &schemes, &LookupType, &references)) return NULL;
    Reader *r = PyObject_New(Reader, &ReaderType);
    if (r == NULL) return NULL;
    memset((char *)r + sizeof(PyObject), 0, sizeof(Reader) - sizeof(PyObject));
    r->references = Py_NewRef(references);
    if (table_init(&r->tags, 64) < 0 || table_init(&r->names, 64) < 0 || table_init(&r->schemes, 8) < 0
        || put_names(&r->schemes, schemes) < 0 || allow(r, attributes, addresses) < 0) {
        Py_DECREF(r);
        return NULL;
    }
    return (PyObject *)r;
}

static PyMethodDef reader_methods[] = {
    {"accepts", (PyCFunction)reader_accepts, METH_O, "Whether sanitized HTML is surely what it should be."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject ReaderType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "duramen._native.Reader",
    .tp_basicsize = sizeof(Reader),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A reader of sanitized HTML that trusts no writer.",
    .tp_new = reader_new,
    .tp_dealloc = (destructor)reader_dealloc,
    .tp_methods = reader_methods,
};

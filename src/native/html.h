/* An HTML parser: the standard's tokenizer and tree construction, scripting off, for documents and fragments.

   It parses everything, and takes time and memory that grow with the page's size alone: elements that the standard would
   repeat without end are repeated only as long as a budget lasts (see Parser.spare), and a tree is at most some 512 deep, as in
   browsers. Nothing here needs the interpreter lock, except source_init() and source_free().
   The standard: https://html.spec.whatwg.org/multipage/parsing.html, whose names for things are kept here. */

#ifndef DURAMEN_HTML_H
#define DURAMEN_HTML_H

#include "native.h"

/* What a tag's name alone says, by bits. */
enum {
    SPECIAL = 1,
    FORMATTING = 2,
    SCOPE = 4,        /* ends the search for "an element in scope" */
    IMPLIED = 8,      /* its end tag may be left out */
    THOROUGH = 16,    /* implied where end tags are implied thoroughly */
    HEADED = 32,      /* h1 to h6 */
    CLOSES_P = 64,    /* a block whose start tag ends a paragraph */
    CLOSED = 128,     /* a block whose end tag closes it, wherever it is in scope */
    EMPTY = 256,      /* never has content: written without an end tag */
    RAWTEXT = 512,    /* its content is no markup */
    BREAKS_OUT = 1024, /* ends foreign content */
    FOSTERS = 2048,   /* table, tbody, tfoot, thead, tr */
    SVG_SCOPE = 4096, /* special, and a scope, in SVG */
    MATH_SCOPE = 8192, /* the same in MathML */
    LED_BY_LINE = 16384, /* a line feed that its content begins with is doubled */
    TABLE_PART = 32768 /* caption, col, colgroup, tbody, td, tfoot, th, thead, tr */
};

#define TAGS(X) \
    X(A, "a", FORMATTING) X(ADDRESS, "address", SPECIAL | CLOSES_P | CLOSED) X(ANNOTATION_XML, "annotation-xml", MATH_SCOPE) \
    X(APPLET, "applet", SPECIAL | SCOPE) X(AREA, "area", SPECIAL | EMPTY) X(ARTICLE, "article", SPECIAL | CLOSES_P | CLOSED) \
    X(ASIDE, "aside", SPECIAL | CLOSES_P | CLOSED) X(B, "b", FORMATTING | BREAKS_OUT) X(BASE, "base", SPECIAL | EMPTY) \
    X(BASEFONT, "basefont", SPECIAL | EMPTY) X(BGSOUND, "bgsound", SPECIAL | EMPTY) X(BIG, "big", FORMATTING | BREAKS_OUT) \
    X(BLOCKQUOTE, "blockquote", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) X(BODY, "body", SPECIAL | BREAKS_OUT) \
    X(BR, "br", SPECIAL | EMPTY | BREAKS_OUT) X(BUTTON, "button", SPECIAL | CLOSED) \
    X(CAPTION, "caption", SPECIAL | SCOPE | THOROUGH | TABLE_PART) X(CENTER, "center", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) \
    X(CODE, "code", FORMATTING | BREAKS_OUT) X(COL, "col", SPECIAL | EMPTY | TABLE_PART) \
    X(COLGROUP, "colgroup", SPECIAL | THOROUGH | TABLE_PART) X(DD, "dd", SPECIAL | IMPLIED | BREAKS_OUT) \
    X(DESC, "desc", SVG_SCOPE) X(DETAILS, "details", SPECIAL | CLOSES_P | CLOSED) X(DIALOG, "dialog", CLOSES_P | CLOSED) \
    X(DIR, "dir", SPECIAL | CLOSES_P | CLOSED) X(DIV, "div", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) \
    X(DL, "dl", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) X(DT, "dt", SPECIAL | IMPLIED | BREAKS_OUT) \
    X(EM, "em", FORMATTING | BREAKS_OUT) X(EMBED, "embed", SPECIAL | EMPTY | BREAKS_OUT) \
    X(FIELDSET, "fieldset", SPECIAL | CLOSES_P | CLOSED) X(FIGCAPTION, "figcaption", SPECIAL | CLOSES_P | CLOSED) \
    X(FIGURE, "figure", SPECIAL | CLOSES_P | CLOSED) X(FONT, "font", FORMATTING) X(FOOTER, "footer", SPECIAL | CLOSES_P | CLOSED) \
    X(FOREIGNOBJECT, "foreignobject", SVG_SCOPE) X(FORM, "form", SPECIAL) X(FRAME, "frame", SPECIAL | EMPTY) \
    X(FRAMESET, "frameset", SPECIAL) X(H1, "h1", SPECIAL | HEADED | BREAKS_OUT) X(H2, "h2", SPECIAL | HEADED | BREAKS_OUT) \
    X(H3, "h3", SPECIAL | HEADED | BREAKS_OUT) X(H4, "h4", SPECIAL | HEADED | BREAKS_OUT) X(H5, "h5", SPECIAL | HEADED | BREAKS_OUT) \
    X(H6, "h6", SPECIAL | HEADED | BREAKS_OUT) X(HEAD, "head", SPECIAL | BREAKS_OUT) \
    X(HEADER, "header", SPECIAL | CLOSES_P | CLOSED) X(HGROUP, "hgroup", SPECIAL | CLOSES_P | CLOSED) \
    X(HR, "hr", SPECIAL | EMPTY | BREAKS_OUT) X(HTML, "html", SPECIAL | SCOPE) X(I, "i", FORMATTING | BREAKS_OUT) \
    X(IFRAME, "iframe", SPECIAL | RAWTEXT) X(IMAGE, "image", 0) X(IMG, "img", SPECIAL | EMPTY | BREAKS_OUT) \
    X(INPUT, "input", SPECIAL | EMPTY) X(KEYGEN, "keygen", SPECIAL | EMPTY) X(LI, "li", SPECIAL | IMPLIED | BREAKS_OUT) \
    X(LINK, "link", SPECIAL | EMPTY) X(LISTING, "listing", SPECIAL | CLOSED | BREAKS_OUT | LED_BY_LINE) \
    X(MAIN, "main", SPECIAL | CLOSES_P | CLOSED) X(MALIGNMARK, "malignmark", 0) X(MARQUEE, "marquee", SPECIAL | SCOPE) \
    X(MATH, "math", 0) X(MENU, "menu", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) X(META, "meta", SPECIAL | EMPTY | BREAKS_OUT) \
    X(MGLYPH, "mglyph", 0) X(MI, "mi", MATH_SCOPE) X(MN, "mn", MATH_SCOPE) X(MO, "mo", MATH_SCOPE) X(MS, "ms", MATH_SCOPE) \
    X(MTEXT, "mtext", MATH_SCOPE) X(NAV, "nav", SPECIAL | CLOSES_P | CLOSED) X(NOBR, "nobr", FORMATTING | BREAKS_OUT) \
    X(NOEMBED, "noembed", SPECIAL | RAWTEXT) X(NOFRAMES, "noframes", SPECIAL | RAWTEXT) X(NOSCRIPT, "noscript", SPECIAL) \
    X(OBJECT, "object", SPECIAL | SCOPE) X(OL, "ol", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) X(OPTGROUP, "optgroup", IMPLIED) \
    X(OPTION, "option", IMPLIED) X(P, "p", SPECIAL | IMPLIED | CLOSES_P | BREAKS_OUT) X(PARAM, "param", SPECIAL | EMPTY) \
    X(PLAINTEXT, "plaintext", SPECIAL) X(PRE, "pre", SPECIAL | CLOSED | BREAKS_OUT | LED_BY_LINE) X(RB, "rb", IMPLIED) \
    X(RP, "rp", IMPLIED) X(RT, "rt", IMPLIED) X(RTC, "rtc", IMPLIED) X(RUBY, "ruby", BREAKS_OUT) X(S, "s", FORMATTING | BREAKS_OUT) \
    X(SCRIPT, "script", SPECIAL | RAWTEXT) X(SEARCH, "search", SPECIAL | CLOSES_P | CLOSED) \
    X(SECTION, "section", SPECIAL | CLOSES_P | CLOSED) X(SELECT, "select", SPECIAL | SCOPE | CLOSED) \
    X(SELECTEDCONTENT, "selectedcontent", 0) X(SMALL, "small", FORMATTING | BREAKS_OUT) X(SOURCE, "source", SPECIAL | EMPTY) \
    X(SPAN, "span", BREAKS_OUT) X(STRIKE, "strike", FORMATTING | BREAKS_OUT) X(STRONG, "strong", FORMATTING | BREAKS_OUT) \
    X(STYLE, "style", SPECIAL | RAWTEXT) X(SUB, "sub", BREAKS_OUT) X(SUMMARY, "summary", SPECIAL | CLOSES_P | CLOSED) \
    X(SUP, "sup", BREAKS_OUT) X(SVG, "svg", 0) X(TABLE, "table", SPECIAL | SCOPE | FOSTERS | BREAKS_OUT) \
    X(TBODY, "tbody", SPECIAL | THOROUGH | FOSTERS | TABLE_PART) X(TD, "td", SPECIAL | SCOPE | THOROUGH | TABLE_PART) \
    X(TEMPLATE, "template", SPECIAL | SCOPE) X(TEXTAREA, "textarea", SPECIAL | LED_BY_LINE) \
    X(TFOOT, "tfoot", SPECIAL | THOROUGH | FOSTERS | TABLE_PART) X(TH, "th", SPECIAL | SCOPE | THOROUGH | TABLE_PART) \
    X(THEAD, "thead", SPECIAL | THOROUGH | FOSTERS | TABLE_PART) X(TITLE, "title", SPECIAL | SVG_SCOPE) \
    X(TR, "tr", SPECIAL | THOROUGH | FOSTERS | TABLE_PART) X(TRACK, "track", SPECIAL | EMPTY) X(TT, "tt", FORMATTING | BREAKS_OUT) \
    X(U, "u", FORMATTING | BREAKS_OUT) X(UL, "ul", SPECIAL | CLOSES_P | CLOSED | BREAKS_OUT) X(VAR, "var", BREAKS_OUT) \
    X(WBR, "wbr", SPECIAL | EMPTY) X(XMP, "xmp", SPECIAL | RAWTEXT)

enum {
    T_NONE,
#define X(id, name, bits) T_##id,
    TAGS(X)
#undef X
    T_KNOWN /* tags that the standard does not name have numbers from here on */
};

extern const uint16_t TAG_BITS[T_KNOWN];
/* The bits of a tag by its name, 0 for one that the standard does not name. */
int known_bits(const char *name, Py_ssize_t n);
const char *known_name(int tag);
/* To be called once, before the first parser; -1 without memory. */
int number_known_tags(void);

/* ---- nodes ---- */

enum { DOCUMENT, ELEMENT, TEXT, OWN_TEXT, RAW_TEXT, COMMENT, INSTRUCTION, DOCTYPE };
/* TEXT, RAW_TEXT and comments are in the page as they are, OWN_TEXT had references resolved. */
enum { IN_HTML, IN_SVG, IN_MATH };

typedef struct {
    int32_t parent, first, last, next, prev; /* 0 for none: the document is nobody's child */
    int32_t tag;
    int32_t at, size; /* characters; an element's attributes as they are written */
    uint8_t kind, space;
    uint8_t is_html_inside; /* of an <annotation-xml> */
    uint8_t continues;      /* a text that the standard adds to the text before it */
} Dom;

static inline int is_text_node(const Dom *n) { return n->kind == TEXT || n->kind == OWN_TEXT || n->kind == RAW_TEXT; }

static inline int bits_of(int32_t tag) { return tag < T_KNOWN ? TAG_BITS[tag] : 0; }
static inline int has_bits(const Dom *n, int bits) { return n->space == IN_HTML && bits_of(n->tag) & bits; }

/* ---- tokens ---- */

enum { START_TAG, END_TAG, CHARACTERS, COMMENT_TOKEN, DOCTYPE_TOKEN, END_OF_FILE };

typedef struct {
    int type, is_self_closing;
    int is_own;    /* of characters: they are in Parser.own; of a comment: it is a processing instruction */
    int has_null;  /* of characters, which are then in Parser.own */
    int is_hidden; /* of an <input>: type=hidden */
    int is_styled; /* of a <font>: it has a color, face or size */
    int is_quirky; /* of a doctype: the standard's force-quirks flag */
    int32_t tag;
    int32_t at, size; /* attributes as they are written; characters */
} Token;

/* Limits that a page met. */
enum { TOO_MUCH_FORMATTING = 1, TOO_MANY_ROOTS = 2, TOO_LONG = 4 };
/* A page's doctype. */
enum { DOCTYPE_NAME, PUBLIC_ID, SYSTEM_ID, DOCTYPE_PARTS };

typedef struct {
    int32_t *list, count;
    Py_ssize_t room;
} Numbers;

typedef struct {
    const char *html; /* with a null behind it */
    Py_ssize_t size, at;
    const int32_t *nulls, *nulls_end; /* where in the page nulls were: U+FFFD is there now */
    Buffer own;  /* attributes, and characters that are not in the page as they are meant */
    Table names; /* of tags */
    const Lookup *entities;
    Dom *nodes;
    int32_t count;
    Py_ssize_t room;
    Numbers open, formatting, templates; /* of formatting 0 is a marker; templates: insertion modes */
    Span doctype[DOCTYPE_PARTS]; /* in `own`; a size of -1 for a part that is missing */
    int mode, is_quirky, is_fostering, skip_line, is_framed, is_plain;
    /* is_framed: a <frameset> may still take the place of the body; is_plain: the rest of the page is text */
    int32_t root, head, form, context; /* context: the element that a fragment is parsed for, 0 for a document */
    int64_t spare; /* bytes that repeated elements, and comparing their attributes, may still cost */
    int limits, failed;
} Parser;

/* The innermost open element; 0 where none is. */
static inline int32_t current(const Parser *p) { return p->open.count ? p->open.list[p->open.count - 1] : 0; }
/* The standard's "adjusted current node". */
static inline const Dom *adjusted_current(const Parser *p) { return &p->nodes[p->open.count == 1 && p->context ? p->context : current(p)]; }

/* What content is made of, where it is not markup: text with references, text without, a script, all of the page's rest. */
enum { MARKUP, RCDATA, RAW_CONTENT, SCRIPT_DATA, PLAIN_TEXT, CDATA_SECTION };

/* A node that is nowhere yet; 0 without memory. */
int32_t new_dom(Parser *p, int kind, int32_t tag, int32_t at, int32_t size);
/* Puts such a node before a child of another, or as the last one where that is 0. */
void put_in(Parser *p, int32_t above, int32_t before, int32_t i);
/* Reads the next token. */
void next_html_token(Parser *p, Token *t);
/* Characters up to the end tag of an element, which is read, too (then 1), or without a tag to the end of the page. */
int read_raw(Parser *p, Token *t, int32_t tag, int content);
/* Characters from `s` up to the end of a CDATA section. */
void read_cdata(Parser *p, Token *t, const char *s);
/* The number of a tag's name, which may be a new one. */
int32_t tag_number_of(Parser *p, const char *name, Py_ssize_t n);
/* Whether an element never has content. */
int is_empty(const Dom *n);
const char *tag_name(const Parser *p, int32_t tag, int32_t *size);
const char *svg_tag_name(const char *name, int32_t size);
/* An attribute's name as it is written in SVG or MathML, in place: the sizes are the same. */
void adjust_attributes(Parser *p, int32_t at, int32_t size, int space);
/* The characters of the text that begins at node *i, of which several may be side by side: these are joined, and *i is the last
   of them. NULL without memory. */
const char *whole_text(const Parser *p, int32_t *i, Buffer *joined, Py_ssize_t *size);
/* The characters of a node or an element's attributes. */
static inline const char *node_bytes(const Parser *p, const Dom *n) {
    return (n->kind == ELEMENT || n->kind == OWN_TEXT ? p->own.data : p->html) + n->at;
}

/* ---- parsing ---- */

/* A page as the parser reads it: line ends are line feeds, and no nulls are in it. */
typedef struct {
    Buffer text;     /* without room where the bytes are the owner's */
    PyObject *owner; /* of the bytes, or NULL */
    int32_t *nulls, null_count;
    int is_cut;
} Source;

/* Makes a page ready that is a str or Utf8; -1 after an error. */
int source_init(Source *page, PyObject *html);
/* The same with well-formed UTF-8, a bytes object that is taken over. */
int source_of_bytes(Source *page, PyObject *data);
void source_free(Source *page);
/* A parser at the beginning of a page; -1 without memory. */
int parser_init(Parser *p, const Source *page, const Lookup *entities);
/* Parses a page, which has to stay as long as the parser; in `context`, an element such as "div" or "svg path", where it is a
   fragment, whose nodes are then the children of Parser.root. -1 without memory. */
int parse_source(Parser *p, const Source *page, const Lookup *entities, const char *context);
void parser_free(Parser *p);
/* The parts of a doctype, each a str or None; NULL after an error. */
PyObject *doctype_of(const Span *parts, const char *bytes);
/* Writes what is inside a node as HTML; -1 without memory. */
int write_tree(const Parser *p, int32_t top, Buffer *out);

#endif

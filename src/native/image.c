/* images.shown_as() for an image that says plainly what it shows; all others are asked of Python. Attributes are read and
   written as the parser writes them. */

#include "flow.h"

#include <stddef.h>

enum { LAZY = 1, ORNAMENT = 2, EMOJI = 4, PLACEHOLDER = 8 }; /* as compiled.py has them: attributes, words of classes and files */

#define SMALL 32
#define WIDE 2000
#define DENSE 3
#define LONGEST_WORD 64
#define UNSAID (-1)

typedef struct {
    const char *s, *stop; /* NULL when it is not there */
} Value;

/* What is looked at of an image. */
typedef struct {
    Value src, srcset, alt, title, width, height, style, class;
    int is_lazy;
} Image;

static int bits_of(const Lookup *words, const char *s, Py_ssize_t size) {
    char word[LONGEST_WORD];
    double value = 0;
    if (size > LONGEST_WORD) return 0;
    lowered(word, s, size);
    return lookup_value(words, word, size, &value) < 0 ? 0 : (int)value;
}

static void read_image(const char *s, const char *stop, const Lookup *words, Image *image) {
    static const struct { const char *name; int size; size_t at; } known[] = {
        {"src", 3, offsetof(Image, src)}, {"alt", 3, offsetof(Image, alt)}, {"class", 5, offsetof(Image, class)},
        {"width", 5, offsetof(Image, width)}, {"height", 6, offsetof(Image, height)}, {"srcset", 6, offsetof(Image, srcset)},
        {"style", 5, offsetof(Image, style)}, {"title", 5, offsetof(Image, title)},
    };
    while (s < stop) {
        const char *name = s + 1, *equals = memchr(s, '=', (size_t)(stop - s)), *quote = memchr(equals + 2, '"', (size_t)(stop - equals - 2));
        Py_ssize_t size = equals - name;
        size_t k = 0;
        while (k < sizeof known / sizeof *known && (known[k].size != size || memcmp(known[k].name, name, (size_t)size) != 0)) k++;
        if (k < sizeof known / sizeof *known) *(Value *)((char *)image + known[k].at) = (Value){equals + 2, quote};
        else image->is_lazy = image->is_lazy || bits_of(words, name, size) & LAZY;
        s = quote + 1;
    }
}

/* Whether a value holds nothing but plain characters, none of them escaped white space; nothing escaped at all when it is
   parted at ";", with which escapes end. */
static int is_simple(Value value, int is_parted) {
    for (const char *s = value.s; s < value.stop; s++)
        if (*s & 0x80 || (*s == '&' && (is_parted || (value.stop - s > 1 && s[1] == 'n')))) return 0;
    return 1;
}

static const char *skip_plain_space(const char *s, const char *stop) {
    while (s < stop && is_plain_space((unsigned char)*s)) s++;
    return s;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* images._LENGTH */
static int length_of(Value value) {
    const char *s = skip_plain_space(value.s, value.stop), *from = s;
    int length = 0;
    for (; s < value.stop && is_digit(*s); s++) {
        if (s - from >= 5) return UNSAID;
        length = length * 10 + *s - '0';
    }
    if (s == from) return UNSAID;
    if (value.stop - s > 1 && *s == '.' && is_digit(s[1])) for (s++; s < value.stop && is_digit(*s);) s++;
    s = skip_plain_space(s, value.stop);
    if (value.stop - s > 1 && s[0] == 'p' && s[1] == 'x') s += 2;
    return skip_plain_space(s, value.stop) == value.stop ? length : UNSAID;
}

/* images._STYLE_LENGTH, of one declaration */
static void read_declaration(const char *s, const char *stop, int *width, int *height) {
    s = skip_plain_space(s, stop);
    int is_width = stop - s > 5 && strncasecmp(s, "width", 5) == 0;
    if (!is_width && !(stop - s > 6 && strncasecmp(s, "height", 6) == 0)) return;
    s = skip_plain_space(s + (is_width ? 5 : 6), stop);
    if (s == stop || *s != ':') return;
    s = skip_plain_space(s + 1, stop);
    int length = 0;
    const char *from = s;
    for (; s < stop && is_digit(*s); s++) if (s - from < 6) length = length * 10 + *s - '0';
    if (s > from && stop - s > 1 && strncasecmp(s, "px", 2) == 0) *(is_width ? width : height) = length;
}

static void read_sizes(const Image *image, int *width, int *height) {
    *width = *height = UNSAID;
    for (const char *s = image->style.s; s < image->style.stop;) {
        const char *end = memchr(s, ';', (size_t)(image->style.stop - s));
        if (end == NULL) end = image->style.stop;
        read_declaration(s, end, width, height);
        s = end + 1;
    }
    int wide = length_of(image->width), high = length_of(image->height);
    if (wide != UNSAID) *width = wide;
    if (high != UNSAID) *height = high;
}

#define LONGEST_DESCRIPTOR 40

/* The size a candidate is said to have, and whether that is its width. */
static double size_beside(const char *s, const char *stop, int *is_width) {
    *is_width = 0;
    if (stop - s > LONGEST_DESCRIPTOR) stop = s + LONGEST_DESCRIPTOR;
    for (; s < stop; s++) {
        const char *end = s;
        double size = 0, part = 1;
        while (end < stop && is_digit(*end)) size = size * 10 + *end++ - '0';
        if (end == s) continue;
        if (stop - end > 1 && *end == '.' && is_digit(end[1]))
            for (end++; end < stop && is_digit(*end); end++) size += (*end - '0') * (part /= 10);
        if (end < stop && (*end == 'w' || *end == 'x')) {
            *is_width = *end == 'w';
            return size;
        }
    }
    return 1;
}

/* images.best_candidate() of those that are no placeholder; nothing where there is none. */
static Value best_candidate(Value set) {
    Value best = {0};
    double best_size = 0;
    int best_fits = 0;
    const char *s = set.s;
    for (;;) {
        while (s < set.stop && (*s == ',' || is_plain_space((unsigned char)*s))) s++;
        if (s >= set.stop) return best;
        Value url = {s, s};
        while (url.stop < set.stop && !is_plain_space((unsigned char)*url.stop)) url.stop++;
        s = url.stop;
        const char *beside = s;
        if (s[-1] != ',') while (s < set.stop && *s != ',') s++;
        while (url.stop > url.s && url.stop[-1] == ',') url.stop--;
        int is_width;
        double size = size_beside(beside, s, &is_width);
        int fits = size <= (is_width ? WIDE : DENSE);
        if (best.s == NULL || fits > best_fits || (fits == best_fits && (fits ? size > best_size : size < best_size))) {
            best = url;
            best_size = size;
            best_fits = fits;
        }
    }
}

/* Whether an address may be one of images._is_placeholder(): a word before the end of a file's name says so. */
static int may_be_placeholder(const Lookup *words, Value url) {
    static const struct { const char *name; int size; } ends[] = {{"gif", 3}, {"png", 3}, {"svg", 3}, {"jpg", 3}, {"jpeg", 4}, {"webp", 4}};
    const char *word = url.s;
    for (const char *s = url.s; s < url.stop; s++) {
        if (*s == '/' || *s == '_' || *s == '-') word = s + 1;
        if (*s != '.') continue;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            const char *after = s + 1 + ends[k].size;
            if (after > url.stop || strncasecmp(s + 1, ends[k].name, (size_t)ends[k].size) != 0) continue;
            if ((after == url.stop || *after == '?' || *after == '#') && bits_of(words, word, s - word) & PLACEHOLDER) return 1;
        }
        word = s + 1;
    }
    return 0;
}

int has_plain_source(const char *s, const char *stop, const Lookup *words) {
    Image image = {0};
    read_image(s, stop, words, &image);
    Py_ssize_t size = image.src.stop - image.src.s;
    return (is_plain_url(image.src.s, size) || is_plain_path(image.src.s, size)) && !may_be_placeholder(words, image.src);
}

static int add_value(Buffer *to, const char *name, const char *s, Py_ssize_t size, int as_written) {
    TRY(buffer_put(to, ' '));
    TRY(buffer_add(to, name, (Py_ssize_t)strlen(name)));
    TRY(buffer_add(to, "=\"", 2));
    TRY(as_written ? buffer_add(to, s, size) : add_markup(to, s, size, 1));
    return buffer_put(to, '"');
}

static int add_source(Buffer *to, Value source, const char *origin, Py_ssize_t size) {
    TRY(buffer_add(to, " src=\"", 6));
    if (*source.s == '/') TRY(add_markup(to, origin, size, 1));
    TRY(buffer_add(to, source.s, source.stop - source.s));
    return buffer_put(to, '"');
}

static int add_length(Buffer *to, const char *name, Value written, int size) {
    const char *first = skip_plain_space(written.s, written.stop);
    if (size <= 0 || first == written.stop || !is_digit(*first) || memchr(first, '%', (size_t)(written.stop - first))) return 0;
    char number[16];
    return add_value(to, name, number, snprintf(number, sizeof number, "%d", size), 1);
}

/* images._described() */
static int describe(const Image *image, const char *s, const char *stop, Value source, const char *origin, Py_ssize_t origin_size,
                    const Buffer *alt, const Buffer *title, int width, int height, Buffer *to) {
    int is_echo = title->size == alt->size && (alt->size == 0 || memcmp(title->data, alt->data, (size_t)alt->size) == 0);
    while (s < stop) {
        const char *equals = memchr(s, '=', (size_t)(stop - s)), *value = equals + 2, *quote = memchr(value, '"', (size_t)(stop - value));
        Py_ssize_t size = equals - s - 1;
        if (value == image->src.s) TRY(add_source(to, source, origin, origin_size));
        else if (value == image->alt.s) { if (alt->size) TRY(add_value(to, "alt", alt->data, alt->size, 0)); }
        else if (value == image->title.s) { if (title->size && !is_echo) TRY(add_value(to, "title", title->data, title->size, 0)); }
        else if (value == image->width.s) TRY(add_length(to, "width", image->width, width));
        else if (value == image->height.s) TRY(add_length(to, "height", image->height, height));
        else if (value == image->class.s || (size == 2 && memcmp(s + 1, "id", 2) == 0)) TRY(buffer_add(to, s, quote + 1 - s));
        s = quote + 1;
    }
    return image->src.s ? 0 : add_source(to, source, origin, origin_size);
}

static int bits_of_class(const Lookup *words, Value class) {
    int bits = 0;
    for (const char *s = class.s; s < class.stop;) {
        const char *from = s;
        while (s < class.stop && !is_plain_space((unsigned char)*s)) s++;
        if (s > from) bits |= bits_of(words, from, s - from);
        s++;
    }
    return bits;
}

int plain_image(const char *s, const char *stop, const char *origin, Py_ssize_t origin_size, const Lookup *words, Pads *pads) {
    Image image = {0};
    read_image(s, stop, words, &image);
    int named = bits_of_class(words, image.class);
    if (image.is_lazy || named & EMOJI) return ASK;
    if (!is_simple(image.srcset, 0) || !is_simple(image.width, 0) || !is_simple(image.height, 0) || !is_simple(image.style, 1)) return ASK;
    int width, height;
    read_sizes(&image, &width, &height);
    if (((width != UNSAID && width <= 2) || (height != UNSAID && height <= 2)) && image.srcset.s == NULL) return 0;
    Value source = best_candidate(image.srcset);
    if (source.s == NULL) source = image.src;
    Py_ssize_t size = source.stop - source.s;
    if (!is_plain_url(source.s, size) && !(origin_size && is_plain_path(source.s, size))) return ASK;
    if (may_be_placeholder(words, source)) return ASK;
    pads->alt.size = pads->title.size = pads->to.size = 0;
    TRY(add_squeezed(&pads->alt, &pads->pad, image.alt.s, image.alt.stop));
    if (!pads->alt.size && (named & ORNAMENT || (width != UNSAID && height != UNSAID && width <= SMALL && height <= SMALL))) return 0;
    TRY(add_squeezed(&pads->title, &pads->pad, image.title.s, image.title.stop));
    return describe(&image, s, stop, source, origin, origin_size, &pads->alt, &pads->title, width, height, &pads->to) < 0 ? -1 : 1;
}

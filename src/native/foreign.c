/* Names in SVG and MathML, which are not all in lower case. */

#include "html.h"

static const char *SVG_TAGS[] = {"altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting",
    "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath", NULL};

static const char *SVG_ATTRIBUTES[] = {"attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode",
    "clipPathUnits", "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
    "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle",
    "markerHeight", "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength",
    "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha",
    "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
    "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
    "xChannelSelector", "yChannelSelector", "zoomAndPan", NULL};

static const char *MATH_ATTRIBUTES[] = {"definitionURL", NULL};

static const char *named(const char *name, Py_ssize_t size, const char **names) {
    for (; *names; names++)
        if ((*names)[0] == name[0] && (Py_ssize_t)strlen(*names) == size && strncasecmp(*names, name, (size_t)size) == 0) return *names;
    return NULL;
}

const char *svg_tag_name(const char *name, int32_t size) {
    const char *found = named(name, size, SVG_TAGS);
    return found ? found : name;
}

void adjust_attributes(Parser *p, int32_t at, int32_t size, int space) {
    char *s = p->own.data + at, *stop = s + size;
    while (size && s < stop) {
        char *name = s + 1, *equals = memchr(name + 1, '=', (size_t)(stop - name - 1));
        const char *meant = named(name, equals - name, space == IN_SVG ? SVG_ATTRIBUTES : MATH_ATTRIBUTES);
        if (meant) memcpy(name, meant, (size_t)(equals - name));
        s = (char *)memchr(equals + 2, '"', (size_t)(stop - equals - 2)) + 1;
    }
}

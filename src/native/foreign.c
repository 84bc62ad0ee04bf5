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
    char *own = p->own.data;
    for (const char *s = own + at, *stop = s + size; size && s < stop;) {
        Attribute a;
        s = next_attribute(s, stop, &a);
        const char *meant = named(a.name, a.named, space == IN_SVG ? SVG_ATTRIBUTES : MATH_ATTRIBUTES);
        if (meant) memcpy(own + (a.name - own), meant, (size_t)a.named);
    }
}

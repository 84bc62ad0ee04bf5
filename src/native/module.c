/* duramen._native: the parts of Duramen that walk every node, block or tree, compiled. */

#include "native.h"
#include "dom.h"

/* The build names the state of the sources, which native.py compares. */
#ifndef SOURCES_DIGEST
#define SOURCES_DIGEST "unknown"
#endif

#define FUNCTIONS(X) \
    X(best_threshold) \
    X(child_kinds) \
    X(content) \
    X(content_sums) \
    X(context) \
    X(count) \
    X(expected) \
    X(expected_f1) \
    X(fragment) \
    X(inline_runs) \
    X(kept_sums) \
    X(lower_odds) \
    X(mean_odds) \
    X(name_words) \
    X(nodes) \
    X(parse) \
    X(plain) \
    X(probabilities) \
    X(standing) \
    X(survey) \
    X(tokens) \
    X(utf8) \
    X(visible)

#define X(name) extern PyMethodDef name##_method;
FUNCTIONS(X)
#undef X

static PyMethodDef *FUNCTION_LIST[] = {
#define X(name) &name##_method,
    FUNCTIONS(X)
#undef X
};

static PyTypeObject *TYPES[] = {&LookupType, &Utf8Type, &TreeType, &ColumnType, &ForestType, &SanitizerType, &SelectorType, &PhrasesType};

static int add_all(PyObject *m) {
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
        if (PyModule_AddType(m, TYPES[k]) < 0) return -1;
    PyObject *name = PyModule_GetNameObject(m); /* pickling a function needs it */
    int failed = name == NULL || PyModule_AddStringConstant(m, "SOURCES", SOURCES_DIGEST) < 0 || add_dom_types(m) < 0;
    for (size_t k = 0; !failed && k < sizeof FUNCTION_LIST / sizeof *FUNCTION_LIST; k++) {
        PyObject *function = PyCFunction_NewEx(FUNCTION_LIST[k], NULL, name);
        failed = function == NULL || PyModule_AddObjectRef(m, FUNCTION_LIST[k]->ml_name, function) < 0;
        Py_XDECREF(function);
    }
    Py_XDECREF(name);
    return failed ? -1 : 0;
}

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "_native", .m_doc = "What walks every node, block or tree, compiled.", .m_size = -1,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *m = PyModule_Create(&module);
    if (m && add_all(m) < 0) Py_CLEAR(m);
    return m;
}

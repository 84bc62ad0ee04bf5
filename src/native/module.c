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

static PyMethodDef no_methods[] = {{NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_native", "What walks every node, block or tree, compiled.", -1, no_methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    if (PyType_Ready(&LookupType) < 0 || PyType_Ready(&Utf8Type) < 0 || PyType_Ready(&TreeType) < 0 || PyType_Ready(&ColumnType) < 0
        || PyType_Ready(&ForestType) < 0 || PyType_Ready(&SanitizerType) < 0
        || PyType_Ready(&SelectorType) < 0 || PyType_Ready(&PhrasesType) < 0)
        return NULL;
    PyObject *m = PyModule_Create(&module);
    if (m == NULL) return NULL;
    if (PyModule_AddStringConstant(m, "SOURCES", SOURCES_DIGEST) < 0) { Py_DECREF(m); return NULL; }
    PyMethodDef *functions[] = {
#define X(name) &name##_method,
        FUNCTIONS(X)
#undef X
    };
    PyObject *name = PyModule_GetNameObject(m); /* pickling a function needs it */
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        PyObject *function = PyCFunction_NewEx(functions[k], NULL, name);
        if (function == NULL || PyModule_AddObject(m, functions[k]->ml_name, function) < 0) {
            Py_XDECREF(function);
            Py_DECREF(m);
            return NULL;
        }
    }
    Py_XDECREF(name);
    if (PyModule_AddType(m, &LookupType) < 0 || PyModule_AddType(m, &ForestType) < 0 || PyModule_AddType(m, &SanitizerType) < 0 || PyModule_AddType(m, &PhrasesType) < 0
        || PyModule_AddType(m, &TreeType) < 0 || PyModule_AddType(m, &ColumnType) < 0 || PyModule_AddType(m, &SelectorType) < 0
        || PyModule_AddType(m, &Utf8Type) < 0
        || add_dom_types(m) < 0) {
        Py_DECREF(m);
        return NULL;
    }
    return m;
}

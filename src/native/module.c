/* duramen._native: the parts of Duramen that walk every node, block or tree, compiled. */

#include "native.h"
#include "dom.h"

/* The build names the state of the sources, which native.py compares. */
#ifndef SOURCES_DIGEST
#define SOURCES_DIGEST "unknown"
#endif

static PyMethodDef functions[] = {
#define X(name, flags, doc) {#name, core_##name, flags, doc},
    FUNCTIONS(X)
#undef X
    {NULL},
};

static PyTypeObject *TYPES[] = {&LookupType, &Utf8Type, &TreeType, &ColumnType, &ForestType, &SanitizerType, &SelectorType, &PhrasesType};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "_native", .m_doc = "What walks every node, block or tree, compiled.", .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *m = PyModule_Create(&module);
    int failed = m == NULL || PyModule_AddStringConstant(m, "SOURCES", SOURCES_DIGEST) < 0 || add_dom_types(m) < 0;
    for (size_t k = 0; !failed && k < sizeof TYPES / sizeof *TYPES; k++) failed = PyModule_AddType(m, TYPES[k]) < 0;
    if (failed) Py_CLEAR(m);
    return m;
}

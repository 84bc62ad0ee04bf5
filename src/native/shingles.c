/* Which texts say what an earlier one says: compared by their shingles, runs of a few words. */

#include "native.h"

#define SHINGLE 5

typedef struct {
    uint64_t hash; /* 0 for an empty place */
    int32_t text;
} Place;

/* The next word of a text from a place on, as a hash; 0 at the end. A letter of a script without spaces is a word. */
static uint64_t next_word(int kind, const void *data, Py_ssize_t size, Py_ssize_t *at) {
    uint64_t hash = 0xCBF29CE484222325ull;
    int any = 0;
    for (; *at < size; (*at)++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, *at);
        int is_letter = c < 0x80 ? Py_ISALNUM(c) : Py_UNICODE_ISALNUM(c), is_word = c >= 0x2E80 && c < 0xD800;
        if (any && (!is_letter || is_word)) break;
        if (!is_letter) continue;
        hash = (hash ^ (c < 0x80 ? (Py_UCS4)Py_TOLOWER(c) : Py_UNICODE_TOLOWER(c))) * 0x100000001B3ull;
        any = 1;
        if (is_word) { (*at)++; break; }
    }
    return any ? hash | 1 : 0;
}

/* The place of a shingle in a table, or the empty one where it would be. */
static Place *place_of(Place *table, Py_ssize_t mask, uint64_t hash) {
    Py_ssize_t at = (Py_ssize_t)(hash >> 20) & mask;
    while (table[at].hash && table[at].hash != hash) at = (at + 1) & mask;
    return &table[at];
}

/* copied(texts) -> [(text, earlier, same, all)]: of a list of str those that share shingles with earlier ones, the one that
   has more than half of them if there is one, how many they share with any, and how many they have */
PyObject *core_copied(PyObject *module, PyObject *args) {
    PyObject *texts, *found = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &texts)) return NULL;
    Py_ssize_t count = PyList_GET_SIZE(texts), letters = 0, mask = 63;
    for (Py_ssize_t k = 0; k < count; k++) {
        if (!PyUnicode_Check(PyList_GET_ITEM(texts, k))) { PyErr_SetString(PyExc_TypeError, "texts are str"); return NULL; }
        letters += PyUnicode_GET_LENGTH(PyList_GET_ITEM(texts, k));
    }
    while (mask < letters / 4) mask = 2 * mask + 1;
    Memory memory = {0};
    Place *table = memory_new(&memory, mask + 1, sizeof *table);
    if (memory.failed) PyErr_NoMemory();
    else found = PyList_New(0);
    Py_ssize_t room = mask - mask / 4; /* what is too much is not found again */
    for (Py_ssize_t k = 0; found && k < count; k++) {
        PyObject *text = PyList_GET_ITEM(texts, k);
        int kind = PyUnicode_KIND(text);
        const void *data = PyUnicode_DATA(text);
        uint64_t word, words[SHINGLE];
        Py_ssize_t at = 0, number = 0;
        int32_t same = 0, all = 0, most = -1, lead = 0;
        while ((word = next_word(kind, data, PyUnicode_GET_LENGTH(text), &at))) {
            words[number++ % SHINGLE] = word;
            if (number < SHINGLE) continue;
            uint64_t hash = 0;
            for (int w = 0; w < SHINGLE; w++) hash = (hash ^ words[(number + w) % SHINGLE]) * 0x9E3779B97F4A7C15ull;
            hash ^= hash >> 29;
            if (!hash) continue;
            all++;
            Place *place = place_of(table, mask, hash);
            if (!place->hash && room > 0) { *place = (Place){hash, (int32_t)k}; room--; }
            else if (place->hash && place->text != k) {
                same++;
                if (!lead) most = place->text;
                lead += place->text == most ? 1 : -1;
            }
        }
        if (same && append_new(found, Py_BuildValue("niii", k, most, same, all)) < 0) Py_CLEAR(found);
    }
    memory_free(&memory);
    return found;
}

/* What Python's headers have to know about 64-bit Windows to be read by a cross-compiler. It describes the platform
   (sizes and headers), for the check in scripts/cross-compile alone: a build on Windows uses Python's own pyconfig.h. */
#ifndef DURAMEN_CROSS_PYCONFIG_H
#define DURAMEN_CROSS_PYCONFIG_H
#define MS_WINDOWS 1
#define MS_WIN64 1
#define NT_THREADS 1
#define WITH_THREAD 1
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_UINTPTR_T 1
#define HAVE_WCHAR_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define STDC_HEADERS 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_FPOS_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_WCHAR_T 2
#define SIZEOF__BOOL 1
#define SIZEOF_OFF_T 4
#define SIZEOF_UINTPTR_T 8
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_LONG 4
#define ALIGNOF_MAX_ALIGN_T 16
#define PY_SSIZE_T_MAX 0x7fffffffffffffffLL
typedef long long Py_ssize_t;
#define HAVE_PY_SSIZE_T 1
#define PLATLIBDIR "lib"
#define PY_FORMAT_SIZE_T "ll"
#endif

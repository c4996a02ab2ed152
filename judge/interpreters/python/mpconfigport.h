/* MicroPython as a bot's interpreter: the whole language, and of the modules those that
 * need no system. The missing parts of the standard library are in lib/, in Python. */
#include <stdint.h>
#include <alloca.h>
#define MICROPY_CONFIG_ROM_LEVEL (MICROPY_CONFIG_ROM_LEVEL_EXTRA_FEATURES)
#define MICROPY_NLR_SETJMP (1)
#define MICROPY_ENABLE_GC (1)
#define MICROPY_ENABLE_COMPILER (1)
#define MICROPY_HELPER_REPL (0)
#define MICROPY_REPL_EVENT_DRIVEN (0)
#define MICROPY_KBD_EXCEPTION (0)
#define MICROPY_ENABLE_SCHEDULER (0)
#define MICROPY_STACK_CHECK (1)
#define MICROPY_ENABLE_SOURCE_LINE (1)
#define MICROPY_ENABLE_EXTERNAL_IMPORT (1)
#define MICROPY_READER_POSIX (0)
#define MICROPY_READER_VFS (0)
#define MICROPY_VFS (0)
#define MICROPY_LONGINT_IMPL (MICROPY_LONGINT_IMPL_MPZ)
#define MICROPY_FLOAT_IMPL (MICROPY_FLOAT_IMPL_DOUBLE)
#define MICROPY_ERROR_REPORTING (MICROPY_ERROR_REPORTING_DETAILED)
#define MICROPY_WARNINGS (0)
#define MICROPY_PY_FSTRINGS (1)
#define MICROPY_PY_ASSIGN_EXPR (1)
#define MICROPY_PY_DELATTR_SETATTR (1)
#define MICROPY_PY_DESCRIPTORS (1)
#define MICROPY_PY_REVERSE_SPECIAL_METHODS (1)
#define MICROPY_PY_ALL_SPECIAL_METHODS (1)
#define MICROPY_PY_ALL_INPLACE_SPECIAL_METHODS (1)
/* Calls of Python functions do not take the C stack. */
#define MICROPY_STACKLESS (1)
#define MICROPY_GC_ALLOC_THRESHOLD (1)
#define MICROPY_PY_GC (0)
#define MICROPY_PY_COLLECTIONS_DEQUE (0)
/* See host.c. */
#define MICROPY_VM_HOOK_LOOP judge_between_steps(&code_state);
#define MICROPY_PY_BUILTINS_COMPILE (0)
#define MICROPY_PY_BUILTINS_HELP (0)
#define MICROPY_PY_BUILTINS_INPUT (0)
#define MICROPY_PY_BUILTINS_NEXT2 (1)
#define MICROPY_PY_BUILTINS_ROUND_INT (1)
#define MICROPY_PY_BUILTINS_RANGE_BINOP (1)
#define MICROPY_PY_BUILTINS_STR_CENTER (1)
#define MICROPY_PY_BUILTINS_STR_PARTITION (1)
#define MICROPY_PY_BUILTINS_STR_SPLITLINES (1)
#define MICROPY_PY_BUILTINS_FROZENSET (1)
#define MICROPY_PY_BUILTINS_SLICE_ATTRS (1)
#define MICROPY_PY_BUILTINS_POW3 (1)
#define MICROPY_CPYTHON_COMPAT (1)
#define MICROPY_COMP_CONST (0)
#define MICROPY_PY_COLLECTIONS_ORDEREDDICT (1)
#define MICROPY_PY_COLLECTIONS_NAMEDTUPLE__ASDICT (1)
#define MICROPY_PY_MATH_SPECIAL_FUNCTIONS (1)
#define MICROPY_PY_MATH_FACTORIAL (1)
#define MICROPY_PY_MATH_ISCLOSE (1)
#define MICROPY_PY_MATH_CONSTANTS (1)
#define MICROPY_PY_CMATH (0)
#define MICROPY_PY_MICROPYTHON (0)
#define MICROPY_PY_IO (0)
#define MICROPY_PY_SYS_STDFILES (0)
#define MICROPY_PY_SYS_MODULES (1)
#define MICROPY_PY_SYS_EXIT (1)
#define MICROPY_PY_SYS_MAXSIZE (1)
#define MICROPY_PY_SYS_PS1_PS2 (0)
#define MICROPY_PY_SYS_PATH_ARGV_DEFAULTS (0)
#define MICROPY_PY_ARRAY (1)
#define MICROPY_PY_STRUCT (0)
#define MICROPY_PY_UERRNO (0)
#define MICROPY_PY_THREAD (0)
#define MICROPY_PY_UASYNCIO (0)
#define MICROPY_PY_UBINASCII (0)
#define MICROPY_PY_UCTYPES (0)
#define MICROPY_PY_UHASHLIB (0)
#define MICROPY_PY_UHEAPQ (0)
#define MICROPY_PY_UJSON (0)
#define MICROPY_PY_UOS (0)
#define MICROPY_PY_URANDOM (0)
#define MICROPY_PY_URE (0)
#define MICROPY_PY_USELECT (0)
#define MICROPY_PY_UTIME_MP_HAL (0)
#define MICROPY_PY_UZLIB (0)
#define MICROPY_PY_UTIMEQ (0)
#define MICROPY_PY_FRAMEBUF (0)
#define MICROPY_PY_MACHINE (0)
#define MICROPY_MODULE_WEAK_LINKS (0)
/* The library and the kit, compiled: see host.c. */
#define MICROPY_MODULE_FROZEN_MPY (1)
#define MICROPY_PERSISTENT_CODE (0)
#define MICROPY_USE_INTERNAL_PRINTF (0)
#define MICROPY_ALLOC_PATH_MAX (256)
#define MICROPY_ENABLE_PYSTACK (0)
#define MICROPY_MODULE_BUILTIN_INIT (0)
#define MP_SSIZE_MAX (0x7fffffff)
typedef intptr_t mp_int_t;
typedef uintptr_t mp_uint_t;
typedef long mp_off_t;
#define MP_STATE_PORT MP_STATE_VM
#define MICROPY_PORT_ROOT_POINTERS mp_obj_t judge_line;
#define MICROPY_HW_BOARD_NAME "judge"
#define MICROPY_HW_MCU_NAME "wasm"
#define MP_PLAT_PRINT_STRN(str, len) judge_print(str, len)
void judge_print(const char *text, size_t length);
void judge_between_steps(void *state);
/* See host.c as well. */
struct _mp_code_state_t;
void judge_calls(struct _mp_code_state_t *called, const struct _mp_code_state_t *caller);
extern const struct _mp_obj_type_t mp_type_RecursionError;
#define MICROPY_PORT_BUILTINS {MP_ROM_QSTR(MP_QSTR_RecursionError), MP_ROM_PTR(&mp_type_RecursionError)},

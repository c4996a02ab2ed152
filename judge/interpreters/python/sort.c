/* `list.sort` and `sorted` as Python has them: equal items keep their order, and `key` is called
 * once for each item. MicroPython's own sort does neither. */

#include <string.h>

#include "py/objlist.h"
#include "py/runtime.h"

struct pair {
    mp_obj_t key;
    mp_obj_t item;
};

/* True if `a`, which comes after `b`, has to go before it. */
static bool overtakes(const struct pair *a, const struct pair *b, bool reverse) {
    return reverse ? mp_binary_op(MP_BINARY_OP_LESS, b->key, a->key) == mp_const_true
                   : mp_binary_op(MP_BINARY_OP_LESS, a->key, b->key) == mp_const_true;
}

/* Merge sort. `spare` has room for half of the pairs. */
static void sort_pairs(struct pair *pairs, size_t length, struct pair *spare, bool reverse) {
    if (length < 2) return;
    size_t half = length / 2;
    sort_pairs(pairs, half, spare, reverse);
    sort_pairs(pairs + half, length - half, spare, reverse);
    if (!overtakes(pairs + half, pairs + half - 1, reverse)) return;
    memcpy(spare, pairs, half * sizeof *pairs);
    size_t left = 0, right = half, to = 0;
    while (left < half) {
        bool from_right = right < length && overtakes(pairs + right, spare + left, reverse);
        pairs[to++] = from_right ? pairs[right++] : spare[left++];
    }
}

/* The list's own items keep their places until the end: `key` and `__lt__` are the script's, and
 * see the list. */
static void sort_list(mp_obj_list_t *list, mp_obj_t key, bool reverse) {
    size_t length = list->len;
    struct pair *pairs = m_new(struct pair, length + length / 2);
    for (size_t i = 0; i < length && i < list->len; i++) {
        pairs[i].item = list->items[i];
        pairs[i].key = key == mp_const_none ? pairs[i].item : mp_call_function_1(key, pairs[i].item);
    }
    if (list->len == length) sort_pairs(pairs, length, pairs + length, reverse);
    if (list->len != length) mp_raise_ValueError(MP_ERROR_TEXT("list modified during sort"));
    for (size_t i = 0; i < length; i++) list->items[i] = pairs[i].item;
    m_del(struct pair, pairs, length + length / 2);
}

/* Replaces the function of that name in objlist.c. */
mp_obj_t mp_obj_list_sort(size_t count, const mp_obj_t *given, mp_map_t *named) {
    static const mp_arg_t allowed[] = {
        {MP_QSTR_key, MP_ARG_KW_ONLY | MP_ARG_OBJ, {.u_rom_obj = MP_ROM_NONE}},
        {MP_QSTR_reverse, MP_ARG_KW_ONLY | MP_ARG_BOOL, {.u_bool = false}},
    };
    mp_arg_val_t arguments[MP_ARRAY_SIZE(allowed)];
    mp_arg_parse_all(count - 1, given + 1, named, MP_ARRAY_SIZE(allowed), allowed, arguments);
    if (!mp_obj_is_type(given[0], &mp_type_list)) mp_raise_TypeError(MP_ERROR_TEXT("sort needs a list"));
    sort_list(MP_OBJ_TO_PTR(given[0]), arguments[0].u_obj, arguments[1].u_bool);
    return mp_const_none;
}

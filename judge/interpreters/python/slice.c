/* Parts of Python's slices and dicts that MicroPython leaves out. */
#include "py/builtin.h"
#include "py/objlist.h"
#include "py/objstr.h"
#include "py/objtype.h"
#include "py/runtime.h"

/* A part of a text, of bytes or of a tuple, with any step: the slice of a list, joined again. */
mp_obj_t judge_slice(mp_obj_t whole, mp_obj_t slice) {
    mp_obj_t list = mp_call_function_1(MP_OBJ_FROM_PTR(&mp_type_list), whole);
    mp_obj_t part = mp_obj_subscr(list, slice, MP_OBJ_SENTINEL);
    if (mp_obj_is_str(whole)) {
        mp_obj_t join[3];
        mp_load_method(MP_OBJ_NEW_QSTR(MP_QSTR_), MP_QSTR_join, join);
        join[2] = part;
        return mp_call_method_n_kw(1, 0, join);
    }
    const mp_obj_type_t *type = mp_obj_is_type(whole, &mp_type_bytes) ? &mp_type_bytes : &mp_type_tuple;
    return mp_call_function_1(MP_OBJ_FROM_PTR(type), part);
}

/* The dict that an object of a class derived from it has inside (`Counter`, `defaultdict`); anything else
 * as it is. */
mp_obj_t judge_mapping(mp_obj_t object) {
    if (!mp_obj_is_instance_type(mp_obj_get_type(object))) return object;
    mp_obj_t inside = mp_obj_cast_to_native_base(object, MP_OBJ_FROM_PTR(&mp_type_dict));
    return inside == MP_OBJ_NULL ? object : inside;
}

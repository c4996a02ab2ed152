//! Arithmetic: chains in which each step waits for the previous one, with as few other paid
//! operators as possible.

use crate::Pattern;

pub(crate) fn patterns() -> Vec<Pattern> {
    let mut all = vec![
        Pattern::new("counting", "(local.set $i (i32.add (local.get $i) (i32.const 1)))"),
        Pattern::repeated(
            "select",
            "(local.set $i (select (local.get $k) (i32.const 5) (local.get $i)))",
        ),
        Pattern::repeated(
            "global.set and global.get",
            "(global.set $g (i32.add (global.get $g) (local.get $i)))",
        ),
    ];
    all.extend(INTEGERS.iter().map(|step| chain("i", step)));
    all.extend(LONG_INTEGERS.iter().map(|step| chain("j", step)));
    all.extend(FLOATS.iter().map(|step| chain("f", step)));
    all.extend(VECTORS.iter().map(|step| chain("v", step)));
    all
}

/// A step: its name, and the code after the value that it changes.
type Step = (&'static str, &'static str);

fn chain(local: &str, (name, step): &Step) -> Pattern {
    // Values stay on the stack between steps, so that no fuel goes to locals.
    let body = format!("local.get ${local} {} local.set ${local}", step.repeat(64));
    Pattern::new(name, body)
}

const INTEGERS: &[Step] = &[
    ("i32.add", "local.get $k i32.add local.get $k i32.xor "),
    ("i32.mul", "local.get $k i32.mul "),
    ("i32.clz, i32.ctz", "i32.clz i32.ctz "),
    ("i32.popcnt", "i32.popcnt "),
    ("i32.div_s", "i32.const 7 i32.or i32.const 0x7fffffff i32.div_s "),
    ("i32.div_u", "local.get $k i32.const 7 i32.or i32.div_u "),
    ("i32.rem_s", "local.get $k i32.const 7 i32.or i32.rem_s "),
    ("i32.rem_u", "local.get $k i32.const 7 i32.or i32.rem_u "),
    ("i32.trunc_f64_s", "f64.convert_i32_s i32.trunc_f64_s "),
    ("i32.trunc_f32_u", "f32.convert_i32_u i32.trunc_f32_u "),
    ("i32.reinterpret_f32", "f32.reinterpret_i32 f32.neg i32.reinterpret_f32 "),
];

const LONG_INTEGERS: &[Step] = &[
    ("i64.mul", "local.get $j i64.mul "),
    ("i64.popcnt", "i64.popcnt "),
    ("i64.shl", "local.get $j i64.shl "),
    (
        "i64.div_s",
        "i64.const 7 i64.or local.set $j i64.const 0x7fffffffffffff11 local.get $j i64.div_s ",
    ),
    ("i64.div_u", "local.set $j i64.const -7 local.get $j i64.const 7 i64.or i64.div_u "),
    ("i64.rem_s", "local.get $j i64.const 7 i64.or i64.rem_s "),
    ("i64.rem_u", "local.set $j i64.const -7 local.get $j i64.const 7 i64.or i64.rem_u "),
    ("i64.trunc_sat_f64_u", "f64.convert_i64_u i64.trunc_sat_f64_u "),
    ("i64.trunc_sat_f32_s", "f32.convert_i64_s i64.trunc_sat_f32_s "),
];

const FLOATS: &[Step] = &[
    ("f64.add", "local.get $f f64.add "),
    ("f64.mul", "local.get $f f64.mul "),
    (
        "f64.mul of denormal numbers",
        "f64.const 0x1p-1060 f64.mul f64.const 0x1p1000 f64.add f64.const 0x1p-1000 f64.mul ",
    ),
    ("f64.div", "local.get $f f64.div "),
    ("f64.sqrt", "f64.sqrt "),
    ("f64.nearest", "f64.nearest "),
    ("f64.floor, f64.ceil", "f64.floor f64.ceil "),
    ("f64.min, f64.max", "local.get $f f64.min local.get $f f64.max "),
    ("f64.copysign", "local.get $f f64.copysign "),
    ("f64.abs, f64.neg", "f64.abs f64.neg "),
    ("f64.promote_f32", "f32.demote_f64 f64.promote_f32 "),
    (
        "f32.add",
        "f32.demote_f64 local.get $f f32.demote_f64 f32.add local.get $f f32.demote_f64 f32.add f64.promote_f32 ",
    ),
    ("f32.div", "f32.demote_f64 local.get $f f32.demote_f64 f32.div f64.promote_f32 "),
    ("f32.sqrt", "f32.demote_f64 f32.sqrt f32.sqrt f32.sqrt f32.sqrt f64.promote_f32 "),
    ("f64.lt", "local.get $f f64.lt f64.convert_i32_s "),
];

const VECTORS: &[Step] = &[
    ("i8x16.add", "local.get $w i8x16.add "),
    ("i64x2.mul", "local.get $w i64x2.mul "),
    ("i32x4.mul", "local.get $w i32x4.mul "),
    ("i16x8.q15mulr_sat_s", "local.get $w i16x8.q15mulr_sat_s "),
    ("i32x4.dot_i16x8_s", "local.get $w i32x4.dot_i16x8_s "),
    ("i8x16.shl", "local.get $k i8x16.shl "),
    ("i8x16.shr_s", "local.get $k i8x16.shr_s "),
    ("i64x2.shr_s", "local.get $k i64x2.shr_s "),
    ("i8x16.popcnt", "i8x16.popcnt "),
    ("i8x16.swizzle", "local.get $w i8x16.swizzle "),
    ("i8x16.shuffle", "local.get $w i8x16.shuffle 3 17 5 30 1 2 9 8 7 16 20 25 31 0 11 12 "),
    ("i8x16.bitmask and splat", "i8x16.bitmask i8x16.splat "),
    ("i8x16.extract_lane", "i8x16.extract_lane_s 5 i8x16.splat "),
    ("i64x2.gt_s", "local.get $w i64x2.gt_s "),
    ("i16x8.extadd_pairwise", "i16x8.extadd_pairwise_i8x16_u "),
    ("v128.bitselect", "local.get $w local.get $v v128.bitselect "),
    ("f64x2.add", "local.get $w f64x2.add "),
    ("f64x2.mul", "local.get $w f64x2.mul "),
    ("f64x2.div", "local.get $w f64x2.div "),
    ("f32x4.div", "local.get $w f32x4.div "),
    ("f64x2.sqrt", "f64x2.sqrt "),
    ("f32x4.sqrt", "f32x4.sqrt "),
    ("f64x2.nearest", "f64x2.nearest "),
    ("f64x2.min", "local.get $w f64x2.min "),
    ("f64x2.pmin", "local.get $w f64x2.pmin "),
    ("i32x4.trunc_sat_f32x4_u", "i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_u "),
    ("i32x4.trunc_sat_f64x2_u_zero", "i32x4.trunc_sat_f64x2_u_zero f64x2.convert_low_i32x4_u "),
    ("f32x4.demote_f64x2_zero", "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 "),
];

//! Functions of a few operators, with joins that can be counted on paper.

use wasmparser::{FuncValidatorAllocations, Parser, ValidPayload, Validator};

/// Moves and values of a function with `variables` of type `i32`, at least two.
fn found(variables: usize, body: &str) -> (u64, u64) {
    let locals = "i32 ".repeat(variables);
    let module =
        wat::parse_str(format!("(module (table 1 funcref) (func (local {locals}) {body}))"))
            .unwrap();
    let mut validator = Validator::new();
    for payload in Parser::new(0).parse_all(&module) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload.unwrap()).unwrap() {
            let mut validator = function.into_validator(FuncValidatorAllocations::default());
            let graph = super::graph(&mut validator, &body).unwrap();
            let in_use = super::in_use(&graph);
            return (super::moves(&graph, &in_use), super::values(&graph, &in_use));
        }
    }
    unreachable!("the module has a function");
}

fn moves(variables: usize, body: &str) -> u64 {
    found(variables, body).0
}

const SET: &str = "(local.set 0 (i32.const 1)) (local.set 1 (i32.const 1))";
const USE: &str = "(drop (local.get 0)) (drop (local.get 1))";

#[test]
fn straight_code_has_no_joins() {
    assert_eq!(moves(2, &format!("{SET} {USE} (block {SET}) {USE}")), 0);
    assert_eq!(moves(2, &format!("(loop {SET} {USE})")), 0);
}

#[test]
fn both_arms_of_an_if_join_after_it() {
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET})) {USE}")), 4);
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET}) (else {SET})) {USE}")), 4);
    // One arm returns before the join.
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET} return)) {USE}")), 0);
}

#[test]
fn dead_variables_do_not_count() {
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET}))")), 0);
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET})) {SET} {USE}")), 0);
    let one = "(drop (local.get 1))";
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {SET})) {one}")), 2);
}

#[test]
fn unwritten_variables_do_not_count() {
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then)) {USE}")), 0);
    let written = "(local.set 1 (i32.const 1))";
    assert_eq!(moves(2, &format!("(if (i32.const 0) (then {written})) {USE}")), 2);
}

#[test]
fn a_loop_carries_values_used_by_the_next_iteration() {
    let again = "(br_if 0 (i32.const 0))";
    assert_eq!(moves(2, &format!("(loop {USE} {SET} {again})")), 4);
    assert_eq!(moves(2, &format!("(loop {SET} {USE} {again})")), 0);
    // Both loops carry the variables; the inner one does not touch them.
    assert_eq!(moves(2, &format!("(loop (loop {again}) {USE} {SET} {again})")), 8);
    // Through four nested loops, from the end of the outermost to its start.
    let deep = format!("(loop (loop (loop (loop {USE} {again}) {again}) {again}) {SET} {again})");
    assert_eq!(moves(2, &deep), 16);
}

#[test]
fn every_target_of_a_jump_table_is_a_join() {
    let table = "(br_table 0 1 2 0 1 (i32.const 0))";
    let pieces = format!("(block (block (block (block {table}) {SET}) nop) nop) {USE}");
    // The table is the only way to the end of the innermost block, so there is no join.
    assert_eq!(moves(2, &pieces), 10);
}

#[test]
fn unreachable_code_has_no_joins() {
    let dead = format!("(block (br 0) (br_if 0 (i32.const 0)) {SET}) {USE}");
    assert_eq!(moves(2, &dead), 0);
    assert_eq!(moves(2, &format!("(block (br_if 0 (i32.const 0)) {SET}) {USE}")), 4);
    let trap = format!("(if (i32.const 0) (then {SET} unreachable)) {USE}");
    assert_eq!(moves(2, &trap), 0);
}

#[test]
fn more_than_a_word_of_variables_is_counted() {
    let set: String = (0..200).map(|v| format!("(local.set {v} (i32.const 1))")).collect();
    let used: String = (0..200).map(|v| format!("(drop (local.get {v}))")).collect();
    assert_eq!(moves(200, &format!("(if (i32.const 0) (then {set})) {used}")), 400);
}

#[test]
fn every_way_to_a_join_is_a_move() {
    let out = "(br_if 0 (i32.const 0))";
    assert_eq!(moves(2, &format!("(block {out} {out} {out} {SET}) {USE}")), 4 * 2);
    assert_eq!(moves(2, &format!("(block (br_table 0 0 0 (i32.const 0))) {SET} {USE}")), 0);
    let table =
        format!("(block (if (i32.const 0) (then {SET})) (br_table 0 0 0 (i32.const 0))) {USE}");
    // Two paths after the `if`, and three entries of the table.
    assert_eq!(moves(2, &table), 2 * 2 + 3 * 2);
}

#[test]
fn values_on_the_stack_count_as_well() {
    let ways = "(block (result i32) (i32.const 1) (br_if 0 (i32.const 0)) (drop) (i32.const 2))";
    let (moves, values) = found(2, &format!("(i32.const 7) {ways} (drop) (drop)"));
    assert_eq!(moves, 2 * super::STACKED);
    // Two values after the branch, two after the block.
    assert_eq!(values, 2 + 2);
}

#[test]
fn calls_in_a_loop_make_its_head_cost_more() {
    let around =
        |inside: &str| format!("{SET} (loop {USE} {inside} (br_if 0 (i32.const 0))) {USE}");
    assert_eq!(moves(2, &around("")), 4);
    assert_eq!(moves(2, &around("(call 0)")), 4 * super::CALLED);
    assert_eq!(moves(2, &around("(block (call 0) (call 0))")), 4 * super::CALLED, "once");
    assert_eq!(moves(2, &format!("{} (call 0)", around(""))), 4, "behind it");
    let nested = around("(loop (call 0) (br_if 0 (i32.const 0)))");
    assert_eq!(moves(2, &nested), 2 * 4 * super::CALLED, "in both");
}

#[test]
fn a_table_copy_counts_as_two_loops_with_calls() {
    let copy = "(table.copy (i32.const 0) (i32.const 0) (i32.const 0))";
    assert_eq!(moves(2, &format!("{SET} {copy} {USE}")), 2 * 4 * super::CALLED);
}

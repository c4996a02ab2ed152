//! The golden vectors pass, and a vector with another value fails.

use serde_json::{Value, json};

use super::check;
use crate::vectors::VectorError;

const GOLDEN: &str = include_str!("../golden/vectors.json");

/// Most leaves that an unoptimised test counts.
const MOST_LEAVES: u64 = if cfg!(debug_assertions) { 1_000_000 } else { u64::MAX };

/// Drops the depths of a perft that take too long.
fn shortened(mut vector: Value) -> Value {
    if let Some(Value::Array(counts)) = vector.get_mut("counts") {
        counts.retain(|count| count.as_u64().is_none_or(|count| count <= MOST_LEAVES));
    }
    vector
}

fn golden() -> Vec<Value> {
    let file: Value = serde_json::from_str(GOLDEN).expect("JSON");
    file["vectors"].as_array().expect("a list").clone()
}

#[test]
fn every_golden_vector_passes() {
    let vectors: Vec<Value> = golden().into_iter().map(shortened).collect();
    let file = json!({ "game": "amazons", "vectors": vectors });
    let summary = crate::vectors::run(&file.to_string()).expect("well-formed");
    assert_eq!(summary.failures, []);
    assert_eq!(summary.passed, 28);
}

/// Changes one field of the last golden vector of a kind.
fn changed(kind: &str, field: &str, value: Value) -> Result<(), VectorError> {
    let mut vectors = golden();
    vectors.retain(|vector| vector["kind"] == kind);
    let mut vector = vectors.pop().expect("of each kind");
    assert!(vector.get(field).is_some(), "{kind} has {field}");
    vector[field] = value;
    check(&vector)
}

#[test]
fn every_expected_value_is_compared() {
    for (kind, field, value) in [
        ("perft", "counts", json!([74, 5447])),
        ("perft", "fen", json!("4/1wb1/3x/4 w")),
        ("game", "moves", json!(["d1-d6/d1"])),
        ("game", "moves", json!(["d1-d6/d6"])),
        ("game", "legal_counts_before", json!([2176])),
        ("game", "final", json!("4/4/4/4 w")),
        ("game", "winner", json!(null)),
        ("game", "winner", json!("w")),
        ("game", "final_count", json!(1)),
        ("game", "territory", json!([0, 3, 0])),
        ("legality", "legal", json!(false)),
        ("legality", "move", json!("j4-j6/h7")),
        ("position", "count", json!(42)),
        ("position", "winner", json!("w")),
        ("position", "territory", json!([0, 11, 0])),
    ] {
        let result = changed(kind, field, value);
        assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{kind}.{field}: {result:?}");
    }
}

#[test]
fn ill_typed_fields_are_malformed() {
    for (kind, field, value) in [
        ("perft", "fen", json!("4/4 w")),
        ("perft", "fen", json!(null)),
        ("perft", "counts", json!(74)),
        ("perft", "counts", json!(["74"])),
        ("game", "start", json!("")),
        ("game", "moves", json!("d1-d6/d1")),
        ("game", "moves", json!([1])),
        ("game", "moves", json!(["d1d6"])),
        ("game", "legal_counts_before", json!(null)),
        ("game", "final", json!(1)),
        ("game", "winner", json!("white")),
        ("game", "final_count", json!("0")),
        ("game", "territory", json!([0, 4])),
        ("legality", "legal", json!("yes")),
        ("legality", "move", json!("d1")),
        ("position", "count", json!(-1)),
        ("position", "territory", json!([0, 0, 4_294_967_296_u64])),
        ("position", "kind", json!("board")),
    ] {
        let result = changed(kind, field, value);
        assert!(matches!(result, Err(VectorError::Malformed(_))), "{kind}.{field}: {result:?}");
    }
    assert!(matches!(check(&json!({})), Err(VectorError::Malformed(_))));
}

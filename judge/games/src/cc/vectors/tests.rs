//! The golden vectors pass, and each of their fields is compared.

use serde_json::json;

use super::*;

const GOLDEN: &str = include_str!("../golden/vectors.json");

#[test]
fn all_golden_vectors_pass() {
    let summary = crate::vectors::run(GOLDEN).expect("a file of vectors");
    assert_eq!(summary.failures, []);
    assert_eq!(summary.passed, 37);
}

/// The vector of that id.
fn vector(id: &str) -> Value {
    let file: Value = serde_json::from_str(GOLDEN).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list");
    vectors.iter().find(|vector| vector["id"] == id).expect("a known id").clone()
}

/// The result for a vector with one field changed.
fn changed(id: &str, field: &str, value: Value) -> Result<(), VectorError> {
    let mut vector = vector(id);
    vector[field] = value;
    check(&vector)
}

#[test]
fn every_field_is_compared() {
    for (id, field, value) in [
        ("cc-003", "moves", json!(["4,3>2,1"])),
        ("cc-003", "path_count", json!(8)),
        ("cc-003", "outcome_count", json!(6)),
        ("cc-003", "turn", json!(1)),
        ("cc-006", "result", json!(null)),
        ("cc-009", "result", json!("2")),
        ("cc-020", "result", json!("2")),
        ("cc-020", "moves", json!(["0,2>1,2", "3,5>4,5"])),
        ("cc-020", "moves", json!(["0,2>1,2"])),
        ("cc-020", "final", json!({"size": 6, "p1": [[0, 0]], "p2": [[0, 2]], "turn": 2})),
        ("cc-044", "paths", json!([8, 60, 380])),
        ("cc-044", "outcomes", json!([8, 61])),
        ("cc-047", "legal", json!(false)),
        ("cc-047", "captured", json!([2, 2])),
        ("cc-052", "captured", json!(null)),
        ("cc-056", "path", json!("1,1>2,1")),
    ] {
        let result = changed(id, field, value);
        assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{id}.{field}: {result:?}");
    }
}

#[test]
fn ill_typed_fields_are_malformed() {
    for (id, field, value) in [
        ("cc-003", "kind", json!("move")),
        ("cc-003", "moves", json!("4,3>2,1")),
        ("cc-003", "moves", json!([1])),
        ("cc-003", "path_count", json!("7")),
        ("cc-003", "outcome_count", json!(null)),
        ("cc-003", "turn", json!(0)),
        ("cc-003", "turn", json!(300)),
        ("cc-003", "size", json!(4)),
        ("cc-003", "size", json!(3000)),
        ("cc-003", "p1", json!([])),
        ("cc-003", "p1", json!([[0, 9]])),
        ("cc-003", "p1", json!([[0, 16]])),
        ("cc-003", "p1", json!([[0, 1, 2]])),
        ("cc-003", "p1", json!([[0, 1], [0, 1]])),
        ("cc-003", "p1", json!([[4, 3]])),
        ("cc-003", "result", json!(1)),
        ("cc-020", "result", json!("3")),
        ("cc-020", "moves", json!(["0,2"])),
        ("cc-020", "final", json!([])),
        ("cc-020", "size", json!(17)),
        ("cc-044", "paths", json!(8)),
        ("cc-044", "outcomes", json!(["8"])),
        ("cc-047", "legal", json!(1)),
        ("cc-047", "what", json!(null)),
        ("cc-047", "path", json!("1,1-2,1")),
        ("cc-047", "captured", json!("2,2")),
    ] {
        let result = changed(id, field, value);
        assert!(matches!(result, Err(VectorError::Malformed(_))), "{id}.{field}: {result:?}");
    }
}

#[test]
fn missing_fields_are_malformed() {
    for id in ["cc-003", "cc-020", "cc-044", "cc-047"] {
        let full = vector(id);
        let fields = full.as_object().expect("an object").keys();
        for field in fields.filter(|field| !["id", "source"].contains(&field.as_str())) {
            // The list of moves is too long for some vectors.
            let optional = id == "cc-003" && field == "moves";
            let mut vector = full.clone();
            vector.as_object_mut().expect("an object").remove(field);
            let malformed = matches!(check(&vector), Err(VectorError::Malformed(_)));
            assert_eq!(malformed, !optional, "{id}.{field}");
        }
    }
}

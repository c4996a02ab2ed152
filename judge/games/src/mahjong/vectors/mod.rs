//! Test vectors of this game; the kinds and fields are those of `golden/vectors.json`.

mod play;

use serde_json::Value;

use super::{Hand, Rules, Score, Tile, distance, faan, faan_with, round_score, score};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, parse, wrong};

/// Runs one vector.
pub(super) fn check(vector: &Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    match fields.text("kind")? {
        "hand" => check_hand(fields),
        "waits" => check_waits(fields),
        "distance" => check_distance(fields),
        "round_score" => check_round_score(fields),
        "round" => play::check(fields),
        other => Err(VectorError::Malformed(format!("unknown kind `{other}`"))),
    }
}

/// The default rules, with the switch `void_suit`.
fn rules(void_suit: bool) -> Rules {
    Rules::default().with_void_suit(void_suit)
}

/// Compares a field with the value by the rules.
fn expect<T: PartialEq + std::fmt::Debug>(
    name: &str,
    expected: &T,
    found: &T,
) -> Result<(), VectorError> {
    VectorError::expect(name, expected, found)
}

fn check_hand(fields: Fields<'_>) -> Result<(), VectorError> {
    let hand: Hand = fields.parsed("hand")?;
    let score = score(&hand, &rules(false));
    let names: Vec<&str> = score.iter().flat_map(Score::patterns).map(|p| p.info().name).collect();
    expect("tiles", &fields.number("tiles")?, &(hand.len() as u64))?;
    expect("faan", &fields.number("faan")?, &faan(&hand, &rules(false)).into())?;
    expect("faan_void_suit", &fields.number("faan_void_suit")?, &faan(&hand, &rules(true)).into())?;
    expect("form", &fields.text_or_null("form")?, &score.map(|score| score.form.name()))?;
    expect("patterns", &fields.texts("patterns")?, &names)?;
    expect("roots", &fields.number("roots")?, &score.map_or(0, |score| score.roots).into())
}

fn check_waits(fields: Fields<'_>) -> Result<(), VectorError> {
    let hand: Hand = fields.parsed("hand")?;
    let rules = rules(fields.flag("void_suit")?);
    let worth = |tile: &Tile| faan_with(&hand, *tile, &rules);
    let waits: Vec<Tile> = Tile::ALL.into_iter().filter(|tile| worth(tile) > 0).collect();
    expect("waits", &fields.all_parsed("waits")?, &waits)?;
    let found: Vec<_> = waits.iter().map(|tile| (*tile, worth(tile))).collect();
    expect("faan", &faan_by_tile(fields, "faan")?, &found)
}

/// An object of tile to Faan, in the order of the tiles.
fn faan_by_tile(fields: Fields<'_>, name: &str) -> Result<Vec<(Tile, u32)>, VectorError> {
    let worths = fields.object(name)?;
    let worth =
        |key: &str| u32::try_from(worths.number(key)?).map_err(|_| wrong(name, "small numbers"));
    let pairs = fields.keys(name)?.into_iter().map(|key| Ok((parse(name, key)?, worth(key)?)));
    let mut pairs = pairs.collect::<Result<Vec<_>, VectorError>>()?;
    pairs.sort_unstable();
    Ok(pairs)
}

fn check_distance(fields: Fields<'_>) -> Result<(), VectorError> {
    let hand: Hand = fields.parsed("hand")?;
    expect("tiles", &fields.number("tiles")?, &(hand.len() as u64))?;
    expect("distance", &fields.signed("distance")?, &i64::from(distance(&hand)))
}

fn check_round_score(fields: Fields<'_>) -> Result<(), VectorError> {
    let worth = match fields.text_or_null("hand")? {
        None => 0,
        Some(_) => faan(&fields.parsed("hand")?, &rules(false)),
    };
    expect("faan", &fields.number("faan")?, &worth.into())?;
    let found = round_score(worth, fields.number("wall_left")? as usize);
    expect("round_score", &fields.signed("round_score")?, &found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const GOLDEN: &str = include_str!("../golden/vectors.json");

    #[test]
    fn every_golden_vector_passes() {
        let summary = crate::vectors::run(GOLDEN).expect("well-formed");
        assert_eq!(summary.failures, []);
        assert_eq!(summary.passed, 129);
    }

    /// Changes one field of the first golden vector of a kind.
    fn changed(kind: &str, field: &str, value: Value) -> Result<(), VectorError> {
        let file: Value = serde_json::from_str(GOLDEN).expect("JSON");
        let vectors = file["vectors"].as_array().expect("a list");
        let vector = vectors.iter().find(|vector| vector["kind"] == kind).expect("of each kind");
        let mut vector = vector.clone();
        assert!(vector.get(field).is_some(), "{kind} has {field}");
        vector[field] = value;
        check(&vector)
    }

    #[test]
    fn every_expected_value_is_compared() {
        for (kind, field, value) in [
            ("hand", "tiles", json!(13)),
            ("hand", "faan", json!(7)),
            ("hand", "faan_void_suit", json!(0)),
            ("hand", "form", json!("seven pairs")),
            ("hand", "patterns", json!([])),
            ("hand", "roots", json!(0)),
            ("waits", "waits", json!(["1d"])),
            ("waits", "faan", json!({"1d": 2, "7d": 1})),
            ("distance", "tiles", json!(13)),
            ("distance", "distance", json!(1)),
            ("round_score", "faan", json!(4)),
            ("round_score", "round_score", json!(37)),
            ("round", "result", json!("draw")),
            ("round", "winner", json!(1)),
            ("round", "faan", json!(2)),
            ("round", "wall_left", json!(32)),
            ("round", "callbacks", json!(170)),
            ("round", "round_score", json!(35)),
            ("round", "last_callbacks", json!([["requestWin", "0", "5b", "True", "False"]])),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{kind}.{field}");
        }
    }

    #[test]
    fn ill_typed_fields_are_malformed() {
        for (kind, field, value) in [
            ("hand", "hand", json!("12x")),
            ("hand", "hand", json!(null)),
            ("hand", "faan", json!(-1)),
            ("hand", "patterns", json!("Full Flush")),
            ("waits", "void_suit", json!("no")),
            ("waits", "waits", json!(["1x"])),
            ("waits", "faan", json!({"1x": 1})),
            ("distance", "distance", json!("1")),
            ("round", "wall", json!(["1b", "1b", "1b", "1b", "1b"])),
            ("round", "players", json!([])),
            ("round", "players", json!([{"discard": "smallest", "win": "always"}, {}])),
            ("round", "result", json!("forfeit")),
            ("round", "winner", json!(2)),
            ("hand", "kind", json!("wall")),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Malformed(_))), "{kind}.{field}: {result:?}");
        }
        assert!(matches!(check(&json!({})), Err(VectorError::Malformed(_))));
    }
}

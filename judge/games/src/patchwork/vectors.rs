//! Test vectors of this game; the kinds and fields are those of `golden/vectors.json`.

use judge_core::Seat;
use serde_json::Value;

use super::{Move, PlayError, Position, Rules, Squares, parse_moves, perft, split_moves};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong_text};

/// Runs one vector.
pub(super) fn check(vector: &Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    match fields.text("kind")? {
        "replay" => check_state(fields.object("expect")?, &replayed(fields)?),
        "illegal" => check_illegal(fields),
        "moves" => check_moves(fields),
        "token" => check_token(fields),
        "token_well_formed" => check_well_formed(fields),
        "perft" => check_perft(fields),
        other => Err(VectorError::Malformed(format!("unknown kind `{other}`"))),
    }
}

/// Compares a field with the value by the rules.
fn expect<T: PartialEq + std::fmt::Debug>(
    name: &str,
    expected: &T,
    found: &T,
) -> Result<(), VectorError> {
    VectorError::expect(name, expected, found)
}

/// The start of the vector's game, under the rules of the course: no bonus.
fn start(fields: Fields<'_>) -> Result<Position, VectorError> {
    Ok(Position::new(Rules::default(), fields.parsed("circle")?))
}

/// The moves of a game.
fn moves(fields: Fields<'_>, name: &str) -> Result<Vec<Move>, VectorError> {
    parse_moves(fields.text(name)?).map_err(|error| wrong_text(name, &error))
}

/// The position after the moves of the vector, all of which must be legal.
fn replayed(fields: Fields<'_>) -> Result<Position, VectorError> {
    let mut position = start(fields)?;
    for (index, made) in moves(fields, "placement")?.into_iter().enumerate() {
        position.play(made).map_err(|error| VectorError::Mismatch {
            what: format!("move {index} of `placement`"),
            expected: "a legal move".to_owned(),
            found: error.to_string(),
        })?;
    }
    Ok(position)
}

fn to_move(position: &Position) -> Option<Seat> {
    (!position.is_over()).then(|| position.turn())
}

fn offered(position: &Position) -> Vec<String> {
    position.offer().iter().map(|patch| patch.to_string()).collect()
}

/// A quantity of both sides.
fn both(of: impl Fn(Seat) -> i64) -> Vec<i64> {
    Seat::BOTH.map(of).to_vec()
}

/// Compares a position with all fields of a vector's state.
fn check_state(state: Fields<'_>, position: &Position) -> Result<(), VectorError> {
    let side = |seat| position.side(seat);
    let boards: Vec<Squares> = Seat::BOTH.map(|seat| side(seat).quilt).to_vec();
    let boards: Vec<String> = boards.iter().map(Squares::to_string).collect();
    expect("over", &state.flag("over")?, &position.is_over())?;
    expect("to_move", &state.seat_or_null("to_move")?, &to_move(position))?;
    expect("time", &state.integers("time")?, &both(|seat| side(seat).time.into()))?;
    expect("buttons", &state.integers("buttons")?, &both(|seat| side(seat).buttons.into()))?;
    expect("income", &state.integers("income")?, &both(|seat| side(seat).income.into()))?;
    expect("scores", &state.integers("scores")?, &both(|seat| position.score(seat)))?;
    check_offer(state, position)?;
    let pending = state.flag("special_pending")?;
    expect("special_pending", &pending, &position.special_pending())?;
    let first = state.seat_or_null("first_at_end")?;
    expect("first_at_end", &first, &position.first_at_end())?;
    expect("winner", &state.seat_or_null("winner")?, &position.winner())?;
    let expected: Vec<String> = state.texts("boards")?.into_iter().map(str::to_owned).collect();
    expect("boards", &expected, &boards)
}

fn check_offer(fields: Fields<'_>, position: &Position) -> Result<(), VectorError> {
    let expected: Vec<String> = fields.texts("offered")?.into_iter().map(str::to_owned).collect();
    expect("offered", &expected, &offered(position))
}

/// A refusal in the words of the vectors.
fn reason(error: &PlayError) -> &'static str {
    match error {
        PlayError::Over(_) => "over",
        PlayError::SpecialPending(_) => "special pending",
        PlayError::NoSpecial(_) => "no special patch",
        PlayError::Taken(_) => "already taken",
        PlayError::NotOffered(..) => "not offered",
        PlayError::TooDear(..) => "cannot afford",
        PlayError::OffQuilt(_) => "off the quilt",
        PlayError::Overlap { .. } => "overlap",
    }
}

/// Plays one token and returns the reason for a refusal, in the words of the vectors.
fn play_token(position: &mut Position, token: &str) -> Option<&'static str> {
    match token.parse::<Move>() {
        Err(_) => Some("malformed"),
        Ok(made) => position.play(made).err().as_ref().map(reason),
    }
}

fn check_illegal(fields: Fields<'_>) -> Result<(), VectorError> {
    let mut position = start(fields)?;
    let mut tokens = (0..).zip(split_moves(fields.text("placement")?));
    let found =
        tokens.find_map(|(index, token)| Some((index, token, play_token(&mut position, token)?)));
    let expected =
        (fields.number("first_illegal_index")?, fields.text("token")?, fields.text("reason")?);
    expect("the first illegal token", &Some(expected), &found)
}

fn check_moves(fields: Fields<'_>) -> Result<(), VectorError> {
    let position = replayed(fields)?;
    expect("to_move", &Some(fields.seat("to_move")?), &to_move(&position))?;
    check_offer(fields, &position)?;
    let canonical = fields.number("legal_canonical")?;
    expect("legal_canonical", &canonical, &(position.moves().count() as u64))?;
    let raw = fields.number("legal_raw")?;
    expect("legal_raw", &raw, &(position.spellings().count() as u64))?;
    if fields.has("expect") {
        check_state(fields.object("expect")?, &position)?;
    }
    Ok(())
}

fn check_token(fields: Fields<'_>) -> Result<(), VectorError> {
    let mut position = replayed(fields)?;
    let refusal = play_token(&mut position, fields.text("token")?);
    expect("legal", &fields.flag("legal")?, &refusal.is_none())?;
    match refusal {
        Some(reason) => expect("reason", &fields.text("reason")?, &reason),
        None => check_state(fields.object("after")?, &position),
    }
}

fn check_well_formed(fields: Fields<'_>) -> Result<(), VectorError> {
    let found = fields.text("text")?.parse::<Move>().is_ok();
    expect("well_formed", &fields.flag("well_formed")?, &found)
}

fn check_perft(fields: Fields<'_>) -> Result<(), VectorError> {
    let position = replayed(fields)?;
    for (depth, expected) in (1..).zip(fields.integers("counts")?) {
        let found = perft(&position, depth) as i64;
        expect(&format!("count at depth {depth}"), &expected, &found)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::{Orientation, PATCHES, Patch, shape};
    use serde_json::json;

    const GOLDEN: &str = include_str!("golden/vectors.json");

    #[test]
    fn every_golden_vector_passes() {
        let summary = crate::vectors::run(GOLDEN).expect("well-formed");
        assert_eq!(summary.failures, []);
        assert_eq!(summary.passed, 87);
    }

    /// The first golden vector of a kind that has such a field.
    fn golden(kind: &str, field: &str) -> Value {
        let file: Value = serde_json::from_str(GOLDEN).expect("JSON");
        let vectors = file["vectors"].as_array().expect("a list");
        let wanted = |vector: &&Value| vector["kind"] == kind && vector.get(field).is_some();
        vectors.iter().find(wanted).expect("one of each kind").clone()
    }

    /// Changes one field of it.
    fn changed(kind: &str, field: &str, value: Value) -> Result<(), VectorError> {
        let mut vector = golden(kind, field);
        vector[field] = value;
        check(&vector)
    }

    /// Changes one field of the state that it expects.
    fn changed_state(
        kind: &str,
        state: &str,
        field: &str,
        value: Value,
    ) -> Result<(), VectorError> {
        let mut expected = golden(kind, state)[state].clone();
        assert!(expected.get(field).is_some(), "{kind} has {field}");
        expected[field] = value;
        changed(kind, state, expected)
    }

    #[test]
    fn every_expected_value_is_compared() {
        for (kind, field, value) in [
            ("illegal", "first_illegal_index", json!(14)),
            ("illegal", "token", json!("MHFH")),
            ("illegal", "reason", json!("overlap")),
            ("illegal", "placement", json!("")),
            ("moves", "to_move", json!(1)),
            ("moves", "offered", json!(["B", "Q"])),
            ("moves", "legal_canonical", json!(578)),
            ("moves", "legal_raw", json!(1408)),
            ("token", "legal", json!(true)),
            ("token", "reason", json!("over")),
            ("token_well_formed", "well_formed", json!(false)),
            ("perft", "counts", json!([579, 415_972])),
            ("replay", "placement", json!("hAAA")),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{kind}.{field}");
        }
    }

    #[test]
    fn every_value_of_a_state_is_compared() {
        for (kind, state) in [("replay", "expect"), ("moves", "expect"), ("token", "after")] {
            for (field, value) in [
                ("over", json!(null)),
                ("to_move", json!(3)),
                ("time", json!([53])),
                ("buttons", json!([0, 0])),
                ("income", json!([0, 0])),
                ("scores", json!([0, 0])),
                ("offered", json!([])),
                ("special_pending", json!("no")),
                ("first_at_end", json!(0)),
                ("winner", json!("1")),
                ("boards", json!([])),
            ] {
                assert!(changed_state(kind, state, field, value).is_err(), "{kind}.{field}");
            }
        }
        for (field, value) in [
            ("over", json!(false)),
            ("to_move", json!(1)),
            ("special_pending", json!(true)),
            ("first_at_end", json!(1)),
            ("winner", json!(2)),
        ] {
            let result = changed_state("replay", "expect", field, value);
            assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{field}");
        }
    }

    #[test]
    fn ill_typed_fields_are_malformed() {
        for (kind, field, value) in [
            ("replay", "circle", json!("ABC")),
            ("replay", "placement", json!("BDC")),
            ("replay", "placement", json!(null)),
            ("replay", "expect", json!([])),
            ("replay", "kind", json!("wall")),
            ("illegal", "first_illegal_index", json!(-1)),
            ("illegal", "token", json!(7)),
            ("moves", "to_move", json!(null)),
            ("moves", "offered", json!("BQD")),
            ("moves", "expect", json!(7)),
            ("token", "after", json!("BQD")),
            ("token_well_formed", "text", json!(7)),
            ("token_well_formed", "well_formed", json!("yes")),
            ("perft", "counts", json!(["579"])),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Malformed(_))), "{kind}.{field}: {result:?}");
        }
        assert!(matches!(check(&json!({})), Err(VectorError::Malformed(_))));
    }

    #[test]
    fn orientations_match_the_table() {
        let file: Value = serde_json::from_str(GOLDEN).expect("JSON");
        for info in &PATCHES {
            for orientation in Orientation::ALL {
                let expected =
                    &file["orientations"][info.letter.to_string()][orientation.to_string()];
                let patch = Patch::from_letter(info.letter).expect("a patch");
                let shape = shape(patch, orientation);
                let row = |row| -> String {
                    let square =
                        |column| if shape.squares.contains(column, row) { '#' } else { '.' };
                    (0..shape.width).map(square).collect()
                };
                let found: Vec<String> = (0..shape.height).map(row).collect();
                assert_eq!(*expected, json!(found), "{patch}{orientation}");
            }
        }
    }
}

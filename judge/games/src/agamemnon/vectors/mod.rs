//! Test vectors of this game; the kinds and fields are those of `golden/vectors.json`.

mod fields;
mod play;

use serde_json::Value;

use super::{
    Action, Bag, Draw, FateString, Kind, Position, State, check_well_formed, perft, score, strings,
};
use crate::vectors::VectorError;
use crate::vectors::fields::Fields;
use fields::GameFields as _;

/// Runs one vector.
pub(super) fn check(vector: &Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    match fields.text("kind")? {
        "score" => check_score(fields),
        "game" => play::check_game(fields),
        "apply" => play::check_apply(fields),
        "action_valid" => check_action_valid(fields),
        "state_well_formed" => check_state_well_formed(fields),
        "state_valid" => check_state_valid(fields),
        "draw" => check_draw(fields),
        "action_count" => check_action_count(fields),
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

/// A string in the words of the vectors: type, edges, winner, points.
type Told = (String, Vec<String>, Option<usize>, u64);

fn check_score(fields: Fields<'_>) -> Result<(), VectorError> {
    let State { board, position } = &fields.state()?;
    let expected = fields.numbers("scores")?;
    expect("scores", &expected, &score(board, position).map(u64::from).to_vec())?;
    let touched = fields.list("strings_touched")?.iter().map(|told| read_string(Fields(told)));
    let mut touched = touched.collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<_> =
        strings(board, position).iter().map(|string| tell_string(board.ends(), string)).collect();
    touched.sort();
    found.sort();
    expect("strings_touched", &touched, &found)
}

fn read_string(fields: Fields<'_>) -> Result<Told, VectorError> {
    let mut edges: Vec<_> = fields.texts("edges")?.into_iter().map(str::to_owned).collect();
    edges.sort();
    let winner = fields.side_or_null("winner")?.map(judge_core::Seat::index);
    Ok((fields.text("type")?.to_owned(), edges, winner, fields.number("points")?))
}

fn tell_string(ends: &[(u8, u8)], string: &FateString) -> Told {
    let name = |edge: &usize| format!("{:02}{:02}", ends[*edge].0, ends[*edge].1);
    let mut edges: Vec<_> = string.edges.iter().map(name).collect();
    edges.sort();
    let winner = string.winner.map(judge_core::Seat::index);
    (string.kind.to_string(), edges, winner, string.edges.len() as u64)
}

fn check_action_valid(fields: Fields<'_>) -> Result<(), VectorError> {
    let State { board, position } = &fields.state()?;
    let action = fields.text("action")?.parse::<Action>();
    let valid = action.is_ok_and(|action| position.check_any_draw(board, &action).is_ok());
    expect("valid", &fields.flag("valid")?, &valid)
}

fn check_state_well_formed(fields: Fields<'_>) -> Result<(), VectorError> {
    let found = check_well_formed(fields.text("tiles")?, fields.text("edges")?).is_ok();
    expect("well_formed", &fields.flag("well_formed")?, &found)
}

fn check_state_valid(fields: Fields<'_>) -> Result<(), VectorError> {
    let state = State::parse(fields.text("tiles")?, fields.text("edges")?);
    let valid = state.is_ok_and(|state| state.check_valid().is_ok());
    expect("valid", &fields.flag("valid")?, &valid)
}

fn check_draw(fields: Fields<'_>) -> Result<(), VectorError> {
    let state = State::parse(fields.text("tiles")?, super::STANDARD_EDGES);
    let position = state.map_err(|error| VectorError::Malformed(error.to_string()))?.position;
    let player = fields.side("player")?;
    let turn = position.turn();
    expect("player", &Some(player), &turn.map(|turn| turn.seat))?;
    let tiles = turn.map(|turn| u64::from(turn.tiles));
    expect("tiles_to_draw", &Some(fields.number("tiles_to_draw")?), &tiles)?;
    expect("bag", &read_bag(fields)?, &told_bag(&position, player))
}

/// A bag in the words of the vectors: the kinds that are there, in their order.
type ToldBag = Vec<(String, u64)>;

fn read_bag(fields: Fields<'_>) -> Result<ToldBag, VectorError> {
    let bag = fields.object("bag")?;
    let kinds = fields.keys("bag")?.into_iter();
    let mut told: ToldBag =
        kinds.map(|kind| Ok((kind.to_owned(), bag.number(kind)?))).collect::<Result<_, _>>()?;
    told.sort();
    Ok(told)
}

fn told_bag(position: &Position, player: judge_core::Seat) -> ToldBag {
    let bag = Bag::from_position(position, player);
    let counts = Kind::ALL.map(|kind| (kind.to_string(), u64::from(bag.count(kind))));
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn check_action_count(fields: Fields<'_>) -> Result<(), VectorError> {
    let State { board, position } = &fields.state()?;
    let draw = fields.parsed("drawn")?;
    let expected = fields.number("action_strings")?;
    expect("action_strings", &expected, &position.count_actions(board, &draw))?;
    let mut count = 0;
    let mut successors = std::collections::BTreeSet::new();
    position.for_each_action(board, &draw, |action| {
        count += 1;
        let mut next = *position;
        next.play_unchecked(board, action);
        successors.insert(play::successor(&next));
    });
    expect("action_strings", &expected, &count)?;
    if fields.has("distinct_successors") {
        let found = successors.len() as u64;
        expect("distinct_successors", &fields.number("distinct_successors")?, &found)?;
    }
    Ok(())
}

fn check_perft(fields: Fields<'_>) -> Result<(), VectorError> {
    let State { board, position } = &fields.state()?;
    let draws: Vec<Draw> = fields.all_parsed("draws")?;
    let found: Vec<u64> =
        (1..=draws.len()).map(|depth| perft(board, position, &draws[..depth])).collect();
    expect("counts", &fields.numbers("counts")?, &found)
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
        assert_eq!(summary.passed, 154);
    }

    fn file() -> Value {
        serde_json::from_str(GOLDEN).expect("JSON")
    }

    /// Changes one field of the last golden vector of a kind.
    fn changed(kind: &str, field: &str, value: Value) -> Result<(), VectorError> {
        let file = file();
        let vectors = file["vectors"].as_array().expect("a list");
        let mut of_kind = vectors.iter().filter(|vector| vector["kind"] == kind);
        let mut vector = of_kind.next_back().expect("of each kind").clone();
        assert!(vector.get(field).is_some(), "{kind} has {field}");
        vector[field] = value;
        check(&vector)
    }

    #[test]
    fn every_expected_value_is_compared() {
        for (kind, field, value) in [
            ("score", "scores", json!([1, 0])),
            ("score", "strings_touched", json!([])),
            ("game", "final_tiles", json!("Oa00")),
            ("game", "final_edges", json!("S0001")),
            ("game", "empty_nodes", json!([6, 17])),
            ("game", "scores", json!([0, 0])),
            ("apply", "tiles_after", json!("")),
            ("apply", "edges_after", json!("")),
            ("action_valid", "valid", json!(true)),
            ("state_well_formed", "well_formed", json!(true)),
            ("state_valid", "valid", json!(true)),
            ("draw", "player", json!("O")),
            ("draw", "tiles_to_draw", json!(2)),
            ("draw", "bag", json!({"f": 1, "g": 1})),
            ("action_count", "action_strings", json!(30)),
            ("perft", "counts", json!([376, 1129])),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Mismatch { .. })), "{kind}.{field}");
        }
    }

    #[test]
    fn ill_typed_fields_are_malformed() {
        for (kind, field, value) in [
            ("score", "kind", json!("points")),
            ("score", "tiles", json!("Oa")),
            ("score", "edges", json!(7)),
            ("score", "scores", json!([-1, 0])),
            ("score", "strings_touched", json!([{"type": "S"}])),
            ("game", "actions", json!(["Oa00", "x"])),
            ("game", "actions", json!("Oa00")),
            ("apply", "action", json!("Oz00")),
            ("action_valid", "action", json!(null)),
            ("action_valid", "valid", json!("no")),
            ("draw", "player", json!("P")),
            ("draw", "bag", json!([])),
            ("draw", "bag", json!({"f": "1"})),
            ("action_count", "drawn", json!("fgh")),
            ("perft", "draws", json!(["k"])),
            ("perft", "counts", json!(1)),
        ] {
            let result = changed(kind, field, value);
            assert!(matches!(result, Err(VectorError::Malformed(_))), "{kind}.{field}: {result:?}");
        }
        assert!(matches!(check(&json!({})), Err(VectorError::Malformed(_))));
    }

    /// The file has the boards separately from its vectors.
    #[test]
    fn boards_match_the_file_of_vectors() {
        let file = file();
        assert_eq!(file["standard_edges"], json!(super::super::STANDARD_EDGES));
        let class_b = super::super::Edge2428::B;
        assert_eq!(file["loom_template"], json!(super::super::loom_classes(class_b)));
        let printed = &file["loom_template_as_printed_in_seed"];
        assert_eq!(*printed, json!(super::super::LOOM_CLASSES));
        let mappings = file["loom_mappings"].as_object().expect("an object");
        assert_eq!(mappings.len(), super::super::Mapping::COUNT as usize);
        for (letters, edges) in mappings {
            let mapping = super::super::Mapping::from_letters(letters).expect("a mapping");
            assert_eq!(*edges, json!(super::super::loom_edges(mapping, class_b)));
        }
    }
}

//! A profile for <https://www.speedscope.app>, in its published schema.

use serde::Serialize;

use super::FuelProfile;

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: &'static str,
    name: &'a str,
    shared: Shared<'a>,
    profiles: [Samples<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<ScopeFrame<'a>>,
}

#[derive(Serialize)]
struct ScopeFrame<'a> {
    name: &'a str,
}

/// Chains of calls with their weights.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Samples<'a> {
    r#type: &'static str,
    name: &'a str,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

/// Renders the document as one line of JSON.
pub(super) fn document(profile: &FuelProfile) -> String {
    let spent = || profile.paths.iter().filter(|path| path.own > 0);
    let samples = Samples {
        r#type: "sampled",
        name: &profile.title,
        unit: "none",
        start_value: 0,
        end_value: spent().map(|path| path.own).sum(),
        samples: spent().map(|path| profile.chain(path)).collect(),
        weights: spent().map(|path| path.own).collect(),
    };
    let frames = profile.functions.iter().map(|function| ScopeFrame { name: &function.name });
    let document = Document {
        schema: SCHEMA,
        exporter: "judge",
        name: &profile.title,
        shared: Shared { frames: frames.collect() },
        profiles: [samples],
    };
    // The document has only numbers, texts and lists of them, so serialization cannot fail.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

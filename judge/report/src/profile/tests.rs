//! Tests of the output for a small profile.

use super::*;

/// `main` calls `think` twice: directly, and through a function with an awkward name.
fn sample() -> FuelProfile {
    let function =
        |name: &str, calls, own, total| FunctionFuel { name: name.to_owned(), calls, own, total };
    let path = |parent, function, own| PathFuel { parent, function, own };
    FuelProfile {
        title: "my-bot & co".to_owned(),
        is_sampled: false,
        functions: vec![
            function("main", 1, 1_000_000, 10_000_000),
            function("think", 7, 8_000_000, 8_000_000),
            function("a;<b>", 2, 1_000_000, 3_000_000),
        ],
        paths: vec![
            path(None, 0, 1_000_000),
            path(Some(0), 1, 6_000_000),
            path(Some(0), 2, 1_000_000),
            path(Some(2), 1, 2_000_000),
        ],
    }
}

#[test]
fn the_table_begins_with_the_most_expensive_and_adds_up() {
    insta::assert_snapshot!(sample().to_table(9), @r"
    own fuel    share       own     total  calls  function
     8000000  80.00 %  8.000 ms  8.000 ms      7  think
     1000000  10.00 %  1.000 ms   10.0 ms      1  main
     1000000  10.00 %  1.000 ms  3.000 ms      2  a;<b>
    ");
    insta::assert_snapshot!(sample().to_table(1), @r"
    own fuel    share       own     total  calls  function
     8000000  80.00 %  8.000 ms  8.000 ms      7  think
     2000000  20.00 %  2.000 ms                3  (2 more functions)
    ");
}

#[test]
fn each_call_chain_is_one_line() {
    insta::assert_snapshot!(sample().to_folded(), @r"
    main 1000000
    main;think 6000000
    main;a,<b> 1000000
    main;a,<b>;think 2000000
    ");
}

#[test]
fn the_viewers_file_has_a_weight_for_each_chain() {
    let document: serde_json::Value = serde_json::from_str(&sample().to_speedscope()).unwrap();
    let profile = &document["profiles"][0];
    assert_eq!(document["shared"]["frames"][2]["name"], "a;<b>");
    assert_eq!(profile["samples"], serde_json::json!([[0], [0, 1], [0, 2], [0, 2, 1]]));
    assert_eq!(profile["weights"], serde_json::json!([1_000_000, 6_000_000, 1_000_000, 2_000_000]));
    assert_eq!(profile["endValue"], 10_000_000);
}

#[test]
fn boxes_are_above_their_callers_and_names_are_escaped() {
    let svg = sample().to_svg();
    insta::assert_snapshot!(svg, @r##"
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 94" font-family="monospace" font-size="12">
    <rect width="1200" height="94" fill="#fff"/>
    <text x="10" y="20">my-bot &amp; co</text>
    <g><title>main: 10.0 ms, 100.00 %</title><rect x="10.0" y="66" width="1180.0" height="17" fill="hsl(39,80%,77%)" stroke="#fff" stroke-width="0.5"/><text x="13.0" y="79">main</text></g>
    <g><title>think: 6.000 ms, 60.00 %</title><rect x="10.0" y="48" width="708.0" height="17" fill="hsl(50,80%,62%)" stroke="#fff" stroke-width="0.5"/><text x="13.0" y="61">think</text></g>
    <g><title>a;&lt;b&gt;: 3.000 ms, 30.00 %</title><rect x="718.0" y="48" width="354.0" height="17" fill="hsl(14,80%,73%)" stroke="#fff" stroke-width="0.5"/><text x="721.0" y="61">a;&lt;b&gt;</text></g>
    <g><title>think: 2.000 ms, 20.00 %</title><rect x="718.0" y="30" width="236.0" height="17" fill="hsl(50,80%,62%)" stroke="#fff" stroke-width="0.5"/><text x="721.0" y="43">think</text></g>
    </svg>
    "##);
    let mut reader = quick_xml::Reader::from_str(&svg);
    while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
}

#[test]
fn a_profile_without_samples_is_an_empty_picture() {
    let nothing = FuelProfile::default();
    assert!(nothing.to_svg().ends_with("</svg>\n"));
    assert_eq!(nothing.to_folded(), "");
}

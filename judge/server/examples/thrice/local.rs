//! Grading in this process, without a server.

use std::path::Path;

use judge_core::IgnoreEvents;
use judge_runner::base::workers::Workers;
use judge_runner::grade::{self, Request};
use judge_runner::suites::SuiteChoice;

use crate::served::program;
use crate::{StudentModule, files, line};

/// The mark sheet of the course, graded in this process.
pub(crate) fn sheet(folder: &Path, course: &[StudentModule]) -> String {
    let suite = folder.join("small");
    std::fs::create_dir(&suite).unwrap();
    for (name, text) in files() {
        std::fs::write(suite.join(name), text).unwrap();
    }
    let written = |(name, module): &StudentModule| {
        let path = folder.join(name).with_extension("wasm");
        std::fs::write(&path, module).unwrap();
        path
    };
    let bots = course.iter().map(written).collect();
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = program("judge-server");
    let request = Request { bots, suite: SuiteChoice::Named(suite), ..Request::default() };
    let report = grade::run(&request, &workers, &mut IgnoreEvents).unwrap().report;
    let mut lines: Vec<String> = report
        .bots
        .iter()
        .map(|bot| {
            let (points, digest) = (bot.points.to_string(), bot.digest.to_string());
            line(&bot.bot.name, &points, bot.score, &digest)
        })
        .collect();
    lines.sort();
    lines.concat()
}

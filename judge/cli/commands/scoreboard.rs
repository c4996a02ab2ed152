//! `judge scoreboard`: the results of courses, reports or a tournament, ranked.

use std::io;
use std::path::{Path, PathBuf};

use judge_runner::Error;
use judge_runner::course::scoreboard::{self, Pseudonyms, Request};
use judge_runner::verify::tournament_scoreboard;

use crate::exit::Exit;
use crate::show::{output, tell};

/// Show the ranking, with every testcase's score and its margin to the threshold.
///
/// Prints a table, or writes a page for a browser or JSON. Hidden testcases show verdict, score and
/// points, but nothing of their rounds. Changed reports are refused, and so are results of
/// different judges or suites.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Results: folders made by `judge grade … --out DIR`, files made by `judge grade … --json
    /// FILE`, or the journal or JSON of one tournament.
    #[arg(required = true, value_name = "DIR|REPORT.json")]
    results: Vec<PathBuf>,
    /// Write the scoreboard as a page for a browser, instead of the text; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    html: Option<PathBuf>,
    /// Write the scoreboard as JSON, instead of the text; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Replace all names by pseudonyms. The same SECRET, a text of at least twelve characters,
    /// gives the same pseudonyms; without one they are drawn, and those of an earlier run stay. The
    /// folder of a course gets a list of names and pseudonyms, and each student's page shows the
    /// student's own.
    #[arg(long, value_name = "SECRET", num_args = 0..=1, require_equals = true,
          default_missing_value = "")]
    pseudonyms: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    check_outputs(arguments)?;
    let results = &arguments.results;
    if let Some(path) = results.iter().find(|path| tournament_scoreboard::is_run(path)) {
        return tournament(arguments, path);
    }
    let request = Request {
        results: results.clone(),
        page_folder: page_folder(arguments.html.as_deref()).to_owned(),
        pseudonyms: arguments.pseudonyms.as_ref().map(|secret| pseudonyms(secret)),
    };
    let outcome = scoreboard::run(&request)?;
    let scoreboard = outcome.scoreboard;
    let exit =
        write(arguments, &|_| Ok(scoreboard.to_html()), &|| Ok(scoreboard.to_json()), &|| {
            Ok(scoreboard.to_text(width(), output::color()))
        })?;
    outcome.remarks.iter().for_each(|line| tell(line));
    Ok(exit)
}

/// Shows the tables of a tournament.
fn tournament(arguments: &Arguments, path: &Path) -> Result<Exit, Error> {
    if arguments.results.len() > 1 || arguments.pseudonyms.is_some() {
        let what = format!(
            "`{}` is a match, tournament or journal: a scoreboard joins courses, and gives \
             pseudonyms to their students",
            path.display()
        );
        return Err(Error::usage(what, "name a tournament by itself, without `--pseudonyms`"));
    }
    let request = tournament_scoreboard::Request { file: path.to_owned() };
    let outcome = tournament_scoreboard::run(&request)?;
    write(arguments, &|out| outcome.to_html(out), &|| outcome.to_json(), &|| outcome.to_text())
}

fn write(
    arguments: &Arguments,
    html: &dyn Fn(&Path) -> Result<String, Error>,
    json: &dyn Fn() -> Result<String, Error>,
    text: &dyn Fn() -> Result<String, Error>,
) -> Result<Exit, Error> {
    if let Some(out) = &arguments.html {
        output::write(out, &html(out)?)?;
    }
    if let Some(out) = &arguments.json {
        output::write(out, &json()?)?;
    }
    if arguments.html.is_none() && arguments.json.is_none() {
        output::unless_reader_left(output::print(&text()?))?;
    }
    Ok(Exit::Passed)
}

/// The source of the pseudonyms; an empty secret stands for random ones.
fn pseudonyms(secret: &str) -> Pseudonyms {
    match secret {
        "" => Pseudonyms::Random,
        secret => Pseudonyms::Secret(secret.to_owned()),
    }
}

/// Checks that the output files can be written and replace none of the results.
fn check_outputs(arguments: &Arguments) -> Result<(), Error> {
    let [html, json] = [&arguments.html, &arguments.json].map(Option::as_deref);
    if html.is_some() && html == json {
        return Err(Error::usage("page and JSON cannot go to the same file", "name two"));
    }
    for out in [html, json].into_iter().flatten() {
        output::can_write(out)?;
    }
    Ok(())
}

/// Folder of a page.
fn page_folder(html: Option<&Path>) -> &Path {
    let folder = html.and_then(Path::parent);
    folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Columns of the terminal, if standard output is one.
fn width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}

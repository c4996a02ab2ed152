//! Watches: events of a file, and stopping them.

use std::io;

use judge_core::{Event, Listener};
use judge_runner::grade::watch::{News, Request, Watcher, run};
use judge_runner::suites::SuiteChoice;

use crate::support::{sample, write};
use crate::workers;

/// Keeps the events, and stops the watch after some results.
struct Stopper {
    stop: judge_arena::Stop,
    news: Vec<News>,
    rounds: usize,
}

impl Listener for Stopper {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.rounds += usize::from(matches!(event, Event::RoundFinished { .. }));
        Ok(())
    }
}

impl Watcher for Stopper {
    fn news(&mut self, news: &News) -> io::Result<()> {
        self.news.push(news.clone());
        if matches!(news, News::Graded { .. }) {
            self.stop.now();
        }
        Ok(())
    }
}

#[test]
fn a_watch_grades_the_file_and_ends_when_it_is_stopped() {
    let place = tempfile::tempdir().unwrap();
    let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                min_score = 1\npoints = 10\n";
    let suite = SuiteChoice::Testcases(vec![write(place.path(), "case.toml", case)]);
    let request = Request { bot: sample("mahjong-distance"), suite, compare: None, page: None };
    let workers = workers();
    let mut stopper = Stopper { stop: workers.stop.clone(), news: Vec::new(), rounds: 0 };
    let outcome = run(&request, &workers, &mut stopper).unwrap();
    assert_eq!((outcome.graded, stopper.rounds), (1, 2));
    let [News::Watching, News::Grading { sha256 }, News::Graded { report, .. }] =
        stopper.news.as_slice()
    else {
        panic!("{:?}", stopper.news)
    };
    assert_eq!(report.bots[0].bot.sha256, *sha256);
    assert_eq!(report.bots[0].points.to_string(), "10");
}

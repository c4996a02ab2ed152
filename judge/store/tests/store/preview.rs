use std::time::Duration;

use judge_core::Points;
use judge_store::{
    GradingPreview, PersonId, Role, Scope, Showing, Store, Submission, Suite, SuiteSettings,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

/// A suite with a graded submission of each of two students, with 5 points.
struct PreviewScene {
    suite: Suite,
    cy: PersonId,
    submissions: Vec<Submission>,
}

impl PreviewScene {
    async fn new(store: &Store) -> PreviewScene {
        let (suite, [ada, bob]) = made::scene(store, SuiteSettings::default()).await;
        let course = store.course(&suite.course).await.unwrap().unwrap();
        let cy = made::member(store, &course, "Cy", Role::Student).await;
        let mut submissions = Vec::new();
        for (person, module) in [(&ada, b"a"), (&bob, b"b")] {
            let one = submit(store, &suite, person, module, NOW).await;
            store.write_result(&one, 1, &report(&one.module, 5, 1), later(1)).await.unwrap();
            submissions.push(one);
        }
        PreviewScene { suite, cy, submissions }
    }

    /// Grades everything that waits, with these points in the order of submission.
    async fn grade(&self, store: &Store, points: &[u32]) -> usize {
        let (mut graded, lease) = (0, Duration::from_secs(60));
        while let Some(job) = store.next_job("w", lease, later(10)).await.unwrap() {
            let at = self.submissions.iter().position(|one| one.id == job.submission.id).unwrap();
            let report = report(&job.submission.module, points[at], 1);
            store.write_result(&job.submission, job.generation, &report, later(11)).await.unwrap();
            graded += 1;
        }
        graded
    }

    /// Submits in the name of a third student, during a preview.
    async fn submit_later(&mut self, store: &Store) {
        let one = submit(store, &self.suite, &self.cy, b"c", later(5)).await;
        self.submissions.push(one);
    }

    /// Generation, shown generation, and the points of each submission that are shown.
    async fn shown(&self, store: &Store) -> (i64, i64, Vec<Points>) {
        let suite = store.suite(&self.suite.id).await.unwrap().unwrap();
        let mut points = Vec::new();
        for one in &self.submissions {
            points.extend(store.result(&one.id).await.unwrap().map(|row| row.points));
        }
        (suite.generation, suite.shown, points)
    }

    /// The names and points in a mark sheet.
    async fn marks(&self, store: &Store) -> Vec<(String, Points)> {
        let rows = store.counting_results(&self.suite.id).await.unwrap();
        let mut marks: Vec<_> = rows.into_iter().map(|row| (row.name, row.result.points)).collect();
        marks.sort();
        marks
    }

    async fn preview(&self, store: &Store) -> Option<GradingPreview> {
        store.grading_preview(&self.suite.id).await.unwrap()
    }
}

fn whole(points: &[u32]) -> Vec<Points> {
    points.iter().copied().map(Points::whole).collect()
}

fn marks(all: &[(&str, u32)]) -> Vec<(String, Points)> {
    all.iter().map(|(name, points)| ((*name).to_owned(), Points::whole(*points))).collect()
}

async fn new_results_are_shown_only_when_they_are_accepted(place: EmptyDatabase) {
    let store = place.open().await.acting(None, later(2));
    let scene = PreviewScene::new(&store).await;
    let id = &scene.suite.id;
    assert_eq!(scene.preview(&store).await, None);
    store.set_files(id, &made::files("Other"), Showing::Accepted, later(2)).await.unwrap();
    let waiting = scene.preview(&store).await.unwrap();
    assert_eq!((waiting.generation, waiting.missing), (2, 2));
    assert!(!store.accept_grading(id, 2).await.unwrap(), "not complete");

    assert_eq!(scene.grade(&store, &[9, 5]).await, 2);
    assert_eq!(scene.shown(&store).await, (2, 1, whole(&[5, 5])));
    assert_eq!(scene.marks(&store).await, marks(&[("Ada", 5), ("Bob", 5)]));
    let preview = scene.preview(&store).await.unwrap();
    assert_eq!((preview.missing, preview.unchanged, preview.changes.len()), (0, 1, 1));
    let change = &preview.changes[0];
    let points = [&change.before, &change.after].map(|row| row.as_ref().unwrap().points);
    assert_eq!((change.name.as_str(), &points[..]), ("Ada", &whole(&[5, 9])[..]));

    assert!(!store.accept_grading(id, 1).await.unwrap(), "another one");
    assert!(store.accept_grading(id, 2).await.unwrap());
    assert_eq!(scene.shown(&store).await, (2, 2, whole(&[9, 5])));
    assert_eq!(scene.marks(&store).await, marks(&[("Ada", 9), ("Bob", 5)]));
    assert_eq!(scene.preview(&store).await, None);
    assert!(!store.accept_grading(id, 2).await.unwrap(), "once");
    let log = store.log_of_course(&scene.suite.course, 0, 9).await.unwrap();
    let acts: Vec<_> = log.iter().map(|entry| (entry.act.name(), entry.detail.as_str())).collect();
    assert!(acts.contains(&("suite_files", "generation 2, with a preview")), "{acts:?}");
    assert!(acts.contains(&("grading_accepted", "generation 2")), "{acts:?}");
}

async fn discarded_results_change_nothing(place: EmptyDatabase) {
    let store = place.open().await;
    let mut scene = PreviewScene::new(&store).await;
    let id = scene.suite.id.clone();
    store.set_files(&id, &made::files("Other"), Showing::Accepted, later(2)).await.unwrap();
    scene.submit_later(&store).await;
    assert_eq!(scene.grade(&store, &[9, 9, 3]).await, 3);
    // A first result is shown at once.
    assert_eq!(scene.shown(&store).await, (2, 1, whole(&[5, 5, 3])));

    assert!(store.discard_grading(&id, 2, later(20)).await.unwrap());
    assert!(!store.discard_grading(&id, 2, later(20)).await.unwrap(), "once");
    assert_eq!(store.suite(&id).await.unwrap().unwrap().title, "Warm-up");
    assert_eq!(scene.shown(&store).await, (3, 1, whole(&[5, 5, 3])));
    assert_eq!(scene.grade(&store, &[5, 5, 4]).await, 3);
    assert_eq!(scene.shown(&store).await, (3, 3, whole(&[5, 5, 4])));
    assert_eq!(scene.marks(&store).await, marks(&[("Ada", 5), ("Bob", 5), ("Cy", 4)]));
}

async fn after_a_discarded_preview_the_same_results_are_shown(place: EmptyDatabase) {
    let store = place.open().await;
    let mut scene = PreviewScene::new(&store).await;
    let id = scene.suite.id.clone();
    let only = Scope::Listed(vec![scene.submissions[0].id.clone()]);
    store.rejudge(&id, &only, Showing::Complete, later(2)).await.unwrap();
    assert_eq!(scene.grade(&store, &[6, 0]).await, 1);
    assert_eq!(scene.marks(&store).await, marks(&[("Ada", 6)]));
    store.set_files(&id, &made::files("Other"), Showing::Accepted, later(3)).await.unwrap();
    scene.submit_later(&store).await;
    assert_eq!(scene.grade(&store, &[9, 9, 3]).await, 3);
    let preview = scene.preview(&store).await.unwrap();
    let names: Vec<_> = preview.changes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!((names, preview.unchanged), (vec!["Ada", "Bob"], 1), "Bob would count again");

    assert!(store.discard_grading(&id, 3, later(20)).await.unwrap());
    assert_eq!(scene.shown(&store).await, (4, 2, whole(&[6, 5, 3])));
    assert_eq!(scene.grade(&store, &[6, 0, 4]).await, 2);
    // Bob's result is the first one, and not the discarded one.
    assert_eq!(scene.shown(&store).await, (4, 4, whole(&[6, 5, 4])));
    assert_eq!(scene.marks(&store).await, marks(&[("Ada", 6), ("Cy", 4)]));
}

async fn grading_again_during_a_preview_publishes_nothing(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = PreviewScene::new(&store).await;
    let id = &scene.suite.id;
    store.set_files(id, &made::files("Other"), Showing::Accepted, later(2)).await.unwrap();
    assert_eq!(scene.grade(&store, &[8, 8]).await, 2);
    store.rejudge(id, &Scope::All, Showing::Complete, later(3)).await.unwrap();
    assert!(!store.accept_grading(id, 2).await.unwrap(), "replaced");
    assert_eq!(scene.grade(&store, &[7, 7]).await, 2);
    assert_eq!(scene.shown(&store).await, (3, 1, whole(&[5, 5])));
    assert!(store.discard_grading(id, 3, later(20)).await.unwrap());
    assert_eq!(store.suite(id).await.unwrap().unwrap().title, "Warm-up", "the files before both");
}

async fn new_files_without_a_preview_end_one(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = PreviewScene::new(&store).await;
    let id = &scene.suite.id;
    store.set_files(id, &made::files("Other"), Showing::Complete, later(2)).await.unwrap();
    store.rejudge(id, &Scope::All, Showing::Accepted, later(3)).await.unwrap();
    assert_eq!(scene.preview(&store).await.unwrap().generation, 3);
    assert!(store.discard_grading(id, 3, later(4)).await.unwrap());
    let title = async || store.suite(id).await.unwrap().unwrap().title;
    assert_eq!(title().await, "Other", "files that are not graded yet are not lost");
    store.rejudge(id, &Scope::All, Showing::Accepted, later(5)).await.unwrap();
    store.set_files(id, &made::files("Third"), Showing::Complete, later(6)).await.unwrap();
    assert_eq!(scene.preview(&store).await, None);
    assert_eq!(scene.grade(&store, &[7, 7]).await, 2);
    assert_eq!(scene.shown(&store).await, (6, 6, whole(&[7, 7])));
}

async fn without_submissions_there_is_no_preview(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = made::scene(&store, SuiteSettings::default()).await;
    store.set_files(&suite.id, &made::files("Other"), Showing::Accepted, NOW).await.unwrap();
    assert_eq!(store.grading_preview(&suite.id).await.unwrap(), None);
    assert_eq!(store.suite(&suite.id).await.unwrap().unwrap().shown, 2);
}

on_both! {
    new_results_are_shown_only_when_they_are_accepted
    discarded_results_change_nothing
    after_a_discarded_preview_the_same_results_are_shown
    grading_again_during_a_preview_publishes_nothing
    new_files_without_a_preview_end_one
    without_submissions_there_is_no_preview
}

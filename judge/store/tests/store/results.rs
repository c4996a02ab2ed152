use judge_core::{Digest, GradeReport};
use judge_store::{Error, ResultState, SuiteSettings, Written};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

async fn a_result_is_written_once(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    let one = submit(&store, &suite, &ada, b"a", NOW).await;
    assert_eq!(store.result(&one.id).await.unwrap(), None);
    let first = report(&one.module, 12, 77);
    let write = async |report: &GradeReport, at| store.write_result(&one, 1, report, at).await;
    assert_eq!(write(&first, later(1)).await.unwrap(), Written::New);
    let kept = store.result(&one.id).await.unwrap().unwrap();
    assert_eq!(write(&first, later(2)).await.unwrap(), Written::Same);
    assert_eq!(store.result(&one.id).await.unwrap().unwrap(), kept, "untouched");
    assert_eq!((kept.points, kept.passed, kept.testcases), (12.into(), 1, 2));
    assert_eq!(
        (kept.state, kept.fuel, kept.worst.as_str()),
        (ResultState::Graded, 77, "below-threshold")
    );
    assert_eq!(kept.verdicts.values().sum::<u64>(), 2);
    assert_eq!(kept.digest, first.bots[0].digest);

    let other = report(&one.module, 20, 77);
    let error = write(&other, later(3)).await.unwrap_err();
    let Error::OtherDigest { kept: old, new, .. } = &error else { panic!("{error}") };
    assert_eq!([old, new], [&first.bots[0].digest, &other.bots[0].digest]);
    assert_eq!(store.result(&one.id).await.unwrap().unwrap(), kept, "the first one stays");
}

async fn students_have_a_separate_report(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    let one = submit(&store, &suite, &ada, b"a", NOW).await;
    let report = report(&one.module, 12, 77);
    store.write_result(&one, 1, &report, NOW).await.unwrap();
    let whole = store.whole_report(&one.id, 1).await.unwrap().unwrap();
    let whole = GradeReport::from_json(&whole).unwrap();
    assert_eq!((whole.seal, &whole.bots), (report.seal, &report.bots));
    assert_eq!(whole.timing, Default::default(), "two machines write the same");
    let seen = store.student_report(&one.id, 1).await.unwrap().unwrap();
    let secret: Digest = report.bots[0].testcases[1].sha256;
    assert!(!seen.contains(&secret.to_string()), "{seen}");
    assert!(seen.contains("\"02-hidden\""), "{seen}");
    assert_eq!(store.student_report(&one.id, 2).await.unwrap(), None);
}

async fn a_report_on_several_bots_is_refused_as_a_result(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    let one = submit(&store, &suite, &ada, b"a", NOW).await;
    let mut report = report(&one.module, 12, 77);
    report.bots.push(report.bots[0].clone());
    let error = store.write_result(&one, 1, &report, NOW).await.unwrap_err();
    assert!(matches!(error, Error::Report { bots: 2 }), "{error}");
    assert_eq!(store.result(&one.id).await.unwrap(), None);
}

on_both! {
    a_result_is_written_once
    students_have_a_separate_report
    a_report_on_several_bots_is_refused_as_a_result
}

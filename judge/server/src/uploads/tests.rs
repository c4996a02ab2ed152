use super::*;

fn person(letter: &str) -> PersonId {
    letter.repeat(16).parse().expect("an id")
}

#[tokio::test]
async fn an_upload_is_read_back_and_leaves_no_file() {
    let place = tempfile::tempdir().expect("a folder");
    let uploads = Uploads::new(place.path());
    let mut upload = uploads.begin(&person("a")).await.expect("a place");
    for chunk in [&b"\0asm"[..], b"", b"rest"] {
        upload.add(chunk).await.expect("it is small");
    }
    let arrived = upload.end().await.expect("it is written");
    assert_eq!(arrived.reader()().expect("it is there"), b"\0asmrest");
    drop(arrived);
    let left = std::fs::read_dir(place.path().join(FOLDER)).expect("the folder").count();
    assert_eq!(left, 0);
    std::fs::write(place.path().join(FOLDER).join("left"), "x").expect("written");
    uploads.clear().expect("it can be removed");
    uploads.clear().expect("nothing is there");
    assert!(!place.path().join(FOLDER).exists());
}

#[tokio::test]
async fn an_upload_above_the_limit_is_refused_and_not_written() {
    let place = tempfile::tempdir().expect("a folder");
    let uploads = Uploads::new(place.path());
    let mut upload = uploads.begin(&person("a")).await.expect("a place");
    upload.add(&vec![0; MAX_UPLOAD]).await.expect("just as large as may be");
    assert!(matches!(upload.add(b"x").await, Err(UploadError::TooLarge)));
    assert!(upload.file.metadata().await.expect("a file").len() <= MAX_UPLOAD as u64);
}

#[tokio::test]
async fn uploads_of_one_person_do_not_delay_others() {
    let place = tempfile::tempdir().expect("a folder");
    let uploads = Uploads::new(place.path());
    let mut own = Vec::new();
    let refused = loop {
        match uploads.begin(&person("a")).await {
            Ok(upload) => own.push(upload),
            Err(refused) => break refused,
        }
    };
    assert!(matches!(refused, UploadError::TooMany) && own.len() > 1, "{refused}");
    let _other = uploads.begin(&person("b")).await.expect("a place");
    own.pop();
    uploads.begin(&person("a")).await.expect("one is done");
}

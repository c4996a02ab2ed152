use super::*;

fn marks() -> About {
    let (id, slug, title) = ("c1".to_owned(), "ai".to_owned(), "AI 人工智能 🂡".to_owned());
    let course = CourseNamed { id, slug, title };
    let (id, slug, title) = ("s1".to_owned(), "x".to_owned(), "X\n\u{202e}".to_owned());
    let suite = SuiteNamed { id, slug, title, generation: 2 };
    About { course: Some(course), suite: Some(suite), ..About::kind("marks") }
}

#[test]
fn the_origin_is_signed_with_the_file() {
    let signer = Signer::new(&[1; 32]);
    let signature = signer.sign(b"marks", &marks());
    assert!(signature.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{signature}");
    let told = signer.public().check(b"marks", &signature).expect("it is genuine");
    assert_eq!(told, marks());
    let lines = told.lines();
    assert_eq!(lines[..2], ["kind: marks", "course: `ai`, id `c1`, title `AI 人工智能 🂡`"]);
    assert!(lines[2].starts_with("suite: `x`, id `s1`, generation 2, title `X"), "{lines:?}");
    assert!(!lines[2].contains(['\n', '\u{202e}']), "{lines:?}");
    for (old, new) in [("generation\":2", "generation\":3"), ("\"ai\"", "\"cs\""), ("}", "} ")] {
        let forged = signature.replace(old, new);
        assert!(forged != signature, "{old}");
        let checked = signer.public().check(b"marks", &format!("{forged}x"));
        assert_eq!(checked, Err(BadSignature::Changed), "{old}");
    }
}

#[test]
fn a_changed_signed_file_is_reported() {
    let signer = Signer::new(&[1; 32]);
    let signature = signer.sign(b"marks", &marks());
    let key: PublicKey = signer.public().to_string().parse().expect("a key");
    assert_eq!(key.check(b"marks", &format!("{signature}\n")), Ok(marks()));
    assert_eq!(key.check(b"Marks", &signature), Err(BadSignature::Changed));
    let other = Signer::new(&[2; 32]);
    assert!(matches!(
        key.check(b"marks", &other.sign(b"marks", &marks())),
        Err(BadSignature::Other(_))
    ));
    // Another server's signature with our key's name.
    let forged =
        other.sign(b"marks", &marks()).replace(&other.public().to_string(), &key.to_string());
    assert_eq!(key.check(b"marks", &forged), Err(BadSignature::Changed));
    let bare = signature.split_once(" {").map_or("", |(bare, _)| bare);
    for nothing in ["", "x", HEAD, bare, &signature.replace(" {", "0 {"), &signature.to_uppercase()]
    {
        assert_eq!(key.check(b"marks", nothing), Err(BadSignature::Form), "{nothing}");
    }
    for nothing in ["", "x", &"g".repeat(64), &"0".repeat(63), "é".repeat(32).as_str()] {
        assert!(nothing.parse::<PublicKey>().is_err(), "{nothing}");
    }
}

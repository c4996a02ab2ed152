use super::*;

#[test]
fn a_file_is_the_one_that_was_signed_or_it_is_told() {
    let place = tempfile::tempdir().expect("a folder");
    let signer = Signer::in_folder(place.path()).expect("a new key");
    let signature = signer.sign(b"marks");
    let key: PublicKey = signer.public().to_string().parse().expect("a key");
    assert_eq!(key.check(b"marks", &format!("{signature}\n")), Ok(()));
    assert_eq!(key.check(b"Marks", &signature), Err(BadSignature::Changed));
    let other = {
        let place = tempfile::tempdir().expect("a folder");
        Signer::in_folder(place.path()).expect("another")
    };
    assert!(matches!(key.check(b"marks", &other.sign(b"marks")), Err(BadSignature::Other(_))));
    // Another's signature under our name.
    let forged = other.sign(b"marks").replace(&other.public().to_string(), &key.to_string());
    assert_eq!(key.check(b"marks", &forged), Err(BadSignature::Changed));
    for nothing in ["", "x", HEAD, &signature[..signature.len() - 1], &signature.to_uppercase()] {
        assert_eq!(key.check(b"marks", nothing), Err(BadSignature::Form), "{nothing}");
    }
    for nothing in ["", "x", &"g".repeat(64), &"0".repeat(63), "é".repeat(32).as_str()] {
        assert!(nothing.parse::<PublicKey>().is_err(), "{nothing}");
    }
}

#[test]
fn the_key_stays_and_is_for_its_owner_alone() {
    let place = tempfile::tempdir().expect("a folder");
    let first = Signer::in_folder(place.path()).expect("a new key");
    let again = Signer::in_folder(place.path()).expect("the same");
    assert_eq!(first.public(), again.public());
    let path = place.path().join("signing-key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    std::fs::write(&path, "nonsense").expect("written");
    let error = Signer::in_folder(place.path()).expect_err("no key").to_string();
    assert!(error.contains("is not a signing key"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "nonsense");
}

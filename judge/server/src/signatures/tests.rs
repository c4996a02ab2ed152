use super::*;

#[test]
fn a_file_is_the_one_that_was_signed_or_it_is_told() {
    let signer = Signer::new(&[1; 32]);
    let signature = signer.sign(b"marks");
    let key: PublicKey = signer.public().to_string().parse().expect("a key");
    assert_eq!(key.check(b"marks", &format!("{signature}\n")), Ok(()));
    assert_eq!(key.check(b"Marks", &signature), Err(BadSignature::Changed));
    let other = Signer::new(&[2; 32]);
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

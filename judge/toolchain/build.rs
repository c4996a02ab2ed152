//! Rebuilds the library when a header, source or script of a kit changes.

fn main() {
    println!("cargo:rerun-if-changed=../../sdk/cpp/include");
    println!("cargo:rerun-if-changed=../../sdk/cpp/native");
    println!("cargo:rerun-if-changed=../../sdk/cpp/prelude");
    println!("cargo:rerun-if-changed=../../sdk/cpp/src");
    println!("cargo:rerun-if-changed=../interpreters/python/lib");
    println!("cargo:rerun-if-changed=../../sdk/javascript/src");
    println!("cargo:rerun-if-changed=../../sdk/python/judge_bot");
}

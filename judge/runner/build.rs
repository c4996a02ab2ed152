//! Rebuilds the library when a bundled suite, hostile case, template or kit changes: the folders as a whole are
//! watched, so that a new file in them is noticed too.

fn main() {
    println!("cargo:rerun-if-changed=../../testcases");
    println!("cargo:rerun-if-changed=../../tests/adversarial/corpus");
    println!("cargo:rerun-if-changed=../../sdk/templates");
    println!("cargo:rerun-if-changed=../../sdk/go");
    println!("cargo:rerun-if-changed=../../sdk/assemblyscript/assembly");
    println!("cargo:rerun-if-changed=../../sdk/javascript/types");
    println!("cargo:rerun-if-changed=../../sdk/python/judge_bot");
}

//! Rebuilds the library when a bundled suite, hostile case, template or kit changes. Cargo watches
//! whole folders, so that new files count as changes, too.

fn main() {
    println!("cargo:rerun-if-changed=../../testcases");
    println!("cargo:rerun-if-changed=../hostile-corpus");
    println!("cargo:rerun-if-changed=../../sdk/templates");
    println!("cargo:rerun-if-changed=../../sdk/go");
    println!("cargo:rerun-if-changed=../../sdk/assemblyscript/assembly");
    println!("cargo:rerun-if-changed=../../sdk/javascript/types");
    println!("cargo:rerun-if-changed=../../sdk/python/judge_bot");
}

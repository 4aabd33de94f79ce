//! Links the program to a fixed place in memory. Else some 15,000 addresses in it, of tables that a short clip never
//! looks at, are moved whenever it starts, which takes a seventh of that.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |what: &str, name| std::env::var(what).is_ok_and(|value| value == name);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

//! `laws::archives`, with whatever the fuzzer comes up with.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| referee_fuzz::archives(bytes));

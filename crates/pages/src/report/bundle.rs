//! Packs games into compact text: JSON, deflated (zlib, RFC 1950), in base64. `write` fills the bundles.
//!
//! Browsers unpack it natively (`DecompressionStream`), so a page needs no code for it. Some dozens of games are packed
//! together: packing each separately would be a third larger, and all together would have to be unpacked for a single
//! one.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::view::ReplayView;

/// How many games are packed together.
pub(super) const GAMES_IN_BUNDLE: usize = 40;

/// The games as one text.
pub(super) fn bundle(replays: &[ReplayView]) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::new(8));
    let json = serde_json::to_vec(replays).expect("replays have nothing that JSON lacks");
    packed.write_all(&json).expect("a vector takes every byte");
    base64(&packed.finish().expect("a vector takes every byte"))
}

/// RFC 4648, section 4.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            let padding = digit > chunk.len();
            text.push(if padding { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}

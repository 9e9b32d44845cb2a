//! A page for each student to mail, publish or print, and the list of them for a mail merge. Pure functions;
//! `cli/gradebook` writes the files.
//!
//! Pages may be published in a folder without an index, so no name of a file may be guessed from a student or from
//! another file: it is a digest of the student and of a secret of the run.

use sha2::{Digest, Sha256};

use super::ExportFile;
use crate::grading::{Gradebook, student_html};
use referee_records::export::{csv_text, safe_cell};

/// The pages, and `pages.csv` for the grader alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudentPages {
    /// A page for each student, in the order of the gradebook.
    pub pages: Vec<ExportFile>,
    /// Name, id, e-mail, file and points of each student.
    pub index: String,
}

/// The pages of the class, named by the run's `secret`.
pub fn student_pages(gradebook: &Gradebook, secret: &[u8]) -> StudentPages {
    let head = ["name", "id", "email", "file", "points", "of"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    let mut pages = Vec::new();
    for student in &gradebook.students {
        let path = page_file_name(&student.name, secret);
        let identity = &student.identity;
        let [name, id, email] = [&student.name, &identity.id, &identity.email].map(|text| safe_cell(text).into_owned());
        rows.push(vec![name, id, email, path.clone(), student.points.to_string(), student.of.to_string()]);
        pages.push(ExportFile { path, text: student_html(gradebook, student) });
    }
    StudentPages { pages, index: csv_text(rows) }
}

/// The file of the page of the student `name`: 128 bits in hexadecimal digits.
pub fn page_file_name(name: &str, secret: &[u8]) -> String {
    let digest = Sha256::new().chain_update(secret).chain_update(name).finalize();
    let half = digest.first_chunk().expect("it has 32 bytes");
    format!("{:032x}.html", u128::from_be_bytes(*half))
}

/// Whether [`page_file_name`] makes such names.
pub fn is_page_file_name(name: &str) -> bool {
    name.strip_suffix(".html").is_some_and(|digest| digest.len() == 32 && digest.bytes().all(|c| c.is_ascii_hexdigit()))
}

//! The screen of a terminal as an SVG picture: text in a monospaced font, so that it stays small and sharp.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// The width and the height of a character.
const ADVANCE: f64 = 8.4;
const LINE: f64 = 18.0;

/// The space around the text, and the height of the bar above it.
const MARGIN: f64 = 16.0;
const BAR: f64 = 30.0;

const PAPER: &str = "#16181d";
const FRAME: &str = "#262a33";
const INK: &str = "#d7dae0";
const TITLE: &str = "#9aa1ad";

/// The eight colours of ECMA-48 and their bright forms.
const COLOURS: [&str; 16] = [
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56c7d6", "#d7dae0", "#5c6370", "#ff8790",
    "#b3e08e", "#ffd68a", "#82c4ff", "#dd95f0", "#7ee2ee", "#ffffff",
];

/// How a run of characters looks.
#[derive(Clone, Copy, PartialEq)]
struct Style {
    colour: Color,
    bold: bool,
    dim: bool,
}

impl Style {
    fn of(cell: &Cell) -> Self {
        Self { colour: cell.fgcolor(), bold: cell.bold(), dim: cell.dim() }
    }

    fn attributes(self) -> String {
        let mut attributes = String::new();
        match self.colour {
            Color::Default => {}
            Color::Idx(index) => {
                let colour = COLOURS.get(usize::from(index)).unwrap_or(&INK);
                write!(attributes, " fill=\"{colour}\"").expect("a string has room");
            }
            Color::Rgb(red, green, blue) => {
                write!(attributes, " fill=\"#{red:02x}{green:02x}{blue:02x}\"").expect("a string has room");
            }
        }
        if self.bold {
            attributes += " font-weight=\"700\"";
        }
        if self.dim {
            attributes += " opacity=\"0.6\"";
        }
        attributes
    }
}

/// Some characters that look alike, and where they begin.
struct Run {
    column: u16,
    columns: u16,
    text: String,
    style: Style,
}

/// The first `rows` rows of `screen` below the command that `title` gives.
pub(crate) fn picture(screen: &Screen, rows: u16, title: &str) -> String {
    let (_, columns) = screen.size();
    let wide = f64::from(columns) * ADVANCE + 2.0 * MARGIN;
    let high = f64::from(rows) * LINE + 2.0 * MARGIN + BAR;
    let title = escaped(title);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" role=\"img\" aria-label=\"{title}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{FRAME}\"/>\n\
         <rect y=\"{BAR}\" width=\"100%\" height=\"{:.0}\" rx=\"8\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" fill=\"{INK}\">\n\
         <text x=\"{MARGIN}\" y=\"20\" fill=\"{TITLE}\" font-size=\"13\">$ {title}</text>\n",
        high - BAR
    );
    for row in 0..rows {
        let y = BAR + MARGIN + f64::from(row) * LINE + 13.0;
        for run in runs(screen, row) {
            let x = MARGIN + f64::from(run.column) * ADVANCE;
            // Whatever the font, the columns stay in line.
            let long = f64::from(run.columns) * ADVANCE;
            let (style, text) = (run.style.attributes(), escaped(&run.text));
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.0}\" textLength=\"{long:.1}\" xml:space=\"preserve\"{style}>{text}</text>"
            )
            .expect("a string has room");
        }
    }
    svg + "</g>\n</svg>\n"
}

/// The characters of a row in runs that look alike; blanks between words of one look belong to the run.
fn runs(screen: &Screen, row: u16) -> Vec<Run> {
    let (_, columns) = screen.size();
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else { continue };
        if cell.is_wide_continuation() {
            continue;
        }
        let wide = if cell.is_wide() { 2 } else { 1 };
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let style = Style::of(cell);
        match runs.last_mut() {
            Some(run) if run.style == style => {
                run.text += text;
                run.columns += wide;
            }
            _ => runs.push(Run { column, columns: wide, text: text.to_owned(), style }),
        }
    }
    for run in &mut runs {
        let kept = run.text.trim_end().len();
        run.columns -= u16::try_from(run.text.len() - kept).expect("a row is short");
        run.text.truncate(kept);
        let blanks = run.text.len() - run.text.trim_start().len();
        let narrow = u16::try_from(blanks).expect("a row is short");
        run.text.drain(..blanks);
        run.column += narrow;
        run.columns -= narrow;
    }
    runs.retain(|run| !run.text.is_empty());
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

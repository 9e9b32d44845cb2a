//! Lays out a recorded game on one screen, as lines for any size. A pure function; its parent module draws it.
//!
//! A picture must have as many lines as the screen. What does not fit is left out by importance: first the list of
//! moves, then the clocks; a board is shown whole or not at all.

use console::Style;

use super::frames::Frames;
use super::view::{ReplayKeys, ReplayScreen};
use crate::console::clocks::{POINTER, RunningClock, clock_bar, clock_figure};
use crate::console::terminal::Size;
use referee_games::Side;
use referee_messages::{
    Colours, OutputStyle, SquareChange, analysis_lines, clock, cut_end, cut_middle, draw_board, draw_board_after,
    explained, plain, side_style, width,
};
use referee_records::TurnRecord;

/// The minimum width of the column beside the board.
const NARROWEST_SIDE: usize = 24;
/// The maximum width of that column.
const WIDEST_SIDE: usize = 52;
/// The gap between the board and that column.
const GAP: usize = 3;
/// The minimum width for showing times beside moves.
const ROOM_FOR_TIMES: usize = 30;
/// The maximum width of text below the board.
const WIDEST_TEXT: usize = 76;

/// The current screen of this size.
pub(super) fn picture(frames: &Frames, view: &ReplayKeys, size: Size, look: OutputStyle) -> Vec<String> {
    let look = look.with_columns(size.columns);
    let room = size.rows.saturating_sub(2);
    let (body, foot) = match view.page {
        ReplayScreen::Board => (board_page(frames, view, room, look), board_foot(view, look)),
        ReplayScreen::Explanation | ReplayScreen::Help => text_page(frames, view, room, look),
    };
    let mut lines = vec![head(frames, view, look)];
    lines.extend(body.into_iter().take(room));
    lines.resize((room + 1).min(size.rows), String::new());
    lines.push(look.painted(&foot, Style::new().dim()));
    lines.truncate(size.rows);
    lines
}

/// The lines of the open page, if it can be scrolled.
pub(super) fn page_lines(frames: &Frames, page: ReplayScreen, look: OutputStyle) -> Vec<String> {
    let lines = match page {
        ReplayScreen::Board => return Vec::new(),
        ReplayScreen::Explanation => match &frames.explanation {
            Some(explanation) => {
                let analyzed = frames.analysis.iter().flat_map(|analysis| analysis_lines(&analysis.words, look));
                explained(explanation, &frames.names, look).into_iter().chain(analyzed).collect()
            }
            None => vec!["the result of this game does not follow from its turns: see `referee verify`".to_owned()],
        },
        ReplayScreen::Help => {
            let signs = frames.analysis.iter().flat_map(|_| ANALYSIS_HELP);
            HELP.into_iter().chain(signs).map(|line| help_line(line, look)).collect()
        }
    };
    lines.iter().flat_map(|line| look.fit(line)).collect()
}

/// Keys and marks with their meanings.
const HELP: [(&str, &str); 17] = [
    ("→ ↓ Enter n", "next turn"),
    ("← ↑ p", "back"),
    ("PageDown", "ten turns forward"),
    ("PageUp", "ten turns back"),
    ("Home", "the start"),
    ("End", "the last turn"),
    ("g or a digit", "go to a turn: type its number, then Enter"),
    ("Space", "play or pause"),
    ("+ -", "faster, slower"),
    ("e", "explain how the game ended"),
    ("?", "this help"),
    ("q Esc", "leave this page, or quit"),
    ("", ""),
    ("[b]", "the piece that moved last"),
    ("(·)", "where it came from"),
    ("×", "where a piece was captured"),
    ("x o", "a flipped disk"),
];

/// The signs of an analysis in the list of moves.
const ANALYSIS_HELP: [(&str, &str); 3] =
    [("??", "the decisive mistake"), ("?", "a mistake"), ("?!", "unclear: a longer search does not call it a mistake")];

fn help_line((keys, purpose): (&str, &str), look: OutputStyle) -> String {
    let keys = look.spell(keys);
    let blanks = " ".repeat(14_usize.saturating_sub(width(&keys)));
    format!("{keys}{blanks}{purpose}")
}

fn head(frames: &Frames, view: &ReplayKeys, look: OutputStyle) -> String {
    let turn = format!("turn {} of {}", view.turn, frames.last());
    let room = look.columns.saturating_sub(width(&turn) + 2);
    let title = format!("{}  {}", plain(&frames.record.id), frames.game());
    let title = cut_middle(&look.spell(&title), room, look.characters);
    let gap = " ".repeat(look.columns.saturating_sub(width(&title) + width(&turn)));
    format!("{}{gap}{turn}", look.painted(&title, Style::new().bold()))
}

fn board_page(frames: &Frames, view: &ReplayKeys, room: usize, look: OutputStyle) -> Vec<String> {
    let usual = board_size(frames, look.with_columns(usize::MAX));
    let side =
        look.columns.saturating_sub(usual.columns.max(look.columns / 2).min(WIDEST_TEXT.max(usual.columns)) + GAP);
    let side = side.max(look.columns.saturating_sub(usual.columns + GAP).min(NARROWEST_SIDE));
    if side < NARROWEST_SIDE {
        return single_column(frames, view, room, look);
    }
    let side = side.min(WIDEST_SIDE);
    let left = look.with_columns((look.columns - side - GAP).min(WIDEST_TEXT.max(usual.columns)));
    let beside = side_column(frames, view.turn, room, look.with_columns(side));
    let body = left_column(frames, view, room, left);
    let rows = body.len().max(beside.len());
    let row = |index: usize| {
        let here = body.get(index).map_or("", String::as_str);
        let there = beside.get(index).map_or("", String::as_str);
        let blanks = " ".repeat((left.columns + GAP).saturating_sub(width(here)));
        format!("{here}{blanks}{there}").trim_end().to_owned()
    };
    (0..rows).map(row).collect()
}

/// The board with its description.
fn left_column(frames: &Frames, view: &ReplayKeys, room: usize, look: OutputStyle) -> Vec<String> {
    let mut lines = board(frames, view.turn, room, look);
    let mut text = Vec::new();
    text.extend(caption(frames, view.turn, look));
    text.extend(analysis(frames, view.turn, look));
    text.extend(ending(frames, view.turn, look));
    let is_airy = lines.len() + text.len() + 2 <= room;
    if is_airy {
        lines.insert(0, String::new());
        lines.push(String::new());
    }
    lines.extend(text);
    lines
}

/// Everything in one column.
fn single_column(frames: &Frames, view: &ReplayKeys, room: usize, look: OutputStyle) -> Vec<String> {
    let mut lines = board(frames, view.turn, room, look);
    // With little room, the game's end matters more than the last move.
    lines.extend(ending(frames, view.turn, look));
    lines.extend(caption(frames, view.turn, look));
    lines.extend(analysis(frames, view.turn, look));
    for side in Side::BOTH {
        lines.extend(player(frames, view.turn, side, look));
    }
    lines
}

fn board_size(frames: &Frames, look: OutputStyle) -> Size {
    let lines = draw_board(frames.game(), &frames.snapshots[0].rows(), look.with_colours(Colours::Plain));
    Size { rows: lines.len(), columns: lines.iter().map(|line| width(line)).max().unwrap_or_default() + 1 }
}

fn board(frames: &Frames, turn: usize, room: usize, look: OutputStyle) -> Vec<String> {
    let needed = board_size(frames, look);
    if needed.rows > room || needed.columns > look.columns + 1 {
        let Size { rows, columns } = needed;
        return look.fit(&format!("the board needs {columns} columns and {} lines: enlarge the terminal", rows + 2));
    }
    draw_board_after(frames.game(), &frames.snapshots[turn].rows(), &frames.last_move(turn), look)
}

fn caption(frames: &Frames, turn: usize, look: OutputStyle) -> Vec<String> {
    let mut caption = frames.caption(turn).unwrap_or_else(|| "the start".to_owned());
    let last = frames.last_move(turn);
    if last.has(SquareChange::Turned) {
        caption += "; small letters: flipped";
    }
    let notes = &frames.snapshots[turn].notes;
    if !notes.is_empty() {
        caption = format!("{caption}; {notes}");
    }
    let lines = look.fit(&caption);
    shortened(lines, 4, look)
}

/// What the analysis says, if the game has one.
fn analysis(frames: &Frames, turn: usize, look: OutputStyle) -> Vec<String> {
    frames.analysis_of(turn, look).iter().flat_map(|line| look.fit(line)).collect()
}

/// The end of the game, if it has been reached.
fn ending(frames: &Frames, turn: usize, look: OutputStyle) -> Vec<String> {
    if turn < frames.last() {
        return Vec::new();
    }
    let lines = frames.result().iter().flat_map(|line| look.fit(line)).collect();
    shortened(lines, 8, look).into_iter().map(|line| look.painted(&line, Style::new().bold())).collect()
}

/// At most `most` lines of text, with an ellipsis if some are left out.
fn shortened(mut lines: Vec<String>, most: usize, look: OutputStyle) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = cut_end(&format!("{last} ..."), look.columns, look.characters);
        }
    }
    lines
}

/// Both players with their clocks, and the moves around the current one.
fn side_column(frames: &Frames, turn: usize, room: usize, look: OutputStyle) -> Vec<String> {
    let mut lines = Vec::new();
    let is_airy = room >= 16;
    if is_airy {
        lines.push(String::new());
    }
    for side in Side::BOTH {
        lines.extend(player(frames, turn, side, look));
        if is_airy {
            lines.push(String::new());
        }
    }
    let room = room.saturating_sub(lines.len() + usize::from(is_airy));
    lines.extend(moves(frames, turn, room, look));
    lines
}

/// A player's name, and the clock below it.
fn player(frames: &Frames, turn: usize, side: Side, look: OutputStyle) -> [String; 2] {
    let snapshot = &frames.snapshots[turn];
    let at_work = if snapshot.at_work == Some(side) { look.spell(POINTER) } else { " ".into() };
    let name = look.spell(frames.names.side(side)).into_owned();
    let name = cut_middle(&name, look.columns.saturating_sub(2), look.characters);
    let clock = RunningClock { left: *snapshot.clocks.of(side), of: *frames.record.conditions.allowances().of(side) };
    let figure = clock_figure(clock.left);
    let room = look.columns.saturating_sub(width(&figure) + 4).min(24);
    let bar = look.painted(&clock_bar(clock, room, look.characters), side_style(frames.game(), side));
    let name = look.painted(&name, side_style(frames.game(), side).bold());
    [format!("{at_work} {name}"), format!("  {figure}  {bar}")]
}

/// The moves around the current one, one per line.
fn moves(frames: &Frames, turn: usize, room: usize, look: OutputStyle) -> Vec<String> {
    if room < 3 {
        return Vec::new();
    }
    let all = frames.last() + 1;
    let first = turn.saturating_sub(room / 2).min(all.saturating_sub(room));
    (first..all.min(first + room))
        .map(|index| {
            let line = move_line(frames, index, look);
            let at = if index == turn { look.spell(POINTER) } else { " ".into() };
            let style = if index == turn { Style::new().bold() } else { Style::new().dim() };
            format!("{at} {}", look.painted(&line, style))
        })
        .collect()
}

fn move_line(frames: &Frames, turn: usize, look: OutputStyle) -> String {
    let digits = frames.last().to_string().len();
    let Some(record) = frames.turn(turn) else {
        return format!("{turn:>digits$}  start");
    };
    let side = frames.game().profile().side(record.side()).letter;
    let words = match record {
        TurnRecord::Pass { .. } => "pass".to_owned(),
        TurnRecord::Run { mv, .. } => frames.played(mv.as_deref()),
    };
    let charged = match record {
        TurnRecord::Pass { .. } => String::new(),
        TurnRecord::Run { charged, .. } => clock(*charged),
    };
    let has_room = look.columns >= ROOM_FOR_TIMES;
    let times = if has_room { format!(" {charged:>7}") } else { String::new() };
    let room = look.columns.saturating_sub(digits + 5 + width(&times)).max(1);
    let sign = frames.analysis.as_ref().map_or("", |analysis| analysis.sign(turn));
    let words = cut_end(&look.spell(&words), room.saturating_sub(sign.len()), look.characters) + sign;
    let blanks = " ".repeat(room.saturating_sub(width(&words)));
    let line = format!("{turn:>digits$} {side} {words}{blanks}{times}");
    cut_end(line.trim_end(), look.columns.saturating_sub(2), look.characters)
}

fn board_foot(view: &ReplayKeys, look: OutputStyle) -> String {
    if let Some(typed) = &view.typed {
        return look.cut(&format!("go to turn {typed}_  (Enter; Esc to stay)"));
    }
    if view.plays {
        let pace = view.pace().as_secs_f64();
        let long = format!("plays, {pace} s a turn   space stop   + faster   - slower");
        return first_that_fits(&[&long, &format!("{pace} s a turn   space stop   + -"), "space stop"], look);
    }
    first_that_fits(
        &[
            "← → step   space play   g jump   home end   e explain   ? help   q quit",
            "← → step  space play  ? help  q quit",
            "← →  space  e  ? help  q quit",
            "? help  q quit",
        ],
        look,
    )
}

fn text_page(frames: &Frames, view: &ReplayKeys, room: usize, look: OutputStyle) -> (Vec<String>, String) {
    let lines = page_lines(frames, view.page, look);
    let first = view.scroll.min(lines.len().saturating_sub(room));
    let shown: Vec<String> = lines.iter().skip(first).take(room).cloned().collect();
    let foot = if shown.len() < lines.len() {
        let place = format!("lines {} to {} of {}", first + 1, first + shown.len(), lines.len());
        first_that_fits(&[&format!("↑ ↓ scroll   q back   {place}"), &place], look)
    } else {
        look.cut("q back")
    };
    (shown, foot)
}

fn first_that_fits(texts: &[&str], look: OutputStyle) -> String {
    let mut spelled = texts.iter().map(|text| look.spell(text).into_owned());
    let fitting = spelled.find(|text| width(text) <= look.columns);
    fitting.unwrap_or_else(|| look.cut(texts.last().copied().unwrap_or_default()))
}

//! A flame graph computed in whole numbers, so that the picture is the same on every machine.

use std::fmt::Write as _;

use quick_xml::escape::escape;

use super::FuelProfile;
use crate::units::{fuel_as_ms, share};

/// Width of the picture, and heights of a box and of the title, in units of the picture.
const WIDTH: u64 = 1200;
const ROW: u64 = 18;
const TOP: u64 = 30;
const MARGIN: u64 = 10;

/// Widths are in tenths of a unit; a box narrower than one tenth is left out.
const TENTHS: u64 = 10;

/// Width of a letter in tenths.
const LETTER: u64 = 72;

/// A function in one chain of calls, including its callees.
struct Flame {
    /// Fuel to the left of it, and its total fuel.
    before: u64,
    total: u64,
    depth: u64,
}

/// The picture.
pub(super) fn svg(profile: &FuelProfile) -> String {
    let boxes = boxes(profile);
    let all = profile.fuel().max(1);
    let is_wide = |one: &Flame| tenths(one.total, all) > 0;
    let deepest = boxes.iter().filter(|one| is_wide(one)).map(|one| one.depth).max().unwrap_or(0);
    let height = TOP + (deepest + 1) * ROW + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\">{}</text>\n",
        escape(&profile.title)
    );
    for (path, one) in profile.paths.iter().zip(&boxes).filter(|(_, one)| is_wide(one)) {
        let place = FlameBox { all, bottom: height - MARGIN, color: color(profile.name(path)) };
        one.draw(&mut svg, profile.name(path), &place);
    }
    svg + "</svg>\n"
}

/// Position and style of a box.
struct FlameBox {
    all: u64,
    bottom: u64,
    color: String,
}

impl Flame {
    fn draw(&self, svg: &mut String, name: &str, place: &FlameBox) {
        let (x, width) = (tenths(self.before, place.all), tenths(self.total, place.all));
        let y = place.bottom - (self.depth + 1) * ROW;
        let tip = format!("{name}: {}, {}", fuel_as_ms(self.total), share(self.total, place.all));
        let x = x + MARGIN * TENTHS;
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<g><title>{}</title><rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\" \
             stroke=\"#fff\" stroke-width=\"0.5\"/>",
            escape(&tip),
            unit(x),
            unit(width),
            ROW - 1,
            place.color
        );
        if let Some(label) = label(name, width) {
            let (x, y) = (unit(x + 3 * TENTHS), y + 13);
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(&label));
        }
        svg.push_str("</g>\n");
    }
}

/// The boxes of all paths, in their order.
fn boxes(profile: &FuelProfile) -> Vec<Flame> {
    let paths = &profile.paths;
    let mut boxes: Vec<Flame> = Vec::new();
    for path in paths {
        let depth = path.parent.and_then(|at| boxes.get(at)).map_or(0, |parent| parent.depth + 1);
        boxes.push(Flame { before: 0, total: path.own, depth });
    }
    // Parents come first, so the reverse order adds up all children before their parent.
    for (at, path) in paths.iter().enumerate().rev() {
        if let Some(parent) = path.parent {
            boxes[parent].total += boxes[at].total;
        }
    }
    // Fuel of each parent's children so far.
    let mut given = vec![0; paths.len()];
    let mut outermost = 0;
    for (at, path) in paths.iter().enumerate() {
        let total = boxes[at].total;
        let (start, given) = match path.parent {
            Some(parent) => (boxes[parent].before, &mut given[parent]),
            None => (0, &mut outermost),
        };
        boxes[at].before = start + *given;
        *given += total;
    }
    boxes
}

/// The width of a part, in tenths of a unit.
fn tenths(part: u64, all: u64) -> u64 {
    let width = u128::from((WIDTH - 2 * MARGIN) * TENTHS);
    (u128::from(part) * width / u128::from(all)) as u64
}

fn unit(tenths: u64) -> String {
    format!("{}.{}", tenths / TENTHS, tenths % TENTHS)
}

/// As much of a name as fits; none if that is too short.
fn label(name: &str, width: u64) -> Option<String> {
    let letters = usize::try_from(width.saturating_sub(6 * TENTHS) / LETTER).ok()?;
    match name.chars().count() {
        count if count <= letters => Some(name.to_owned()),
        _ if letters < 4 => None,
        _ => Some(name.chars().take(letters - 1).chain(['…']).collect()),
    }
}

/// A warm colour that depends only on the name.
fn color(name: &str) -> String {
    let hash = name.bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    format!("hsl({},80%,{}%)", hash % 50 + 5, hash / 64 % 16 + 62)
}

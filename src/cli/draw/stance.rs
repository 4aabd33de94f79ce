//! `--draw`: a body's reference stance, from the front and from its left, with the role of each joint. A wrong
//! role is seen at a glance.

mod figure;
mod label;

use super::legend::legend;
use super::limb::Limb;
use super::page::{Anchor, Drawing, Page};
use super::view::View;
use crate::convert::Inspection;
use crate::math::Vec3;
use figure::{Bone, Figure, Joint};
use label::Label;

/// Page units, as are all lengths below.
const WIDTH: f64 = 1280.0;
const MARGIN: f64 = 36.0;
/// The top of the figures, below the title.
const TOP: f64 = 118.0;
const FIGURE_HEIGHT: f64 = 490.0;
const HANDS_HEIGHT: f64 = 250.0;
/// The width of a column of names.
const GUTTER: f64 = 190.0;

/// The drawing of a body. Joints without a role are grey; a guessed role is dashed and shows its confidence.
pub fn drawing(found: &Inspection) -> Drawing {
    let figure = Figure::of(found);
    let hands = figure.hands();
    let hands_top = TOP + FIGURE_HEIGHT + 50.0;
    let hands_height = if hands.is_empty() { 0.0 } else { HANDS_HEIGHT + 40.0 };
    let mut page = Page::new(WIDTH);
    page.text([MARGIN, 50.0], Anchor::Start, "title", &figure.title);
    page.text([MARGIN, 76.0], Anchor::Start, "sub", &figure.subtitle);
    keys(&mut page);

    let all: Vec<Vec3> = figure.points().collect();
    let front = [MARGIN + GUTTER, TOP, 440.0, FIGURE_HEIGHT];
    let front = View::filling([Vec3::x(), -Vec3::y()], front, &all);
    let side_box = [900.0, TOP, 190.0, FIGURE_HEIGHT];
    let mut side = View::filling([-Vec3::z(), -Vec3::y()], side_box, &all);
    // Both views show the same body, so they have the same scale.
    side.scale = front.scale.min(side.scale);
    let caption = TOP + FIGURE_HEIGHT + 26.0;
    page.text([front.centre[0], caption], Anchor::Middle, "caption", "from the front");
    page.text([side.centre[0], caption], Anchor::Middle, "caption", "from its left");
    for view in [&front, &side] {
        ground(&mut page, &figure, view);
        skeleton(&mut page, &figure, view, |_| true);
    }
    side_letters(&mut page, &figure, &front);

    let named = |limbs: &[Limb]| {
        let of = |joint: &&Joint| limbs.contains(&joint.limb) && !joint.is_finger;
        figure.joints.iter().filter(of).collect::<Vec<_>>()
    };
    let span = [TOP - 10.0, TOP + FIGURE_HEIGHT];
    let right = Label::column(&named(&[Limb::RightArm, Limb::RightLeg]), &front, span);
    let left = Label::column(&named(&[Limb::LeftArm, Limb::LeftLeg]), &front, span);
    let trunk = Label::column(&named(&[Limb::Trunk]), &side, span);
    label::write(&mut page, &right, MARGIN + GUTTER - 12.0, Anchor::End);
    label::write(&mut page, &left, front.centre[0] + 220.0 + 12.0, Anchor::Start);
    label::write(&mut page, &trunk, WIDTH - MARGIN - 155.0, Anchor::Start);

    for (i, hand) in hands.iter().enumerate() {
        let ends = figure.bones.iter().filter(|bone| hand.joints.contains(&bone.joint));
        let points: Vec<Vec3> = ends.flat_map(|bone| [bone.from, bone.to]).collect();
        let x = MARGIN + GUTTER + i as f64 * 610.0;
        let view_box = [x, hands_top + 30.0, 220.0, HANDS_HEIGHT - 60.0];
        let view = View::filling([Vec3::x(), -Vec3::z()], view_box, &points);
        let caption = [view.centre[0], hands_top + HANDS_HEIGHT + 14.0];
        page.text(caption, Anchor::Middle, "caption", hand.caption);
        skeleton(&mut page, &figure, &view, |joint| hand.joints.contains(&joint));
        let fingers: Vec<&Joint> = hand.joints.iter().map(|&j| &figure.joints[j]).collect();
        let fingers: Vec<&Joint> = fingers.into_iter().filter(|j| j.is_finger).collect();
        let span = [hands_top, hands_top + HANDS_HEIGHT];
        let (inner, outer): (Vec<_>, Vec<_>) = halves(&fingers);
        let left_labels = Label::column(&inner, &view, span);
        let right_labels = Label::column(&outer, &view, span);
        label::write(&mut page, &left_labels, x - 12.0, Anchor::End);
        label::write(&mut page, &right_labels, x + 232.0, Anchor::Start);
    }
    let mut bottom = hands_top + hands_height;
    for line in label::wrapped(&figure.unused, 150) {
        page.text([MARGIN, bottom], Anchor::Start, "unused", &line);
        bottom += 18.0;
    }
    page.finish(bottom + 12.0)
}

/// The joints of fingers whose names stand on the left of a hand, and those whose names stand on its right: the
/// joints with smaller X, and with greater X.
fn halves<'a>(fingers: &[&'a Joint]) -> (Vec<&'a Joint>, Vec<&'a Joint>) {
    let mut xs: Vec<f64> = fingers.iter().map(|j| j.place.x).collect();
    xs.sort_by(f64::total_cmp);
    let middle = xs.get(xs.len() / 2).copied().unwrap_or(0.0);
    fingers.iter().partition(|joint| joint.place.x < middle)
}

/// The colours, and what dashes mean.
fn keys(page: &mut Page) {
    let x = legend(page, [WIDTH - MARGIN - 690.0, 46.0], "bone");
    page.line([x, 46.0], [x + 22.0, 46.0], "bone trunk guess");
    page.text([x + 30.0, 50.0], Anchor::Start, "key", "a guess");
}

fn ground(page: &mut Page, figure: &Figure, view: &View) {
    let lowest = figure.points().map(|p| p.y).fold(f64::MAX, f64::min);
    let y = view.place(Vec3::new(0.0, lowest, 0.0))[1];
    let half = 0.36 * view.scale;
    page.line([view.centre[0] - half, y], [view.centre[0] + half, y], "ground");
}

/// A joint is drawn over its bones, as if it were nearer by this much; legs.
const BEFORE: f64 = 0.05;

/// Bones and joints, far ones first, so that near ones cover them.
fn skeleton(page: &mut Page, figure: &Figure, view: &View, shown: impl Fn(usize) -> bool) {
    let towards_eye = view.towards_eye();
    let joints = figure.joints.iter().enumerate().filter(|(i, _)| shown(*i));
    let joints =
        joints.map(|(_, joint)| (joint.place.dot(&towards_eye) + BEFORE, Shape::Joint(joint)));
    let bones = figure.bones.iter().filter(|bone| shown(bone.joint));
    let bones = bones.map(|bone| (bone.middle().dot(&towards_eye), Shape::Bone(bone)));
    let mut shapes: Vec<(f64, Shape)> = bones.chain(joints).collect();
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, shape) in shapes {
        match shape {
            Shape::Bone(bone) => {
                let class = figure.joints[bone.joint].class();
                let end = if bone.is_end { " end" } else { "" };
                let class = format!("bone {class}{end}");
                page.line(view.place(bone.from), view.place(bone.to), &class);
            }
            Shape::Joint(joint) => {
                let small = joint.limb == Limb::None || joint.is_finger && view.scale < 400.0;
                let radius = if small { 2.2 } else { 4.2 };
                page.dot(view.place(joint.place), radius, &format!("joint {}", joint.class()));
            }
        }
    }
}

enum Shape<'a> {
    Bone(&'a Bone),
    Joint(&'a Joint),
}

/// L and R over the ends of the arms, for readers who cannot tell the colours apart.
fn side_letters(page: &mut Page, figure: &Figure, view: &View) {
    let sides = [(Limb::RightArm, "R", "side right-arm"), (Limb::LeftArm, "L", "side left-arm")];
    for (limb, letter, class) in sides {
        let arm = figure.joints.iter().filter(|joint| joint.limb == limb);
        let end = arm.max_by(|a, b| a.place.x.abs().total_cmp(&b.place.x.abs()));
        if let Some(end) = end {
            let [x, y] = view.place(end.place);
            page.text([x, y - 16.0], Anchor::Middle, class, letter);
        }
    }
}

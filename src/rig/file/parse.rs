//! Text to [`RigFile`].

use super::fields::{Fields, Value};
use super::joints::CHANNELS;
use super::role_keys::RoleKey;
use super::*;
use crate::rig::{Scale, SoleOrigin};
use crate::skeleton::Channels;

type Result<T> = std::result::Result<T, RigFileError>;

pub(super) fn parse(text: &str) -> Result<RigFile> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut top = Fields::parse(text)?;
    let mut file = RigFile::default();
    if let Some(value) = top.take("bvh") {
        file.bvh = Some(value.text("the path of a BVH file")?);
    }
    if let Some(value) = top.take("up") {
        let wanted = "an axis: \"x\", \"y\", \"z\", \"-x\", \"-y\" or \"-z\"";
        file.up = Some(value.read(wanted, |text| text.parse().ok())?);
    }
    if let Some(value) = top.take("faces") {
        let wanted = "an axis: \"x\", \"y\", \"z\", \"-x\", \"-y\" or \"-z\"";
        file.faces = Some(value.read(wanted, |text| text.parse().ok())?);
    }
    if let Some(value) = top.take("floor") {
        file.lines.add(&value.place);
        file.floor = Some(value.number("a height, a number", |_| true)?);
    }
    if let Some(value) = top.take("scale") {
        file.scale = Some(scale(value)?);
    }
    if let Some(value) = top.take("human_limits") {
        file.human_limits = Some(value.flag("true or false")?);
    }
    if let Some(table) = top.table("roles")? {
        roles(table, &mut file)?;
    }
    if let Some(mut table) = top.table("legs")? {
        for (name, value) in table.rest() {
            let name = chain_name(&name, &value)?;
            let mut table = value.table()?;
            let joints = chain_joints(&mut table, &mut file.lines)?;
            let sole = table.take("sole").inspect(|value| file.lines.add(&value.place));
            let sole = sole.map(Value::vector).transpose()?;
            table.finish()?;
            file.legs.insert(name, RigLeg { joints, sole });
        }
    }
    if let Some(mut table) = top.table("chains")? {
        for (name, value) in table.rest() {
            let (name, place) = (chain_name(&name, &value)?, value.place.clone());
            if file.legs.contains_key(&name) {
                return Err(place.error(RigFileProblem::SecondChain(Box::new(name))));
            }
            let mut table = value.table()?;
            file.chains.insert(name, chain_joints(&mut table, &mut file.lines)?);
            table.finish()?;
        }
    }
    if let Some(table) = top.table("reference")? {
        file.reference = Some(reference(table, &mut file.lines)?);
    }
    if let Some(mut table) = top.table("feet")? {
        for (foot, side) in file.feet.iter_mut().zip(["left", "right"]) {
            if let Some(table) = table.table(side)? {
                *foot = sole(table, &mut file.lines)?;
            }
        }
        table.finish()?;
    }
    if let Some(mut table) = top.table("limits")? {
        for (name, value) in table.rest() {
            file.lines.add(&value.place);
            file.limits.insert(name, limit(value.table()?)?);
        }
    }
    if let Some(mut table) = top.table("weights")? {
        for role in EFFECTORS {
            if let Some(value) = table.take(&role.to_string()) {
                let weight = value.number("a number from 0 to 1", |w| (0.0..=1.0).contains(&w))?;
                file.weights.insert(role, weight);
            }
        }
        table.finish()?;
    }
    if let Some(value) = top.take("joints") {
        file.lines.add(&value.place);
        for value in value.list("a list of joints, each begun by [[joints]]")? {
            let index = file.joints.len();
            file.lines.0.extend(value.place.line.map(|line| (format!("joints.{index}"), line)));
            file.joints.push(joint(value.table()?)?);
        }
    }
    top.finish()?;
    Ok(file)
}

fn scale(value: Value<'_>) -> Result<Scale> {
    let [least, most] = [Scale::BOUNDS.start(), Scale::BOUNDS.end()];
    let wanted = &format!("\"leg\", \"height\", \"none\" or a number from {least} to {most}");
    if value.is_text() {
        return value.read(wanted, Scale::named);
    }
    value.number(wanted, |x| Scale::BOUNDS.contains(&x)).map(Scale::Factor)
}

fn roles(mut table: Fields<'_>, file: &mut RigFile) -> Result<()> {
    for key in RoleKey::all() {
        let Some(value) = table.take(&key.text()) else { continue };
        let place = value.place.clone();
        file.lines.add(&place);
        let (names, wanted) = match key {
            RoleKey::One(_) => (vec![value.text("the name of a joint")?], ""),
            RoleKey::List(_) => {
                let wanted = match key.role(3) {
                    None => "a list of up to three joint names, from the knuckle outwards",
                    Some(_) => "a list of up to 200 joint names, from below upwards",
                };
                (value.texts(wanted)?, wanted)
            }
        };
        let count = names.len();
        for (i, name) in names.into_iter().enumerate() {
            let role = key.role(i).filter(|_| i < 200);
            let too_long = || place.wrong(format!("a list of {count}"), wanted);
            file.roles.insert(role.ok_or_else(too_long)?, name);
        }
    }
    if let Some(value) = table.take("ignore") {
        file.lines.add(&value.place);
        file.ignore = value.texts("a list of joint names")?;
    }
    if let Some(value) = table.take("worn") {
        file.lines.add(&value.place);
        file.worn = value.texts("a list of joint names")?;
    }
    table.finish()
}

/// The name of a leg or chain, as the key of its table.
fn chain_name(name: &str, value: &Value<'_>) -> Result<ChainName> {
    let wanted = "named with up to 31 of a to z, 0 to 9, _ and -";
    name.parse().map_err(|_| value.place.wrong(format!("the name {name:?}"), wanted))
}

fn chain_joints(table: &mut Fields<'_>, lines: &mut KeyLines) -> Result<Vec<String>> {
    let value = table.need("joints")?;
    let place = value.place.clone();
    lines.add(&place);
    let wanted = "a list of 1 to 200 joint names, from the body outwards";
    let names = value.texts(wanted)?;
    match names.len() {
        1..=200 => Ok(names),
        count => Err(place.wrong(format!("a list of {count}"), wanted)),
    }
}

fn reference(mut table: Fields<'_>, lines: &mut KeyLines) -> Result<RigReference> {
    let mut reference = RigReference::default();
    if let Some(value) = table.take("pose") {
        value.read("\"rest\", the zero pose; for a frame write frame = 0", |text| {
            (text == "rest").then_some(())
        })?;
        if let Some(frame) = table.take("frame") {
            return Err(frame.place.error(RigFileProblem::TwoPoses));
        }
    }
    if let Some(value) = table.take("frame") {
        lines.add(&value.place);
        reference.frame = Some(value.count("the number of a frame, counted from 0")?);
    }
    if let Some(mut rotations) = table.table("rotations_deg")? {
        for (name, value) in rotations.rest() {
            lines.add(&value.place);
            let angles = value.numbers("angles in degrees, one a rotation channel")?;
            reference.rotations_rad.insert(name, angles.into_iter().map(f64::to_radians).collect());
        }
    }
    for (key, rotations) in
        [("rotations_xyzw", &mut reference.rotations), ("frames_xyzw", &mut reference.frames)]
    {
        if let Some(mut table) = table.table(key)? {
            for (name, value) in table.rest() {
                lines.add(&value.place);
                rotations.insert(name, value.quaternion()?);
            }
        }
    }
    if let Some(mut table) = table.table("translations")? {
        for (name, value) in table.rest() {
            lines.add(&value.place);
            reference.translations.insert(name, value.vector()?);
        }
    }
    table.finish()?;
    Ok(reference)
}

fn sole(mut table: Fields<'_>, lines: &mut KeyLines) -> Result<WrittenSole> {
    let mut take = |key: &str| table.take(key).inspect(|value| lines.add(&value.place));
    let height = |value: Value<'_>| value.number("a height, a number", |_| true);
    let origin = |value: Value<'_>| {
        value.read("\"motion\", \"bones\" or \"assumed\"", |text| match text {
            "motion" => Some(SoleOrigin::Motion),
            "bones" => Some(SoleOrigin::Bones),
            "assumed" => Some(SoleOrigin::Assumed),
            _ => None,
        })
    };
    let sole = WrittenSole {
        heel: take("heel").map(Value::vector).transpose()?,
        ball: take("ball").map(Value::vector).transpose()?,
        toe: take("toe").map(Value::vector).transpose()?,
        up: take("up").map(Value::direction).transpose()?,
        ahead: take("ahead").map(Value::direction).transpose()?,
        toe_ahead: take("toe_ahead").map(Value::direction).transpose()?,
        ankle_height: take("ankle_height").map(height).transpose()?,
        stance_ankle_height: take("stance_ankle_height").map(height).transpose()?,
        ball_height: take("ball_height").map(height).transpose()?,
        bends: take("bends").map(|value| value.flag("true or false")).transpose()?,
        known_from: take("known_from").map(origin).transpose()?,
    };
    table.finish()?;
    Ok(sole)
}

fn limit(mut table: Fields<'_>) -> Result<JointLimit> {
    if let Some(value) = table.take("free") {
        let place = value.place.clone();
        if !value.flag("true")? {
            return Err(place.wrong("false".to_owned(), "true; a joint without it has limits"));
        }
        table.finish()?;
        return Ok(JointLimit::Free);
    }
    let limit = match table.take("swing_deg") {
        Some(swing) => {
            let wanted = "two half angles in degrees, 0 to 180";
            let swing = pair(swing, wanted, |a, b| a.min(b) >= 0.0 && a.max(b) <= 180.0)?;
            let wanted = "two angles in degrees, the least and the most, -360 to 360";
            let fits = |least: f64, most: f64| -360.0 <= least && least <= most && most <= 360.0;
            let twist = pair(table.need("twist_deg")?, wanted, fits)?;
            JointLimit::Ball { swing_rad: swing, twist_rad: twist }
        }
        None => {
            let axis = table.need("axis")?.direction()?;
            let wanted = "an angle in degrees, -360 to 360";
            let min = table.need("min_deg")?.number(wanted, |x| x.abs() <= 360.0)?;
            let wanted = "an angle in degrees, not below min_deg and at most 360";
            let max = table.need("max_deg")?.number(wanted, |x| min <= x && x <= 360.0)?;
            JointLimit::Hinge { axis, min_rad: min.to_radians(), max_rad: max.to_radians() }
        }
    };
    table.finish()?;
    Ok(limit)
}

/// Two angles for which `fits` holds, in radians.
fn pair(value: Value<'_>, wanted: &str, fits: impl Fn(f64, f64) -> bool) -> Result<[f64; 2]> {
    let place = value.place.clone();
    let [a, b] = value.array(wanted)?;
    match fits(a, b) {
        true => Ok([a.to_radians(), b.to_radians()]),
        false => Err(place.wrong(format!("[{a}, {b}]"), wanted)),
    }
}

fn joint(mut table: Fields<'_>) -> Result<FileJoint> {
    let joint = FileJoint {
        name: table.need("name")?.text("the joint's name")?,
        parent: table.take("parent").map(|v| v.text("the name of a joint")).transpose()?,
        offset: table.need("offset")?.vector()?,
        channels: table.take("channels").map(channels).transpose()?,
        end_sites: match table.take("end_sites") {
            Some(value) => {
                let points = value.list("a list of points, as in [[0.0, 1.0, 0.0]]")?;
                points.into_iter().map(Value::vector).collect::<Result<_>>()?
            }
            None => Vec::new(),
        },
    };
    table.finish()?;
    Ok(joint)
}

fn channels(value: Value<'_>) -> Result<Channels> {
    let place = value.place.clone();
    let wanted = "a list of channels, each once: Xposition, Yposition, Zposition, Xrotation, \
                  Yrotation, Zrotation";
    let texts = value.texts(wanted)?;
    let named = |text: &String| {
        CHANNELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, c)| *c)
    };
    let listed: Option<Vec<_>> = texts.iter().map(named).collect();
    let channels = listed.and_then(|list| Channels::new(&list));
    channels.ok_or_else(|| place.wrong(format!("{texts:?}"), wanted))
}

//! The forms in which people have rotations, each to a unit quaternion and back.

use nalgebra::{Matrix3, Quaternion, Rotation3};
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};

/// How a rotation is written in an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Xyzw,
    Wxyz,
    Matrix,
    /// Two columns of the matrix, or its first two rows.
    SixD {
        rows: bool,
    },
    /// The axis times the angle in radians.
    AxisAngle,
    Euler {
        order: EulerOrder,
        /// The axes stay where they are, so that the first listed one turns first.
        is_fixed: bool,
        degrees: bool,
    },
}

/// What a form may be called, for messages.
pub const FORMS: &str = "\"xyzw\", \"wxyz\", \"matrix\", \"6d\", \"6d_rows\", \"axis_angle\", \"euler_ZXY\" \
                         (any order of X, Y and Z) or \"euler_deg_ZXY\"";

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Result<Self, String> {
        Ok(match name {
            "xyzw" => Form::Xyzw,
            "wxyz" => Form::Wxyz,
            "matrix" => Form::Matrix,
            "6d" => Form::SixD { rows: false },
            "6d_rows" => Form::SixD { rows: true },
            "axis_angle" => Form::AxisAngle,
            name => {
                return euler(name)
                    .ok_or_else(|| format!("{name:?} is no form of rotations; there are {FORMS}"));
            }
        })
    }

    /// The last axes of an array in this form.
    pub fn shape(self) -> &'static [usize] {
        match self {
            Form::Xyzw | Form::Wxyz => &[4],
            Form::Matrix => &[3, 3],
            Form::SixD { .. } => &[6],
            Form::AxisAngle | Form::Euler { .. } => &[3],
        }
    }

    /// How many numbers a rotation takes.
    pub fn width(self) -> usize {
        self.shape().iter().product()
    }

    /// The rotation of so many finite numbers, or what is wrong with them.
    pub fn read(self, v: &[f64]) -> Result<Quat, &'static str> {
        match self {
            Form::Xyzw => unit(Quaternion::new(v[3], v[0], v[1], v[2])),
            Form::Wxyz => unit(Quaternion::new(v[0], v[1], v[2], v[3])),
            Form::Matrix => proper(Matrix3::from_row_slice(v)),
            Form::SixD { rows } => {
                six(Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]), rows)
            }
            Form::AxisAngle => Ok(Quat::from_scaled_axis(Vec3::new(v[0], v[1], v[2]))),
            Form::Euler { order, is_fixed, degrees } => {
                let mut angles = [v[0], v[1], v[2]];
                if is_fixed {
                    angles.reverse();
                }
                Ok(order.compose(if degrees { angles.map(f64::to_radians) } else { angles }))
            }
        }
    }

    /// Appends a rotation. Of the angles that mean the same, those nearest to `before` are written, which become
    /// these.
    pub fn push(self, q: Quat, before: &mut [f64; 3], to: &mut impl FnMut(f64)) {
        match self {
            Form::Xyzw => [q.i, q.j, q.k, q.w].into_iter().for_each(to),
            Form::Wxyz => [q.w, q.i, q.j, q.k].into_iter().for_each(to),
            Form::Matrix => {
                q.to_rotation_matrix().matrix().transpose().iter().copied().for_each(to)
            }
            Form::SixD { rows } => {
                let matrix = *q.to_rotation_matrix().matrix();
                let matrix = if rows { matrix.transpose() } else { matrix };
                matrix.iter().take(6).copied().for_each(to);
            }
            Form::AxisAngle => q.scaled_axis().iter().copied().for_each(to),
            Form::Euler { order, is_fixed, degrees } => {
                *before = order.decompose(q, *before);
                let mut angles = if degrees { before.map(f64::to_degrees) } else { *before };
                if is_fixed {
                    angles.reverse();
                }
                angles.into_iter().for_each(to);
            }
        }
    }
}

/// `euler_ZXY`: the axes turn with the joint, the last listed one turns first, as BVH has it. `euler_zxy`: they stay,
/// and the first listed one turns first.
fn euler(name: &str) -> Option<Form> {
    let rest = name.strip_prefix("euler_")?;
    let (degrees, axes) = match rest.strip_prefix("deg_") {
        Some(axes) => (true, axes),
        None => (false, rest),
    };
    let is_fixed = axes.chars().all(|c| c.is_ascii_lowercase());
    if !is_fixed && !axes.chars().all(|c| c.is_ascii_uppercase()) {
        return None;
    }
    let axis = |c: char| match c.to_ascii_uppercase() {
        'X' => Some(Axis::X),
        'Y' => Some(Axis::Y),
        'Z' => Some(Axis::Z),
        _ => None,
    };
    let mut axes: Vec<Axis> = axes.chars().map(axis).collect::<Option<_>>()?;
    if axes.len() != 3 {
        return None;
    }
    if is_fixed {
        axes.reverse();
    }
    Some(Form::Euler { order: EulerOrder::new(&axes)?, is_fixed, degrees })
}

/// A quaternion of unit length to within rounding stays as it is, to the last bit.
fn unit(q: Quaternion<f64>) -> Result<Quat, &'static str> {
    let norm = q.norm();
    if (norm - 1.0).abs() <= 1e-12 {
        return Ok(Quat::new_unchecked(q));
    }
    if !(0.95..=1.05).contains(&norm) {
        return Err("is a quaternion whose length is not 1; divide each by its length first");
    }
    Ok(Quat::new_normalize(q))
}

/// A rotation matrix, taken to the nearest proper one.
fn proper(matrix: Matrix3<f64>) -> Result<Quat, &'static str> {
    let off = (matrix * matrix.transpose() - Matrix3::identity()).amax();
    if off > 0.1 || matrix.determinant() < 0.0 {
        return Err(
            "is no rotation matrix: its columns are not three unit vectors at right angles, or it mirrors",
        );
    }
    let x = matrix.column(0).into_owned();
    six(x, matrix.column(1).into_owned(), false)
}

/// The first two columns (or rows) made orthonormal (Zhou et al. 2019, On the Continuity of Rotation Representations).
fn six(a: Vec3, b: Vec3, rows: bool) -> Result<Quat, &'static str> {
    const FLAT: &str = "shows no rotation: its two vectors have no length, or lie on one line";
    let x = a.try_normalize(1e-9).ok_or(FLAT)?;
    let y = (b - x * x.dot(&b)).try_normalize(1e-9 * b.norm().max(1e-9)).ok_or(FLAT)?;
    let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    let matrix = if rows { matrix.transpose() } else { matrix };
    Ok(Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
}

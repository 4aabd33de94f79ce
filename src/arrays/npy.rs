//! One array as numpy saves it (NEP 1): a line with its type, shape and order, then its bytes.

use super::ArrayError;

pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The most texts that an array may have. Names of joints are far fewer.
const MOST_TEXTS: usize = 100_000;

/// An array in C order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub items: Items,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

/// The type of an array's items: numpy's letter for it, and how many bytes an item has.
struct Kind {
    is_big: bool,
    letter: u8,
    size: usize,
}

impl Array {
    /// Reads an array that messages call `key`.
    pub fn read(key: &str, bytes: &[u8]) -> Result<Self, ArrayError> {
        let broken = || ArrayError::Broken { key: key.to_owned() };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(broken)?;
        let (len, rest) = match rest {
            [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => {
                (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest)
            }
            _ => return Err(broken()),
        };
        let (header, data) = rest.split_at_checked(len).ok_or_else(broken)?;
        let header = std::str::from_utf8(header).map_err(|_| broken())?;
        let value = |name: &str| {
            let (_, after) = header.split_once(&format!("'{name}':"))?;
            Some(after.trim_start())
        };
        let quoted = |text: &str| {
            let quote = text.chars().next().filter(|c| ['\'', '"'].contains(c))?;
            Some(text[1..].split(quote).next()?.to_owned())
        };
        let descr = value("descr").ok_or_else(broken)?;
        // A structured array has a list of fields here, and is no array of numbers.
        let descr = quoted(descr).ok_or_else(|| other(key, "fields"))?;
        let kind = kind(key, &descr)?;
        let is_fortran = value("fortran_order").ok_or_else(broken)?.starts_with("True");
        let shape = value("shape").and_then(|text| text.strip_prefix('(')).ok_or_else(broken)?;
        let (shape, _) = shape.split_once(')').ok_or_else(broken)?;
        let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape: Vec<usize> =
            sizes.map(|size| size.parse().map_err(|_| broken())).collect::<Result<_, _>>()?;
        let items = shape.iter().try_fold(1usize, |all, size| all.checked_mul(*size));
        let wanted = items.and_then(|items| items.checked_mul(kind.size)).ok_or_else(broken)?;
        let data = data.get(..wanted).ok_or_else(broken)?;
        let places: Option<Vec<usize>> = is_fortran.then(|| in_c_order(&shape));
        let bytes = |place: usize| &data[place * kind.size..(place + 1) * kind.size];
        let is_text = [b'U', b'S'].contains(&kind.letter);
        let all = 0..items.filter(|items| !is_text || *items <= MOST_TEXTS).ok_or_else(broken)?;
        let order = |item: usize| places.as_ref().map_or(item, |places| places[item]);
        let items = match is_text {
            true => Items::Texts(all.map(|item| kind.text(bytes(order(item)))).collect()),
            false => Items::Numbers(all.map(|item| kind.number(bytes(order(item)))).collect()),
        };
        Ok(Self { shape, items })
    }

    /// The bytes of a file with this array.
    pub fn written(&self) -> Vec<u8> {
        let mut data = Vec::new();
        let descr = match &self.items {
            Items::Numbers(numbers) => {
                numbers.iter().for_each(|number| data.extend(number.to_le_bytes()));
                "<f8".to_owned()
            }
            Items::Texts(texts) => {
                let len = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
                for text in texts {
                    let chars = text.chars().map(u32::from).chain(std::iter::repeat(0));
                    chars.take(len).for_each(|c| data.extend(c.to_le_bytes()));
                }
                format!("<U{len}")
            }
        };
        headed(&descr, &self.shape, data)
    }
}

/// Truth values as the bytes of a file, of this shape.
pub fn written_bools(shape: &[usize], values: impl Iterator<Item = bool>) -> Vec<u8> {
    headed("|b1", shape, values.map(u8::from).collect())
}

/// Whole numbers as the bytes of a file.
pub fn written_wholes(values: impl ExactSizeIterator<Item = i64>) -> Vec<u8> {
    let shape = [values.len()];
    headed("<i8", &shape, values.flat_map(i64::to_le_bytes).collect())
}

fn headed(descr: &str, shape: &[usize], data: Vec<u8>) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let sizes = if shape.len() == 1 { sizes.trim_end() } else { sizes.trim_end_matches(", ") };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // The data begins at a multiple of 64.
    let len = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', len - header.len() - 1));
    header.push('\n');
    let mut bytes = [MAGIC, &[1, 0]].concat();
    bytes.extend((len as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes.extend(data);
    bytes
}

fn other(key: &str, kind: &str) -> ArrayError {
    ArrayError::Kind { key: key.to_owned(), kind: kind.to_owned() }
}

fn kind(key: &str, descr: &str) -> Result<Kind, ArrayError> {
    let (order, rest) = match descr.as_bytes() {
        [order @ (b'<' | b'>' | b'|' | b'='), rest @ ..] => (*order, rest),
        rest => (b'<', rest),
    };
    let Some((&letter, size)) = rest.split_first() else { return Err(other(key, descr)) };
    if letter == b'O' {
        return Err(ArrayError::Pickled { key: key.to_owned() });
    }
    let size = std::str::from_utf8(size).ok().and_then(|size| size.parse::<usize>().ok());
    let size = size.ok_or_else(|| other(key, descr))?;
    let known = match letter {
        b'f' => [2, 4, 8].contains(&size),
        b'i' | b'u' => [1, 2, 4, 8].contains(&size),
        b'b' => size == 1,
        // Texts without letters take no bytes, so even a short file could state any number of them.
        b'U' | b'S' => size > 0,
        _ => false,
    };
    let size = if letter == b'U' { size.checked_mul(4) } else { Some(size) };
    match (known, size) {
        (true, Some(size)) => Ok(Kind { is_big: order == b'>', letter, size }),
        _ => Err(other(key, descr)),
    }
}

impl Kind {
    fn number(&self, bytes: &[u8]) -> f64 {
        let mut eight = [0u8; 8];
        for (i, byte) in bytes.iter().enumerate() {
            eight[if self.is_big { self.size - 1 - i } else { i }] = *byte;
        }
        let whole = u64::from_le_bytes(eight);
        let unused = 64 - 8 * self.size as u32;
        match (self.letter, self.size) {
            (b'f', 8) => f64::from_bits(whole),
            (b'f', 4) => f32::from_bits(whole as u32).into(),
            (b'f', _) => half(whole as u16),
            (b'i', _) => ((whole << unused) as i64 >> unused) as f64,
            _ => whole as f64,
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        let text: String = match self.letter {
            b'U' => {
                let char = |four: &[u8]| {
                    let four: [u8; 4] = four.try_into().expect("four bytes");
                    let code = match self.is_big {
                        true => u32::from_be_bytes(four),
                        false => u32::from_le_bytes(four),
                    };
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                };
                bytes.chunks_exact(4).map(char).collect()
            }
            _ => String::from_utf8_lossy(bytes).into_owned(),
        };
        text.trim_end_matches('\0').to_owned()
    }
}

/// A floating-point number of 16 bits (IEEE 754).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The index in Fortran order of each item in C order.
fn in_c_order(shape: &[usize]) -> Vec<usize> {
    let count: usize = shape.iter().product();
    let place = |mut item: usize| {
        let mut indices = vec![0; shape.len()];
        for (index, size) in indices.iter_mut().zip(shape).rev() {
            (*index, item) = (item % size, item / size);
        }
        indices.iter().zip(shape).rev().fold(0, |place, (index, size)| place * size + index)
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = [MAGIC, &[1, 0]].concat();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.into_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn numbers_of_every_kind_and_order_are_read() {
        let numbers = |bytes: &[u8]| match Array::read("a", bytes).expect("read").items {
            Items::Numbers(numbers) => numbers,
            Items::Texts(texts) => panic!("{texts:?}"),
        };
        assert_eq!(numbers(&file("<f4", "False", "(1,)", &1.5f32.to_le_bytes())), [1.5]);
        assert_eq!(numbers(&file(">f8", "False", "()", &(-2.5f64).to_be_bytes())), [-2.5]);
        assert_eq!(numbers(&file("<f2", "False", "(2,)", &[0, 0x3c, 0, 0xc0])), [1.0, -2.0]);
        assert_eq!(numbers(&file(">i2", "False", "(1,)", &(-3i16).to_be_bytes())), [-3.0]);
        assert_eq!(
            numbers(&file("|u1", "True", "(2, 3)", &[0, 1, 2, 3, 4, 5])),
            [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
        );
        assert!(numbers(&file("<f8", "False", "(0, 3)", &[])).is_empty());
    }

    #[test]
    fn what_is_no_array_of_numbers_is_refused() {
        let read = |bytes: &[u8]| Array::read("poses", bytes).unwrap_err().to_string();
        assert!(read(&file("|O", "False", "(1,)", &[0])).contains("pickled"));
        assert!(read(&file("<c16", "False", "(1,)", &[0; 16])).contains("<c16"));
        assert!(read(&file("<U0", "False", "(999999999999999,)", &[])).contains("poses"));
        assert!(read(&file("|S1", "False", "(100001,)", &[b'a'; 100_001])).contains("poses"));
        for shape in ["(9999999999999999, 9999999999)", "(2,)", "(x,)", "2"] {
            assert!(read(&file("<f8", "False", shape, &[0; 8])).contains("poses"), "{shape}");
        }
        assert!(read(b"\x93NUMPY\x01\x00\xff\xff").contains("poses"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let texts = ["Hips", "L\u{fc}cke"].map(str::to_owned).to_vec();
        for array in [
            Array { shape: vec![2], items: Items::Texts(texts) },
            Array { shape: vec![2, 1, 2], items: Items::Numbers(vec![0.1, -0.2, 1e-300, 4.0]) },
            Array { shape: vec![], items: Items::Numbers(vec![60.0]) },
        ] {
            assert_eq!(Array::read("a", &array.written()).expect("read"), array);
        }
    }
}

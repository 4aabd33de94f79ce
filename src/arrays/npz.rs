//! Several named arrays in one zip archive, as numpy saves them.

use super::ArrayError;
use super::npy::{Array, Items, written_bools};
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter, ZipSliceArchive};
use std::io::{Read, Write};

/// The contacts of a part of the body: its name, and for each frame whether it carries weight.
pub type Mask = (String, Vec<bool>);

/// The arrays of contacts: which parts there are, and when they carry weight.
pub fn masks(frames: usize, masks: &[Mask]) -> [(&'static str, Vec<u8>); 2] {
    let at = |frame: usize| masks.iter().map(move |(_, mask)| mask[frame]);
    let contacts = written_bools(&[frames, masks.len()], (0..frames).flat_map(at));
    let names = masks.iter().map(|(name, _)| name.clone()).collect();
    [("contacts", contacts), ("contact_names", texts(names))]
}

pub fn numbers(shape: &[usize], numbers: Vec<f64>) -> Vec<u8> {
    Array { shape: shape.to_vec(), items: Items::Numbers(numbers) }.written()
}

pub fn texts(texts: Vec<String>) -> Vec<u8> {
    Array { shape: vec![texts.len()], items: Items::Texts(texts) }.written()
}

/// The shape of an array, and its numbers.
type Numbers = (Vec<usize>, Vec<f64>);

/// An archive in memory. Its arrays are unpacked one by one, as they are asked for.
pub struct Archive<'a> {
    zip: ZipSliceArchive<&'a [u8]>,
    keys: Vec<String>,
    /// The most bytes that an array may have once unpacked.
    most_len: u64,
}

impl<'a> Archive<'a> {
    /// Reads the directory of an archive. An array may have at most `most_len` bytes once unpacked.
    pub fn read(bytes: &'a [u8], most_len: u64) -> Result<Self, ArrayError> {
        let broken = |error: rawzip::Error| ArrayError::Archive(error.to_string());
        let zip = ZipArchive::from_slice(bytes).map_err(broken)?;
        let (mut keys, mut entries) = (Vec::new(), zip.entries());
        while let Some(entry) = entries.next_entry().map_err(broken)? {
            keys.push(key(entry.file_path().as_ref()));
        }
        Ok(Self { zip, keys, most_len })
    }

    /// The names of all arrays.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|own| own == key)
    }

    /// The array with this name; `None` if there is none.
    pub fn get(&self, wanted: &str) -> Result<Option<Array>, ArrayError> {
        let broken = |error: rawzip::Error| ArrayError::Archive(error.to_string());
        let mut entries = self.zip.entries();
        while let Some(entry) = entries.next_entry().map_err(broken)? {
            if key(entry.file_path().as_ref()) != wanted {
                continue;
            }
            let method = entry.compression_method();
            let packed = self.zip.get_entry(entry.wayfinder()).map_err(broken)?;
            let mut bytes = Vec::new();
            let unpacked = match method {
                CompressionMethod::STORE => {
                    let reader = packed.verifying_reader(packed.data());
                    reader.take(self.most_len + 1).read_to_end(&mut bytes)
                }
                CompressionMethod::DEFLATE => {
                    let reader = packed.verifying_reader(DeflateDecoder::new(packed.data()));
                    reader.take(self.most_len + 1).read_to_end(&mut bytes)
                }
                _ => return Err(ArrayError::Packing { key: wanted.to_owned() }),
            };
            unpacked.map_err(|error| ArrayError::Archive(format!("{wanted:?}: {error}")))?;
            if bytes.len() as u64 > self.most_len {
                return Err(ArrayError::TooLong { key: wanted.to_owned(), most: self.most_len });
            }
            return Array::read(wanted, &bytes).map(Some);
        }
        Ok(None)
    }

    /// The array with this name, and its numbers.
    pub fn numbers(&self, key: &str) -> Result<Option<Numbers>, ArrayError> {
        match self.get(key)? {
            None => Ok(None),
            Some(Array { shape, items: Items::Numbers(numbers) }) => Ok(Some((shape, numbers))),
            Some(_) => Err(ArrayError::Kind { key: key.to_owned(), kind: "texts".to_owned() }),
        }
    }

    /// The only number of an array.
    pub fn number(&self, key: &str) -> Result<Option<f64>, ArrayError> {
        match self.numbers(key)? {
            Some((shape, numbers)) => match numbers[..] {
                [number] => Ok(Some(number)),
                _ => Err(ArrayError::Shape { key: key.to_owned(), shape, wanted: "()".to_owned() }),
            },
            None => Ok(None),
        }
    }

    /// The texts of an array.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ArrayError> {
        match self.get(key)? {
            None => Ok(None),
            Some(Array { items: Items::Texts(texts), .. }) => Ok(Some(texts)),
            Some(_) => Err(ArrayError::Kind { key: key.to_owned(), kind: "numbers".to_owned() }),
        }
    }
}

/// The name of an array, from the name of its file in the archive.
fn key(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.strip_suffix(".npy").unwrap_or(&name).to_owned()
}

/// The bytes of an archive of named arrays, as numpy's `savez` writes one. Equal arrays give equal bytes.
pub fn written(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    let mut add = |key: &str, array: &[u8]| -> Result<(), rawzip::Error> {
        let name = format!("{key}.npy");
        let file = archive.new_file(&name).compression_method(CompressionMethod::STORE);
        let (mut entry, config) = file.start()?;
        let mut writer = config.wrap(&mut entry);
        writer.write_all(array)?;
        let (_, descriptor) = writer.finish()?;
        entry.finish(descriptor)?;
        Ok(())
    };
    for (key, array) in arrays {
        add(key, array).expect("memory takes everything");
    }
    archive.finish().expect("memory takes everything");
    bytes
}

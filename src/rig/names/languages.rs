//! Parts of a body in other languages than English, where a file's own words for left and right show which one it is.
//!
//! Words of different languages collide ("main" is a hand in French alone), so a table counts only for a skeleton whose
//! names have both of the language's sides. All is in small letters without accents, as [`plain`] leaves names.

use super::word::Word;
use crate::rig::{Digit, Side};

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    left: &'static [&'static str],
    right: &'static [&'static str],
    words: &'static [(Word, &'static [&'static str])],
}

impl Language {
    /// The language whose words for left and right are both among these, if there is one.
    pub fn of(spoken: &[String]) -> Option<&'static Language> {
        let has = |words: &[&str]| words.iter().any(|word| spoken.iter().any(|own| own == word));
        ALL.iter().find(|language| has(language.left) && has(language.right))
    }

    /// All words of the table.
    #[cfg(test)]
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.words.iter().flat_map(|(_, words)| words.iter());
        self.left.iter().chain(self.right).chain(parts).copied()
    }

    /// What a word means in it.
    pub fn lookup(&self, text: &str) -> Option<Word> {
        if self.left.contains(&text) {
            return Some(Word::Side(Side::Left));
        }
        if self.right.contains(&text) {
            return Some(Word::Side(Side::Right));
        }
        self.words.iter().find(|(_, words)| words.contains(&text)).map(|(word, _)| *word)
    }
}

/// A letter of Latin writing without its accent; `None` for an accent that stands for itself.
pub(super) fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{300}'..='\u{36F}' => return None,
        'à' | 'á' | 'â' | 'ã' | 'ä' => 'a',
        'À' | 'Á' | 'Â' | 'Ã' | 'Ä' => 'A',
        'ç' => 'c',
        'Ç' => 'C',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'È' | 'É' | 'Ê' | 'Ë' => 'E',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'Ì' | 'Í' | 'Î' | 'Ï' => 'I',
        'ñ' => 'n',
        'Ñ' => 'N',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ö' => 'O',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'Ù' | 'Ú' | 'Û' | 'Ü' => 'U',
        other => other,
    })
}

pub(super) static ALL: [Language; 5] = [FRENCH, GERMAN, SPANISH, ITALIAN, PORTUGUESE];

const FRENCH: Language = Language {
    left: &["gauche"],
    right: &["droit", "droite"],
    words: &[
        (Word::Noise, &["os", "articulation"]),
        (Word::Helper, &["bout", "cible"]),
        (Word::Up, &["haut", "haute", "superieur", "superieure"]),
        (Word::Low, &["bas", "basse", "inferieur", "inferieure"]),
        (Word::Fore, &["avant"]),
        (Word::Root, &["racine"]),
        (Word::Hips, &["hanches"]),
        (Word::Hip, &["hanche"]),
        (Word::Pelvis, &["bassin"]),
        (Word::Trunk, &["torse", "tronc", "colonne", "dos", "poitrine", "ventre", "taille"]),
        (Word::Neck, &["cou"]),
        (Word::Head, &["tete"]),
        (Word::Collar, &["clavicule"]),
        (Word::Scapula, &["omoplate"]),
        (Word::Shoulder, &["epaule"]),
        (Word::Arm, &["bras"]),
        (Word::Forearm, &["avantbras", "coude"]),
        (Word::Wrist, &["poignet"]),
        (Word::Hand, &["main"]),
        (Word::Thigh, &["cuisse"]),
        (Word::Leg, &["jambe"]),
        (Word::Shin, &["genou", "mollet"]),
        (Word::Ankle, &["cheville"]),
        (Word::Foot, &["pied"]),
        (Word::Toe, &["orteil", "orteils"]),
        (Word::Palm, &["paume"]),
        (Word::Finger, &["doigt", "doigts"]),
        (Word::Digit(Digit::Thumb), &["pouce"]),
        (Word::Mid, &["majeur"]),
        (Word::Digit(Digit::Ring), &["annulaire"]),
        (Word::Digit(Digit::Pinky), &["auriculaire"]),
    ],
};

const GERMAN: Language = Language {
    left: &["links", "linke", "linker", "linkes"],
    right: &["rechts", "rechte", "rechter", "rechtes"],
    words: &[
        (Word::Noise, &["knochen", "gelenk"]),
        (Word::Helper, &["ende", "ziel"]),
        (Word::Up, &["ober", "oberer", "obere"]),
        (Word::Low, &["unter", "unterer", "untere"]),
        (Word::Root, &["wurzel"]),
        (Word::Hips, &["huften", "hueften"]),
        (Word::Hip, &["hufte", "huefte"]),
        (Word::Pelvis, &["becken"]),
        (Word::Trunk, &["rumpf", "brust", "bauch", "rucken", "ruecken", "wirbelsaule", "taille"]),
        (Word::Neck, &["hals", "nacken"]),
        (Word::Head, &["kopf"]),
        (Word::Collar, &["schlusselbein"]),
        (Word::Scapula, &["schulterblatt"]),
        (Word::Shoulder, &["schulter"]),
        (Word::UpperArm, &["oberarm"]),
        (Word::Forearm, &["unterarm", "ellbogen", "ellenbogen"]),
        (Word::Wrist, &["handgelenk"]),
        (Word::Thigh, &["oberschenkel"]),
        (Word::Leg, &["bein"]),
        (Word::Shin, &["unterschenkel", "schienbein", "knie", "wade"]),
        (Word::Ankle, &["knochel", "knoechel"]),
        (Word::Foot, &["fuß", "fuss"]),
        (Word::Ball, &["ballen"]),
        (Word::Toe, &["zeh", "zehe", "zehen"]),
        (Word::Digit(Digit::Thumb), &["daumen"]),
        (Word::Digit(Digit::Index), &["zeigefinger"]),
        (Word::Mid, &["mittelfinger"]),
    ],
};

const SPANISH: Language = Language {
    left: &["izquierda", "izquierdo", "izq"],
    right: &["derecha", "derecho", "der"],
    words: &[
        (Word::Noise, &["hueso"]),
        (Word::Helper, &["punta", "objetivo"]),
        (Word::Up, &["superior"]),
        (Word::Low, &["inferior"]),
        (Word::Root, &["raiz"]),
        (Word::Hips, &["caderas"]),
        (Word::Hip, &["cadera"]),
        (Word::Trunk, &["torso", "tronco", "columna", "pecho", "espalda", "cintura", "vientre"]),
        (Word::Neck, &["cuello"]),
        (Word::Head, &["cabeza"]),
        (Word::Collar, &["clavicula"]),
        (Word::Shoulder, &["hombro"]),
        (Word::Arm, &["brazo"]),
        (Word::Forearm, &["antebrazo", "codo"]),
        (Word::Wrist, &["muneca"]),
        (Word::Hand, &["mano"]),
        (Word::Thigh, &["muslo"]),
        (Word::Leg, &["pierna"]),
        (Word::Shin, &["rodilla", "pantorrilla", "espinilla"]),
        (Word::Ankle, &["tobillo"]),
        (Word::Foot, &["pie"]),
        (Word::Palm, &["palma"]),
        (Word::Finger, &["dedo", "dedos"]),
        (Word::Digit(Digit::Thumb), &["pulgar"]),
        (Word::Digit(Digit::Index), &["indice"]),
        (Word::Mid, &["medio"]),
        (Word::Digit(Digit::Ring), &["anular"]),
        (Word::Digit(Digit::Pinky), &["menique"]),
    ],
};

const ITALIAN: Language = Language {
    left: &["sinistra", "sinistro", "sx"],
    right: &["destra", "destro", "dx"],
    words: &[
        (Word::Noise, &["osso"]),
        (Word::Helper, &["punta", "bersaglio"]),
        (Word::Up, &["superiore"]),
        (Word::Low, &["inferiore"]),
        (Word::Root, &["radice"]),
        (Word::Hips, &["anche"]),
        (Word::Hip, &["anca"]),
        (Word::Pelvis, &["bacino"]),
        (Word::Trunk, &["torso", "tronco", "busto", "colonna", "petto", "schiena", "vita"]),
        (Word::Neck, &["collo"]),
        (Word::Head, &["testa"]),
        (Word::Collar, &["clavicola"]),
        (Word::Shoulder, &["spalla"]),
        (Word::Arm, &["braccio"]),
        (Word::Forearm, &["avambraccio", "gomito"]),
        (Word::Wrist, &["polso"]),
        (Word::Hand, &["mano"]),
        (Word::Thigh, &["coscia"]),
        (Word::Leg, &["gamba"]),
        (Word::Shin, &["ginocchio", "polpaccio", "stinco"]),
        (Word::Ankle, &["caviglia"]),
        (Word::Foot, &["piede"]),
        (Word::Palm, &["palmo"]),
        (Word::Finger, &["dito", "dita"]),
        (Word::Digit(Digit::Thumb), &["pollice"]),
        (Word::Digit(Digit::Index), &["indice"]),
        (Word::Mid, &["medio"]),
        (Word::Digit(Digit::Ring), &["anulare"]),
        (Word::Digit(Digit::Pinky), &["mignolo"]),
    ],
};

const PORTUGUESE: Language = Language {
    left: &["esquerda", "esquerdo", "esq"],
    right: &["direita", "direito", "dir"],
    words: &[
        (Word::Noise, &["osso"]),
        (Word::Helper, &["ponta", "alvo"]),
        (Word::Up, &["superior"]),
        (Word::Low, &["inferior"]),
        (Word::Root, &["raiz"]),
        (Word::Hips, &["quadril", "quadris"]),
        (Word::Hip, &["anca"]),
        (Word::Pelvis, &["bacia"]),
        (Word::Trunk, &["tronco", "coluna", "peito", "costas", "cintura", "barriga"]),
        (Word::Neck, &["pescoco"]),
        (Word::Head, &["cabeca"]),
        (Word::Collar, &["clavicula"]),
        (Word::Shoulder, &["ombro"]),
        (Word::Arm, &["braco"]),
        (Word::Forearm, &["antebraco", "cotovelo"]),
        (Word::Wrist, &["pulso", "punho"]),
        (Word::Hand, &["mao"]),
        (Word::Thigh, &["coxa"]),
        (Word::Leg, &["perna"]),
        (Word::Shin, &["joelho", "panturrilha", "canela"]),
        (Word::Ankle, &["tornozelo"]),
        (Word::Foot, &["pe"]),
        (Word::Palm, &["palma"]),
        (Word::Finger, &["dedo", "dedos"]),
        (Word::Digit(Digit::Thumb), &["polegar"]),
        (Word::Digit(Digit::Index), &["indicador"]),
        (Word::Mid, &["medio"]),
        (Word::Digit(Digit::Ring), &["anelar"]),
        (Word::Digit(Digit::Pinky), &["minimo", "mindinho"]),
    ],
};

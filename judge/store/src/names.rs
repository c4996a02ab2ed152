//! Names that readers could confuse, and the names of members on scoreboards.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

use judge_core::printable;
use judge_runner::base::names::{composed, folded};
use judge_runner::course::scoreboard::pronounceable;

use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{self, CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

/// Small capitals, which the table of confusable characters does not map to letters.
const SMALL_CAPITALS: [(char, char); 24] = [
    ('ᴀ', 'a'),
    ('ʙ', 'b'),
    ('ᴄ', 'c'),
    ('ᴅ', 'd'),
    ('ᴇ', 'e'),
    ('ꜰ', 'f'),
    ('ɢ', 'g'),
    ('ʜ', 'h'),
    ('ɪ', 'i'),
    ('ᴊ', 'j'),
    ('ᴋ', 'k'),
    ('ʟ', 'l'),
    ('ᴍ', 'm'),
    ('ɴ', 'n'),
    ('ᴏ', 'o'),
    ('ᴘ', 'p'),
    ('ʀ', 'r'),
    ('ꜱ', 's'),
    ('ᴛ', 't'),
    ('ᴜ', 'u'),
    ('ᴠ', 'v'),
    ('ᴡ', 'w'),
    ('ʏ', 'y'),
    ('ᴢ', 'z'),
];

/// Names of roles. On a scoreboard they would pass for staff.
const ROLES: [&str; 34] = [
    "admin",
    "administrator",
    "assistant",
    "course staff",
    "grader",
    "instructor",
    "judge",
    "lecturer",
    "moderator",
    "operator",
    "prof",
    "professor",
    "referee",
    "root",
    "staff",
    "system",
    "teacher",
    "teaching assistant",
    "tutor",
    "讲师",
    "講師",
    "教师",
    "教師",
    "老师",
    "老師",
    "助教",
    "教授",
    "导师",
    "導師",
    "管理员",
    "管理員",
    "裁判",
    "系统",
    "工作人员",
];

/// The appearance of a name: its Unicode skeleton (UTS 39) without case, accents, blanks, signs and
/// characters that are not shown. There are three of them, because each misses some look-alikes:
/// with case folded before the skeleton is made, and after it, as letters can look alike in one case
/// only; and from the name as it was typed, as the compatible spelling of `ϲ` is a sigma. For each,
/// the appearances with the words in other orders follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look([Vec<String>; 3]);

impl Look {
    /// The appearance of a name; none if no character of it is visible.
    pub(crate) fn from_name(name: &str) -> Option<Look> {
        let whole = cores(name);
        if whole.iter().any(String::is_empty) {
            return None;
        }
        let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<[String; 3]> = words.map(cores).collect();
        let mut at = 0;
        Some(Look(whole.map(|whole| {
            let words: Vec<&str> = words.iter().map(|both| both[at].as_str()).collect();
            at += 1;
            std::iter::once(whole).chain(orders(words)).collect()
        })))
    }

    /// True if a reader could take one name for the other.
    pub(crate) fn resembles(&self, other: &Look) -> bool {
        let share = |(one, other): (&Vec<String>, &Vec<String>)| {
            one.iter().any(|text| other.contains(text))
        };
        std::iter::zip(&self.0, &other.0).any(share)
    }
}

/// True if a reader could take a name for a role, also in the plural or with a number.
fn is_role(name: &str) -> bool {
    let wide: String = name.nfkc().collect();
    // The skeleton turns digits into letters.
    let bare = wide.trim_end_matches(|c: char| !c.is_alphabetic());
    let one = bare.strip_suffix(['s', 'S']).unwrap_or(bare);
    let roles: Vec<Look> = ROLES.iter().filter_map(|role| Look::from_name(role)).collect();
    let fits = |text: &str| is_like_any(text, &roles);
    let mut words = wide.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    [&wide, bare, one].into_iter().any(fits) || words.next().is_some_and(fits) && words.all(fits)
}

fn is_like_any(name: &str, looks: &[Look]) -> bool {
    Look::from_name(name).is_some_and(|look| looks.iter().any(|other| look.resembles(other)))
}

/// The appearances of a text.
fn cores(text: &str) -> [String; 3] {
    let bare = |text: &str| skeleton(text).collect::<String>();
    let wide: String = text.nfkc().collect();
    let typed: String = bare(text).nfkc().collect();
    [bare(&fold(&wide)), bare(&fold(&bare(&wide))), bare(&fold(&typed))]
        .map(|text| core(&fold(&text)))
}

/// The words of a name in other orders: each later word first, as in `Family, Name`, and sorted.
fn orders(mut words: Vec<&str>) -> Vec<String> {
    let mut orders = Vec::new();
    for _ in 1..words.len() {
        words.rotate_left(1);
        orders.push(words.concat());
    }
    if words.len() > 2 {
        words.sort_unstable();
        orders.push(words.join(" "));
    }
    orders
}

/// Circles that the table of confusable characters does not map to letters.
const CIRCLES: [char; 8] = ['○', '◯', '●', '⚪', '⚫', '⬤', '⭕', '⭘'];

/// The letter of a small capital, or of a symbol that shows a letter; other characters unchanged.
fn plain(c: char) -> char {
    if CIRCLES.contains(&c) {
        return 'o';
    }
    // Letters in black circles, in black squares, and in pairs for flags.
    let symbols = ['\u{1f150}', '\u{1f170}', '\u{1f1e6}'];
    let letter = |first: char| u8::try_from(u32::from(c).wrapping_sub(first.into())).ok();
    let letter = symbols.into_iter().filter_map(letter).find(|letter| *letter < 26);
    match letter {
        Some(letter) => char::from(b'a' + letter),
        None => SMALL_CAPITALS.iter().find(|(odd, _)| *odd == c).map_or(c, |pair| pair.1),
    }
}

/// The text without case. Upper case first, so that `ß` and `ss` are the same.
fn fold(text: &str) -> String {
    text.chars().map(plain).collect::<String>().to_uppercase().to_lowercase()
}

/// Letters and digits of a text; all visible characters if it has none. The skeleton maps `I` to
/// `l`, so `i`, the lower case of `I`, must map to it, too.
fn core(text: &str) -> String {
    let text = text.nfkd().map(|c| if c == 'i' { 'l' } else { c });
    let shown: String = text.filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let letters: String = shown.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.is_empty() { shown } else { letters }
}

/// The names of a member.
struct MemberNames {
    person: PersonId,
    pseudonym: String,
    name: String,
    shows_real_name: bool,
}

const NAMES: &str = "SELECT m.person, m.pseudonym, m.shows_real_name, m.name \
    FROM membership m WHERE m.course = $1";
const SET_PSEUDONYM: &str =
    "UPDATE membership SET pseudonym = $3, folded_pseudonym = $4 WHERE course = $1 AND person = $2";
const SHOW_REAL_NAME: &str =
    "UPDATE membership SET shows_real_name = $3 WHERE course = $1 AND person = $2";

fn names(row: &AnyRow) -> Result<MemberNames, sqlx::Error> {
    Ok(MemberNames {
        person: row.parsed("person")?,
        pseudonym: row.text("pseudonym")?,
        name: row.text("name")?,
        shows_real_name: row.flag("shows_real_name")?,
    })
}

async fn names_in(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<Vec<MemberNames>, Error> {
    let rows = sqlx::query(NAMES).bind(course.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(names).collect::<Result<_, _>>()?)
}

/// The appearances of a text and of all parts of it with two or more words.
fn looks_within(text: &str) -> Vec<Look> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let parts = (2..words.len()).flat_map(|most| words.windows(most)).map(|part| part.join(" "));
    std::iter::once(text.to_owned())
        .chain(parts)
        .filter_map(|part| Look::from_name(&part))
        .collect()
}

/// True if a person's real name is that of another member, or contains it.
fn is_within(person: &MemberNames, other: &MemberNames) -> bool {
    looks_within(&person.name).iter().any(|part| is_like(part, &other.name))
}

fn is_like(look: &Look, name: &str) -> bool {
    Look::from_name(name).is_some_and(|other| look.resembles(&other))
}

/// Fails with [`Error::Taken`] if readers could confuse a name that `person` chose with the real
/// name or the pseudonym of another member, and with [`Error::RoleName`] if they could take it for
/// a role. Homonyms can use their own name.
pub(crate) async fn check_free(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: Option<&PersonId>,
    (what, chosen): (&'static str, &str),
) -> Result<(), Error> {
    let value = tidy(what, chosen)?;
    let Some(look) = Look::from_name(chosen) else {
        return Err(Error::Name { what, value, why: "it has no visible characters" });
    };
    let members = names_in(connection, course).await?;
    let (own, others): (Vec<_>, Vec<_>) =
        members.iter().partition(|one| Some(&one.person) == person);
    let is_own_name = own.iter().any(|one| is_like(&look, &one.name));
    // A real name may contain that of another member, but a pseudonym must not.
    let within = if what == "pseudonym" { looks_within(chosen) } else { vec![look.clone()] };
    let contains = |one: &MemberNames| within.iter().any(|look| is_like(look, &one.name));
    let is_in_own_name = |one: &MemberNames| own.iter().any(|own| is_within(own, one));
    if matches!(what, "pseudonym" | "name") && !is_own_name && is_role(chosen) {
        return Err(Error::RoleName { value });
    }
    let clashes = |one: &&MemberNames| {
        is_like(&look, &one.pseudonym) || (contains(one) && !is_in_own_name(one))
    };
    match others.iter().any(clashes) {
        true => Err(Error::Taken { what, value }),
        false => Ok(()),
    }
}

/// Replaces the pseudonyms in a course that readers could confuse with the real name of `person`, a
/// new member, and records this for their owners.
pub(crate) async fn yield_to(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
    now: Timestamp,
) -> Result<(), Error> {
    let members = names_in(connection, course).await?;
    let new = members.iter().find(|one| one.person == *person);
    let Some(new) = new else { return Ok(()) };
    let others = members.iter().filter(|one| one.person != *person);
    let is_taken = |one: &&MemberNames| {
        let within = looks_within(&one.pseudonym);
        within.iter().any(|part| is_like(part, &new.name)) && !is_within(one, new)
    };
    for one in others.filter(is_taken) {
        let query = sqlx::query(SET_PSEUDONYM).bind(course.as_str()).bind(one.person.as_str());
        let pseudonym = random_pseudonym(connection, course).await?;
        let query = query.bind(pseudonym.clone()).bind(folded(&pseudonym));
        query.execute(&mut *connection).await?;
        let kind = AccountEventKind::PseudonymReplaced;
        let event = Note { course: Some(course), ..Note::new(kind) };
        note(connection, &one.person, event, now).await?;
    }
    Ok(())
}

/// Most pseudonyms that are drawn until one fits.
const DRAWS: usize = 20;

/// A random pseudonym, such as `quiet heron 3fa9`, that no reader confuses with a name in the
/// course.
pub(crate) async fn random_pseudonym(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<String, Error> {
    for _ in 0..DRAWS {
        let mut bytes = [0; 4];
        getrandom::fill(&mut bytes).map_err(|error| Error::Random(error.to_string()))?;
        let pseudonym = pronounceable(bytes);
        match check_free(connection, course, None, ("pseudonym", &pseudonym)).await {
            Err(Error::Taken { .. }) => {}
            checked => return checked.map(|()| pseudonym),
        }
    }
    // Only a course with millions of members has none of them free.
    id::random(5)
}

impl Store {
    /// Sets a person's name on the scoreboards of a course.
    ///
    /// # Errors
    /// [`Error::Taken`] when it looks like a name of another member, [`Error::RoleName`] when it
    /// looks like a role; when it cannot be used, or the database fails.
    pub async fn set_pseudonym(
        &self,
        course: &CourseId,
        person: &PersonId,
        pseudonym: &str,
    ) -> Result<(), Error> {
        let name = tidy("pseudonym", pseudonym)?;
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        check_free(&mut transaction, course, Some(person), ("pseudonym", pseudonym)).await?;
        let query = sqlx::query(SET_PSEUDONYM).bind(course.as_str()).bind(person.as_str());
        query.bind(&name).bind(folded(&name)).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Shows a person's real name on the scoreboards of a course, or hides it.
    ///
    /// # Errors
    /// [`Error::Taken`] when it looks like the real name of another member; when the database
    /// fails.
    pub async fn show_real_name(
        &self,
        course: &CourseId,
        person: &PersonId,
        shows: bool,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let members = names_in(&mut transaction, course).await?;
        if let Some(own) = members.iter().find(|one| one.person == *person)
            && shows
            && !own.shows_real_name
            && let Some(look) = Look::from_name(&own.name)
            && members.iter().any(|one| one.person != *person && is_like(&look, &one.name))
        {
            return Err(Error::Taken { what: "name", value: own.name.clone() });
        }
        let query = sqlx::query(SHOW_REAL_NAME).bind(course.as_str()).bind(person.as_str());
        query.bind(i64::from(shows)).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}

/// Most characters of a name.
pub(crate) const LONGEST: usize = 200;

/// A name in its composed spelling, without blanks around it and without control characters.
pub(crate) fn tidy(what: &'static str, text: &str) -> Result<String, Error> {
    let text = printable(composed(text.trim()).as_ref(), LONGEST);
    match text.is_empty() {
        true => Err(Error::Name { what, value: text, why: "it is empty" }),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> bool {
        let look = |name| Look::from_name(name).expect("it can be seen");
        look(one).resembles(&look(other))
    }

    #[test]
    fn names_that_look_alike_are_the_same() {
        for (one, other) in [
            ("Ada Lovelace", "ada lovelace"),
            ("Ada Lovelace", "ADA  LOVELACE"),
            ("Ada Lovelace", "AdaLovelace"),
            ("Ada Lovelace", "ada.love-lace!"),
            ("Ada Lovelace", "Аdа Lоvеlасе"),
            ("Ada Lovelace", "A\u{200b}da\u{2060} Love\u{ad}lace"),
            ("Ada Lovelace", "Ada\u{3164}Lovelace\u{e0020}"),
            ("Ada Lovelace", "\u{202e}Ada Lovelace\u{202c}"),
            ("Ada Lovelace", "Ａｄａ　Ｌｏｖｅｌａｃｅ"),
            ("Ada Lovelace", "𝓐𝓭𝓪 𝕷𝖔𝖛𝖊𝖑𝖆𝖈𝖊"),
            ("Ada Lovelace", "ⓐⓓⓐ ⓛⓞⓥⓔⓛⓐⓒⓔ"),
            ("Ada Lovelace", "ᴀᴅᴀ ʟᴏᴠᴇʟᴀᴄᴇ"),
            ("Ada Lovelace", "Ada Love1ace"),
            ("Ada Lovelace", "Ada L0velace"),
            ("Ada Lovelace", "Ada L◯velace"),
            ("Ada Lovelace", "Ada L⭕velace"),
            ("Ada Lovelace", "Adá Lovélace"),
            ("Ian", "lan"),
            ("IAN", "ian"),
            ("Hunter", "Нunter"),
            ("Hunter", "нunter"),
            ("modern", "rnodern"),
            ("Strauß", "STRAUSS"),
            ("Βασίλης", "ΒΑΣΊΛΗΣ"),
            ("Иван", "иВАН"),
            ("Ångström", "Angstro\u{308}m"),
            ("李雷", "李\u{200d}雷"),
            ("★", "★\u{fe0f}"),
            ("Ada Lovelace", "Lovelace, Ada"),
            ("Ada Lovelace", "LOVELACE Аda"),
            ("Ada Lovelace", "LovelaceAda"),
            ("Ada King Lovelace", "Lovelace, Ada King"),
            ("Ada King Lovelace", "King-Lovelace, Ada"),
            ("Ada King Lovelace", "Lovelace King Ada"),
            ("Lovelace, Ada", "Ada Lovelace"),
        ] {
            assert!(
                alike(one, other),
                "{one} {other}: {:?} {:?}",
                Look::from_name(one),
                Look::from_name(other)
            );
        }
    }

    #[test]
    fn names_that_look_different_are_different() {
        for (one, other) in [
            ("Ada", "Eda"),
            ("Ada Lovelace", "Ada"),
            ("李雷", "韩梅梅"),
            ("Иван", "Игорь"),
            ("★", "☆"),
            ("team 7", "team 8"),
            ("Ada Lovelace", "Lovelace"),
            ("Ada King Lovelace", "Lovelace, Ada"),
        ] {
            assert!(
                !alike(one, other),
                "{one} {other}: {:?} {:?}",
                Look::from_name(one),
                Look::from_name(other)
            );
        }
        for unseen in ["", "  ", "\u{200b}\u{2060}", "\u{3164}", "\u{ad}\u{fe0f}"] {
            assert_eq!(Look::from_name(unseen), None, "{unseen:?}");
        }
    }

    #[test]
    fn names_that_look_like_a_role_are_refused() {
        for name in [
            "Instructor",
            "ADMIN",
            "Аdmin",
            "adm1n",
            "Staff!",
            "Lecturers",
            "Instructor 2",
            "Assistant, Teaching",
            "讲师",
            "助 教",
            "管理员1",
        ] {
            assert!(is_role(name), "{name}");
        }
        for name in ["Ada", "Judge Dredd", "Adminton", "Staffan", "7", "老师好", "ss"] {
            assert!(!is_role(name), "{name}");
        }
    }

    #[test]
    fn names_are_stored_in_one_normal_form() {
        assert_eq!(tidy("name", " Zoe\u{308} ").expect("a name"), "Zoë");
        assert!(tidy("name", "  ").is_err());
    }
}

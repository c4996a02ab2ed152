//! Titles of columns in the lists of learning platforms, in the languages that are known.

use crate::base::names::folded;

/// A property of a student that a column of a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StudentField {
    /// The name of the submission.
    Submission,
    /// The full name.
    Name,
    /// The full name, family name first: `King, Ada`.
    FamilyFirst,
    /// The given name.
    Given,
    /// The family name.
    Family,
    /// The number or login in the course's system.
    Id,
    /// The login, next to another id.
    Login,
    /// The email address.
    Address,
    /// The group that submits together.
    Group,
    /// The learning platform's identifier.
    Identifier,
    /// The role in the course.
    Role,
    /// The time of the submission.
    Submitted,
}

use StudentField::{
    Address, Family, FamilyFirst, Given, Group, Id, Identifier, Login, Name, Role, Submission,
    Submitted,
};

/// All fields with their titles, in small letters without spaces and signs. The first title of each
/// is the judge's own; the others are from exports in English, German, Spanish, Catalan, French,
/// Italian and Portuguese.
const TITLES: [(StudentField, &[&str]); 12] = [
    (Submission, &["submission"]),
    (
        Name,
        &[
            "student",
            "name",
            "fullname",
            "studentname",
            "displayname",
            "vollständigername",
            "nombrecompleto",
            "nomcomplet",
            "nomecompleto",
            "nomecognome",
        ],
    ),
    (
        FamilyFirst,
        &["lastnamefirstname", "namevorname", "nachnamevorname", "apellidosnombre", "sortablename"],
    ),
    (
        Given,
        &[
            "firstname",
            "givenname",
            "givennames",
            "forename",
            "vorname",
            "nombre",
            "prénom",
            "nome",
        ],
    ),
    (
        Family,
        &[
            "lastname",
            "familyname",
            "surname",
            "nachname",
            "familienname",
            "apellido",
            "apellidos",
            "cognoms",
            "nomdefamille",
            "cognome",
            "sobrenome",
        ],
    ),
    (
        Id,
        &[
            "id",
            "idnumber",
            "studentid",
            "studentnumber",
            "studentno",
            "sid",
            "sisuserid",
            "number",
            "identifier",
            "universityid",
            "matrikelnummer",
            "matrikelnr",
            "matrikel",
            "matrnr",
            "idnummer",
            "númerodeid",
            "númerodeidentificación",
            "númeroid",
            "numérodidentification",
        ],
    ),
    (
        Login,
        &[
            "login",
            "username",
            "userid",
            "loginid",
            "sisloginid",
            "githubusername",
            "github",
            "githublogin",
            "netid",
            "benutzername",
            "anmeldename",
            "benutzerkennung",
            "kennung",
            "nombredeusuario",
            "nomdutilisateur",
        ],
    ),
    (
        Address,
        &[
            "address",
            "email",
            "emailaddress",
            "mail",
            "emailadresse",
            "dirección",
            "direccióndecorreo",
            "direccióndecorreoelectrónico",
            "direcciónemail",
            "correo",
            "correoelectrónico",
            "adreçaelectrònica",
            "adressedecourriel",
            "courriel",
            "adressemail",
            "adresseemail",
            "indirizzoemail",
            "endereçodeemail",
        ],
    ),
    (Group, &["group"]),
    (Identifier, &[]),
    (Role, &["role", "roles", "rolle", "rollen", "rol"]),
    (Submitted, &["submitted", "submittedat", "submissiontime", "submissiontimestamp"]),
];

impl StudentField {
    /// The field with that title in a list of no known platform.
    pub(super) fn with_title(title: &str) -> Option<StudentField> {
        let title = bare(title);
        TITLES.iter().find(|(_, titles)| titles.contains(&title.as_str())).map(|(field, _)| *field)
    }

    /// True if this is the judge's own title of the field.
    pub(super) fn is_called(self, title: &str) -> bool {
        TITLES
            .iter()
            .any(|(field, titles)| *field == self && titles.first() == Some(&&*bare(title)))
    }

    /// The judge's own title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Submission => "submission",
            Name | FamilyFirst => "student",
            Given => "given name",
            Family => "family name",
            Id => "id",
            Login => "login",
            Address => "address",
            Group => "group",
            Identifier => "identifier",
            Role => "role",
            Submitted => "submitted",
        }
    }
}

/// A title in small letters, without spaces and signs.
pub(super) fn bare(title: &str) -> String {
    folded(title).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn column_titles_are_known_in_every_spelling() {
        for (title, field) in [
            ("First name", Some(Given)),
            ("first_name", Some(Given)),
            ("E-Mail-Adresse", Some(Address)),
            ("Apellido(s)", Some(Family)),
            ("Matr.-Nr.", Some(Id)),
            ("VOLLSTÄNDIGER NAME", Some(Name)),
            ("Numéro d'identification", Some(Id)),
            ("Name, Vorname", Some(FamilyFirst)),
            ("Groups", None),
            ("Section", None),
            ("", None),
        ] {
            assert_eq!(StudentField::with_title(title), field, "{title}");
        }
        let all: Vec<&str> = TITLES.iter().flat_map(|(_, titles)| titles.iter().copied()).collect();
        let different: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(different.len(), all.len(), "a title of two fields");
        assert!(all.iter().all(|title| bare(title) == *title), "{all:?}");
    }
}

//! Marks in the columns that learning platforms import.

use std::io::Write;

use judge_core::Points;

use crate::text::cell;

/// A student's row in a platform's gradebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradebookLine {
    /// The student's name on the platform or in the course.
    pub student: String,
    /// The platform's number of the student.
    pub number: String,
    /// The student's email address, if it is known.
    pub address: Option<String>,
    /// Points.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// A short comment on the result.
    pub comment: String,
}

/// Writes a grading worksheet of an assignment for Moodle's import.
///
/// # Errors
/// If the output cannot be written.
pub fn write_moodle(output: impl Write, lines: &[GradebookLine]) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record([
        "Identifier",
        "Full name",
        "Email address",
        "Grade",
        "Maximum Grade",
        "Feedback comments",
    ])?;
    for line in lines {
        writer.write_record([
            format!("Participant {}", line.number),
            cell(&line.student),
            line.address.as_deref().map(cell).unwrap_or_default(),
            line.points.to_string(),
            line.max_points.to_string(),
            cell(&line.comment),
        ])?;
    }
    Ok(writer.flush()?)
}

/// Writes a gradebook for Canvas's import, with an assignment of that title.
///
/// # Errors
/// If the output cannot be written.
pub fn write_canvas(
    output: impl Write,
    title: &str,
    lines: &[GradebookLine],
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(["Student", "ID", "Section", &cell(title)])?;
    let max_points = lines.iter().map(|line| line.max_points).max().unwrap_or_default();
    writer.write_record(["Points Possible", "", "", &max_points.to_string()])?;
    for line in lines {
        writer.write_record([&*cell(&line.student), &line.number, "", &line.points.to_string()])?;
    }
    Ok(writer.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> GradebookLine {
        GradebookLine {
            student: "=King, Ada".to_owned(),
            number: "123456".to_owned(),
            address: Some("ada@uni.edu".to_owned()),
            points: 47.into(),
            max_points: 60.into(),
            comment: "Accepted".to_owned(),
        }
    }

    #[test]
    fn the_file_for_moodle_has_its_participants() {
        let mut sheet = Vec::new();
        write_moodle(&mut sheet, &[line()]).expect("memory does not run out");
        let expected = "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n\
                        Participant 123456,\"'=King, Ada\",ada@uni.edu,47,60,Accepted\n";
        assert_eq!(String::from_utf8_lossy(&sheet), expected);
    }

    #[test]
    fn the_file_for_canvas_has_its_users_and_maximum_points() {
        let mut sheet = Vec::new();
        write_canvas(&mut sheet, "Lab 3", &[line()]).expect("memory does not run out");
        let expected = "Student,ID,Section,Lab 3\nPoints Possible,,,60\n\
                        \"'=King, Ada\",123456,,47\n";
        assert_eq!(String::from_utf8_lossy(&sheet), expected);
    }
}

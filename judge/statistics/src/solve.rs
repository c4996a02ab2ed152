//! Systems of linear equations, as in fits of ratings.

/// A symmetric, positive definite matrix without its first row and column, as the product of a
/// lower triangle and its transpose (Cholesky).
#[derive(Debug, Clone)]
pub(super) struct Factor {
    lower: Vec<Vec<f64>>,
}

impl Factor {
    /// None if the matrix is not positive definite.
    pub(super) fn new(mut matrix: Vec<Vec<f64>>) -> Option<Factor> {
        for row in 1..matrix.len() {
            for column in 1..=row {
                let (upper, lower) = matrix.split_at_mut(row);
                let own = &mut lower[0];
                let other = if column == row { None } else { Some(&upper[column]) };
                let product: f64 = match other {
                    Some(other) => (1..column).map(|at| own[at] * other[at]).sum(),
                    None => own[1..column].iter().map(|cell| cell * cell).sum(),
                };
                let left = own[column] - product;
                own[column] = match other {
                    Some(other) => left / other[column],
                    None if left > 0.0 => left.sqrt(),
                    None => return None,
                };
            }
        }
        Some(Factor { lower: matrix })
    }

    /// The vector that the matrix maps to `right`; its first number is 0.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.lower.len();
        let mut found = right.to_vec();
        if let Some(first) = found.first_mut() {
            *first = 0.0;
        }
        for row in 1..size {
            let known: f64 = (1..row).map(|at| self.lower[row][at] * found[at]).sum();
            found[row] = (found[row] - known) / self.lower[row][row];
        }
        for row in (1..size).rev() {
            found[row] /= self.lower[row][row];
            let value = found[row];
            (1..row).for_each(|at| found[at] -= self.lower[row][at] * value);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Factor;

    #[test]
    fn a_system_is_solved_without_its_first_row() {
        let matrix = vec![vec![9.0, 7.0, 7.0], vec![7.0, 4.0, 2.0], vec![7.0, 2.0, 5.0]];
        let found = Factor::new(matrix).expect("positive definite").solve(&[5.0, 8.0, 12.0]);
        assert!((found[1] - 1.0).abs() < 1e-12 && (found[2] - 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found[0], 0.0);
        assert!(Factor::new(vec![vec![1.0, 0.0], vec![0.0, -1.0]]).is_none());
    }
}

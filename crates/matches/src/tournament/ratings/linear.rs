//! Solves and inverts symmetric positive definite matrices, only as far as `model`, its caller, needs it.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    /// The lower triangle L with L L' = self (Cholesky); `None` if the matrix is not positive definite.
    pub(super) fn cholesky(&self) -> Option<Triangle> {
        let mut lower = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self.at(row, column) - known;
                let value = if row == column {
                    // A smaller value is rounding error of a singular matrix.
                    if rest <= 1e-12 * self.at(row, row) {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.cells[row * self.size + column] = value;
            }
        }
        Some(Triangle(lower))
    }
}

/// A Cholesky factor.
pub(super) struct Triangle(Matrix);

impl Triangle {
    /// The x with L L' x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(lower) = self;
        let mut x = right.to_vec();
        for row in 0..lower.size {
            let known = dot(&lower.row(row)[..row], &x[..row]);
            x[row] = (x[row] - known) / lower.at(row, row);
        }
        for row in (0..lower.size).rev() {
            x[row] /= lower.at(row, row);
            let value = x[row];
            for (left, factor) in x[..row].iter_mut().zip(lower.row(row)) {
                *left -= factor * value;
            }
        }
        x
    }

    /// The inverse of L L'.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

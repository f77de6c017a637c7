/** One equation: the sum of `terms` times the unknowns is `value`, as exact as `weight` says. */
export interface Observation {
  readonly terms: readonly number[];
  readonly value: number;
  readonly weight: number;
}

/**
 * Returns the unknowns that fit all equations best; null if they don't determine them. `holds` are weights that hold
 * each unknown at 0.
 */
export function leastSquares(observations: readonly Observation[], holds: readonly number[]): number[] | null {
  const count = holds.length;
  const matrix = holds.map((hold, i) => holds.map((_, j) => (i === j ? hold : 0)).concat(0));
  for (const { terms, value, weight } of observations) {
    for (let i = 0; i < count; i++) {
      const row = matrix[i]!;
      const factor = weight * terms[i]!;
      for (let j = 0; j < count; j++) row[j]! += factor * terms[j]!;
      row[count]! += factor * value;
    }
  }
  return solved(matrix);
}

/** Gaussian elimination with the largest pivot; the last column is the right side. */
function solved(matrix: number[][]): number[] | null {
  const count = matrix.length;
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let row = column + 1; row < count; row++)
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row;
    if (Math.abs(matrix[pivot]![column]!) < 1e-12) return null;
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    for (let row = 0; row < count; row++) {
      if (row === column) continue;
      const factor = matrix[row]![column]! / matrix[column]![column]!;
      if (factor !== 0) for (let i = column; i <= count; i++) matrix[row]![i]! -= factor * matrix[column]![i]!;
    }
  }
  return matrix.map((row, i) => row[count]! / row[i]!);
}

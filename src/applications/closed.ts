/**
 * SQL: whether the application of an id is not closed, by a move or a removal. What goes through several applications
 * leaves closed ones out: the database refuses changes of rows that move, and those of a removal are about to go.
 */
export function isOpen(applicationId: string): string {
  return `(SELECT closed_at FROM applications WHERE applications.id = ${applicationId}) IS NULL`;
}

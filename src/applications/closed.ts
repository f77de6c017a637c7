/**
 * SQL: whether the application of an id is not closed by a move. What goes through several applications leaves closed
 * ones out, since the database refuses changes of their rows.
 */
export function isOpen(applicationId: string): string {
  return `(SELECT closed_at FROM applications WHERE applications.id = ${applicationId}) IS NULL`;
}

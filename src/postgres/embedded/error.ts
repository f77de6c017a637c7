/** The bundled PostgreSQL cannot run here; the message is one line for the operator that names a solution. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}

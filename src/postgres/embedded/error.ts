/** The bundled PostgreSQL cannot run here; the message is one line for the operator that names a solution. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}

/** Returns whether `error` is a failed system call with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

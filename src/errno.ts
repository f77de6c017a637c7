/** Returns whether `error` is a failed system call with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Returns undefined for a missing file, as when another process removed it first. Throws any other error. */
export function ignoreMissing(error: unknown): undefined {
  if (!isErrno(error, "ENOENT")) throw error;
}

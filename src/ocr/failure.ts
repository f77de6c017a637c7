/**
 * An image could not be read; the next one is not affected. `unreadable`: its bytes are no valid picture, and a retry
 * would not read them. `crashed` (also: over the memory limit), `timeout` and `failed` (also: no such file) can be
 * retried. `closed`: the pool was closed before the image was read.
 */
export class OcrFailure extends Error {
  override name = "OcrFailure";
  readonly kind: "crashed" | "timeout" | "failed" | "unreadable" | "closed";
  constructor(kind: OcrFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

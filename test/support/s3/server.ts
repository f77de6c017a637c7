/** What the server does with requests: as S3 does, never respond, respond with 503 or 403, or stop within the body. */
export type S3Mood = "serves" | "hangs" | "busy" | "denies" | "stalls";

export interface S3Server {
  /** The settings of a service that uses it, with the credentials for the environment. */
  readonly settings: Record<string, string>;
  readonly endpoint: string;
  readonly bucket: string;
  /** The names of all objects. */
  objects(): Promise<string[]>;
  behave(mood: S3Mood): void;
  /** Changes a byte of an object behind the server's back. */
  damage(name: string): void;
  /** Requests that it did not serve, since the start, as `PUT /images/…` without the query. */
  readonly requests: readonly string[];
  /** Nothing listens at its address any more; what is stored stays. */
  leave(): Promise<void>;
  /** Listens there again. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export type S3Kind = "s3rver" | "swift";

/**
 * Starts an S3 server on loopback with an empty bucket, which refuses requests without a signature: s3rver, a package,
 * or OpenStack Swift where it is installed. Tests get the one that TEST_S3 says (`npm run test:swift`).
 */
export async function startS3(
  kind: S3Kind = process.env["TEST_S3"] === "swift" ? "swift" : "s3rver",
): Promise<S3Server> {
  if (kind === "swift") return (await import("./swift.ts")).startSwift();
  return (await import("./s3rver.ts")).startS3rver();
}

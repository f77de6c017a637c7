import { StorageMisconfigured, StorageUnavailable } from "../../storage-failures.ts";
import type { S3Settings } from "./settings.ts";

/** What the SDK and Node say about a failed call. */
interface SdkError {
  readonly name?: string;
  readonly code?: unknown;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const WRONG_CREDENTIALS = /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|TokenRefreshRequired)$/;
const WRONG_REGION = /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|301)$/;
const WRONG_CERTIFICATE = /CERT|EPROTO|^ERR_SSL/;
const THROTTLED = /^(SlowDown|Throttling|ThrottlingException|RequestTimeout|TooManyRequests)/;

function statusOf(error: unknown): number | undefined {
  return (error as SdkError).$metadata?.httpStatusCode;
}

/** Whether an error says that there is no such object, in a bucket that exists. */
export function isMissing(error: unknown): boolean {
  const { name = "" } = error as SdkError;
  return name === "NoSuchKey" || name === "NotFound" || (statusOf(error) === 404 && name !== "NoSuchBucket");
}

/** The object is not what was stored. A later attempt may find that it was damaged on the way. */
export class DamagedImage extends Error {
  constructor() {
    super("a stored image is damaged: its bytes are not those whose hash was stored with them");
  }
}

/** Whether the same call may succeed a moment later: S3 was not reached, was late, or had an error of its own. */
export function isWorthRetry(error: unknown): boolean {
  const status = statusOf(error);
  const { name = "" } = error as SdkError;
  if (name === "CredentialsProviderError") return false;
  return status === undefined || status >= 500 || status === 429 || THROTTLED.test(name);
}

/** Returns an error without what S3 returned beside it, which has addresses, keys and headers. */
export function unavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  const { name = "", code, message = "" } = error as SdkError;
  const known = typeof code === "string" ? code : name;
  return new StorageUnavailable(`the store of images is away: ${known || message} (${statusOf(error) ?? "no status"})`);
}

/**
 * Returns what an operator has to set right, if that is what a failed call means; else StorageUnavailable. `doing` is
 * what the call was for, like `list objects`.
 */
export function setupFailure(
  error: unknown,
  doing: string,
  settings: S3Settings,
): StorageMisconfigured | StorageUnavailable {
  const { bucket, endpoint, region, prefix } = settings;
  const { name = "", code = "", message = "" } = error as SdkError;
  const status = statusOf(error);
  const where = endpoint ?? `AWS in ${region}`;
  const setUp = (text: string) => new StorageMisconfigured(`The images cannot be stored in the bucket: ${text}`);
  if (name === "CredentialsProviderError") {
    return setUp(
      "there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a profile or a role.",
    );
  }
  if (WRONG_CREDENTIALS.test(name)) {
    return setUp(`${where} does not accept the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY): ${name}.`);
  }
  if (name === "NoSuchBucket") return setUp(`there is no bucket ${bucket} at ${where} (IMAGES_S3_BUCKET).`);
  if (WRONG_REGION.test(name) || status === 301) {
    return setUp(`the bucket ${bucket} is not in the region ${region} (IMAGES_S3_REGION).`);
  }
  if (status === 403) {
    return setUp(
      `the credentials may not ${doing} in ${bucket}, below "${prefix}" (IMAGES_S3_BUCKET, IMAGES_S3_PREFIX).`,
    );
  }
  if (code === "ENOTFOUND") return setUp(`there is no host ${where} (IMAGES_S3_ENDPOINT).`);
  if (WRONG_CERTIFICATE.test(String(code))) {
    return setUp(`${where} does not speak https with a valid certificate: ${String(code)} (IMAGES_S3_ENDPOINT).`);
  }
  if (status !== undefined && !isWorthRetry(error)) {
    return setUp(`${where} refuses to ${doing}: ${name || status} (IMAGES_S3_ENDPOINT, IMAGES_S3_BUCKET).`);
  }
  if (/deserializ|Unexpected token|not well-formed/i.test(message)) {
    return setUp(`${where} does not speak S3 (IMAGES_S3_ENDPOINT).`);
  }
  return unavailable(error);
}

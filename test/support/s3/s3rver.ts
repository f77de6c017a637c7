import { createHash, createHmac } from "node:crypto";
import type * as Crypto from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { damageFile } from "./damage.ts";
import { refuse, startFront } from "./front.ts";
import type { S3Server } from "./server.ts";

/** Key and secret that the server knows; no others. */
const KEY = "S3RVER";
const BUCKET = "images";
/** The server stores the object `a/b` in files `a/b._S3rver_object` and `…_metadata.json`. */
const OBJECT = "._S3rver_object";

interface S3rver {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
  readonly logger: { close(): void };
}
const require = createRequire(import.meta.url);
tripleDes();
const S3rver = require("@20minutes/s3rver") as new (options: object) => S3rver;

/** Starts s3rver with an empty bucket. It checks signatures as S3 does, and here refuses requests without any. */
export async function startS3rver(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), "rewards-s3-"));
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: BUCKET }] });
  await s3rver.configureBuckets();
  const handle = s3rver.callback();
  const server = createServer((request, response) => {
    if (!isSigned(request)) return refuse(response, 403, "AccessDenied");
    signForS3rver(request);
    handle(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const front = await startFront((server.address() as AddressInfo).port);
  return {
    settings: {
      IMAGES_S3_BUCKET: BUCKET,
      IMAGES_S3_ENDPOINT: front.endpoint,
      IMAGES_S3_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
    },
    endpoint: front.endpoint,
    bucket: BUCKET,
    objects: async () => objectsBelow(join(directory, BUCKET)),
    behave: front.behave,
    damage: (name) => damageFile(join(directory, BUCKET, `${name}${OBJECT}`)),
    requests: front.requests,
    leave: front.close,
    comeBack: front.listen,
    stop: async () => {
      await front.close();
      server.close();
      server.closeAllConnections();
      s3rver.logger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * s3rver ciphers the places of long lists by DES, which OpenSSL 3 no longer has: with the same key three times the
 * triple one is the same.
 */
function tripleDes(): void {
  const crypto = require("node:crypto") as typeof Crypto;
  const { createCipheriv, createDecipheriv } = crypto;
  const threeTimes = (key: unknown): Buffer => Buffer.concat([key as Buffer, key as Buffer, key as Buffer]);
  crypto.createCipheriv = ((...[name, key, iv]: Parameters<typeof createCipheriv>) =>
    name === "des"
      ? createCipheriv("des-ede3-cbc", threeTimes(key), iv)
      : createCipheriv(name, key, iv)) as typeof createCipheriv;
  crypto.createDecipheriv = ((...[name, key, iv]: Parameters<typeof createDecipheriv>) =>
    name === "des"
      ? createDecipheriv("des-ede3-cbc", threeTimes(key), iv)
      : createDecipheriv(name, key, iv)) as typeof createDecipheriv;
}

/**
 * The SDK lists a bucket at `/images/`, and s3rver checks the signature for `/images`. If the signature is right for
 * the path that was sent, it is replaced by one for the other path.
 */
function signForS3rver(request: IncomingMessage): void {
  const [path = "", query = ""] = request.url!.split("?");
  const { authorization } = request.headers;
  if (!/^\/[^/]+\/$/.test(path) || authorization === undefined) return;
  const signature = /Signature=(\w+)/.exec(authorization)?.[1];
  if (signature !== signatureOf(request, path, query)) return;
  request.headers.authorization = authorization.replace(signature, signatureOf(request, path.slice(0, -1), query));
}

/** The signature of a request (AWS Signature Version 4) by the one known key. */
function signatureOf({ method, headers }: IncomingMessage, path: string, query: string): string {
  const [, scope = "", signed = ""] =
    /Credential=[^/]+\/([^,]+),\s*SignedHeaders=([^,]+)/.exec(headers.authorization!) ?? [];
  const sorted = query.split("&").toSorted().join("&");
  const lines = signed.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, path, sorted, lines.join(""), signed, headers["x-amz-content-sha256"]].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n");
  const key = scope.split("/").reduce<Buffer | string>((part, name) => hmac(part, name), `AWS4${KEY}`);
  return hmac(key, text).toString("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function isSigned({ headers, url }: IncomingMessage): boolean {
  return "authorization" in headers || /[?&]X-Amz-Signature=/.test(url ?? "");
}

function objectsBelow(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(OBJECT));
  return files.map((file) => file.slice(0, -OBJECT.length).replaceAll("\\", "/")).toSorted();
}

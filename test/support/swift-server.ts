import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

// OpenStack Swift with its S3 interface, as Debian packages it: a server by others, with rings and disks of its own.

const PROGRAMS = ["swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server"];
const BUCKET = "images";
const KEY = "test:tester";
const SECRET = "testing";
const START_MS = 60_000;

/** Why it cannot be started here; false: it can. */
export function swiftIsMissing(): string | false {
  if (process.getuid?.() !== 0) return "Swift starts as root only";
  const missing = PROGRAMS.filter((program) => !existsSync(join("/usr/bin", program)));
  return missing.length > 0
    ? `${missing.join(", ")} not installed`
    : !existsSync("/etc/swift/swift.conf") && "no swift.conf";
}

export interface SwiftServer {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Starts a proxy and one server of each kind on loopback, with an empty bucket. */
export async function startSwift(): Promise<SwiftServer> {
  const dir = mkdtempSync(join(tmpdir(), "rewards-swift-"));
  mkdirSync(join(dir, "disks/d1"), { recursive: true });
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.exitCode ?? new Promise((done) => child.once("exit", done))));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    for (const kind of ["account", "container", "object"]) {
      const port = await freePort();
      makeRing(dir, kind, port);
      children.push(startProgram(dir, kind, storageConfig(dir, kind, port)));
    }
    const port = await freePort();
    children.push(startProgram(dir, "proxy", proxyConfig(dir, port)));
    const endpoint = `http://127.0.0.1:${port}`;
    await createBucket(endpoint);
    return { endpoint, bucket: BUCKET, key: KEY, secret: SECRET, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeRing(dir: string, kind: string, port: number): void {
  const builder = join(dir, `${kind}.builder`);
  const run = (...args: string[]) => execFileSync("swift-ring-builder", [builder, ...args], { stdio: "ignore" });
  run("create", "4", "1", "0");
  run("add", `r1z1-127.0.0.1:${port}/d1`, "1");
  run("rebalance");
}

const common = (dir: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
workers = 0
swift_dir = ${dir}
log_level = ERROR
`;

function storageConfig(dir: string, kind: string, port: number): string {
  return `${common(dir, port)}devices = ${join(dir, "disks")}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxyConfig(dir: string, port: number): string {
  return `${common(dir, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET} .admin
`;
}

function startProgram(dir: string, kind: string, config: string): ChildProcess {
  const path = join(dir, `${kind}-server.conf`);
  writeFileSync(path, config);
  return spawn(`swift-${kind}-server`, [path], { stdio: "ignore" });
}

async function createBucket(endpoint: string): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
  });
  for (const deadline = Date.now() + START_MS; ; await sleep(200)) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
      return client.destroy();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}

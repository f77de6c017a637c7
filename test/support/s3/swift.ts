import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { ended, freePort, hasEnded } from "../processes.ts";
import { damageFile } from "./damage.ts";
import { startFront } from "./front.ts";
import type { S3Server } from "./server.ts";
import { ACCESS_KEY, ACCOUNT, HASH_SUFFIX, PARTS, SECRET_KEY, swiftSettings } from "./swift-settings.ts";
import type { Part } from "./swift-settings.ts";

// A real OpenStack Swift that speaks S3 (s3api), where one is installed (Debian: swift-proxy, swift-account,
// swift-container, swift-object): its four servers as processes of their own, with one device, a folder.

const PYTHON = "/usr/bin/python3";
const LAUNCHER = join(import.meta.dirname, "run-swift.py");
const BUCKET = "images";
type Ports = Readonly<Record<Part, number>>;
/** On a free machine five seconds. */
const START_MS_MAX = 120_000;

/** Why no Swift can be started here, for a test that is skipped; false: one can. */
export const NO_SWIFT: string | false =
  [PYTHON, ...PARTS.map(programOf)].every((path) => existsSync(path)) && process.platform === "linux"
    ? false
    : "Swift is not installed (Debian: swift-proxy swift-account swift-container swift-object)";

export interface Swift extends S3Server {
  /** Runs something while one of its servers is killed. */
  without(part: Part, run: () => Promise<void>): Promise<void>;
}

/** Starts it with an empty bucket. A start that fails leaves nothing. */
export async function startSwift(): Promise<Swift> {
  assert.equal(NO_SWIFT, false);
  const folder = mkdtempSync(join(tmpdir(), "rewards-swift-"));
  const servers = new Servers(folder);
  const removed = async () => {
    await servers.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ports = await prepare(folder);
    await servers.start(ports);
    const client = clientOf(`http://127.0.0.1:${ports.proxy}`);
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    const front = await startFront(ports.proxy);
    return {
      settings: {
        IMAGES_S3_BUCKET: BUCKET,
        IMAGES_S3_ENDPOINT: front.endpoint,
        IMAGES_S3_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: ACCESS_KEY,
        AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      },
      endpoint: front.endpoint,
      bucket: BUCKET,
      objects: () => objectsIn(client),
      behave: front.behave,
      damage: (name) => damageFile(fileOf(folder, name)),
      requests: front.requests,
      leave: async () => {
        await servers.kill();
        await front.close();
      },
      comeBack: async () => {
        await servers.start(ports);
        await front.listen();
      },
      without: async (part, run) => {
        await servers.kill([part]);
        try {
          await run();
        } finally {
          await servers.start(ports, [part]);
        }
      },
      stop: async () => {
        client.destroy();
        await front.close();
        await removed();
      },
    };
  } catch (error) {
    await removed();
    throw error;
  }
}

/** Writes the settings and the rings, and returns the ports of the servers. */
async function prepare(folder: string): Promise<Ports> {
  mkdirSync(join(folder, "devices/one"), { recursive: true });
  const ports: Record<Part, number> = { account: 0, container: 0, object: 0, proxy: 0 };
  for (const part of PARTS) ports[part] = await freePort();
  for (const [name, text] of Object.entries(swiftSettings(folder, ports))) {
    writeFileSync(join(folder, name), text);
  }
  const { proxy: _, ...rings } = ports;
  await promisify(execFile)(PYTHON, [LAUNCHER, folder, "rings", JSON.stringify(rings)]);
  return ports;
}

/** Its four servers, each a process. */
class Servers {
  readonly #running = new Map<Part, ChildProcess>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Done when they respond. */
  async start(ports: Ports, parts: readonly Part[] = PARTS): Promise<void> {
    await Promise.all(
      parts.map((part) => {
        const child = spawnPart(part, this.#folder);
        this.#running.set(part, child);
        return responding(part, child, ports[part]);
      }),
    );
  }

  async kill(parts: readonly Part[] = PARTS): Promise<void> {
    const killed = parts.flatMap((part) => this.#running.get(part) ?? []);
    for (const child of killed) child.kill("SIGKILL");
    await Promise.all(killed.map(ended));
  }
}

function programOf(part: Part): string {
  return `/usr/bin/swift-${part}-server`;
}

function spawnPart(part: Part, folder: string): ChildProcess {
  const args = [LAUNCHER, folder, programOf(part), join(folder, `${part}.conf`), "--verbose"];
  return spawn(PYTHON, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] } });
}

async function responding(part: Part, child: ChildProcess, port: number): Promise<void> {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-10_000)));
  }
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/healthcheck`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const endsAt = performance.now() + START_MS_MAX; !(await isThere()); await sleep(50)) {
    assert.ok(performance.now() < endsAt && !hasEnded(child), `swift-${part}-server did not start:\n${output}`);
  }
}

function clientOf(endpoint: string): S3Client {
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
}

async function objectsIn(client: S3Client): Promise<string[]> {
  const names: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: BUCKET })) {
    names.push(...Contents.map(({ Key }) => Key!));
  }
  return names.toSorted();
}

/** The file of an object: its folder is the hash of its name. */
function fileOf(folder: string, name: string): string {
  const hash = createHash("md5").update(`/${ACCOUNT}/${BUCKET}/${name}${HASH_SUFFIX}`).digest("hex");
  const files = globSync(join(folder, "devices/one/objects/*/*", hash, "*.data"));
  assert.equal(files.length, 1, `the file of ${name}`);
  return files[0]!;
}

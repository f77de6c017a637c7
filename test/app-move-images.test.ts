import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { TestContext } from "node:test";
import { findApplication } from "../src/applications/store.ts";
import { readEnv, toConfig } from "../src/config.ts";
import { openImages } from "../src/images/open-images.ts";
import type { Images } from "../src/images/open-images.ts";
import { installationKey } from "../src/installation.store.ts";
import { NO_METERS } from "../src/meters.ts";
import { MoveRefused } from "../src/moving/alone.task.ts";
import { cleanMove, STEPS } from "../src/moving/move.task.ts";
import type { MoveDeps, Step } from "../src/moving/move.task.ts";
import { StorageUnavailable } from "../src/storage-failures.ts";
import { runCommand } from "./support/commands.ts";
import { silent } from "./support/database.ts";
import { formFor, picture } from "./support/groceries.ts";
import { startS3 } from "./support/s3/server.ts";
import type { S3Server } from "./support/s3/server.ts";
import type { Client, TestService } from "./support/service.ts";
import { Killed, SOUTH, callAt, move, movingFrom, startTwoCells, undo } from "./support/two-cells.ts";
import type { TwoCells } from "./support/two-cells.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

// An application moves with its images in a bucket or a folder: each is there afterwards, in one place alone.

let s3: S3Server;
let other: S3Server;
before(async () => {
  [s3, other] = [await startS3(), await startS3()];
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) process.env[name] = s3.settings[name];
});
after(async () => {
  await s3.stop();
  await other.stop();
});

/** The settings of images of a cell. */
type Env = Record<string, string>;

/** Bucket settings, with a prefix of their own. */
function bucketAt(server: S3Server): Env {
  return { ...server.settings, IMAGES_S3_PREFIX: `p${randomBytes(6).toString("hex")}` };
}

/** What the processes of the cell `south` have beside DATABASE_SCHEMA, which a test's service is started without. */
function inSouth(env: Env): Env {
  return env["IMAGES_S3_PREFIX"] === undefined ? env : { ...env, IMAGES_S3_PREFIX: `${env["IMAGES_S3_PREFIX"]}/south` };
}

async function startCells(t: TestContext, here: Env, there: Env, kind?: "databases"): Promise<TwoCells> {
  const cells = await startTwoCells(kind, { env: here, southEnv: there });
  t.after(() => cells.close());
  return cells;
}

interface Status {
  readonly status: string;
  readonly receiptStatusDoc: { readonly uploadStateData: { readonly blobUrl: string; readonly blobName: string } };
}

/** Uploads receipts, one of them with two photos, and waits until they are read. Returns their ids. */
async function shopper(service: TestService, client: Client): Promise<string[]> {
  const userId = await client.enrol();
  const ids: string[] = [];
  for (const parts of [[], [["receiptImage2", await picture()]], []] as const) {
    ids.push(await acceptedReceipt(service, client, { fields: formFor(userId), parts }));
  }
  for (const id of ids) await statusUntil<Status>(client, id, ({ status }) => /^(Completed|Failed)$/.test(status));
  return ids;
}

/** The digests of what the links of receipts show, from a cell. */
async function shown(service: TestService, client: Client, ids: readonly string[]): Promise<string[]> {
  const digests: string[] = [];
  for (const id of ids) {
    const status = await callAt(service, client, "GET", `/track/receipts/${id}/status`);
    const { blobUrl } = status.json<Status>().receiptStatusDoc.uploadStateData;
    let bytes: Buffer;
    if (new URL(blobUrl).hostname === "127.0.0.1") bytes = Buffer.from(await (await fetch(blobUrl)).arrayBuffer());
    else bytes = (await service.app.server.inject({ url: blobUrl.replace("http://rewards.test", "") })).rawPayload;
    digests.push(createHash("sha256").update(bytes).digest("hex"));
  }
  return digests;
}

/** The names of images below a place, without what is in front of their keys. */
async function imagesAt({ dataDir }: TestService, env: Env): Promise<string[]> {
  const { IMAGES_S3_BUCKET: bucket, IMAGES_S3_ENDPOINT: endpoint, IMAGES_S3_PREFIX: prefix } = env;
  const files = readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" });
  const inFolder = files.filter((name) => name.endsWith(".jpg"));
  if (bucket === undefined) return inFolder.toSorted();
  assert.deepEqual(inFolder, []);
  const start = `${prefix}/`;
  const names = await (endpoint === s3.endpoint ? s3 : other).objects();
  return names.filter((name) => name.startsWith(`${start}receipts/`)).map((name) => name.slice(start.length));
}

function temporaryAt({ dataDir }: TestService): string[] {
  return readdirSync(join(dataDir, "files/tmp"));
}

async function opened({ database, dataDir }: TestService, env: Env): Promise<Images> {
  const config = toConfig(readEnv({ ...env, DATA_DIR: dataDir }));
  return openImages({ config, installationKey: await installationKey(database), log: silent, meters: NO_METERS });
}

interface Opened {
  readonly here: Images;
  readonly there: Images;
}

async function openedOf({ north, south }: TwoCells, envs: { here: Env; there: Env }, t: TestContext): Promise<Opened> {
  const [here, there] = [await opened(north, envs.here), await opened(south, envs.there)];
  t.after(() => {
    here.close();
    there.close();
  });
  return { here, there };
}

/** As `movingFrom`, with the images of both cells. */
function deps({ north, south }: TwoCells, { here, there }: Opened, killedAfter: Step | null = null): MoveDeps {
  return { ...movingFrom(north, south, killedAfter), files: { source: here.files, target: there.files } };
}

const inTarget = (env: Env) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [`TARGET_${name}`, value]));

for (const [what, places] of [
  ["within one bucket, where the schema is the prefix", () => [bucketAt(s3), null]],
  ["from one bucket to another one", () => [bucketAt(s3), bucketAt(other)]],
  ["from a folder to a bucket", () => [{}, bucketAt(s3)]],
  ["from a bucket to a folder", () => [bucketAt(s3), { IMAGES_STORE: "folder" }]],
] satisfies [string, () => [Env, Env | null]][]) {
  test(`by the command line, ${what}: every image is there afterwards, and gone here after --clean`, async (t) => {
    const [here, given] = places();
    const there = inSouth(given ?? here);
    const cells = await startCells(t, here, there);
    const { north, south } = cells;
    const [client, neighbour] = [await north.newClient(), await north.newClient()];
    const neighbours = await shopper(north, neighbour);
    const before = await imagesAt(north, here);
    const ids = await shopper(north, client);
    const images = (await imagesAt(north, here)).filter((name) => !before.includes(name));
    const digests = await shown(north, client, ids);
    assert.equal(images.length, 4);
    assert.ok(new Set(digests).size > 1);

    mkdirSync(join(south.dataDir, "south"));
    // The folder of the other cell is below, as its own processes would have it with DATABASE_SCHEMA.
    const env = { ...here, DATA_DIR: north.dataDir, TARGET_DATA_DIR: south.dataDir, ...(given && inTarget(given)) };
    const run = (...args: string[]) =>
      runCommand<{ images: number }>(north.database, ["app", "move", "--client-id", client.clientId, ...args], { env });
    const [moved] = await run("--to-schema", "south", "--address", SOUTH);
    assert.equal(moved!.images, 4);
    const at = given?.["IMAGES_STORE"] === "folder" ? { ...south, dataDir: join(south.dataDir, "south") } : south;
    assert.deepEqual(await imagesAt(at, there.IMAGES_S3_BUCKET === undefined ? {} : there), images);
    if (at === south) assert.deepEqual(await shown(south, client, ids), digests);

    const [cleaned] = await run("--clean");
    assert.equal(cleaned!.images, 4);
    assert.deepEqual(await imagesAt(north, here), before, "the neighbour's are still here");
    assert.equal((await shown(north, neighbour, neighbours)).length, 3);
    assert.deepEqual(await imagesAt(at, there.IMAGES_S3_BUCKET === undefined ? {} : there), images);
    assert.deepEqual([temporaryAt(north), temporaryAt(at)], [[], []], "nothing is left on the disk");
  });
}

test("killed after any step, or among the images, the command goes on; undone, nothing of it is in the other bucket", async (t) => {
  const envs = { here: bucketAt(s3), there: bucketAt(other) };
  const cells = await startCells(t, envs.here, envs.there);
  const images = await openedOf(cells, envs, t);
  for (const step of [...STEPS, "among the images"] as const) {
    const client = await cells.north.newClient();
    const ids = await shopper(cells.north, client);
    const digests = await shown(cells.north, client, ids);
    const [here, there] = [await imagesAt(cells.north, envs.here), await imagesAt(cells.south, envs.there)];
    const killing = step === "among the images" ? killedAmong(cells, images) : deps(cells, images, step);
    await assert.rejects(move(killing, client), Killed, step);
    if (step === "among the images" || STEPS.indexOf(step) < STEPS.indexOf("switched")) {
      await undo(deps(cells, images), client);
      assert.deepEqual(
        [await imagesAt(cells.north, envs.here), await imagesAt(cells.south, envs.there)],
        [here, there],
        step,
      );
      assert.deepEqual(await shown(cells.north, client, ids), digests, step);
      await assert.rejects(move(killing, client), Killed, step);
    }
    assert.equal((await move(deps(cells, images), client)).images, hasCopied(step) ? 0 : 4, step);
    assert.deepEqual(await shown(cells.south, client, ids), digests, step);
    assert.equal((await imagesAt(cells.south, envs.there)).length, there.length + 4, step);
    const application = (await findApplication(cells.north.database, client.applicationId))!;
    await cleanMove(deps(cells, images), application, new Date());
    assert.equal((await imagesAt(cells.north, envs.here)).length, here.length - 4, step);
    assert.deepEqual([temporaryAt(cells.north), temporaryAt(cells.south)], [[], []], step);
  }
});

/** From the switch on no image is copied any more. */
function hasCopied(step: Step | "among the images"): boolean {
  return step !== "among the images" && STEPS.indexOf(step) >= STEPS.indexOf("switched");
}

/** The command is killed when two images are copied. */
function killedAmong(cells: TwoCells, images: Opened): MoveDeps {
  const moving = deps(cells, images);
  let stored = 0;
  const target = {
    ...images.there.files,
    put: async (key: string, path: string) => {
      if ((stored += 1) > 2) throw new Killed("among the images");
      await images.there.files.put(key, path);
    },
  };
  return { ...moving, files: { ...moving.files, target } };
}

test("while a bucket is away the application stays closed on both sides; when it is back the command goes on", async (t) => {
  const envs = { here: bucketAt(s3), there: bucketAt(other) };
  const cells = await startCells(t, envs.here, envs.there);
  const client = await cells.north.newClient();
  const ids = await shopper(cells.north, client);
  const digests = await shown(cells.north, client, ids);
  for (const server of [s3, other]) {
    const images = await openedOf(cells, envs, t);
    const leaving = {
      ...deps(cells, images),
      onStep: (step: Step) => void (step === "copied" && server.behave("busy")),
    };
    await assert.rejects(move(leaving, client), StorageUnavailable);
    server.behave("serves");
    for (const { database } of [cells.north, cells.south]) {
      assert.notEqual((await findApplication(database, client.applicationId))!.closedAt, null);
    }
  }
  const moved = await move(deps(cells, await openedOf(cells, envs, t)), client);
  assert.deepEqual([moved.images, moved.imagesMissing], [4, 0]);
  assert.deepEqual(await shown(cells.south, client, ids), digests);
});

test("a damaged image stops the move with its name; what another one has left at the target is replaced", async (t) => {
  const envs = { here: bucketAt(s3), there: bucketAt(other) };
  const cells = await startCells(t, envs.here, envs.there);
  const images = await openedOf(cells, envs, t);
  const client = await cells.north.newClient();
  const ids = await shopper(cells.north, client);
  const digests = await shown(cells.north, client, ids);
  await assert.rejects(move(deps(cells, images, "pictured"), client), Killed);
  const [first, second] = await imagesAt(cells.south, envs.there);
  other.damage(`${envs.there["IMAGES_S3_PREFIX"]}/${first}`);
  await images.there.files.remove(second!);
  await move(deps(cells, images), client);
  assert.deepEqual(await shown(cells.south, client, ids), digests);
  assert.equal(await digestAt(images.there, first!), await digestAt(images.here, first!));

  const before = await imagesAt(cells.north, envs.here);
  const unlucky = await cells.north.newClient();
  await shopper(cells.north, unlucky);
  const damaged = (await imagesAt(cells.north, envs.here)).find((name) => !before.includes(name))!;
  s3.damage(`${envs.here["IMAGES_S3_PREFIX"]}/${damaged}`);
  await assert.rejects(move(deps(cells, images), unlucky), (error: Error) => error.message.includes(damaged));
  await undo(deps(cells, images), unlucky);
  assert.equal((await findApplication(cells.north.database, unlucky.applicationId))!.closedAt, null);
});

async function digestAt({ files }: Images, key: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of (await files.open(key))!) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

test("two cells whose images are in the same place are refused before anything is closed, and none is removed", async (t) => {
  const env = bucketAt(s3);
  // The same bucket under another name.
  const alias = { ...env, IMAGES_S3_ENDPOINT: s3.endpoint.replace("127.0.0.1", "localhost") };
  const cells = await startCells(t, env, alias, "databases");
  const client = await cells.north.newClient();
  await shopper(cells.north, client);
  const images = await openedOf(cells, { here: env, there: alias }, t);
  await assert.rejects(
    move(deps(cells, images), client),
    (error) => error instanceof MoveRefused && /in the same place/.test(error.message),
  );
  const settings = { ...env, DATA_DIR: cells.north.dataDir, TARGET_DATABASE_URL: cells.south.databaseUrl };
  const args = ["app", "move", "--client-id", client.clientId, "--address", SOUTH, "--to-schema"];
  const run = (more: Env) =>
    runCommand(cells.north.database, [...args, cells.south.database.schema], { env: { ...settings, ...more } });
  // In the cells of `npm run test:cells` the schema is in the folder and the prefix of the target alone.
  if (cells.south.database.schema === "public") {
    await assert.rejects(run({}), /same folder: set TARGET_DATA_DIR/);
    await assert.rejects(run({ TARGET_DATA_DIR: cells.south.dataDir }), /same place in the same bucket: set TARGET_/);
  }
  await assert.rejects(
    run({ TARGET_DATA_DIR: cells.south.dataDir, TARGET_IMAGES_S3_PREFIX: "south" }),
    /TARGET_IMAGES_S3_PREFIX needs an TARGET_IMAGES_S3_BUCKET/,
  );
  assert.equal((await findApplication(cells.north.database, client.applicationId))!.closedAt, null);
  assert.equal((await imagesAt(cells.north, env)).length, 4);
});

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { after, before, beforeEach, test } from "node:test";
import { crc32 } from "node:zlib";
import type { LightMyRequestResponse } from "fastify";
import sharp from "sharp";
import { fileKey } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import { createImageField } from "../src/receipts/image-field.task.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { NOW, startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

let service: ReceiptsUnderTest;
let app: TestClient;
let userId: string;

before(async () => {
  service = await startReceipts();
  app = await service.client();
  service.read = async () => pageOf(GROCERIES);
  await service.server.listen({ host: "127.0.0.1", port: 0 });
});
after(() => service.close());
beforeEach(async () => {
  service.clock.now = NOW;
  userId = await app.enrol();
});

interface ProblemBody {
  code: string;
  detail: string;
  errors?: Record<string, string[]>;
}

/** Asserts a rejection that leaves nothing behind: no temporary file, no stored one, no receipt. */
async function refused(
  upload: () => Promise<LightMyRequestResponse>,
  status: number,
  faultyFields: readonly string[] = [],
): Promise<ProblemBody> {
  const stored = service.storedFiles().length;
  const response = await upload();
  assert.equal(response.statusCode, status, response.body);
  assert.equal(response.headers["content-type"], "application/problem+json");
  const problem = response.json<ProblemBody>();
  assert.deepEqual(Object.keys(problem.errors ?? {}).sort(), [...faultyFields].sort());
  assert.deepEqual(service.temporaryFiles(), []);
  assert.equal(service.storedFiles().length, stored);
  return problem;
}

async function withImage(image: Buffer, status: number, faultyFields: readonly string[] = []): Promise<ProblemBody> {
  return refused(() => app.upload({ fields: formFor(userId), image }), status, faultyFields);
}

/** A body of the given parts, for bodies that no client library writes. */
function send(parts: readonly string[], end = "--b--\r\n", contentType = "multipart/form-data; boundary=b") {
  return service.server.inject({
    method: "POST",
    url: "/track/receipts?api-version=1.0",
    headers: { ...app.headers, "content-type": contentType },
    payload: parts.map((part) => `--b\r\n${part}\r\n`).join("") + end,
  });
}

async function uploadWith(client: TestClient, testBlobUri: string): Promise<LightMyRequestResponse> {
  const fields = formFor(await client.enrol());
  return client.upload({ fields, image: await picture() }, `&testBlobUri=${encodeURIComponent(testBlobUri)}`);
}

function textPart(name: string, value: string): string {
  return `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

const FILE_PART = 'content-disposition: form-data; name="receiptImage"; filename="r.jpg"\r\n\r\nbytes';

test("every error of a form is reported at once, also the unknown user and the image", async () => {
  const fields = { userId: "01890a5d-ac96-774b-bcce-b302099a8057", amount: "1e400", transactionTimestamp: "yesterday" };
  const problem = await refused(() => app.upload({ fields, image: Buffer.from("GIF89a") }), 400, [
    "userId",
    "transactionId",
    "amount",
    "merchantName",
    "transactionTimestamp",
    "receiptImage",
  ]);
  assert.equal(problem.code, "ValidationFailed");
  await refused(() => app.upload({ fields: {} }), 400, [
    "userId",
    "transactionId",
    "amount",
    "merchantName",
    "transactionTimestamp",
    "receiptImage",
  ]);
});

test("an amount is a number of at least 0.01", async () => {
  for (const amount of ["0", "-1", "0.009", "1e400", "NaN", "Infinity", "12,50", "0x10", "ten", "1e10"]) {
    await refused(async () => app.upload({ fields: formFor(userId, { amount }), image: await picture() }), 400, [
      "amount",
    ]);
  }
  for (const amount of ["0.01", "12.5", "1e2", " 7.40 "]) {
    await app.accepted({ fields: formFor(userId, { amount }), image: await picture() });
  }
});

test("a time has a zone and exists", async () => {
  for (const transactionTimestamp of [
    "2026-10-24T10:41:00",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "24/10/2026",
  ]) {
    await refused(
      async () => app.upload({ fields: formFor(userId, { transactionTimestamp }), image: await picture() }),
      400,
      ["transactionTimestamp"],
    );
  }
});

test("a field that is given twice, too long or cannot be stored is an error of that field", async () => {
  const image = await picture();
  const faulty = [
    { transactionId: ["a", "b"] },
    { merchantName: "x".repeat(256) },
    { merchantName: "x".repeat(100_000) },
    { merchantName: "nul \0" },
    { merchantName: "  " },
  ];
  for (const changes of faulty) {
    await refused(() => app.upload({ fields: formFor(userId, changes), image }), 400, Object.keys(changes));
  }
  await refused(() => app.upload({ fields: formFor(userId, { merchantName: "x".repeat(2 << 20) }), image }), 400, [
    "merchantName",
  ]);
  await app.accepted({ fields: formFor(userId, { merchantName: "🍏".repeat(255) }), image });
});

test("a value that cannot be stored is an error of its field, also in a part with the type of JSON", async () => {
  for (const value of ['"half \\ud800"', '"nul \\u0000"', '{"a":1}', "[1]", "null"]) {
    const { receiptImage: _, ...fields } = formFor(userId) as Record<string, string>;
    delete fields["merchantName"];
    const others = Object.entries(fields).map(([name, text]) => textPart(name, text));
    const json = `content-disposition: form-data; name="merchantName"\r\ncontent-type: application/json\r\n\r\n${value}`;
    await refused(() => send([...others, json]), 400, ["merchantName", "receiptImage"]);
  }
});

test("an image sent as text is no image, not even beside one", async () => {
  const fields = formFor(userId, { receiptImage: "bytes" });
  await refused(() => app.upload({ fields }), 400, ["receiptImage"]);
  await refused(async () => app.upload({ fields, image: await picture() }), 400, ["receiptImage"]);
});

test("a client that goes on sending after the rejection receives it", async () => {
  const { port } = service.server.server.address() as { port: number };
  const head = Buffer.from(`--b\r\n${FILE_PART.replace("bytes", "")}`);
  const tooLarge = Buffer.concat([head, Buffer.alloc(6 * 1024 * 1024, "x"), Buffer.from("\r\n--b--\r\n")]);
  const twoFiles = Buffer.concat([Buffer.from(`--b\r\n${FILE_PART}\r\n`), tooLarge]);
  for (const body of [tooLarge, twoFiles]) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const headers = {
      ...app.headers,
      "content-type": "multipart/form-data; boundary=b",
      "content-length": body.length,
      connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /track/receipts?api-version=1.0 HTTP/1.1\r\nhost: x\r\n${lines.join("")}\r\n`);
    // The client's side stays open, like a browser's: Node's server doesn't respond to a half-closed connection.
    socket.write(body);
    // Not as a stream: closing the connection during a write is no error here. Only the bytes before it count.
    let response = "";
    socket.on("data", (chunk: Buffer) => {
      response += chunk.toString();
    });
    await new Promise((closed) => socket.once("close", closed));
    assert.match(response, /^HTTP\/1\.1 413 /);
    assert.equal(response.match(/HTTP\/1\.1/g)?.length, 1);
  }
  assert.deepEqual(service.temporaryFiles(), []);
});

test("fields and file come in any order, and unknown fields are ignored", async () => {
  const fields = { ...formFor(userId), lifetimePoints: "1000000", userID: "someone" };
  const texts = Object.entries(fields).map(([name, value]) => `--b\r\n${textPart(name, value)}\r\n`);
  const payload = Buffer.concat([
    Buffer.from(`--b\r\n${FILE_PART.replace("bytes", "")}`),
    await picture(),
    Buffer.from(`\r\n${texts.join("")}--b--\r\n`),
  ]);
  const response = await service.server.inject({
    method: "POST",
    url: "/issuers/track/receipts?api-version=1.0",
    headers: { ...app.headers, "content-type": `multipart/form-data; boundary=b` },
    payload,
  });
  assert.equal(response.statusCode, 200, response.body);
  assert.deepEqual(Object.keys(response.json<object>()), ["receiptID", "message"]);
});

const REQUIRED = ["userId", "transactionId", "merchantName", "amount", "transactionTimestamp"];

test("two thousand fields or six files are too many for a form; a photo is given once", async () => {
  const many = Array.from({ length: 2_000 }, (_, i) => textPart(`f${i}`, "x"));
  assert.match((await refused(() => send(many), 413)).detail, /^The form has more than 50 fields/);
  await refused(() => send(Array.from({ length: 6 }, () => FILE_PART)), 413);
  const twice = await refused(() => send([FILE_PART, FILE_PART]), 400, [...REQUIRED, "receiptImage"]);
  assert.deepEqual(twice.errors?.["receiptImage"], ["must be given once"]);
});

test("names of inherited members are rejected", async () => {
  for (const name of ["__proto__", "constructor", "toString"]) await refused(() => send([textPart(name, "x")]), 400);
});

test("a form without boundary, with the wrong one, or cut off is malformed", async () => {
  await refused(() => send([FILE_PART], "--b--\r\n", "multipart/form-data"), 400);
  await refused(() => send([FILE_PART], "--b--\r\n", "multipart/form-data; boundary=other"), 400);
  await refused(() => send([FILE_PART], ""), 400);
  await refused(() => send([], '--b\r\ncontent-disposition: form-data; name="userId"\r\n\r\nhalf'), 400);
  await refused(() => send([], `--b\r\n${FILE_PART}`), 400);
});

test("JSON and other bodies are not accepted as a form", async () => {
  await refused(() => send([], "{}", "application/json"), 415);
  await refused(() => send([], "a=b", "application/x-www-form-urlencoded"), 415);
});

test("a client that disconnects in the middle of its image leaves nothing", async () => {
  const { port } = service.server.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  const headers = Object.entries({
    ...app.headers,
    "content-type": "multipart/form-data; boundary=b",
    "content-length": 9_999,
  });
  socket.write(
    `POST /track/receipts?api-version=1.0 HTTP/1.1\r\nhost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  socket.write(`--b\r\n${FILE_PART}`);
  await until(() => service.temporaryFiles().length === 1);
  socket.destroy();
  await until(() => service.temporaryFiles().length === 0);
});

test("a file that is no complete JPEG or PNG is rejected, whatever its name", async () => {
  const jpeg = await sharp(await picture())
    .resize(400)
    .jpeg()
    .toBuffer();
  const refusals: Record<string, Buffer> = {
    "an empty file": Buffer.alloc(0),
    "a GIF": Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1"),
    "a PDF": Buffer.from("%PDF-1.7\n"),
    "an SVG": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "HTML behind the signature of a JPEG": Buffer.from("\xff\xd8\xff<html></html>", "latin1"),
    "nothing but the signature of a PNG": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    "half a JPEG": jpeg.subarray(0, jpeg.length / 2),
    "a WebP": await sharp(jpeg).webp().toBuffer(),
    "a HEIC": Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
  };
  const said: Record<string, string> = {};
  for (const [name, image] of Object.entries(refusals)) {
    const problem = await withImage(image, 400, ["receiptImage"]);
    assert.equal(problem.code, "ValidationFailed", name);
    said[name] = problem.errors!["receiptImage"]!.join();
  }
  assert.match(said["a HEIC"]!, /converted to JPEG before it is sent; iOS does so by itself/);
  assert.match(said["a PDF"]!, /converted to JPEG before it is sent; send a picture of its page/);
  const whatItIs = Object.entries(said).map(([name, text]) => [
    name,
    / this is (\w+), which has to be/.exec(text)?.[1],
  ]);
  assert.deepEqual(
    whatItIs.filter(([, format]) => format !== undefined),
    [
      ["a GIF", "GIF"],
      ["a PDF", "PDF"],
      ["a WebP", "WebP"],
      ["a HEIC", "HEIC"],
    ],
  );
});

test("an image over the limit of bytes or pixels is too large, and is not decoded to find out", async () => {
  const noise = Buffer.alloc(3 * 1024 * 1024, "\xff\xd8\xff", "latin1");
  const tooManyBytes = await withImage(noise, 413);
  assert.equal(tooManyBytes.code, "PayloadTooLarge");
  assert.match(tooManyBytes.detail, /^The image has more than \d+ bytes\.$/);
  const header = Buffer.from("IHDR\x00\x00\x75\x30\x00\x00\x75\x30\x08\x02\x00\x00\x00", "latin1");
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(header));
  const bomb = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "latin1"), header, checksum]);
  assert.match((await withImage(bomb, 413)).detail, /^The image has more than \d+ pixels\.$/);
});

test("the stored image is upright and has no location", async () => {
  const image = await sharp({ create: { width: 60, height: 30, channels: 3, background: "white" } })
    .withExif({ IFD0: { Make: "CAMERA" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const id = await app.accepted({ fields: formFor(userId), image });
  const { blobUrl } = (await app.status(id)).receiptStatusDoc.uploadStateData;
  const { pathname, search } = new URL(blobUrl ?? assert.fail());
  const response = await service.server.inject({ url: pathname + search });
  const { width, height, exif, format } = await sharp(response.rawPayload).metadata();
  assert.deepEqual({ width, height, exif, format }, { width: 30, height: 60, exif: undefined, format: "jpeg" });
});

test("a link to an image is valid for five minutes, and only unchanged", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  const { blobUrl } = (await app.status(id)).receiptStatusDoc.uploadStateData;
  const path = (blobUrl ?? assert.fail()).replace("http://rewards.test", "");
  const get = async (url: string) => service.server.inject({ url });
  const response = await get(path);
  assert.deepEqual(
    [response.statusCode, response.headers["content-type"], response.headers["cache-control"]],
    [200, "image/jpeg", "private, no-store"],
  );
  const other = await app.accepted({ fields: formFor(userId), image: await picture() });
  const changed = [
    path.replace(/.&signature/, "9&signature"),
    path.replace(/signature=./, "signature=~"),
    path.replace(/&signature.*/, ""),
    path.replaceAll(id, other).replace(`/${id.slice(-2)}/`, `/${other.slice(-2)}/`),
    "/files/../tmp/x?expires=9999999999&signature=x",
    "/files/receipts/ff?expires[]=1&signature=x",
  ];
  for (const url of changed) assert.equal((await get(url)).statusCode, 404, url);
  service.clock.now = new Date(NOW.getTime() + 300_000);
  assert.equal((await get(path)).statusCode, 404);
});

test("another application's users and receipts look as if they didn't exist", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  const other = await service.client();
  await refused(async () => other.upload({ fields: formFor(userId), image: await picture() }), 400, ["userId"]);
  const statusOf = (name: string) =>
    service.server.inject({ url: `/track/receipts/${name}/status?api-version=1.0`, headers: other.headers });
  for (const name of [id, "01890a5d-ac96-774b-bcce-b302099a8057", "__proto__", "%00", "' OR '1'='1", "..%2f"]) {
    const response = await statusOf(name);
    assert.equal(response.statusCode, 404, name);
    assert.equal(response.json<ProblemBody>().code, "NotFound");
  }
});

test("without credentials or api-version the form is not read", async () => {
  const response = await service.server.inject({
    method: "POST",
    url: "/track/receipts?api-version=1.0",
    payload: "x",
  });
  assert.equal(response.statusCode, 401);
  const unversioned = await service.server.inject({ method: "POST", url: "/track/receipts", headers: app.headers });
  assert.equal(unversioned.json<ProblemBody>().code, "ApiVersionUnspecified");
});

test("testBlobUri is for sandboxes, and is a sample or an allowed address", async () => {
  await refused(() => uploadWith(app, "sample:completed"), 400, ["testBlobUri"]);
  const sandbox = await service.client(true);
  const faulty = ["sample:nothing", "sample:__proto__", "http://images.example.org/a.jpg", "https://10.0.0.1/a.jpg"];
  for (const uri of [...faulty, "https://u:p@images.example.org/a.jpg", "file:///etc/passwd", ""]) {
    await refused(() => uploadWith(sandbox, uri), 400, ["testBlobUri"]);
  }
  await refused(() => uploadWith(sandbox, "https://images.example.org/missing.jpg"), 400, ["testBlobUri"]);
  const breakingOff = async function* () {
    yield await picture();
    throw new Error("connection lost");
  };
  service.testImages.set("https://images.example.org/broken.png", breakingOff());
  await refused(() => uploadWith(sandbox, "https://images.example.org/broken.png"), 400, ["testBlobUri"]);
  service.testImages.set("https://images.example.org/endless.png", [Buffer.alloc(3 * 1024 * 1024)]);
  await refused(() => uploadWith(sandbox, "https://images.example.org/endless.png"), 400, ["testBlobUri"]);
  service.testImages.set("https://images.example.org/receipt.png", [await picture()]);
  assert.equal((await uploadWith(sandbox, "https://images.example.org/receipt.png")).statusCode, 200);
});

test("the name of an uploaded file is ignored, also as a path", async () => {
  const planted = `planted-${uuidv7(Date.now(), new Uint8Array(10))}.jpg`;
  for (const name of [`../../${planted}`, join(service.dir, planted), `..\\..\\${planted}`]) {
    const texts = Object.entries(formFor(userId)).map(([field, text]) => `--b\r\n${textPart(field, String(text))}\r\n`);
    const part = `content-disposition: form-data; name="receiptImage"; filename="${name}"`;
    const payload = [
      Buffer.from(`${texts.join("")}--b\r\n${part}\r\n\r\n`),
      await picture(),
      Buffer.from("\r\n--b--\r\n"),
    ];
    const headers = { ...app.headers, "content-type": "multipart/form-data; boundary=b" };
    const request = { method: "POST", url: "/track/receipts?api-version=1.0", headers } as const;
    const response = await service.server.inject({ ...request, payload: Buffer.concat(payload) });
    assert.equal(response.statusCode, 200, response.body);
  }
  const around = [dirname(service.dir), dirname(dirname(service.dir)), service.dir, join(service.dir, "tmp")];
  for (const folder of around)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes("planted")),
      [],
    );
  for (const name of service.storedFiles()) assert.match(name, /^receipts.[0-9a-f]{2}.[0-9a-f-]{36}\.jpg$/);
});

test("a limited number of images is held at once, until they are discarded", async () => {
  const field = createImageField(service.files, 10, 1);
  const form = () => field.of("application", "api");
  const bytes = () => Readable.from([Buffer.from("image")]);
  const first = await form().receive(bytes());
  await assert.rejects(form().receive(bytes()), { problem: "unavailable" });
  await field.discard(first);
  assert.equal((await form().receive(Readable.from([Buffer.alloc(11)]))).kind, "too_large");
  await field.discard(await form().receive(bytes()));
  // The photos of one form have one place, and the size of one photo together.
  const several = form();
  const photos = [await several.receive(bytes()), await several.receive(bytes())];
  assert.equal((await several.receive(bytes())).kind, "too_large");
  await field.discard(photos[0]!);
  await assert.rejects(form().receive(bytes()), { problem: "unavailable" });
  await field.discard(photos[1]!);
  await field.discard(await form().receive(bytes()));
  assert.deepEqual(service.temporaryFiles(), []);
});

test("twenty uploads at once are all accepted", async () => {
  const uploads = await Promise.all(
    Array.from({ length: 20 }, async () => app.upload({ fields: formFor(userId), image: await picture() })),
  );
  assert.deepEqual(
    uploads.map((response) => response.statusCode),
    uploads.map(() => 200),
  );
  assert.deepEqual(service.temporaryFiles(), []);
});

test("while too many receipts are pending uploads get 503 with Retry-After, and nothing is stored", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  service.limit({ waitingMax: 1 });
  try {
    const upload = async () => {
      const response = await app.upload({ fields: formFor(userId), image: await picture() });
      assert.ok(Number(response.headers["retry-after"]) > 0);
      return response;
    };
    assert.equal((await refused(upload, 503)).code, "Unavailable");
    service.limit({});
    await app.accepted({ fields: formFor(userId), image: await picture() });
  } finally {
    service.limit({});
  }
  await service.process(id);
});

test("an image without a receipt is removed after a day, others stay", async () => {
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  const path = service.files.temporaryPath();
  await writeFile(path, await picture());
  const orphan = fileKey("receipts", uuidv7(NOW.getTime(), new Uint8Array(10)));
  await service.files.put(orphan, path);
  const stored = service.storedFiles().length;
  assert.equal(await service.sweepImages(), 0);
  service.clock.now = new Date(NOW.getTime() + 86_400_001);
  assert.equal(await service.sweepImages(), 1);
  assert.equal(service.storedFiles().length, stored - 1);
  assert.equal(await service.files.open(orphan), null);
  const { blobUrl, blobName } = (await app.status(id)).receiptStatusDoc.uploadStateData;
  assert.ok(blobUrl);
  await service.files.remove(blobName);
  assert.equal((await app.status(id)).receiptStatusDoc.uploadStateData.blobUrl, null, "if the image was deleted");
});

test("an image editor is named in a check, and rejects nothing", async () => {
  const image = await sharp(await picture())
    .withExif({ IFD0: { Software: "Adobe Photoshop 25.0" } })
    .jpeg()
    .toBuffer();
  const other = await service.client();
  const id = await other.accepted({ fields: formFor(await other.enrol()), image });
  await service.process(id);
  const { status, receiptStatusDoc: doc } = await other.status(id);
  assert.equal(status, "Completed");
  const check = doc.validatedStateData!.checks.find(({ name }) => name === "picture_unedited");
  assert.deepEqual([check?.outcome, check?.score], ["doubtful", 0.3]);
  assert.match(check!.reason, /Photoshop/);
});

test("when the disk is full nothing is stored, and the response says so", async () => {
  service.isDiskFull = true;
  try {
    await refused(async () => app.upload({ fields: formFor(userId), image: await picture() }), 507);
  } finally {
    service.isDiskFull = false;
  }
});

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !condition(); await new Promise((resolve) => setTimeout(resolve, 5))) {
    assert.ok(Date.now() < deadline, "it didn't happen within half a minute");
  }
}

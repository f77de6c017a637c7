import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import packageJson from "../package.json" with { type: "json" };
import type { PagesUnderTest } from "./support/pages-under-test.ts";
import { ADA, startPages } from "./support/pages-under-test.ts";
import { RECEIPT_SCRIPTS } from "../src/pages/receipt/page.ts";
import { hashToken } from "../src/sessions/session.ts";

const BACK = "https://app.example/back?state=1#end";
const JPEG = Buffer.from("\xff\xd8\xff\xe0 a photo, as far as a page is concerned", "latin1");

let pages: PagesUnderTest;
before(async () => {
  pages = await startPages();
});
after(() => pages.stop());

/** The path and query of a session's page, on the server under test. */
async function openSession(path: string, body: object, expectedStatus = 200) {
  const response = await pages.call(path, body);
  assert.equal(response.statusCode, expectedStatus, response.body);
  const { redirectUrl } = response.json<{ redirectUrl: string }>();
  const url = new URL(redirectUrl);
  return { redirectUrl, address: url.pathname + url.search, token: url.searchParams.get("sessionId") ?? "" };
}

const openEnrolment = (body: object = {}) => openSession("/users/enroll/session", { ...ADA, ...body });
const openReceipt = (body: object = {}) => openSession("/track/receipts/session", { userId: pages.userId, ...body });

const get = (url: string, headers: Record<string, string> = {}) => pages.server.inject({ url, headers });
const decide = (url: string, decision: string) =>
  pages.server.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `decision=${decision}`,
  });
function sendPhoto(
  url: string,
  photo: Buffer = JPEG,
  fileName = "photo.jpg",
  typed: Record<string, string> = {},
  to = pages,
) {
  const fields = Object.entries(typed).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${fields.join("")}--b\r\nContent-Disposition: form-data; name="receiptImage"; filename="${fileName}"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), photo, Buffer.from("\r\n--b--\r\n")]);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  return to.server.inject({ method: "POST", url, headers, payload });
}

const statusesOf = (responses: { statusCode: number }[]) =>
  responses.map((response) => response.statusCode).sort((a, b) => a - b);

test("a session's address is the configured one, whatever host the request named", async () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  for (const prefix of ["", "/issuers"]) {
    const response = await pages.call(`${prefix}/users/enroll/session`, ADA, headers);
    const body = response.json<{ redirectUrl: string }>();
    assert.deepEqual(Object.keys(body), ["redirectUrl", "id"]);
    assert.match(body.redirectUrl, /^https:\/\/pages\.example\/enroll\?sessionId=[\w-]{43}$/);
  }
  const { redirectUrl } = await openReceipt();
  assert.match(redirectUrl, /^https:\/\/pages\.example\/receipts\?sessionId=[\w-]{43}$/);
});

test("a session request with several errors gets all of them at once", async () => {
  const response = await pages.call("/users/enroll/session", { lastName: " ", redirectUri: "javascript:alert(1)" });
  assert.equal(response.statusCode, 400);
  assert.match(String(response.headers["content-type"]), /^application\/problem\+json/);
  const { errors } = response.json<{ errors: Record<string, string[]> }>();
  assert.deepEqual(Object.keys(errors).sort(), ["email", "firstName", "lastName", "redirectUri"]);
  assert.doesNotMatch(response.body, /alert/);
});

test("a receipt session checks the amount, the time, the locale and the user", async () => {
  for (const [member, value] of [
    ["amount", 0],
    ["amount", "5"],
    ["transactionTimestamp", "yesterday"],
    ["locale", "not a tag"],
    ["transactionId", ""],
    ["redirectUri", "/back"],
    ["userId", "0198c0de-0000-7000-8000-000000000000"],
    ["userId", "' OR 1=1"],
  ] as const) {
    const response = await pages.call("/track/receipts/session", { userId: pages.userId, [member]: value });
    assert.equal(response.statusCode, 400, member);
    assert.deepEqual(Object.keys(response.json<{ errors: object }>().errors), [member]);
  }
});

test("a session for another application's user is refused like one for a user who does not exist", async () => {
  const other = await pages.addApplication({ name: "Other" });
  const response = await pages.call("/track/receipts/session", { userId: pages.userId }, other.credentials);
  assert.equal(response.statusCode, 400);
  assert.deepEqual(response.json<{ errors: object }>().errors, { userId: ["names no enrolled user"] });
});

test("only the hash of a token is stored", async () => {
  const { token } = await openEnrolment();
  const { rows } = await pages.database.pool.query<{ row: string }>("SELECT sessions::text AS row FROM sessions");
  assert.ok(rows.length > 0);
  for (const { row } of rows) {
    assert.ok(!row.includes(token));
    assert.ok(!row.includes(Buffer.from(token).toString("hex")));
  }
});

test("the consent page shows who asks, what is shared and about whom", async () => {
  const { address } = await openEnrolment();
  const page = await get(address);
  assert.equal(page.statusCode, 200);
  assert.match(String(page.headers["content-type"]), /^text\/html/);
  for (const shown of ["Green Basket", "https://logo.example/basket.svg", "Ada Lovelace", "ada@example.com"]) {
    assert.ok(page.body.includes(shown), shown);
  }
});

test("a page cannot be framed, sniffed, cached or redirected elsewhere, and its address is not passed on", async () => {
  const { address } = await openEnrolment({ redirectUri: "myapp://done" });
  const { headers } = await get(address);
  const policy = String(headers["content-security-policy"]);
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "img-src 'self' data: blob: https://logo.example",
    "form-action 'self' myapp:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]) {
    assert.ok(policy.split("; ").includes(directive), directive);
  }
  assert.match(policy, /style-src 'sha256-/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["cache-control"], "no-store");
});

test("accepting enrols, stores the consent, and redirects with the user", async () => {
  const { address, token } = await openEnrolment({ email: "Grace@Example.com", redirectUri: BACK });
  const response = await decide(address, "accept");
  assert.equal(response.statusCode, 303);
  const back = new URL(String(response.headers["location"]));
  assert.equal(back.origin + back.pathname, "https://app.example/back");
  assert.equal(back.hash, "#end");
  const userId = back.searchParams.get("userId");
  assert.deepEqual([...back.searchParams.keys()], ["state", "status", "userId", "sessionId"]);
  assert.equal(back.searchParams.get("status"), "completed");
  assert.equal(back.searchParams.get("sessionId"), token);

  const summary = await pages.call(`/users/${userId}/summary`);
  assert.equal(summary.json<{ user: { email: string } }>().user.email, "grace@example.com");
  const consents = await pages.database.pool.query("SELECT * FROM consents WHERE user_id = $1", [userId]);
  assert.equal(consents.rows.length, 1);
  assert.partialDeepStrictEqual(consents.rows[0], {
    text_version: "consent/2",
    language: "en",
    agreed_at: pages.now(),
  });
  const words = await pages.database.pool.query<{ text: string }>("SELECT text FROM consent_texts WHERE digest = $1", [
    consents.rows[0].text_digest,
  ]);
  const shown = (await get((await openEnrolment()).address)).body;
  for (const line of words.rows[0]!.text.split("\n")) assert.ok(shown.includes(line.replace(/^- /, "")), line);
});

test("nobody is enrolled before they accept, and nothing about them is kept when they decline", async () => {
  const email = "declines@example.com";
  const { address, token } = await openEnrolment({ email, redirectUri: BACK });
  await get(address);
  const response = await decide(address, "decline");
  assert.equal(response.statusCode, 303);
  const back = new URL(String(response.headers["location"]));
  assert.equal(back.searchParams.get("status"), "declined");
  assert.equal(back.searchParams.get("sessionId"), token);
  assert.equal(back.searchParams.get("userId"), null);
  const { pool } = pages.database;
  assert.equal((await pool.query("SELECT 1 FROM users WHERE email = $1", [email])).rowCount, 0);
  const { rows } = await pool.query("SELECT request, consent_version FROM sessions WHERE outcome = 'declined'");
  assert.deepEqual(rows, [{ request: {}, consent_version: "consent/2" }]);
});

test("without a redirect the visit ends on a closing page; an application's default is used where it has one", async () => {
  const { address } = await openEnrolment({ email: "closing@example.com" });
  const closing = await decide(address, "accept");
  assert.equal(closing.statusCode, 200);
  assert.match(closing.body, /You have joined/);

  const other = await pages.addApplication({ name: "Default", redirectUri: "defaultapp://home" });
  const opened = await pages.call("/users/enroll/session", ADA, other.credentials);
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  const response = await decide(url.pathname + url.search, "accept");
  assert.match(String(response.headers["location"]), /^defaultapp:\/\/home\?status=completed&userId=/);
});

test("someone who is enrolled already is led back as the same user", async () => {
  const { address } = await openEnrolment({ email: "ADA@example.com", redirectUri: "myapp://x" });
  const response = await decide(address, "accept");
  assert.equal(new URL(String(response.headers["location"])).searchParams.get("userId"), pages.userId);
});

test("a decision that is neither yes nor no shows the page again and leaves the session open", async () => {
  const { address } = await openEnrolment();
  for (const decision of ["", "perhaps", "accept%00"]) {
    const response = await decide(address, decision);
    assert.equal(response.statusCode, 400);
    assert.match(response.body, /role="alert"/);
  }
  assert.equal((await get(address)).statusCode, 200);
});

test("of five decisions at once one counts", async () => {
  const { address } = await openEnrolment({ email: "race@example.com", redirectUri: "myapp://x" });
  const decisions = ["accept", "decline", "accept", "decline", "accept"];
  const responses = await Promise.all(decisions.map((decision) => decide(address, decision)));
  assert.deepEqual(statusesOf(responses), [303, 404, 404, 404, 404]);
  const winner = responses.findIndex((response) => response.statusCode === 303);
  const users = await pages.database.pool.query("SELECT 1 FROM users WHERE email = 'race@example.com'");
  assert.equal(users.rowCount, decisions[winner] === "accept" ? 1 : 0);
});

test("an unknown, changed, foreign, expired or used session is a 404: a page, or a problem for who asks for JSON", async () => {
  const enrolment = await openEnrolment();
  const receipt = await openReceipt();
  const used = await openEnrolment();
  await decide(used.address, "decline");
  const expired = await openEnrolment({});
  const changed = enrolment.token.startsWith("A") ? `B${enrolment.token.slice(1)}` : `A${enrolment.token.slice(1)}`;
  const gone = [
    "/enroll",
    "/enroll?sessionId=",
    `/enroll?sessionId=${changed}`,
    `/enroll?sessionId=${enrolment.token}&sessionId=${enrolment.token}`,
    `/enroll?sessionId=${receipt.token}`,
    `/receipts?sessionId=${enrolment.token}`,
    `/receipts/progress?sessionId=${receipt.token}`,
    `/receipts/status?sessionId=${receipt.token}`,
    used.address,
    "/receipts?sessionId=%00",
    "/receipts?sessionId[]=x",
  ];
  const isGone = async (address: string) => {
    const page = await get(address, { accept: "text/html,*/*" });
    assert.equal(page.statusCode, 404, address);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.equal(page.headers["cache-control"], "no-store");
    const problem = await get(address, { accept: "application/json" });
    assert.equal(problem.statusCode, 404, address);
    assert.match(String(problem.headers["content-type"]), /^application\/problem\+json/);
    assert.equal(problem.json<{ code: string }>().code, "SessionNotFound");
    assert.ok(!problem.body.includes("sessionId="), "a problem repeats no session id");
  };
  for (const address of gone) await isGone(address);
  assert.equal((await decide(used.address, "accept")).statusCode, 404);
  assert.equal((await sendPhoto(`/receipts?sessionId=${enrolment.token}`)).statusCode, 404);

  assert.equal((await get(expired.address)).statusCode, 200);
  pages.advance(pages.sessionTtlSeconds);
  await isGone(expired.address);
  assert.equal((await decide(expired.address, "accept")).statusCode, 404);
});

test("the session of an application that was suspended meanwhile is gone", async () => {
  const other = await pages.addApplication({ name: "Suspended" });
  const opened = await pages.call("/users/enroll/session", ADA, other.credentials);
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  await other.suspend();
  assert.equal((await get(url.pathname + url.search)).statusCode, 404);
});

test("the pages of a receipt are gone while its application is suspended, and its stream ends", async () => {
  const other = await pages.addApplication({ name: "Suspended later" });
  const enrolled = await pages.call("/users/enroll", { ...ADA, email: "later@example.com" }, other.credentials);
  const { user } = enrolled.json<{ user: { userID: string } }>();
  const opened = await pages.call("/track/receipts/session", { userId: user.userID }, other.credentials);
  const { pathname, search } = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  await sendPhoto(pathname + search);
  const shown = ["/receipts/progress", "/receipts/status"].map((path) => path + search);
  for (const url of shown) assert.equal((await get(url)).statusCode, 200, url);
  const streaming = await pages.server.inject({ url: `/receipts/events${search}`, payloadAsStream: true });
  const sent = streaming.stream()[Symbol.asyncIterator]();
  assert.match(String((await sent.next()).value), /^data: /);
  const waiting = get(`/receipts/progress${search}&wait=true`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await other.suspend();
  assert.ok((await sent.next()).done, "only what was before");
  for (const response of [await waiting, await get(pathname + search), await get(`/receipts/events${search}`)]) {
    assert.equal(response.statusCode, 404);
  }
  for (const url of shown) assert.equal((await get(url)).statusCode, 404, url);
});

test("sessions of long ago are swept away by new ones", async () => {
  await openEnrolment({ email: "swept@example.com" });
  pages.advance(pages.sessionTtlSeconds + 24 * 60 * 60 + 1);
  // As the sweep of the background work does with the expired ones.
  await pages.database.pool.query("UPDATE sessions SET expired_at = expires_at WHERE completed_at IS NULL");
  const count = async () => {
    const { rows } = await pages.database.pool.query<{ count: number }>("SELECT count(*)::int AS count FROM sessions");
    return rows[0]!.count;
  };
  for (let left = await count(); left > 0; left -= 2) await openEnrolment();
  const { rowCount } = await pages.database.pool.query("SELECT 1 FROM sessions WHERE expires_at < $1", [pages.now()]);
  assert.equal(rowCount, 0);
});

test("script in a name is shown as text", async () => {
  const name = `<script>alert("1")</script>`;
  const other = await pages.addApplication({ name, logoUrl: `https://logo.example/"onerror=alert(1)` });
  const opened = await pages.call(
    "/users/enroll/session",
    { ...ADA, firstName: name, city: `'"><img>` },
    other.credentials,
  );
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  const { body } = await get(url.pathname + url.search);
  assert.ok(body.includes("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"));
  assert.doesNotMatch(body, /<script>|"onerror|<img>/);
});

test("a photo that is sent becomes a receipt, with the details of the session, and the response links back", async () => {
  const { address, token } = await openReceipt({
    transactionId: "till-7",
    amount: 12.5,
    merchantName: "Corner Shop",
    redirectUri: BACK,
    transactionTimestamp: "2026-11-20T10:00:00+05:30",
    cardLastFour: "1881",
  });
  const page = await get(address);
  assert.equal(page.statusCode, 200);
  assert.ok(!page.body.includes("1881"), "nothing of the card is shown");
  const response = await sendPhoto(address);
  assert.equal(response.statusCode, 200);
  const accepted = pages.receipts.at(-1)!;
  assert.partialDeepStrictEqual(accepted, {
    userId: pages.userId,
    reference: "till-7",
    merchantName: "Corner Shop",
    amount: 12.5,
    transactionTimestamp: "2026-11-20T04:30:00.000Z",
    cardLastFour: "1881",
    receiptSource: "hosted_page",
    bytes: JPEG,
  });
  const back = `https://app.example/back?state=1&amp;status=completed&amp;sessionId=${token}&amp;receiptId=${accepted.receiptId}#end`;
  assert.ok(response.body.includes(back));
  assert.equal((await get(address)).statusCode, 404);
  assert.equal((await sendPhoto(address)).statusCode, 404);
  assert.equal((await get(`/receipts/progress?sessionId=${token}`)).statusCode, 200);
});

test("without a transactionId the receipts choose the reference", async () => {
  const { address } = await openReceipt();
  await sendPhoto(address);
  assert.partialDeepStrictEqual(pages.receipts.at(-1)!, { reference: null, merchantName: null, amount: null });
});

test("of five photos at once one counts", async () => {
  const { address } = await openReceipt();
  const before = pages.receipts.length;
  const responses = await Promise.all(Array.from({ length: 5 }, () => sendPhoto(address)));
  assert.deepEqual(statusesOf(responses), [200, 404, 404, 404, 404]);
  assert.equal(pages.receipts.length, before + 1);
  assert.deepEqual(pages.temporaryFiles(), []);
});

test("below a path of the configured address a whole visit works, through a proxy that removes the path or without", async () => {
  const below = await startPages({ hostedPagesUrl: "https://shop.example/loyalty" });
  try {
    for (const removed of ["", "/loyalty"]) {
      const body = { userId: below.userId, redirectUri: BACK };
      const opened = await below.call("/track/receipts/session", body);
      const { pathname, search } = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
      assert.equal(pathname, "/loyalty/receipts");
      const address = pathname.slice(removed.length) + search;
      const page = await below.server.inject(address);
      assert.equal(page.statusCode, 200, page.body);
      const linked = [...page.body.matchAll(/(?:href|src|action|data-progress-url)="(\/[^"]*)"/g)].map(
        ([, url]) => url!,
      );
      assert.ok(linked.length > 10);
      for (const url of new Set(linked)) {
        assert.match(url, /^\/loyalty\//);
        const path = url.slice(removed.length).replaceAll("&amp;", "&");
        const { statusCode } = await below.server.inject(path);
        assert.equal(statusCode, url.includes("/receipts/progress") ? 404 : 200, url);
      }
      const sent = await sendPhoto(address, JPEG, "photo.jpg", {}, below);
      assert.equal(sent.statusCode, 200, sent.body);
      assert.match(sent.body, /data-status-url="\/loyalty\/receipts\/status/);
    }
    assert.equal((await below.server.inject("/loyalty/health/live")).statusCode, 200);
    assert.equal((await below.server.inject("/loyaltyx/health/live")).statusCode, 404);
  } finally {
    await below.stop();
  }
});

test("a session is closed after thirty failed photos, also if they come at once, and says so", async () => {
  const { address, token } = await openReceipt();
  const text = () => sendPhoto(address, Buffer.from("no photo"));
  const attempts = () =>
    pages.database.query<{ upload_attempts: number }>(
      { name: "test.attempts", text: "SELECT upload_attempts FROM sessions WHERE token_hash = $1" },
      [hashToken(token)],
    );
  for (let i = 0; i < 24; i++) assert.equal((await text()).statusCode, 400);
  const responses = await Promise.all(Array.from({ length: 8 }, text));
  assert.deepEqual(statusesOf(responses), [400, 400, 400, 400, 400, 400, 404, 404]);
  assert.equal((await attempts())[0]!.upload_attempts, 30);
  const [shown, sent] = [await get(address), await sendPhoto(address)];
  for (const response of [shown, sent]) {
    assert.equal(response.statusCode, 404);
    assert.match(response.body, /it was tried too often/);
  }
  assert.deepEqual(pages.temporaryFiles(), []);
});

test("an attempt that the service itself refuses does not count", async () => {
  const { address } = await openReceipt();
  pages.failUploads(true);
  for (let i = 0; i < 35; i++) assert.equal((await sendPhoto(address)).statusCode, 503);
  pages.failUploads(false);
  assert.equal((await sendPhoto(address)).statusCode, 200);
});

test("a photo that cannot be accepted gets an error beside the field, and the session can still be used", async () => {
  const { address } = await openReceipt();
  const responses: [Promise<{ statusCode: number; body: string }>, number, RegExp][] = [
    [sendPhoto(address, Buffer.alloc(0), ""), 400, /take or choose a photo/],
    [sendPhoto(address, Buffer.from("GIF89a")), 400, /JPEG or PNG picture/],
    [sendPhoto(address, Buffer.alloc(pages.imageBytesMax + 1)), 413, /too large. It may have 1 MB and 50 megapixels/],
    [decide(address, "accept"), 400, /Please send it again/],
  ];
  for (const [pending, status, words] of responses) {
    const response = await pending;
    assert.equal(response.statusCode, status, response.body);
    assert.match(response.body, words);
    assert.match(response.body, /aria-invalid="true"/);
  }
  const cut = await pages.server.inject({
    method: "POST",
    url: address,
    headers: { "content-type": "multipart/form-data; boundary=b" },
    payload: `--b\r\nContent-Disposition: form-data; name="receiptImage"; filename="x.jpg"\r\n\r\n\xff\xd8`,
  });
  assert.equal(cut.statusCode, 400);
  assert.match(cut.body, /did not arrive whole/);
  assert.deepEqual(pages.temporaryFiles(), []);
  assert.equal((await sendPhoto(address)).statusCode, 200);
});

test("the progress shows what was found so far, and in the end items, grades and points", async () => {
  const { address, token } = await openReceipt({ redirectUri: "myapp://done", locale: "en-GB" });
  await sendPhoto(address);
  const { receiptId } = pages.receipts.at(-1)!;
  const look = async () => ({
    page: (await get(`/receipts/progress?sessionId=${token}`)).body,
    status: (await get(`/receipts/status?sessionId=${token}`)).json<object>(),
  });

  const start = await look();
  const back = `myapp://done?status=completed&sessionId=${token}&receiptId=${receiptId}`;
  assert.deepEqual(start.status, { status: "Uploaded", receiptID: receiptId, redirectUrl: back });
  assert.match(start.page, /aria-current="step"/);

  pages.move(receiptId, "Extracted");
  const extracted = await look();
  for (const shown of ["CORNER SHOP LTD", "£4.10", "BANANAS LOOSE"]) assert.ok(extracted.page.includes(shown), shown);

  pages.move(receiptId, "Completed");
  const completed = await look();
  for (const shown of [
    "Corner Shop",
    "Bananas",
    `Health <b class="grade-A">A<`,
    `Climate <b class="grade-B">B<`,
    "9 points",
    "Carrier bag",
  ]) {
    assert.ok(completed.page.includes(shown), shown);
  }
  assert.match(completed.page, /data-state="Completed"/);
});

test("a receipt that fails is explained in plain words, and links back as failed; also after the session has expired", async () => {
  const { address, token } = await openReceipt({ redirectUri: "myapp://done" });
  await sendPhoto(address);
  const { receiptId } = pages.receipts.at(-1)!;
  pages.advance(pages.sessionTtlSeconds + 60);
  const words = {
    MERCHANT_NAME_NOT_FOUND: /which shop/,
    NO_VALID_FOOD_ITEMS: /no food on this receipt/,
    NOT_AUTHENTIC: /could not confirm/,
    ALREADY_EXISTS: /sent before/,
    INTERNAL_ERROR: /on our side/,
  };
  for (const [errorCode, text] of Object.entries(words)) {
    pages.move(receiptId, "Failed", errorCode);
    const { body } = await get(`/receipts/progress?sessionId=${token}`);
    assert.match(body, text);
    assert.ok(body.includes(`myapp://done?status=failed&amp;sessionId=${token}&amp;receiptId=${receiptId}`));
  }
});

test("the landing page says that it runs and links only to what exists", async () => {
  const page = await get("/");
  assert.equal(page.statusCode, 200);
  assert.ok(page.body.includes(packageJson.version));
  const links = [...page.body.matchAll(/href="(\/[^"]*)"/g)].map((match) => match[1]!);
  assert.ok(links.includes("/problems"));
  for (const link of links) assert.equal((await get(link)).statusCode, 200, link);
});

test("every type of a problem document leads to a page", async () => {
  const list = await get("/problems");
  const links = [...list.body.matchAll(/href="(\/problems\/[^"]*)"/g)].map((match) => match[1]!);
  assert.ok(links.length > 10);
  for (const link of links) assert.equal((await get(link)).statusCode, 200, link);
  assert.equal((await get("/problems/toString")).statusCode, 404);
});

test("an internal error is shown in a page without details, and no session id is logged", async () => {
  const { address, token } = await openEnrolment();
  await pages.database.pool.query("ALTER TABLE sessions RENAME TO gone");
  const response = await get(address);
  await pages.database.pool.query("ALTER TABLE gone RENAME TO sessions");
  assert.equal(response.statusCode, 500);
  assert.doesNotMatch(response.body, /sessions|relation|SELECT/);
  assert.ok(pages.logLines().some((line) => line.includes("page failed") && line.includes('"stack"')));
  assert.ok(pages.logLines().every((line) => !line.includes(token)));
});

test("details that the application did not send are read from the form, and shown again when they are wrong", async () => {
  const { address } = await openReceipt({ merchantName: "Known Shop" });
  const page = await get(address);
  assert.ok(page.body.includes(`name="amount"`));
  assert.ok(!page.body.includes(`name="merchantName"`), "details from the application are not asked for");
  const wrong = await sendPhoto(address, JPEG, "photo.jpg", { amount: `twelve"><script>` });
  assert.equal(wrong.statusCode, 400);
  assert.match(wrong.body, /id="amount-error"/);
  assert.match(wrong.body, /value="twelve&quot;&gt;&lt;script&gt;"/);
  const right = await sendPhoto(address, JPEG, "photo.jpg", { amount: "12,50", merchantName: "Another" });
  assert.equal(right.statusCode, 200, right.body);
  assert.partialDeepStrictEqual(pages.receipts.at(-1)!, { merchantName: "Known Shop", amount: 12.5 });
  assert.deepEqual(pages.temporaryFiles(), []);
});

test("a page speaks the language of the switch, of the session, of the browser, and its links carry a choice on", async () => {
  const { address } = await openEnrolment({ locale: "fr-CH" });
  assert.match((await get(address)).body, /<html lang="fr" dir="ltr">/);
  assert.match((await get(address, { "accept-language": "de" })).body, /<html lang="fr"/);
  const arabic = (await get(`${address}&lang=ar`)).body;
  assert.match(arabic, /<html lang="ar" dir="rtl">/);
  assert.ok(arabic.includes(`action="${address}&amp;lang=ar"`));
  const unspoken = await openEnrolment({ locale: "sv" });
  assert.match((await get(unspoken.address, { "accept-language": "es-MX,en;q=0.5" })).body, /<html lang="es"/);
  assert.match((await get(`${unspoken.address}&lang=x&lang=y`)).body, /<html lang="en"/);
  const gone = await get("/enroll?sessionId=gone", { "accept-language": "de" });
  assert.match(gone.body, /Dieser Link gilt nicht mehr/);
});

test("an accent colour is drawn in, and named in the page's policy", async () => {
  const other = await pages.addApplication({ name: "Lemon", accentColour: "#ffd400" });
  const opened = await pages.call("/users/enroll/session", ADA, other.credentials);
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  const page = await get(url.pathname + url.search);
  assert.match(page.body, /<style>:root\{--accent:#[0-9a-f]{6};--on-accent:/);
  assert.equal(String(page.headers["content-security-policy"]).match(/sha256-/g)?.length, 2);
});

test("a used link of a receipt is a 404 that says what became of it, in a page only", async () => {
  const { address } = await openReceipt({ redirectUri: "myapp://done" });
  await sendPhoto(address);
  for (const used of [await get(address), await sendPhoto(address)]) {
    assert.equal(used.statusCode, 404);
    assert.match(used.body, /Reading your receipt/);
    assert.match(used.body, /myapp:\/\/done\?status=completed/);
  }
  const problem = await get(address, { accept: "application/json" });
  assert.equal(problem.json<{ code: string }>().code, "SessionNotFound");
});

test("progress comes as events while it happens, and the stream ends with the receipt", async () => {
  const { address, token } = await openReceipt();
  await sendPhoto(address);
  const { receiptId } = pages.receipts.at(-1)!;
  const { headers, stream } = await pages.server.inject({
    url: `/receipts/events?sessionId=${token}`,
    headers: { accept: "text/event-stream" },
    payloadAsStream: true,
  });
  let body = "";
  for await (const chunk of stream()) {
    if (body === "") pages.move(receiptId, "Completed");
    body += String(chunk);
  }
  assert.match(String(headers["content-type"]), /^text\/event-stream/);
  assert.equal(headers["cache-control"], "no-store");
  const events = body.split("\n\n").filter(Boolean);
  const seen = events.map((event) => JSON.parse(event.replace("data: ", "")) as { status: string; content: string });
  assert.deepEqual(
    seen.map(({ status }) => status),
    ["Uploaded", "Completed"],
  );
  assert.match(seen[1]!.content, /14 points/);
  assert.equal((await get("/receipts/events?sessionId=gone")).statusCode, 404);
});

test("a receipt that is held says that somebody will look at it, in each language, and waits no longer", async () => {
  const { address, token } = await openReceipt({ redirectUri: "myapp://done" });
  await sendPhoto(address);
  const { receiptId } = pages.receipts.at(-1)!;
  const streaming = get(`/receipts/events?sessionId=${token}`, { accept: "text/event-stream" });
  const waiting = get(`/receipts/progress?sessionId=${token}&wait=true`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  pages.move(receiptId, "Held");
  // Both end by themselves.
  assert.match((await streaming).body, /"status":"Held"[\s\S]*Somebody at Green Basket will look at it/);
  const { body } = await waiting;
  assert.match(body, /Your receipt is being checked[\s\S]*Somebody at Green Basket will look at it/);
  assert.doesNotMatch(body, /a few seconds|wait=true|aria-current="step"/);
  assert.ok(body.includes(`myapp://done?status=completed&amp;sessionId=${token}&amp;receiptId=${receiptId}`));
  const status = (await get(`/receipts/status?sessionId=${token}`)).json<{ status: string }>();
  assert.equal(status.status, "Held");
  const words = { de: "wird geprüft", fr: "vérification", es: "en revisión", ar: "قيد المراجعة" };
  for (const [language, text] of Object.entries(words)) {
    const page = await get(`/receipts/progress?sessionId=${token}&lang=${language}`);
    assert.ok(page.body.includes(text), language);
  }
  pages.move(receiptId, "Completed");
  assert.match((await get(`/receipts/progress?sessionId=${token}`)).body, /14 points/);
});

test("a waiting request without script gets the result when there is one", async () => {
  const { address, token } = await openReceipt();
  await sendPhoto(address);
  const waiting = get(`/receipts/progress?sessionId=${token}&wait=true`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  pages.move(pages.receipts.at(-1)!.receiptId, "Failed", "NOT_AUTHENTIC");
  assert.match((await waiting).body, /could not confirm/);
});

test("one link cannot take the streams and waits of others", { timeout: 60_000 }, async () => {
  const open = await startPages();
  const origin = await open.server.listen({ host: "127.0.0.1", port: 0 });
  const link = async () => {
    const opened = await open.call("/track/receipts/session", { userId: open.userId });
    const { pathname, search } = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
    await sendPhoto(pathname + search, JPEG, "photo.jpg", {}, open);
    return search;
  };
  const [greedy, other] = [await link(), await link()];
  const over = new AbortController();
  const { signal } = over;
  const stream = (search: string) => fetch(`${origin}/receipts/events${search}`, { signal });
  const streams = await Promise.all(Array.from({ length: 210 }, () => stream(greedy)));
  const open200 = streams.filter(({ status }) => status === 200);
  assert.ok(open200.length <= 4, `${open200.length} streams on one link`);
  const refused = streams.find(({ status }) => status === 503);
  assert.equal(refused?.headers.get("retry-after"), "5");
  assert.equal((await stream(other)).status, 200);
  // A closed stream frees its place.
  await open200[0]!.body!.cancel();
  let again = await stream(greedy);
  for (const endsAt = Date.now() + 10_000; again.status !== 200 && Date.now() < endsAt;) again = await stream(greedy);
  assert.equal(again.status, 200);
  const waits = Array.from({ length: 20 }, () => fetch(`${origin}/receipts/progress${greedy}&wait=true`, { signal }));
  let early = 0;
  for (const wait of waits) {
    wait.then(
      () => early++,
      () => {},
    );
  }
  for (const endsAt = Date.now() + 10_000; early < 18 && Date.now() < endsAt;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(early, 18, "two wait, the others see the state as it is");
  over.abort();
  await open.stop();
});

test("scripts are compressed, cached for ever, and found under their hash only", async () => {
  const { address } = await openReceipt();
  const scripts = [...(await get(address)).body.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
    (match) => match[1]!,
  );
  assert.equal(scripts.length, RECEIPT_SCRIPTS.length);
  for (const script of scripts) {
    const response = await get(script, { "accept-encoding": "gzip, br" });
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers["content-encoding"], "br");
    assert.match(String(response.headers["cache-control"]), /immutable/);
    assert.match((await get(script)).body, /^\/\/ /);
  }
  assert.equal((await get("/assets/000000000000/receipt.js")).statusCode, 404);
  assert.equal((await get("/assets/../../package.json")).statusCode, 404);
});

test("samples are not available unless the operator allows them", async () => {
  assert.doesNotMatch((await get("/")).body, /action="\/samples"/);
  const asked = await pages.server.inject({
    method: "POST",
    url: "/samples",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "page=receipt",
  });
  assert.equal(asked.statusCode, 404);
});

test("where they are allowed, samples are of a sandbox application and a made-up person, and not for other sites to open", async () => {
  const open = await startPages({ areSamplesAllowed: true });
  const ask = (page: string, headers: Record<string, string> = {}) =>
    open.server.inject({
      method: "POST",
      url: "/samples",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: `page=${page}`,
    });
  for (const page of ["enrolment", "receipt"]) {
    const opened = await ask(page, { "sec-fetch-site": "same-origin" });
    assert.equal(opened.statusCode, 303);
    const url = new URL(String(opened.headers["location"]));
    assert.equal((await open.server.inject(url.pathname + url.search)).statusCode, 200);
    assert.equal((await ask(page, { "sec-fetch-site": "cross-site" })).statusCode, 404);
  }
  assert.equal((await ask("admin")).statusCode, 404);
  await open.database.pool.query("UPDATE applications SET is_sandbox = false");
  assert.equal((await ask("receipt")).statusCode, 404, "a live application is never opened");
  assert.match((await open.server.inject("/")).body, /Make a sandbox application/);
  await open.stop();
});

test("a stream of progress doesn't hold up the stop of the service", { timeout: 60_000 }, async () => {
  const stopping = await startPages();
  const opened = await stopping.call("/track/receipts/session", { userId: stopping.userId });
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  await sendPhoto(url.pathname + url.search, JPEG, "photo.jpg", {}, stopping);
  const origin = await stopping.server.listen({ host: "127.0.0.1", port: 0 });
  const stream = await fetch(`${origin}/receipts/events${url.search}`);
  const reader = stream.body!.getReader();
  await reader.read();
  await stopping.stop();
  for (let isDone = false; !isDone;) ({ done: isDone } = await reader.read());
});

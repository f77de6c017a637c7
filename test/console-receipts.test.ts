import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import type { NewDispute } from "../src/receipts/disputes/dispute.ts";
import { createDisputes } from "../src/receipts/disputing/dispute.task.ts";
import { runCommand } from "./support/commands.ts";
import { signIn } from "./support/console.ts";
import type { Person } from "./support/console.ts";
import { GROCERIES, formFor, picture } from "./support/groceries.ts";
import { readingRows, startSection } from "./support/console-section.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'`;

interface Credited {
  readonly status: string;
  readonly receiptStatusDoc: { readonly completedStateData: { readonly totalPoints: number } };
  readonly corrections?: readonly object[];
}

suite("receipts in the console", () => {
  const { rows, options } = readingRows();
  let service: TestService;
  let client: Client;
  let userId: string;
  let reviewer: Person;
  let minutes = 0;

  before(async () => {
    ({ service, client, person: reviewer } = await startSection("receipts", "reviewer", options));
    userId = await client.enrol();
  });
  after(() => service.close());

  const path = (below: string, of = client) => `/console/${of.applicationId}/${below}`;
  const statusOf = async (id: string) => (await client.call("GET", `/track/receipts/${id}/status`)).json();
  const holdAll = (...options: string[]) =>
    runCommand(service.database, ["app", "review", "--client-id", client.clientId, ...options]);
  const isReady = ({ status, held }: { status?: string; held?: boolean }) =>
    held === true || /^(Completed|Failed)$/.test(status ?? "");

  /** Uploads a receipt of another minute, and waits until it is held or finished. */
  async function uploaded(change: (row: string) => string = (row) => row): Promise<string> {
    minutes += 1;
    rows.now = GROCERIES.map((row) => change(row.replace("10:41", `11:${String(minutes).padStart(2, "0")}`)));
    const id = await acceptedReceipt(service, client, { fields: formFor(userId) });
    await statusUntil(client, id, isReady);
    return id;
  }
  async function held(change?: (row: string) => string): Promise<string> {
    await holdAll("--min-confidence", "1");
    const id = await uploaded(change);
    await holdAll("--min-confidence", "0");
    return id;
  }

  /** Reports something as wrong, as the hosted page does. */
  async function openDispute(receiptId: string, dispute: Pick<NewDispute, "kind" | "lineId" | "expected">) {
    const now = () => new Date(service.clock.ms);
    const disputes = createDisputes({ database: service.database, now, newId: randomUUID, publish: async () => {} });
    const target = { applicationId: client.applicationId, receiptId };
    return disputes.open(target, { price: null, note: HOSTILE, ...dispute });
  }

  /** The fields of the correction form of a page, as a browser would send them. */
  function fieldsOf(body: string): Record<string, string> {
    const start = body.indexOf('id="correction"');
    const form = body.slice(start, body.indexOf("</form>", start));
    const inputs = [...form.matchAll(/<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)];
    const selects = [...form.matchAll(/<select name="([^"]+)"[\s\S]*?<option value="([^"]+)" selected/g)];
    const text = (value: string) => value.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    return Object.fromEntries([...inputs, ...selects].map(([, name, value]) => [name!, text(value!)]));
  }

  test("the list shows each receipt in words, and its search finds by state, shop, user, reference and day", async () => {
    const credited = await uploaded();
    const waiting = await held();
    const list = (query = "") => reviewer.get(path(`receipts${query}`));
    const all = (await list()).body;
    assert.match(all, /Credited/);
    assert.match(all, /Waiting for a decision/);
    const finds = async (query: string, found: string[]) => {
      const { body } = await list(query);
      for (const id of [credited, waiting]) assert.equal(body.includes(`receipts/${id}"`), found.includes(id), query);
    };
    await finds("?state=held", [waiting]);
    await finds("?state=Completed", [credited]);
    await finds("?merchant=larkmeadow", [credited, waiting]);
    await finds("?merchant=elsewhere", []);
    await finds(`?userId=${userId}&until=2000-01-01`, []);
    await finds(`?transactionId=${(await statusOf(credited)).transactionId}`, [credited]);
    const wrong = await list("?userId=nobody");
    assert.equal(wrong.statusCode, 400);
    assert.match(wrong.body, /role="alert"/);
    assert.match((await list("?state=Failed")).body, /No receipt is here/);
    await decideAll();
  });

  /** Rejects what waits, so that the next test begins with an empty queue. */
  async function decideAll() {
    const { receipts } = (await client.call("GET", "/track/receipts?held=true")).json();
    for (const { receiptID } of receipts) {
      await client.call("POST", `/track/receipts/${receiptID}/decision`, { decision: "reject", reason: "x" });
    }
  }

  test("one receipt shows its lines linked to their places, checks, grades and the explanation of its points", async () => {
    const id = await uploaded();
    const { body, statusCode } = await reviewer.get(path(`receipts/${id}`));
    assert.equal(statusCode, 200);
    for (const number of [1, 2, 3]) {
      assert.ok(body.includes(`id="line-${number}"`) && body.includes(`href="#line-${number}"`));
      assert.ok(body.includes(`id="box-${number}"`) && body.includes(`href="#box-${number}"`));
    }
    assert.match(body, /grade-[A-E]/);
    assert.match(body, /Lines add up/);
    assert.match(body, /How the points came about/);
    assert.ok(!body.includes("signature="), "no signed link is in the page");
  });

  test("of a receipt with several photos each shows its own lines, in the review as well, and is at its own address", async () => {
    const all = GROCERIES.map((row) => row.replace("10:41", "12:59"));
    rows.parts = [all.slice(0, 8), all.slice(6)];
    await holdAll("--min-confidence", "1");
    const form = { fields: formFor(userId), parts: [["receiptImage2", await picture()] as const] };
    const id = await acceptedReceipt(service, client, form);
    await statusUntil(client, id, isReady);
    await holdAll("--min-confidence", "0");
    rows.parts = null;
    for (const address of [`receipts/${id}`, `review/${id}`]) {
      const { body } = await reviewer.get(path(address));
      assert.match(body, /Photo 1 of 2/);
      const [, first = "", second = ""] = body.split("<image");
      assert.deepEqual([first.includes('id="box-1"'), first.includes('id="box-4"')], [true, false]);
      assert.deepEqual([second.includes('id="box-1"'), second.includes('id="box-4"')], [false, true]);
      assert.equal(body.match(/id="box-1"/g)?.length, 1);
      assert.ok(second.includes("picture?part=2"));
    }
    const links = await Promise.all(["", "?part=2"].map((part) => reviewer.get(path(`receipts/${id}/picture${part}`))));
    assert.deepEqual(
      links.map(({ statusCode }) => statusCode),
      [303, 303],
    );
    assert.match(String(links[1]!.headers.location), /-2\.jpg\?/);
    for (const part of ["0", "3", "2x", "9"])
      assert.equal((await reviewer.get(path(`receipts/${id}/picture?part=${part}`))).statusCode, 404);
    await decideAll();
  });

  test("the picture is a redirect to a signed link, for those who may see the receipt", async () => {
    const id = await uploaded();
    const picture = await reviewer.get(path(`receipts/${id}/picture`));
    assert.equal(picture.statusCode, 303);
    const { location } = picture.headers;
    assert.match(String(location), /^\/files\/receipts\/.*signature=/);
    const image = await service.app.server.inject(String(location));
    assert.deepEqual([image.statusCode, image.headers["content-type"]], [200, "image/jpeg"]);
    const other = await service.newClient();
    const stranger = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
    for (const address of [path(`receipts/${id}/picture`), path(`receipts/${id}/picture`, other)]) {
      assert.equal((await stranger.get(address)).statusCode, 404, address);
    }
  });

  test("the queue shows the oldest first with the reason and the points, and accepts it as it is", async () => {
    const [first, second] = [await held(), await held()];
    const entry = await reviewer.get(path("review"));
    assert.equal(entry.headers.location, path(`review/${first}`));
    const page = await reviewer.get(path(`review/${first}`));
    assert.match(page.body, /2 receipts wait/);
    assert.match(page.body, /It was read with a sureness of/);
    const points = Number(/Points as it is now: (\d+)/.exec(page.body)![1]);
    const done = await reviewer.post(path(`review/${first}/decide`), { ...fieldsOf(page.body), do: "accept" });
    assert.equal(done.statusCode, 303, done.body);
    assert.equal(done.headers.location, path(`review/${second}?done=accepted`));
    const status = await statusUntil<Credited>(client, first, ({ status }) => status === "Completed");
    assert.equal(status.receiptStatusDoc.completedStateData.totalPoints, points);
    await decideAll();
    assert.match((await reviewer.get(path("review"))).body, /Nothing waits/);
  });

  test("a correction shows its points first, and is then booked with exactly these", async () => {
    const id = await held();
    const page = await reviewer.get(path(`review/${id}`));
    const fields = { ...fieldsOf(page.body), "name-2": "Red lentils", "what-3": "remove", merchantName: "Corner Shop" };
    const preview = await reviewer.post(path(`review/${id}/decide`), { ...fields, do: "preview" });
    assert.equal(preview.statusCode, 200, preview.body);
    assert.match(preview.body, /value="Red lentils"/, "what was typed is still there");
    const points = Number(/Points as corrected: (\d+)/.exec(preview.body)![1]);
    const asJson = await reviewer.post(
      path(`review/${id}/decide`),
      { ...fields, do: "preview" },
      { accept: "application/json" },
    );
    assert.match(asJson.json().points, new RegExp(`Points as corrected: ${points}`));
    assert.equal((await statusOf(id)).corrections, undefined, "a preview corrects nothing");
    const done = await reviewer.post(path(`review/${id}/decide`), { ...fields, do: "accept" });
    assert.equal(done.statusCode, 303, done.body);
    const status = await statusUntil<Credited>(client, id, ({ status }) => status === "Completed");
    assert.equal(status.receiptStatusDoc.completedStateData.totalPoints, points);
    assert.equal(status.corrections?.length, 1);
    const shown = (await reviewer.get(path(`receipts/${id}`))).body;
    assert.match(shown, /Corner Shop/);
    const wrong = await reviewer.post(path(`review/${id}/decide`), { ...fields, do: "accept" });
    assert.equal(wrong.statusCode, 409);
    const rows = await service.database.query<{ action: string; status: number }>(
      {
        name: "test.audit-of",
        text: `SELECT action, status FROM audit_entries LEFT JOIN audit_outcomes ON entry_id = id
               WHERE subject = $1 ORDER BY id`,
      },
      [id],
    );
    assert.deepEqual(
      rows.map(({ action, status: outcome }) => [action, outcome]),
      [["receipt.correctAndAccept", 200]],
    );
  });

  test("a failure between a correction and its acceptance leaves neither, and the same form does both later", async () => {
    const id = await held();
    const { body } = await reviewer.get(path(`review/${id}`));
    const fields = { ...fieldsOf(body), merchantName: "Corner Shop", do: "accept" };
    const send = () => reviewer.post(path(`review/${id}/decide`), fields);
    const run = (text: string) => service.database.query({ name: `test.${text.slice(0, 20)}`, text });
    await run(`CREATE FUNCTION test_fails() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    await run(`CREATE TRIGGER test_fails BEFORE UPDATE ON receipts FOR EACH ROW
               WHEN (OLD.held_at IS NOT NULL AND NEW.held_at IS NULL) EXECUTE FUNCTION test_fails()`);
    const failed = await send();
    await run("DROP FUNCTION test_fails CASCADE");
    assert.ok(failed.statusCode >= 500, failed.body);
    const { held: isHeld, corrections } = await statusOf(id);
    assert.deepEqual([isHeld, corrections], [true, undefined]);
    assert.equal((await send()).statusCode, 303);
    const status = await statusUntil<Credited>(client, id, ({ status }) => status === "Completed");
    assert.equal(status.corrections?.length, 1);
  });

  test("a field that cannot be used is named at the form, with all that was typed", async () => {
    const id = await held();
    const fields = fieldsOf((await reviewer.get(path(`review/${id}`))).body);
    const typed = { ...fields, "quantity-0": "many", "newName-0": "Tea", do: "accept" };
    const response = await reviewer.post(path(`review/${id}/decide`), typed);
    assert.equal(response.statusCode, 400);
    assert.match(response.body, /role="alert"/);
    assert.match(response.body, /value="many"[\s\S]{0,200}aria-invalid="true"/);
    assert.match(response.body, /Added line 1 needs/);
    assert.equal((await statusOf(id)).held, true);
    await decideAll();
  });

  test("two reviewers decide at once: one decision counts, and the other one is shown that it is decided already", async () => {
    const id = await held();
    const second = await signIn(service, [{ role: "reviewer", applicationId: client.applicationId }]);
    const fields = fieldsOf((await reviewer.get(path(`review/${id}`))).body);
    const late = fieldsOf((await second.get(path(`review/${id}`))).body);
    const rejected = await reviewer.post(path(`review/${id}/reject`), { why: "altered", next: fields["next"] ?? "" });
    assert.equal(rejected.statusCode, 303);
    const refused = await second.post(path(`review/${id}/decide`), {
      ...late,
      formToken: fieldsOf((await second.get(path(`review/${await held()}`))).body)["formToken"]!,
      do: "accept",
    });
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /decided already[\s\S]*Somebody else has rejected it/);
    const { errorCode, errorMessage } = await statusOf(id);
    assert.deepEqual([errorCode, errorMessage], ["NOT_AUTHENTIC", "The receipt was changed"]);
    const both = await held();
    const form = fieldsOf((await reviewer.get(path(`review/${both}`))).body);
    const { formToken: _own, ...shared } = form;
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? reviewer : second)
          .post(path(`review/${both}/decide`), { ...shared, do: "accept" })
          .then(({ statusCode }) => statusCode),
      ),
    );
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [303, ...Array.from({ length: 7 }, () => 409)],
    );
    await decideAll();
  });

  test("a role of another application finds nothing, a viewer may not review, and other sites change nothing", async () => {
    const id = await held();
    const other = await service.newClient();
    const stranger = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
    const viewer = await signIn(service, [{ role: "viewer", applicationId: client.applicationId }]);
    const seen = ["receipts", `receipts/${id}`, `receipts/${id}/picture`];
    const reviews = ["review", `review/${id}`, "review/foods?name=milk"];
    const changes = [`review/${id}/decide`, `review/${id}/reject`, `review/${id}/disputes/${id}/reject`];
    for (const below of [...seen, ...reviews]) {
      assert.equal((await stranger.get(path(below))).statusCode, 404, below);
      assert.equal((await service.app.server.inject(path(below))).statusCode, 303, below);
    }
    for (const below of seen.slice(1)) assert.equal((await stranger.get(path(below, other))).statusCode, 404, below);
    for (const below of reviews) assert.equal((await viewer.get(path(below))).statusCode, 403, below);
    for (const below of changes) {
      assert.equal((await stranger.post(path(below))).statusCode, 404, below);
      assert.equal((await stranger.post(path(below, other), { why: "altered" })).statusCode, 404, below);
      assert.equal((await viewer.post(path(below))).statusCode, 403, below);
      assert.equal((await reviewer.post(path(below), { formToken: "x" })).statusCode, 403, below);
      assert.equal((await reviewer.post(path(below), {}, { "sec-fetch-site": "cross-site" })).statusCode, 403, below);
    }
    assert.equal((await statusOf(id)).held, true);
    assert.ok(!(await viewer.get(path(`receipts/${id}`))).body.includes(`review/${id}`), "no button without the right");
    await decideAll();
  });

  test("a receipt that repeats an earlier one has it beside it, with what is the same; never one of another application", async () => {
    const other = await service.newClient();
    minutes += 1;
    rows.now = GROCERIES.map((row) => row.replace("10:41", `11:${String(minutes).padStart(2, "0")}`));
    const upload = async (by: Client, user: string) => {
      const id = await acceptedReceipt(service, by, { fields: formFor(user) });
      await statusUntil(by, id, isReady);
      return id;
    };
    const elsewhere = await upload(other, await other.enrol());
    const similarOf = async (id: string) =>
      (await client.call("GET", `/track/receipts/${id}/reading`)).json().similarReceiptID;
    const first = await upload(client, userId);
    assert.equal(await similarOf(first), null);
    const again = await upload(client, userId);
    assert.deepEqual([(await statusOf(again)).errorCode, await similarOf(again)], ["ALREADY_EXISTS", first]);
    await holdAll("--hold-on", "purchase_is_new,picture_is_new");
    const waiting = await upload(client, userId);
    await holdAll("--hold-on", "none");
    assert.equal(await similarOf(waiting), first);
    for (const below of [`receipts/${again}`, `receipts/${waiting}`, `review/${waiting}`]) {
      const { body } = await reviewer.get(path(below));
      assert.match(body, /The earlier receipt/);
      assert.ok(body.includes(`receipts/${first}/picture`) && body.includes("the same user"));
      const pair = body.slice(body.indexOf('class="pair"'));
      assert.equal(pair.match(/<image/g)?.length, 2, "both pictures are beside each other");
      assert.ok(!pair.includes("differs"), "nothing differs");
      assert.ok(body.includes('href="#similar"') && body.includes('id="similar"'));
      assert.ok(!body.includes(elsewhere));
    }
    await decideAll();
  });

  test("what a user has reported is filled in, settled by a correction, or rejected with a sentence", async () => {
    const id = await uploaded();
    const { lines } = (await client.call("GET", `/track/receipts/${id}/reading`)).json();
    for (const at of [0, 1]) {
      const opened = await openDispute(id, { kind: "wrong_quantity", lineId: lines[at].id, expected: "3" });
      assert.equal(opened, "opened");
    }
    const page = await reviewer.get(path(`review/${id}`));
    assert.match(page.body, /The quantity is wrong/);
    assert.ok(page.body.includes("Reported"));
    const { disputes } = await statusOf(id);
    assert.equal(disputes.length, 2);
    const [first, second] = disputes as { disputeId: string }[];
    const used = await reviewer.get(path(`review/${id}?use=${first!.disputeId}`));
    const fields = fieldsOf(used.body);
    assert.equal(fields["quantity-0"], "3");
    const settled = { ...fields, disputeId: first!.disputeId, do: "accept" };
    const done = await reviewer.post(path(`review/${id}/decide`), settled);
    assert.equal(done.statusCode, 303, done.body);
    const rejection = path(`review/${id}/disputes/${second!.disputeId}/reject`);
    assert.equal((await reviewer.post(rejection, { reason: "" })).statusCode, 400);
    assert.equal((await reviewer.post(rejection, { reason: "The photo shows one" })).statusCode, 303);
    const late = await reviewer.post(rejection, { reason: "Again" });
    assert.equal(late.statusCode, 409);
    assert.match(late.body, /decided already/);
    const states = (await statusOf(id)).disputes.map(({ state }: { state: string }) => state);
    assert.deepEqual(states, ["accepted", "rejected"]);
  });

  test("markup in any text is shown as text on every page of receipts and of the queue", async () => {
    const id = await held((row) => row.replace("RED LENTILS 500G  ", "RED <b>LENTILS</b>"));
    const fields = fieldsOf((await reviewer.get(path(`review/${id}`))).body);
    const hostile = { ...fields, "name-0": HOSTILE, merchantName: HOSTILE, "newName-0": HOSTILE, "newPrice-0": "1" };
    const pages = [await reviewer.post(path(`review/${id}/decide`), { ...hostile, do: "preview" })];
    const body = {
      reason: HOSTILE,
      merchantName: HOSTILE,
      items: [{ name: HOSTILE, quantity: 1, totalPrice: 1 }],
    };
    assert.equal((await client.call("POST", `/track/receipts/${id}/corrections`, body)).statusCode, 200);
    const search = new URLSearchParams({ merchant: HOSTILE, transactionId: HOSTILE });
    for (const below of ["receipts", `receipts?${search}`, `receipts/${id}`, `review/${id}`]) {
      pages.push(await reviewer.get(path(below)));
    }
    await client.call("POST", `/track/receipts/${id}/decision`, { decision: "reject", reason: HOSTILE });
    pages.push(await reviewer.get(path(`receipts/${id}`)));
    for (const page of pages) {
      assert.equal(page.statusCode, 200);
      assert.ok(!/<img src=x|<b>LENTILS/.test(page.body));
    }
    assert.ok(pages.every(({ body: text }) => text.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;")));
    const suggested = await reviewer.get(path(`review/foods?${new URLSearchParams({ name: HOSTILE })}`));
    assert.match(String(suggested.headers["content-type"]), /^application\/json/);
  });
});

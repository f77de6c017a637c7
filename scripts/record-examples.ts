// Records the responses and events that the OpenAPI document shows as examples: those of the running service to the
// example requests of the document. Run it when a response has changed: node bin/run.mjs scripts/record-examples.ts
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as foods from "../src/foods/operations.ts";
import type { Operation } from "../src/http/operation.ts";
import { adjustPoints } from "../src/points/adjustments/operations.ts";
import { awardBonus } from "../src/points/bonuses/operations.ts";
import { moveTestClock } from "../src/points/expiry/operations.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { reverseTransaction } from "../src/points/reversals/operations.ts";
import * as intakes from "../src/intakes/operations.ts";
import { correctReceipt } from "../src/receipts/corrections/operations.ts";
import { rejectDispute } from "../src/receipts/disputing/operations.ts";
import { setReviewSettings } from "../src/receipts/holding/store.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import * as receipts from "../src/receipts/operations.ts";
import { decideReceipt } from "../src/receipts/review/operations.ts";
import * as sessions from "../src/sessions/operations.ts";
import { hashToken, tokenIn } from "../src/sessions/session.ts";
import { completeSession } from "../src/sessions/store.ts";
import { aliasUnknownName } from "../src/unknown-names/operations.ts";
import * as users from "../src/users/operations.ts";
import { EVENT_TYPES } from "../src/webhooks/event.ts";
import { globalSetup, globalTeardown } from "../test/support/setup.ts";
import { nameOf, startService } from "../test/support/service.ts";
import { recordProgramBonuses, recordPrograms } from "./examples/programs.ts";
import type { Json, Send } from "./examples/recording.ts";
import { recordRewards } from "./examples/rewards.ts";

const EXAMPLE_USER = (users.getUserSummary.responses[200].examples[0].value as { user: { userID: string } }).user
  .userID;
const EXAMPLES = join(import.meta.dirname, "../src/openapi-examples");
/** A Monday morning, half an hour after the breakfast of the examples. */
const NOW = "2026-02-02T08:00:00Z";

let userId = "";
const recorded = new Map<string, Json>();
await globalSetup();
const service = await startService();
try {
  service.clock.ms = Date.parse(NOW);
  const client = await service.newClient({ isSandbox: true });
  userId = await client.enrol("ada@example.com");
  const send = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Json> => {
    const url = `${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
    const payload = body === undefined ? {} : { payload: body as object };
    const response = await service.app.server.inject({ method, url, headers: client.headers, ...payload });
    assert.ok(response.statusCode < 300, `${method} ${path}: ${response.statusCode} ${response.body}`);
    return response.json<Json>();
  };
  const exampleOf = ({ examples = [] }: Operation, index = 0): Json => ({
    ...(examples[index]?.value as Json),
    userId,
  });

  const meal = await send("POST", "/track/meals", exampleOf(intakes.trackMeal));
  await client.until((events) => events.some((event) => nameOf(event) === "rewards.awarded"));
  const mealStatus = await send("GET", `/track/meals/${String(meal["id"])}/status`);
  const records = `/users/${userId}/transactions`;
  const list = (await send("GET", records)) as { transactions: { id: string }[] };
  const recordId = list.transactions[0]!.id;
  record("points.json", {
    listTransactions: list,
    getTransaction: await send("GET", `${records}/${recordId}`),
    explainTransaction: await send("GET", `${records}/${recordId}/explanation`),
  });
  record("statistics.json", {
    getUserStatistics: await send("GET", `/users/${userId}/statistics?timeframe=month`),
  });

  const food = await send("POST", "/track/food", exampleOf(intakes.trackFood));
  const failing = { ...exampleOf(intakes.trackMeal, 1), mealName: "Batteries", logId: "meal-1044" };
  const failed = await send("POST", "/track/meals", failing);
  await client.until((events) => events.filter((event) => /completed|failed/.test(nameOf(event))).length === 3);
  record("intakes.json", {
    trackMeal: meal,
    trackFood: food,
    getMealStatus: mealStatus,
    failedMealStatus: await send("GET", `/track/meals/${String(failed["id"])}/status`),
    getFoodStatus: await send("GET", `/track/food/${String(food["id"])}/status`),
  });

  const upload = async (outcome: string, transactionId: string) => {
    const { receiptImage: _image, ...fields } = exampleOf(receipts.uploadReceipt);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, transactionId })) form.append(name, value);
    form.append("receiptImage", new Blob(["replaced by the sample"]), "receipt.jpg");
    const request = new Request("http://x", { method: "POST", body: form });
    const response = await service.app.server.inject({
      method: "POST",
      url: `/track/receipts?api-version=1.0&testBlobUri=sample:${outcome}`,
      headers: { ...client.headers, "content-type": request.headers.get("content-type")! },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    const receipt = response.json<{ receiptID: string }>();
    const statusPath = `/track/receipts/${receipt.receiptID}/status`;
    for (;;) {
      const status = await send("GET", statusPath);
      if (status["status"] === "Completed" || status["status"] === "Failed" || status["held"] === true)
        return { receipt, status };
      await sleep(50);
    }
  };
  const completed = await upload("completed", "receipt-311");
  const refused = await upload("no_valid_food_items", "receipt-312");
  record("receipts.json", {
    uploadReceipt: completed.receipt,
    getReceiptStatus: completed.status,
    failedReceiptStatus: refused.status,
  });

  const act = (of: { receipt: { receiptID: string } }, what: string, body?: object) =>
    send("POST", `/track/receipts/${of.receipt.receiptID}/${what}`, body);
  const [{ value: lines }, { value: shop }] = correctReceipt.examples;
  const unknownShop = await upload("merchant_name_not_found", "receipt-313");
  const correctFailedReceipt = await act(unknownShop, "corrections", shop);
  const set = (minConfidence: number | null) =>
    setReviewSettings(service.database, client.applicationId, { minConfidence, holdOn: [] }, new Date());
  await set(1);
  const held = await upload("completed_de", "receipt-314");
  await set(null);
  const [accepting] = decideReceipt.examples;
  const broken = await upload("internal_error", "receipt-315");
  const [changed, added] = lines.items;
  const milk = (completed.status["receiptStatusDoc"] as { scoredStateData: { items: { id: string }[] } })
    .scoredStateData.items[0]!;
  const rejected = await dispute(send, completed.receipt.receiptID);
  const previewCorrection = await act(completed, "corrections/preview", {
    items: [{ id: milk.id, name: changed.name }],
  });
  record("receipt-actions.json", {
    previewCorrection,
    getReceiptReading: await send("GET", `/track/receipts/${completed.receipt.receiptID}/reading`),
    listReceipts: await send("GET", "/track/receipts?transactionId=receipt-311"),
    correctReceipt: await act(completed, "corrections", { ...lines, items: [{ ...changed, id: milk.id }, added] }),
    correctFailedReceipt,
    retryReceipt: await act(broken, "retry"),
    decideReceipt: await act(held, "decision", accepting.value),
    rejectDispute: await send("POST", `/track/disputes/${rejected}/reject`, rejectDispute.examples[0].value),
  });

  const alias = (await send("POST", "/catalogue/aliases", exampleOf(foods.teachAlias))) as { alias: { id: string } };
  const word = await send("POST", "/catalogue/words", exampleOf(foods.teachWord));
  // A name that the catalogue does not know.
  const skink = { foodId: "lm-2201", name: "Cullen skink", weight: 300, unit: "g", amount: 4.2, currency: "GBP" };
  const banana = { foodId: "lm-2202", name: "Banana", weight: 100, unit: "g" };
  const ingredients = [{ ...skink, merchant: { name: "Larkmeadow Market" } }, banana];
  await send("POST", "/track/meals", { ...exampleOf(intakes.trackMeal), transactionId: "meal-1045", ingredients });
  const namesOf = async () =>
    (await send("GET", "/catalogue/unknown-names")) as { names: { id: string; name: string }[] };
  while ((await namesOf()).names.every(({ name }) => name !== skink.name)) await sleep(50);
  const unknown = await namesOf();
  const ofName = `/catalogue/unknown-names/${unknown.names.find(({ name }) => name === skink.name)!.id}`;
  record("unknown-names.json", {
    listUnknownNames: unknown,
    getUnknownName: await send("GET", ofName),
    previewMeaning: await send("GET", `${ofName}/preview?foodId=fish-soup`),
    aliasUnknownName: await send("POST", `${ofName}/alias`, aliasUnknownName.examples[0].value),
  });
  record("alternatives.json", {
    findAlternatives: await send("GET", "/catalogue/alternatives?foodId=beef-mince"),
  });
  record("foods.json", {
    matchName: await send("GET", "/catalogue/match?name=ORG%20SKM%20MLK%202PT&limit=2"),
    teachAlias: alias,
    listAliases: await send("GET", "/catalogue/aliases"),
    teachWord: word,
    listWords: await send("GET", "/catalogue/words"),
    removed: await send("DELETE", `/catalogue/aliases/${alias.alias.id}`),
  });

  const [gift] = adjustPoints.examples;
  const [reason] = reverseTransaction.examples;
  record("ledger.json", {
    adjustPoints: await send("POST", `/users/${userId}/adjustments`, gift.value),
    reverseTransaction: await send("POST", `${records}/${recordId}/reversal`, reason.value),
  });
  const [welcome] = awardBonus.examples;
  record("bonuses.json", { awardBonus: await send("POST", `/users/${userId}/bonuses`, welcome.value) });
  await send("POST", `/users/${userId}/adjustments`, { points: 450, reason: "Opening balance", reference: "opening" });
  const recording = { service, send, userId, record };
  await recordRewards(recording);
  const { applicationId } = client;
  const expiry = { ...DEFAULT_POINTS_SETTINGS, expiryMonths: 12 };
  await setPointsSettings(service.database, applicationId, expiry, new Date(NOW));
  await send("POST", `/users/${userId}/adjustments`, { ...gift.value, reference: "case-1043" });
  await send("POST", `/users/${userId}/test-clock`, { advanceDays: 365 });
  const [later] = moveTestClock.examples;
  record("expiry.json", { moveTestClock: await send("POST", `/users/${userId}/test-clock`, later.value) });
  const openSession = async () =>
    (await send("POST", "/users/enroll/session", exampleOf(sessions.openEnrolmentSession))) as { redirectUrl: string };
  const decide = async (decision: string) => {
    const { pathname, search } = new URL((await openSession()).redirectUrl);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const payload = `decision=${decision}`;
    await service.app.server.inject({ method: "POST", url: pathname + search, headers, payload });
  };
  await decide("accept");
  await decide("decline");
  await openSession();
  // The open one expires.
  service.clock.ms += 31 * 60_000;

  const own = await client.until((sent) => new Set(sent.map(nameOf)).size === EVENT_TYPES.length - 1);
  const events = [...own, { ...(await tierChange()), userId }];
  const first = (type: string) => events.find((event) => nameOf(event) === type);
  record("events.json", Object.fromEntries(EVENT_TYPES.map((type) => [type, first(type)])));
  // Only now, so that a failure above leaves every file as it was.
  await recordReports(send);
  await recordPrograms(recording);
  await recordProgramBonuses(recording);
  for (const [file, responses] of recorded) write(file, responses);
} finally {
  await service.close();
  await globalTeardown();
}

/** Reports a total as wrong on the hosted page of a receipt; returns the dispute's id. */
async function dispute(send: Send, receiptId: string): Promise<string> {
  const { redirectUrl } = await send("POST", "/track/receipts/session", { userId });
  const { pathname, search, searchParams } = new URL(String(redirectUrl));
  const token = hashToken(tokenIn(Object.fromEntries(searchParams))!);
  const at = new Date(service.clock.ms);
  await completeSession(service.database, token, "receipt", { outcome: "sent", receiptId }, at);
  const response = await service.app.server.inject({
    method: "POST",
    url: `${pathname}/disputes${search}&about=wrong_total`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "expected=22.86&note=Two+digits+are+swapped",
  });
  assert.equal(response.statusCode, 303, response.body);
  const status = await send("GET", `/track/receipts/${receiptId}/status`);
  return (status["disputes"] as { disputeId: string }[])[0]!.disputeId;
}

/** Lets a user of another application rise to a tier; returns the event. */
async function tierChange(): Promise<Json> {
  const other = await service.newClient();
  const post = async (path: string, body: object) => (await other.call("POST", path, body)).json<Json>();
  const levels = [
    { tier: "bronze", name: "Sprout", from: 0 },
    { tier: "silver", name: "Leaf", from: 1_000, multiplier: 1.1 },
  ];
  const { program } = await post("/programs", { definition: { name: "Tiers", tiers: { by: "lifetime", levels } } });
  await post(`/programs/${(program as { version: number }).version}/publish`, {});
  service.clock.ms += LEAD_MS;
  const gift = { points: 1_000, reason: "Goodwill gift", reference: "gift", countsAsEarned: true };
  await post(`/users/${await other.enrol("grace@example.com")}/adjustments`, gift);
  const risen = (event: Json) => nameOf(event) === "tier.changed";
  return (await other.until((sent) => sent.some(risen))).find(risen)!;
}

/** After what the figures count. */
async function recordReports(send: Send): Promise<void> {
  record("reports.json", {
    getReport: await send("GET", "/reports/points?timeframe=month&by=month"),
    getItems: await send("GET", "/reports/items?timeframe=month&by=month"),
    getDeliveries: await send("GET", "/reports/deliveries?timeframe=month&by=month"),
  });
}

function record(file: string, responses: Json): void {
  recorded.set(file, responses);
}

/** Writes a file of examples, with an address that is reserved for examples and the user of the requests. */
function write(file: string, responses: Json): void {
  const json = JSON.stringify(responses, null, 2);
  const text = json.replaceAll("http://rewards.test", "https://rewards.example.com").replaceAll(userId, EXAMPLE_USER);
  writeFileSync(join(EXAMPLES, file), `${text}\n`);
}

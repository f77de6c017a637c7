import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { addCredential } from "../../src/applications/credentials.store.ts";
import { createDisputes } from "../../src/receipts/disputing/dispute.task.ts";
import { runCommand } from "./commands.ts";
import { GROCERIES, formFor, pageOf } from "./groceries.ts";
import type { Client, ServiceOptions, TestService } from "./service.ts";
import { acceptedReceipt, statusUntil } from "./uploads.ts";

/** An application with one of everything that a page of the console shows or changes, each named by `text`. */
export interface Things {
  readonly client: Client;
  readonly base: string;
  readonly userId: string;
  readonly email: string;
  /** Credited, corrected, with a decided dispute. */
  readonly receiptId: string;
  readonly heldId: string;
  readonly otherHeldId: string;
  /** Credited, with an open dispute. */
  readonly disputedId: string;
  readonly disputeId: string;
  /** A record of points given, one of a redemption, and one with a code of the integrator's own. */
  readonly recordId: string;
  readonly redemptionId: string;
  readonly ownCodeId: string;
  readonly rewardId: string;
  readonly nameId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly credentialId: string;
  readonly previewId: string;
  /** A draft, and one that starts later. */
  readonly version: number;
  readonly scheduled: number;
}

/** Reads every photo as another purchase, with a text in one of its lines. */
export function readerOf(text: string): NonNullable<ServiceOptions["ocr"]> {
  const name = text.replaceAll(/\s+/g, "_").slice(0, 40);
  let minutes = 0;
  const read = async () => {
    const at = `1${Math.floor(minutes / 60)}:${String((minutes += 1) % 60).padStart(2, "0")}`;
    return pageOf(
      GROCERIES.map((row) => row.replace("10:41", at).replace("BEEF MINCE 500G  ", `BEEF MINCE ${name}  `)),
    );
  };
  return { read, close: async () => {} };
}

async function post<Body>(client: Client, path: string, body: object): Promise<Body> {
  const response = await client.call("POST", path, body);
  assert.ok(response.statusCode < 300, `${path} ${response.body}`);
  return response.json<Body>();
}

/**
 * Fills an application through its API. `email` is the address of its user; what listens at `webhookUrl` responds with
 * what its deliveries then show.
 */
export async function furnish(
  service: TestService,
  { text, email, webhookUrl }: { readonly text: string; readonly email: string; readonly webhookUrl: string },
): Promise<Things> {
  const client = await service.newClient({ isSandbox: true });
  const { applicationId } = client;
  const name = { name: "test.name", text: "UPDATE applications SET name = $2 WHERE id = $1" };
  await service.database.query(name, [applicationId, text]);
  const person = { email, firstName: text, lastName: text, city: text, country: text, postalCode: text };
  const { user } = await post<{ user: { userID: string } }>(client, "/users/enroll", person);
  const userId = user.userID;
  const [programme, points, receipts, nameId, sent] = await Promise.all([
    programmeOf(client, text),
    pointsOf(client, userId, text),
    receiptsOf(service, client, { userId, text }),
    unknownName(client, userId, text),
    endpointOf(client, text, webhookUrl),
  ]);
  const base = `/console/${applicationId}`;
  const credentialId = await credentialOf(service, applicationId, text);
  return { client, base, userId, email, ...programme, ...points, ...receipts, nameId, ...sent, credentialId };
}

async function credentialOf({ database }: TestService, applicationId: string, text: string): Promise<string> {
  const [id, name] = [randomUUID(), Array.from(text).slice(0, 64).join("")];
  const terms = { scopes: null, expiresAt: null, createdAt: new Date() };
  const credential = { id, applicationId, name, secretHash: randomBytes(32), ...terms };
  assert.ok(await database.tx((tx) => addCredential(tx, credential)));
  return id;
}

async function programmeOf(client: Client, text: string) {
  const definition = {
    name: text,
    campaigns: [{ id: "c", name: text, from: "2026-01-01", till: "2030-01-01", effect: { multiplier: 2 } }],
    tiers: { by: "lifetime", levels: [{ tier: "bronze", name: text, from: 0 }] },
    bonuses: { welcome: { points: 25, on: "enrolment" }, streaks: [{ id: "s", every: "day", length: 3, points: 1 }] },
  };
  const draft = async () => {
    const body = { definition, note: text, author: text };
    return (await post<{ program: { version: number } }>(client, "/programs", body)).program.version;
  };
  const [version, scheduled] = [await draft(), await draft()];
  const asked = await post<{ preview: { id: string } }>(client, "/programs/preview", { version, days: 3 });
  await post(client, `/programs/${scheduled}/publish`, { startsAt: "2030-01-01T00:00:00Z", author: text });
  const previewId = asked.preview.id;
  for (let reads = 0; reads < 500; reads += 1) {
    const { preview } = await client.get<{ preview: { result: unknown } }>(`/program-previews/${previewId}`);
    if (preview.result) break;
    await sleep(20);
  }
  return { version, scheduled, previewId };
}

async function pointsOf(client: Client, userId: string, text: string) {
  const texts = { brand: text, category: text, description: text, offer: text, terms: [text], location: text };
  const images = { imageUrl: `https://x.example/${encodeURIComponent(text)}`, logoUrl: "https://x.example/logo" };
  const reward = { name: text, points: 5, stock: 50, codes: "pool", ...texts, ...images };
  const { id: rewardId } = (await post<{ reward: { id: string } }>(client, "/rewards", reward)).reward;
  await post(client, `/rewards/${rewardId}/codes`, { codes: [`code-${client.applicationId}`, `more-${randomUUID()}`] });
  const record = async (path: string, body: object) =>
    (await post<{ transaction: { id: string } }>(client, `/users/${userId}${path}`, body)).transaction.id;
  const recordId = await record("/adjustments", { points: 100, reason: text, reference: text });
  const redemptionId = await record("/redemptions", { rewardId, reference: text });
  // A code that is a step in a path.
  const own = { points: 1, reference: `${text}2`, reward: { name: text, ...texts, code: ".." } };
  return { rewardId, recordId, redemptionId, ownCodeId: await record("/redemptions", own) };
}

interface ReceiptParts {
  readonly userId: string;
  readonly text: string;
}

async function receiptsOf(service: TestService, client: Client, { userId, text }: ReceiptParts) {
  const hold = (...options: string[]) =>
    runCommand(service.database, ["app", "review", "--client-id", client.clientId, ...options]);
  const upload = async () => {
    const fields = formFor(userId, { transactionId: `${text} ${randomUUID()}` });
    const id = await acceptedReceipt(service, client, { fields });
    await statusUntil<{ status: string; held?: boolean }>(
      client,
      id,
      ({ status, held }) => held === true || /^(Completed|Failed)$/.test(status),
    );
    return id;
  };
  const [receiptId, disputedId] = [await upload(), await upload()];
  await hold("--min-confidence", "1");
  const [heldId, otherHeldId] = [await upload(), await upload()];
  await hold("--min-confidence", "0");
  const { now, database } = service;
  const disputes = createDisputes({ database, now, newId: randomUUID, publish: async () => {} });
  const dispute = async (receipt: string) => {
    const target = { applicationId: client.applicationId, receiptId: receipt };
    const opened = await disputes.open(target, {
      kind: "missing_line",
      lineId: null,
      expected: text,
      price: 1,
      note: text,
    });
    assert.ok(opened);
    const { disputes: listed } = await client.get<{ disputes: { disputeId: string }[] }>(
      `/track/receipts/${receipt}/status`,
    );
    return listed[0]!.disputeId;
  };
  await post(client, `/track/disputes/${await dispute(receiptId)}/reject`, { reason: text });
  const correction = { reason: text, merchantName: text, items: [{ name: text, quantity: 1, totalPrice: 1 }] };
  await post(client, `/track/receipts/${receiptId}/corrections`, correction);
  await post(client, `/track/receipts/${heldId}/corrections`, correction);
  return { receiptId, disputedId, heldId, otherHeldId, disputeId: await dispute(disputedId) };
}

async function unknownName(client: Client, userId: string, text: string): Promise<string> {
  const food = {
    userId,
    foodId: text,
    logId: text,
    name: `zzqx ${text}`,
    imageUrl: "https://x.example/food.jpg",
    merchant: { name: text },
    weight: 1,
    unit: "g",
    nutrition: {},
    metadata: { [text]: text },
  };
  await post(client, "/track/food", food);
  for (let reads = 0; reads < 500; reads += 1) {
    const { names } = await client.get<{ names: { id: string; name: string }[] }>("/catalogue/unknown-names");
    const found = names.find((each) => each.name.includes("zzqx"));
    if (found) return found.id;
    await sleep(20);
  }
  throw new Error("the name is not listed");
}

/** An endpoint, and a delivery to it. */
async function endpointOf(client: Client, text: string, webhookUrl: string) {
  const url = `${webhookUrl}/?${new URLSearchParams({ text })}`;
  const added = await post<{ id: string }>(client, "/webhooks/endpoints", { url, description: text, events: null });
  const endpointId = added.id;
  await post(client, `/webhooks/endpoints/${endpointId}/test`, {});
  for (let reads = 0; reads < 500; reads += 1) {
    const { deliveries } = await client.get<{ deliveries: { id: string; attempts: object[] }[] }>(
      `/webhooks/deliveries?endpointId=${endpointId}`,
    );
    const sent = deliveries.find(({ attempts }) => attempts.length > 0);
    if (sent) return { endpointId, deliveryId: sent.id };
    await sleep(20);
  }
  throw new Error("nothing was delivered");
}

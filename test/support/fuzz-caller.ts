import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { nameKey } from "../../src/foods/aliases/alias.ts";
import { nameIdOf } from "../../src/unknown-names/sightings.ts";
import { recordUnknownNames } from "../../src/unknown-names/store.ts";
import { openDispute } from "./receipt-subjects.ts";
import type { Client, TestService } from "./service.ts";

/** An application with one of each thing that a path names. */
export interface Caller {
  readonly client: Client;
  /** Ids of its things, by the part of a path that names them. */
  readonly ids: Readonly<Record<string, string>>;
}

/** Makes one of each thing: a user, a record, a reward with a pool, a redemption with its voucher, a receipt. */
export async function callerOf(service: TestService, client: Client, image: Buffer): Promise<Caller> {
  const userId = await client.enrol();
  const made = async (path: string, body: object) => {
    const response = await client.call("POST", path, body);
    assert.equal(response.statusCode, 200, response.body);
    return response.json<Made>();
  };
  const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  const gift = { points: 1_000, reason: "A gift", reference: "gift" };
  const { transaction } = await made(`/users/${userId}/adjustments`, gift);
  const { reward } = await made("/rewards", { name: "A free tea", points: 5, codes: "pool" });
  await made(`/rewards/${reward.id}/codes`, { codes: ["TEA-1", "TEA-2"] });
  const own = { points: 0, reward: { name: "A free coffee", codes: "made" }, reference: "sale" };
  const redeemed = (await made(`/users/${userId}/redemptions`, own)).transaction;
  const { program } = await made("/programs", { definition: { name: "Draft" } });
  const receiptId = await uploaded(service, client, userId, image);
  const ids = {
    "/users/{id}": userId,
    "/endpoints/{id}": endpoints[0]!.id,
    "/transactions/{transactionId}": transaction.id,
    "/rewards/{id}": reward.id,
    "/redemptions/{transactionId}": redeemed.id,
    "/vouchers/{code}": redeemed.reward.code,
    "/disputes/{id}": await openDispute(service, receiptId),
    "/receipts/{id}": receiptId,
    "/programs/{version}": String(program.version),
    "/reports/{name}": "points",
    "/unknown-names/{id}": await unknownName(service, { applicationId: client.applicationId, userId }),
  };
  return { client, ids };
}

/** A name that nothing matched. */
async function unknownName(service: TestService, owner: { applicationId: string; userId: string }): Promise<string> {
  const items = [{ name: "zzq", merchantName: null, paid: null }];
  const sighted = { ...owner, submissionId: randomUUID(), source: "meal", items } as const;
  await service.database.tx((tx) => recordUnknownNames(tx, [sighted], new Date()));
  return nameIdOf(owner.applicationId, nameKey("zzq"));
}

interface Made {
  readonly transaction: { readonly id: string; readonly reward: { readonly code: string } };
  readonly reward: { readonly id: string };
  readonly program: { readonly version: number };
}

async function uploaded(service: TestService, client: Client, userId: string, image: Buffer): Promise<string> {
  const fields = Object.entries({
    userId,
    transactionId: "first",
    amount: "7.40",
    merchantName: "Larkmeadow Market",
    transactionTimestamp: new Date(Date.now() - 60_000).toISOString(),
  });
  const response = await service.app.server.inject({
    method: "POST",
    url: "/track/receipts?api-version=1.0",
    headers: { ...client.headers, "content-type": "multipart/form-data; boundary=b" },
    payload: form(fields, [["receiptImage", image]]),
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ receiptID: string }>().receiptID;
}

/** Creates the bytes of a form with these fields and files. */
export function form(
  fields: readonly (readonly [string, string])[],
  files: readonly (readonly [string, Buffer])[],
): Buffer {
  const disposition = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"`;
  return Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${disposition(name)}\r\n\r\n${value}\r\n`)),
    ...files.flatMap(([name, bytes]) => [
      Buffer.from(`${disposition(name)}; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`),
      bytes,
      Buffer.from("\r\n"),
    ]),
    Buffer.from("--b--\r\n"),
  ]);
}

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { multipart } from "./multipart.ts";
import type { Form } from "./multipart.ts";
import { picture } from "./groceries.ts";
import type { Client, TestService } from "./service.ts";

/** Uploads a receipt to the whole service; `image` is a new picture without text if there is none. */
export async function uploadReceipt(
  { app }: Pick<TestService, "app">,
  { headers }: Pick<Client, "headers">,
  { fields, image, parts = [] }: Form,
): Promise<LightMyRequestResponse> {
  const form = await multipart({ fields, image: image ?? (await picture()), parts });
  const url = "/track/receipts?api-version=1.0";
  return app.server.inject({ method: "POST", url, ...form, headers: { ...headers, ...form.headers } });
}

/** Sends a sample of the sandbox; returns the receipt's id. */
export async function acceptedSample(
  { app }: Pick<TestService, "app">,
  { headers }: Pick<Client, "headers">,
  outcome: string,
  fields: Form["fields"],
): Promise<string> {
  const form = await multipart({ fields });
  const url = `/track/receipts?api-version=1.0&testBlobUri=sample:${outcome}`;
  const response = await app.server.inject({ method: "POST", url, ...form, headers: { ...headers, ...form.headers } });
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ receiptID: string }>().receiptID;
}

/** Uploads a receipt that is expected to be accepted; returns its id. */
export async function acceptedReceipt(
  service: Pick<TestService, "app">,
  client: Pick<Client, "headers">,
  form: Form,
): Promise<string> {
  const response = await uploadReceipt(service, client, form);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ receiptID: string }>().receiptID;
}

/** Waits until the status document of a receipt is as wanted, and returns it. */
export async function statusUntil<Status>(
  client: Pick<Client, "call">,
  id: string,
  isWanted: (status: Status) => boolean,
): Promise<Status> {
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    const response = await client.call("GET", `/track/receipts/${id}/status`);
    const status = response.json<Status>();
    if (isWanted(status)) return status;
    assert.ok(Date.now() < deadline, `still ${response.body}`);
  }
}

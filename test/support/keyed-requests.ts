import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import type { TestService } from "./service.ts";

/** The body of a food of the user; `over` replaces members. */
export function foodOf(userId: string, transactionId: string, over: object = {}) {
  return {
    userId,
    transactionId,
    foodId: "apple",
    name: "Apple",
    imageUrl: "https://example.org/a.jpg",
    merchant: { name: "Corner shop" },
    weight: 150,
    unit: "g",
    nutrition: {},
    ...over,
  };
}

/** POSTs JSON, or no body, with an Idempotency-Key. */
export function postWithKey(
  service: TestService,
  headers: Record<string, string>,
  path: string,
  body: object | undefined,
  key: string,
): Promise<LightMyRequestResponse> {
  return service.app.server.inject({
    method: "POST",
    url: `${path}?api-version=1.0`,
    headers: { ...headers, "idempotency-key": key },
    ...(body && { payload: body }),
  });
}

/** Makes a subject once for each `n`: the first request for it makes it, and the others wait. */
export function madeOnce<Subject>(make: (n: string) => Promise<Subject>): (n: string) => Promise<Subject> {
  const made = new Map<string, Promise<Subject>>();
  return (n) => {
    const subject = made.get(n) ?? make(n);
    made.set(n, subject);
    return subject;
  };
}

export function isReplayed(response: LightMyRequestResponse): boolean {
  return response.headers["idempotency-replayed"] === "true";
}

export function refusedAs(response: LightMyRequestResponse, status: number, code: string): void {
  assert.deepEqual([response.statusCode, response.json<{ code: string }>().code], [status, code], response.body);
}

import assert from "node:assert/strict";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { PROBLEMS } from "../../src/problem-types.ts";
import { startService } from "./service.ts";
import type { Client, TestService } from "./service.ts";

/** Requests that no correct client sends, and checks of their responses. */
export interface Requests {
  readonly service: TestService;
  readonly client: Client;
  readonly userId: string;
  /** Sends exactly these bytes with credentials. */
  send(
    path: string,
    payload: string | Buffer,
    contentType?: string,
    more?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  ask(url: string, method?: InjectOptions["method"], headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Creates the body of a meal of the user, each with a new reference. */
  meal(over?: object): Record<string, unknown>;
  /** Runs `work` and checks that it stored no intake. */
  storingNothing(work: () => Promise<void>): Promise<void>;
}

export const JSON_TYPE = "application/json";

/** The body of a meal. */
export function mealOf(userId: string, transactionId: string): Record<string, unknown> {
  return {
    userId,
    transactionId,
    mealName: "Banana",
    imageUrl: "https://example.org/banana.jpg",
    loggedAt: new Date().toISOString(),
    mealType: "snack",
  };
}

/** A service with one application and one user. */
export async function startRequests(): Promise<Requests> {
  const service = await startService();
  const client = await service.newClient();
  const userId = await client.enrol();
  let meals = 0;

  const intakeCount = async (): Promise<number> => {
    const text = "SELECT count(*)::float8 AS count FROM intakes";
    return (await service.database.query<{ count: number }>({ name: "test.intakes", text }))[0]!.count;
  };
  return {
    service,
    client,
    userId,
    send: (path, payload, contentType = JSON_TYPE, more = {}) => {
      const headers = { ...client.headers, "content-type": contentType, ...more };
      return service.app.server.inject({ method: "POST", url: `${path}?api-version=1.0`, headers, payload });
    },
    ask: (url, method = "GET", headers = client.headers) => service.app.server.inject({ method, url, headers }),
    meal: (over = {}) => ({ ...mealOf(userId, `meal-${meals++}`), ...over }),
    storingNothing: async (work) => {
      const before = await intakeCount();
      await work();
      assert.equal(await intakeCount(), before, "nothing was stored");
    },
  };
}

/** Checks that a response is a complete problem document, and returns it. */
export function problemIn(response: LightMyRequestResponse, ...statuses: number[]) {
  assert.ok(statuses.includes(response.statusCode), `${response.statusCode} ${response.body.slice(0, 300)}`);
  assert.match(String(response.headers["content-type"]), /^application\/problem\+json/);
  const problem = response.json<Record<string, unknown> & { errors?: Record<string, string[]> }>();
  const entry = Object.values(PROBLEMS).find(({ code }) => code === problem["code"]);
  assert.ok(entry, `${String(problem["code"])} is in the catalogue`);
  assert.deepEqual(
    [problem["type"], problem["title"], problem["status"]],
    [`http://rewards.test/problems/${entry.slug}`, entry.title, response.statusCode],
  );
  for (const member of ["detail", "instance", "requestId"]) assert.equal(typeof problem[member], "string", member);
  assert.equal(response.headers["x-request-id"], problem["requestId"]);
  assert.doesNotMatch(response.body, /\bat .*\.[jt]s:\d|SELECT|INSERT|FST_|ajv/i, "no stack, SQL or library shows");
  return problem;
}

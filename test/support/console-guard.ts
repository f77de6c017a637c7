import assert from "node:assert/strict";
import type { Role } from "../../src/console/roles.ts";
import { signIn, sendForm } from "./console.ts";
import type { Client, TestService } from "./service.ts";

/** A page or change of the console: its path below the application, and the least role that may use it. */
export interface GuardedRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly right: "see" | "review" | "manage";
}

/** Roles with less than each right. Nobody has less than to see. */
const TOO_SMALL: Readonly<Record<GuardedRoute["right"], readonly Role[]>> = {
  see: [],
  review: ["viewer", "developer"],
  manage: ["viewer", "reviewer", "developer"],
};

/**
 * Sends each request with another application's role (404), with a smaller role (403), without a session (sign-in, or
 * 403 for a form), and from another site (403). `client` is the application that the paths are of.
 */
export async function checkGuard(service: TestService, client: Client, routes: readonly GuardedRoute[]): Promise<void> {
  const base = `/console/${client.applicationId}`;
  const other = await service.newClient();
  const stranger = await signIn(service, [{ role: "operator", applicationId: other.applicationId }]);
  const manager = await signIn(service, [{ role: "operator" }]);
  const smaller = new Map<Role, Awaited<ReturnType<typeof signIn>>>();
  for (const role of new Set(Object.values(TOO_SMALL).flat())) smaller.set(role, await signIn(service, [{ role }]));
  for (const { method, path, right } of routes) {
    const url = `${base}${path}`;
    const where = `${method} ${path}`;
    const send = (person: Awaited<ReturnType<typeof signIn>>) =>
      method === "GET" ? person.get(url) : person.post(url);
    assert.equal((await send(stranger)).statusCode, 404, `${where} with another application's role`);
    for (const role of TOO_SMALL[right])
      assert.equal((await send(smaller.get(role)!)).statusCode, 403, `${where} ${role}`);
    if (method === "GET") {
      assert.match(String((await service.app.server.inject(url)).headers.location), /^\/console\/sign-in/, where);
    } else {
      assert.equal((await sendForm(service.app, url, {})).statusCode, 403, `${where} without a session`);
      const crossed = await manager.post(url, {}, { "sec-fetch-site": "cross-site" });
      assert.equal(crossed.statusCode, 403, `${where} from another site`);
      const forged = await manager.post(url, { formToken: "x" });
      assert.equal(forged.statusCode, 403, `${where} with a wrong token`);
    }
  }
}

/** What a stranger types to become markup. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'`;

/** Checks that hostile text is on the page as text alone. */
export function assertHostileIsText(body: string, where = "the page"): void {
  assert.ok(body.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"), `${where} shows the text`);
  assert.ok(!body.includes("<img"), `${where} has no markup of it`);
}

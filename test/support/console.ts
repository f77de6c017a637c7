import { randomBytes } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { grantRole, insertConsoleUser } from "../../src/console/users.store.ts";
import { openSession } from "../../src/console/sessions.store.ts";
import type { Role } from "../../src/console/roles.ts";
import { hashOf } from "../../src/console/token.ts";
import { uuidv7 } from "../../src/ids.ts";
import type { TestService } from "./service.ts";

/** Settings of a service with the console. */
export const WITH_CONSOLE = { CONSOLE: "true" };

/** A person who is signed in to the console, as a browser is: with the cookie, and the token of its forms. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** The value of the Cookie header. */
  readonly cookie: string;
  get(path: string): Promise<LightMyRequestResponse>;
  /** Opens the page `from` for the token of its forms, and sends a form as that page does. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    more?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
}

/** Adds a person with roles, and signs in: a session as one after a password. */
export async function signIn(
  { app, database }: TestService,
  roles: readonly { role: Role; applicationId?: string }[],
): Promise<Person> {
  const now = new Date();
  const id = uuidv7(now.getTime(), randomBytes(10));
  const email = `${id}@console.test`;
  const token = randomBytes(32).toString("base64url");
  await database.tx(async (tx) => {
    await insertConsoleUser(tx, { id, email, name: "Ada" }, now);
    for (const { role, applicationId = null } of roles) await grantRole(tx, id, applicationId, role);
    await openSession(tx, hashOf(token), id, now);
  });
  const cookie = `console=${token}`;
  const get = (path: string) => app.server.inject({ method: "GET", url: path, headers: { cookie } });
  return {
    id,
    email,
    cookie,
    get,
    post: async (path, fields = {}, more = {}) => {
      const formToken = formTokenIn(await get("/console"));
      return sendForm(app, path, { formToken, ...fields }, { cookie, ...more });
    },
  };
}

/** Sends a form. */
export function sendForm(
  app: TestService["app"],
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return app.server.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Returns the token of the forms on a page. */
export function formTokenIn({ body }: LightMyRequestResponse): string {
  return /name="formToken" value="([^"]+)"/.exec(body)?.[1] ?? "";
}

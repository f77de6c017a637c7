import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { doneIn, fieldsOf } from "../form.ts";
import { CONSOLE_LANGUAGES } from "../language.ts";
import { closeSession, closeSessionsOf } from "../sessions.store.ts";
import { passwordError } from "../sign-in/password.ts";
import { listPasskeys, removePasskey } from "../sign-in/passkeys.store.ts";
import type { Passkeys } from "../sign-in/passkeys.task.ts";
import type { Passwords } from "../sign-in/passwords.task.ts";
import type { Entrance } from "../sign-in/entrance.routes.ts";
import { parseResponse } from "../sign-in/response.ts";
import { hashOf, pathAfterSignIn } from "../token.ts";
import type { SessionCookie } from "../token.ts";
import { findPassword, setLocale, setPassword } from "../users.store.ts";
import { accountPage } from "./page.ts";
import type { Account } from "./page.ts";

export interface AccountDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly entrance: Entrance;
  readonly cookie: SessionCookie;
}

const OWN = { config: { console: "signed-in" } } as const;

/** Adds the pages of a person's own account, the choice of a language, and signing out. */
export function accountRoutes(scope: Server, deps: AccountDeps): void {
  const { database, entrance, cookie } = deps;
  const { basePath } = entrance;
  scope.get("/console/account", OWN, (request, reply) =>
    showAccount(deps, request, reply, { done: doneIn(request), error: null }),
  );
  scope.post("/console/account/password", OWN, (request, reply) => changePassword(deps, request, reply));
  scope.post("/console/account/sign-out", OWN, async (request, reply) => {
    const { id } = request.console.view.user;
    await closeSessionsOf(database, id);
    await entrance.audit(id, "console.sign-out-everywhere", 200);
    reply.header("set-cookie", cookie.clear);
    return redirectFromPage(reply, `${basePath}/console/sign-in`);
  });
  scope.post("/console/sign-out", OWN, async (request, reply) => {
    await closeSession(database, hashOf(request.console.sessionToken));
    reply.header("set-cookie", cookie.clear);
    return redirectFromPage(reply, `${basePath}/console/sign-in`);
  });
  scope.post("/console/language", OWN, async (request, reply) => {
    const fields = fieldsOf(request);
    const language = CONSOLE_LANGUAGES.find(({ tag }) => tag === fields.get("language"));
    if (language) await setLocale(database, request.console.view.user.id, language.tag);
    return redirectFromPage(reply, `${basePath}${pathAfterSignIn(fields.get("next"))}`);
  });
  passkeyRoutes(scope, deps);
}

function passkeyRoutes(scope: Server, { database, passkeys, entrance }: AccountDeps): void {
  const { basePath } = entrance;
  scope.post("/console/account/passkey-options", OWN, async (request) =>
    passkeys.creationOptions(request.console.view.user),
  );
  scope.post("/console/account/passkey", OWN, async (request, reply) => {
    const { id } = request.console.view.user;
    if (!(await passkeys.add(id, parseResponse(fieldsOf(request).get("response"))))) {
      return reply.code(400).send({ next: null });
    }
    await entrance.audit(id, "console.add-passkey", 200);
    return { next: `${basePath}/console/account?done=passkeyAdded` };
  });
  scope.post("/console/account/remove-passkey", OWN, async (request, reply) => {
    const { id } = request.console.view.user;
    const credentialId = Buffer.from(fieldsOf(request).get("passkey") ?? "", "base64url");
    if (!(await removePasskey(database, id, credentialId))) throw new Problem("notFound");
    await entrance.audit(id, "console.remove-passkey", 200);
    return redirectFromPage(reply, `${basePath}/console/account?done=passkeyRemoved`);
  });
}

async function changePassword(deps: AccountDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, passwords, entrance } = deps;
  const { user } = request.console.view;
  const fields = fieldsOf(request);
  entrance.requirePatience(request);
  const password = fields.get("password") ?? "";
  const error = passwordError(password, fields.get("repeated") ?? "");
  if (error) return showAccount(deps, request, reply, { done: null, error });
  const checked = await passwords.check(user.email, fields.get("current") ?? "");
  const hash = checked.kind === "right" ? await passwords.hash(password) : null;
  if (checked.kind === "busy" || (checked.kind === "right" && hash === null)) {
    throw new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  }
  if (hash === null) {
    entrance.countFailure(request);
    return showAccount(deps, request, reply, { done: null, error: "wrong" });
  }
  await database.tx(async (tx) => {
    await setPassword(tx, user.id, hash);
    await closeSessionsOf(tx, user.id);
  });
  await entrance.audit(user.id, "console.set-password", 200);
  await entrance.enter(reply, user.id);
  return redirectFromPage(reply, `${entrance.basePath}/console/account?done=passwordChanged`);
}

async function showAccount(
  { database }: AccountDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Pick<Account, "done" | "error">,
) {
  const { view } = request.console;
  const [passkeys, password] = [
    await listPasskeys(database, view.user.id),
    await findPassword(database, view.user.email),
  ];
  const account = { passkeys, hasPassword: password?.hash != null, ...shown };
  return sendPage(reply, shown.error === null ? 200 : 400, accountPage(view, account));
}

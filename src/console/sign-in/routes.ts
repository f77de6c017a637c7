import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { fieldsOf } from "../form.ts";
import { closeSessionsOf, findLink, takeLink } from "../sessions.store.ts";
import { hashOf, isTokenText, pathAfterSignIn } from "../token.ts";
import { setPassword } from "../users.store.ts";
import type { Entrance } from "./entrance.routes.ts";
import { goneLinkPage, linkPage, signInPage } from "./page.ts";
import { passwordError } from "./password.ts";
import type { Passkeys } from "./passkeys.task.ts";
import type { Passwords } from "./passwords.task.ts";
import { parseResponse } from "./response.ts";

export interface SignInDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly entrance: Entrance;
  /** The name of the other provider that people can sign in with; null: none. */
  readonly providerName: string | null;
}

const OPEN = { config: { console: "open" } } as const;

/** Adds signing in by password or passkey, and the one-time link that makes either. */
export function signInRoutes(scope: Server, deps: SignInDeps): void {
  const { providerName, entrance } = deps;

  scope.get("/console/sign-in", OPEN, async (request, reply) => {
    const { next } = request.query as Record<string, unknown>;
    const page = { email: "", next: pathAfterSignIn(next), isWrong: false, providerName };
    return sendPage(reply, 200, signInPage(entrance.frameOf(request, null), page));
  });
  scope.post("/console/sign-in", OPEN, (request, reply) => signIn(deps, request, reply));
  scope.post("/console/sign-in/passkey-options", OPEN, async (request) => {
    entrance.requirePatience(request);
    return deps.passkeys.requestOptions();
  });
  scope.post("/console/sign-in/passkey", OPEN, async (request, reply) => {
    entrance.requirePatience(request);
    const fields = fieldsOf(request);
    const userId = await deps.passkeys.verify(parseResponse(fields.get("response")));
    if (userId === null) {
      entrance.countFailure(request);
      return reply.code(401).send({ next: null });
    }
    await entrance.enter(reply, userId);
    return { next: `${entrance.basePath}${pathAfterSignIn(fields.get("next"))}` };
  });
  linkRoutes(scope, deps);
}

/** The one-time link: a password or a passkey uses it up. */
function linkRoutes(scope: Server, deps: SignInDeps): void {
  const { now, entrance, passkeys } = deps;
  const { basePath, frameOf, enter } = entrance;

  scope.get("/console/link", OPEN, async (request, reply) => {
    const { token } = request.query as Record<string, unknown>;
    const link = await findOpenLink(deps, request, token);
    if (!link) return sendPage(reply, 404, goneLinkPage(frameOf(request, null)));
    return sendPage(reply, 200, linkPage(frameOf(request, null), { ...link, error: null }));
  });
  scope.post("/console/link", OPEN, (request, reply) => useLink(deps, request, reply));
  scope.post("/console/link/passkey-options", OPEN, async (request) => {
    const link = await findOpenLink(deps, request, fieldsOf(request).get("token"));
    if (!link) throw new Problem("notFound");
    return passkeys.creationOptions({ ...link, id: link.userId });
  });
  scope.post("/console/link/passkey", OPEN, async (request, reply) => {
    const fields = fieldsOf(request);
    const link = await findOpenLink(deps, request, fields.get("token"));
    const use = async (tx: Tx) => link !== null && (await takeLink(tx, hashOf(link.token), now())) !== null;
    if (!link || !(await passkeys.add(link.userId, parseResponse(fields.get("response")), use))) {
      return reply.code(400).send({ next: null });
    }
    await entrance.audit(link.userId, "console.add-passkey", 200);
    await enter(reply, link.userId);
    return { next: `${basePath}/console` };
  });
}

async function signIn({ passwords, entrance, providerName }: SignInDeps, request: FastifyRequest, reply: FastifyReply) {
  const fields = fieldsOf(request);
  const email = (fields.get("email") ?? "").trim().slice(0, 254);
  const next = pathAfterSignIn(fields.get("next"));
  entrance.requirePatience(request);
  const checked = await passwords.check(email, fields.get("password") ?? "");
  if (checked.kind === "busy") throw new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  if (checked.kind === "right") {
    await entrance.enter(reply, checked.userId);
    return redirectFromPage(reply, `${entrance.basePath}${next}`);
  }
  if (checked.kind === "wrong") await entrance.audit(checked.userId, "console.sign-in", 401);
  entrance.countFailure(request);
  const page = { email, next, isWrong: true, providerName };
  return sendPage(reply, 401, signInPage(entrance.frameOf(request, null), page));
}

async function findOpenLink({ database, now, entrance }: SignInDeps, request: FastifyRequest, token: unknown) {
  entrance.requirePatience(request);
  const link = isTokenText(token) ? await findLink(database, hashOf(token), now()) : null;
  if (link && isTokenText(token)) return { ...link, token };
  entrance.countFailure(request);
  return null;
}

async function useLink(deps: SignInDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, now, passwords, entrance } = deps;
  const fields = fieldsOf(request);
  const frame = entrance.frameOf(request, null);
  const link = await findOpenLink(deps, request, fields.get("token"));
  if (!link) return sendPage(reply, 404, goneLinkPage(frame));
  const password = fields.get("password") ?? "";
  const error = passwordError(password, fields.get("repeated") ?? "");
  if (error) return sendPage(reply, 400, linkPage(frame, { ...link, error }));
  const hash = await passwords.hash(password);
  if (hash === null) throw new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  const userId = await database.tx(async (tx) => {
    const taken = await takeLink(tx, hashOf(link.token), now());
    if (taken === null) return null;
    await setPassword(tx, taken, hash);
    await closeSessionsOf(tx, taken);
    return taken;
  });
  if (userId === null) return sendPage(reply, 404, goneLinkPage(frame));
  await entrance.audit(userId, "console.set-password", 200);
  await entrance.enter(reply, userId);
  return redirectFromPage(reply, `${entrance.basePath}/console`);
}

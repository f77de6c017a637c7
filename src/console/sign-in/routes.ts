import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { AuthThrottle } from "../../http/auth-throttle.ts";
import type { Server } from "../../http/server.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { addAuditEntry, addAuditOutcome } from "../audit.store.ts";
import type { ConsoleFrame } from "../page.ts";
import { PASSWORD_LENGTH, lockMs } from "../password.ts";
import type { Passwords } from "../password.task.ts";
import { closeSession, closeSessionsOf, findLink, openSession, takeLink } from "../sessions.store.ts";
import { SESSION_MS_MAX, TOKEN_BYTES, hashOf, isTokenText, pathAfterSignIn } from "../token.ts";
import type { SessionCookie } from "../token.ts";
import { countPasswordFailure, findPassword, forgetPasswordFailures, setLocale, setPassword } from "../users.store.ts";
import { goneLinkPage, linkPage, signInPage } from "./page.ts";
import type { PasswordError } from "./page.ts";

export interface SignInDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly passwords: Passwords;
  readonly throttle: AuthThrottle;
  readonly cookie: SessionCookie;
  readonly basePath: string;
  frameOf(request: FastifyRequest, chosen: string | null): ConsoleFrame;
}

const OPEN = { config: { console: "open" } } as const;
const SIGNED_IN = { config: { console: "signed-in" } } as const;

/** Adds signing in by password, the one-time link that sets one, signing out, and the choice of a language. */
export function signInRoutes(scope: Server, deps: SignInDeps): void {
  const { frameOf, database, now } = deps;

  scope.get("/console/sign-in", OPEN, async (request, reply) => {
    const { next } = request.query as Record<string, unknown>;
    const page = signInPage(frameOf(request, null), { email: "", next: pathAfterSignIn(next), isWrong: false });
    return sendPage(reply, 200, page);
  });
  scope.post("/console/sign-in", OPEN, (request, reply) => signIn(deps, request, reply));

  scope.get("/console/link", OPEN, async (request, reply) => {
    const { token } = request.query as Record<string, unknown>;
    const found = isTokenText(token) ? await findLink(database, hashOf(token), now()) : null;
    const frame = frameOf(request, null);
    if (!found) countFailure(deps, request);
    if (!found || !isTokenText(token)) return sendPage(reply, 404, goneLinkPage(frame));
    return sendPage(reply, 200, linkPage(frame, { token, name: found.name, email: found.email, error: null }));
  });
  scope.post("/console/link", OPEN, (request, reply) => useLink(deps, request, reply));

  scope.post("/console/sign-out", SIGNED_IN, async (request, reply) => {
    await closeSession(database, hashOf(request.console.sessionToken));
    reply.header("set-cookie", deps.cookie.clear);
    return redirectFromPage(reply, `${deps.basePath}/console/sign-in`);
  });
  scope.post("/console/language", SIGNED_IN, async (request, reply) => {
    const form = fieldsOf(request);
    const language = form.get("language") ?? "";
    if (/^[a-z]{2}$/.test(language)) await setLocale(database, request.console.view.user.id, language);
    return redirectFromPage(reply, `${deps.basePath}${pathAfterSignIn(form.get("next"))}`);
  });
}

async function signIn(deps: SignInDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, now, passwords, frameOf } = deps;
  const form = fieldsOf(request);
  const email = (form.get("email") ?? "").trim().slice(0, 254);
  const password = form.get("password") ?? "";
  const next = pathAfterSignIn(form.get("next"));
  if (deps.throttle.isOverLimit(request.ip)) countFailure(deps, request);
  const known = await findPassword(database, email);
  const isLocked = known?.lockedUntil != null && known.lockedUntil > now();
  // Hashed also for an unknown address and a locked password: the time shows nothing.
  const isRight = await passwords.isRight(password.slice(0, PASSWORD_LENGTH.max), known?.hash ?? null);
  if (isRight === null) throw new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  if (!known || isLocked || !isRight) {
    countFailure(deps, request);
    if (known && !isLocked) {
      await database.tx((tx) =>
        countPasswordFailure(tx, known.userId, (failures) => {
          const ms = lockMs(failures);
          return ms === 0 ? null : new Date(now().getTime() + ms);
        }),
      );
      await audit(deps, known.userId, "console.sign-in", 401);
    }
    return sendPage(reply, 401, signInPage(frameOf(request, null), { email, next, isWrong: true }));
  }
  await forgetPasswordFailures(database, known.userId);
  await enter(deps, reply, known.userId);
  return redirectFromPage(reply, `${deps.basePath}${next}`);
}

async function useLink(deps: SignInDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, now, passwords, frameOf } = deps;
  const form = fieldsOf(request);
  const token = form.get("token");
  const frame = frameOf(request, null);
  const found = isTokenText(token) ? await findLink(database, hashOf(token), now()) : null;
  if (!found || !isTokenText(token)) {
    countFailure(deps, request);
    return sendPage(reply, 404, goneLinkPage(frame));
  }
  const password = form.get("password") ?? "";
  const error = passwordError(password, form.get("repeated") ?? "");
  if (error) return sendPage(reply, 400, linkPage(frame, { token, name: found.name, email: found.email, error }));
  const hash = await passwords.hash(password);
  if (hash === null) throw new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  const userId = await database.tx(async (tx) => {
    const taken = await takeLink(tx, hashOf(token), now());
    if (taken === null) return null;
    await setPassword(tx, taken, hash);
    await closeSessionsOf(tx, taken);
    return taken;
  });
  if (userId === null) return sendPage(reply, 404, goneLinkPage(frame));
  await audit(deps, userId, "console.set-password", 200);
  await enter(deps, reply, userId);
  return redirectFromPage(reply, `${deps.basePath}/console`);
}

/** Opens a session and sets its cookie. */
async function enter({ database, now, cookie, ...deps }: SignInDeps, reply: FastifyReply, userId: string) {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await openSession(database, hashOf(token), userId, now());
  await audit({ database, now, newId: deps.newId }, userId, "console.sign-in", 200);
  reply.header("set-cookie", cookie.set(token, SESSION_MS_MAX / 1_000));
}

function passwordError(password: string, repeated: string): PasswordError | null {
  if (password.length < PASSWORD_LENGTH.min) return "short";
  if (password.length > PASSWORD_LENGTH.max) return "long";
  return password === repeated ? null : "different";
}

async function audit(
  { database, now, newId }: Pick<SignInDeps, "database" | "now" | "newId">,
  consoleUserId: string,
  action: string,
  status: number,
) {
  const id = newId();
  await addAuditEntry(database, { id, at: now(), consoleUserId, applicationId: null, action, subject: consoleUserId });
  await addAuditOutcome(database, id, status);
}

function countFailure({ throttle }: SignInDeps, request: FastifyRequest): void {
  const secondsLeft = throttle.countFailure(request.ip);
  if (secondsLeft !== null) throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
}

function fieldsOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

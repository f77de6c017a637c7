import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { RIGHTS } from "../../src/console/roles.ts";
import type { Right } from "../../src/console/roles.ts";
import type { Things } from "./console-things.ts";

/** A route of the console, as the app itself has declared it. */
export interface ConsoleRoute {
  readonly method: string;
  /** With the names of its parameters: `/console/:application/receipts/:id`. */
  readonly url: string;
  readonly needs: Right | "signed-in" | "open";
}

/** Collects the routes of each service that is started from now on, until `stop`. */
export function collectRoutes(): { of(server: object): ConsoleRoute[]; stop(): void } {
  const routes = new Map<object, ConsoleRoute[]>();
  const started = channel("fastify.initialization");
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const found: ConsoleRoute[] = [];
    routes.set(fastify, found);
    fastify.addHook("onRoute", ({ method, url, config }) => {
      if (!/^\/console(?:\/|$)/.test(url)) return;
      const needs = config?.console;
      const isKnown = needs === "open" || needs === "signed-in" || RIGHTS.some((right) => right === needs);
      assert.ok(needs !== undefined && isKnown, `${String(method)} ${url} declares no right`);
      for (const each of [method].flat()) found.push({ method: each, url, needs });
    });
  };
  started.subscribe(listen);
  const stop = () => {
    started.unsubscribe(listen);
  };
  return { of: (server) => routes.get(server) ?? [], stop };
}

type Ids = readonly (string | number)[];

/** What the parameters behind the application's are, by the beginning of a route; the first one that fits counts. */
const PARAMETERS: readonly (readonly [beginning: string, ids: (things: Things) => Ids])[] = [
  ["overview/csv/", () => ["points"]],
  ["receipts/", ({ receiptId }) => [receiptId]],
  ["review/:id/disputes/", ({ disputedId, disputeId }) => [disputedId, disputeId]],
  ["review/:id/reject", ({ otherHeldId }) => [otherHeldId]],
  ["review/", ({ heldId }) => [heldId]],
  ["names/", ({ nameId }) => [nameId]],
  ["people/:id/records/:record/refund", ({ userId, redemptionId }) => [userId, redemptionId]],
  ["people/", ({ userId, recordId }) => [userId, recordId]],
  ["programme/previews/", ({ previewId }) => [previewId]],
  ["programme/:version/withdraw", ({ scheduled }) => [scheduled]],
  ["programme/", ({ version }) => [version]],
  ["rewards/", ({ rewardId }) => [rewardId]],
  ["developers/endpoints/", ({ endpointId }) => [endpointId]],
  ["developers/credentials/", ({ credentialId }) => [credentialId]],
  ["developers/deliveries/", ({ deliveryId }) => [deliveryId]],
];
const APPLICATION = "/console/:application/";

/** Returns the path of a route with the ids of an application's things; `person` is somebody of the console. */
export function pathOf(url: string, things: Things, person: string = randomUUID()): string {
  const below = url.startsWith(APPLICATION) ? url.slice(APPLICATION.length) : "";
  const found = PARAMETERS.find(([beginning]) => below.startsWith(beginning) && below.includes(":"));
  const ids = [...(found?.[1](things) ?? [])];
  const path = url
    .replace(":application", things.client.applicationId)
    .replace(":person", person)
    .replaceAll(/:\w+/g, (name) => String(ids.shift() ?? name));
  assert.ok(!path.includes("/:"), `${url}: say in PARAMETERS what its parameters are`);
  return path;
}

/** Returns whether a route has the id of something that belongs to an application. */
export function hasId(url: string): boolean {
  return url.startsWith(APPLICATION) && /:(?!report)/.test(url.slice(APPLICATION.length));
}

/** Forms that would do something: what is refused must be refused for another reason than the form. */
export function formOf(url: string, things: Things): Record<string, string> {
  const key = randomUUID();
  const found = FORMS.find(([ending]) => url.endsWith(ending));
  return { key, ...found?.[1](things) };
}

const PASSWORD = "correct horse battery";
const FORMS: readonly (readonly [ending: string, fields: (things: Things) => Record<string, string>])[] = [
  ["/console/language", () => ({ language: "en", next: "/console" })],
  ["/account/password", () => ({ current: PASSWORD, password: `${PASSWORD}!`, repeated: `${PASSWORD}!` })],
  ["/account/remove-passkey", () => ({ passkey: "AAAA" })],
  ["/console/team", () => ({ email: "new@console.test", name: "New", role: "operator" })],
  ["/:person/grant", () => ({ role: "operator" })],
  [":application/people", ({ email }) => ({ who: email })],
  ["/adjust", () => ({ points: "7", reason: "Gift" })],
  ["/erase", ({ email }) => ({ typed: email })],
  ["/reverse", () => ({ reason: "Wrong" })],
  ["/refund", () => ({ reason: "Wrong" })],
  ["/programme/draft", () => ({ json: `{"name":"Another"}`, do: "save" })],
  [":version/preview", () => ({ days: "3" })],
  [":application/rewards", () => ({ name: "Another", points: "5" })],
  ["/rewards/:id", () => ({ "was-name": "x", name: "Another" })],
  ["/codes", () => ({ codes: `new-${randomUUID()}` })],
  ["/developers/secret", () => ({ hours: "1" })],
  ["/developers/credentials", () => ({ name: "Another", days: "30", scopes: "users.read" })],
  ["/developers/endpoints", () => ({ url: "https://another.example/", description: "" })],
  ["/replay", () => ({ since: "2026-01-01T00:00" })],
  [":endpoint/change", () => ({ url: "https://another.example/", description: "changed" })],
  [
    "/developers/call",
    () => ({
      method: "POST",
      path: "/users/enroll",
      body: `{"email":"new@example.org","firstName":"N","lastName":"P"}`,
    }),
  ],
  ["/names/:id/apply", () => ({ means: "not-food" })],
  ["/disputes/:dispute/reject", () => ({ reason: "No" })],
  ["/review/:id/reject", () => ({ why: "unreadable", reason: "No" })],
  ["/review/:id/decide", () => ({ reason: "Yes", do: "accept" })],
];

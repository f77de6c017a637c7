import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { isUuid } from "../ids.ts";

/** A change by a key of an application, as the audit log has it. */
export interface KeyChange {
  readonly applicationId: string;
  readonly credentialId: string;
  /** The id of the operation. */
  readonly action: string;
  /** The id of what is changed; null: nothing that exists already. */
  readonly subject: string | null;
}

/** Writes what keys change to the audit log. */
export interface AuditTrail {
  /** Writes a change before it is done. Returns the id of its entry. */
  begin(change: KeyChange): Promise<string>;
  /** Notes how it ended: the status of the response, and the id of what was made. Is written beside the request. */
  end(entryId: string, outcome: { status: number; made: string | null }): void;
}

/** The entry of a request that changes something, and what was made, once it is known. */
interface Pending {
  readonly entryId: string;
  made: string | null;
}

/**
 * Has the calls of a route by keys written to the audit log, if its operation is audited: before they are carried out,
 * and how they ended. Requests that are refused before (no scope, not valid) change nothing and are not in it. The
 * console writes its own entries, with the person. Other operations have no hook, and take no longer.
 */
export function auditChanges(route: RouteOptions, trail: AuditTrail): void {
  const pending = new WeakMap<FastifyRequest, Pending>();
  const { operation } = route.config ?? {};
  if (!operation?.isAudited) return;
  const begin = async (request: FastifyRequest) => {
    const { application, credential, params, body, validationError } = request;
    // Some routes refuse a body that is not valid themselves, with errors of their own beside those of the schema.
    if (credential === null || validationError) return;
    if ((body as { dryRun?: unknown } | null | undefined)?.dryRun === true) return;
    const change = {
      applicationId: application.id,
      credentialId: credential.id,
      action: operation.id,
      subject: subjectOf(params),
    };
    pending.set(request, { entryId: await trail.begin(change), made: null });
  };
  const note = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const found = pending.get(request);
    // Only a POST makes something; an export may be long.
    if (found && request.method === "POST" && reply.statusCode < 300 && typeof payload === "string") {
      found.made = madeBy(JSON.parse(payload) as unknown);
    }
    return payload;
  };
  const end = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = pending.get(request);
    if (found) trail.end(found.entryId, { status: reply.statusCode, made: found.made });
  };
  route.preHandler = [...[route.preHandler ?? []].flat(), begin];
  route.onSend = [...[route.onSend ?? []].flat(), note];
  route.onResponse = [...[route.onResponse ?? []].flat(), end];
}

/**
 * Returns the id that a path names, of several the last: that of the transaction rather than of its user. Ids and
 * versions only, whatever was typed there: what is no id could be a name or an address.
 */
export function subjectOf(params: unknown): string | null {
  const ids = Object.values((params ?? {}) as Record<string, unknown>).flatMap((value) => idOf(value) ?? []);
  return ids.at(-1) ?? null;
}

/** Returns the id of what a response says was made: its `id`, or that of its first member; a version counts as one. */
export function madeBy(body: unknown): string | null {
  if (!isObject(body)) return null;
  const [inner] = Object.values(body).filter(isObject);
  return idOf(body["id"]) ?? idOf(inner?.["id"]) ?? idOf(inner?.["version"]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function idOf(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && (isUuid(text) || /^[1-9]\d{0,5}$/.test(text)) ? text : null;
}

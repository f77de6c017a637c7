import type { FastifyRequest } from "fastify";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";

/** Returns the fields of a form. */
export function fieldsOf({ body }: Pick<FastifyRequest, "body">): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** Returns a field without spaces around it or NUL, which PostgreSQL refuses, no longer than a text of the API. */
export function textIn(fields: URLSearchParams, name: string, lengthMax = 2_048): string {
  return (fields.get(name) ?? "").replaceAll("\0", "").trim().slice(0, lengthMax);
}

/** Returns the query of the address. */
export function queryOf({ url }: Pick<FastifyRequest, "url">): URLSearchParams {
  return new URL(url, "http://console").searchParams;
}

/** Returns the key in the address of what was just done; `doneNotice` shows its text. */
export function doneIn(request: Pick<FastifyRequest, "url">): string | null {
  return queryOf(request).get("done");
}

/** Returns the number of the page in the address, from 1. */
export function pageNumberIn(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** Returns an id of the address. Throws notFound for anything else, so that no other path can be called with it. */
export function idIn(params: unknown, name = "id"): string {
  const id = (params as Record<string, string>)[name] ?? "";
  if (!isUuid(id)) throw new Problem("notFound");
  return id;
}

import assert from "node:assert/strict";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/openapi/document.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/openapi/operations.ts";
import type { Server } from "../../src/http/server.ts";
import { EVENT_DESCRIPTIONS } from "../../src/webhooks/event-descriptions.ts";

type Json = Record<string, unknown>;

/** Creates the document of a service at this address. */
export function documentAt(publicUrl: string): OpenApiDocument {
  return openApiDocument({
    publicUrl,
    apiVersion: "1.0",
    operations: OPERATIONS,
    webhooks: EVENT_DESCRIPTIONS,
  });
}

/** Checks responses and events against the document. Each function throws for a difference or an undeclared member. */
export interface Conformance {
  checkResponse(
    method: string,
    url: string,
    response: Pick<LightMyRequestResponse, "statusCode" | "headers" | "body">,
  ): void;
  checkEvent(body: string): void;
  /** Validates a value with the schema at a JSON pointer of the document. Returns the error or null. */
  errorOf(pointer: string, value: unknown): string | null;
}

const known = new Map<string, Conformance>();

/** The checks of the document of a service at this address, created once for all services of a process. */
export function conformanceAt(publicUrl: string): Conformance {
  const conformance = known.get(publicUrl) ?? conformanceTo(documentAt(publicUrl));
  known.set(publicUrl, conformance);
  return conformance;
}

// A schema that many refer to (Problem) is compiled once, not into each of them: all responses take 0.3 s, not 1.6.
const COMPILING = { inlineRefs: false, code: { optimize: false } } as const;

/** Creates the checks of a document. They are strict: undeclared members are errors. */
export function conformanceTo(document: OpenApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, ...COMPILING });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "https://document.test/", ...(closed(document) as Json) });
  const compiled = new Map<string, ValidateFunction>();
  const errorOf = (pointer: string, value: unknown): string | null => {
    let validate = compiled.get(pointer);
    if (!validate) {
      validate = ajv.compile({ $ref: `https://document.test/#${pointer}` });
      compiled.set(pointer, validate);
    }
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: "" });
  };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      pointer: `/paths/${escaped(path)}/${method}`,
      path: new RegExp(`^(?:/issuers)?${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`),
    })),
  );

  return {
    errorOf,
    checkResponse: (method, url, { statusCode, headers, body }) => {
      const path = url.split("?", 1)[0]!;
      const mediaType = (headers["content-type"] ?? "").split(";", 1)[0]!;
      // As OpenAPI has it: a path without parameters comes before one with, whatever its methods.
      const isConcrete = Object.hasOwn(document.paths, path.replace(/^\/issuers/, ""));
      const operation = operations.find(
        (each) => each.method === method && each.path.test(path) && (!isConcrete || !each.pointer.includes("{")),
      );
      const what = `${method} ${path}: ${statusCode} ${mediaType}`;
      if (!operation) {
        if (mediaType !== "application/problem+json") return;
        const error = errorOf("/components/schemas/Problem", JSON.parse(body));
        assert.equal(error, null, `${what} is no problem of the document: ${error} ${body.slice(0, 500)}`);
        return;
      }
      const pointer = `${operation.pointer}/responses/${statusCode}`;
      if (statusCode === 204) {
        assert.ok(at(document, pointer), `the document names no ${what}`);
        assert.equal(body, "");
        return;
      }
      assert.ok(at(document, `${pointer}/content/${escaped(mediaType)}`), `the document names no ${what}`);
      const error = errorOf(
        `${pointer}/content/${escaped(mediaType)}/schema`,
        mediaType === "text/csv" ? body : JSON.parse(body),
      );
      assert.equal(error, null, `${what} is not what the document says: ${error} ${body.slice(0, 500)}`);
    },
    checkEvent: (body) => {
      const event = JSON.parse(body) as { event?: string; eventType?: string };
      const type = event.event ?? event.eventType ?? "";
      const error = errorOf(`/webhooks/${type}/post/requestBody/content/application~1json/schema`, event);
      assert.equal(error, null, `the event ${type} is not what the document says: ${error} ${body.slice(0, 500)}`);
    },
  };
}

/** Returns the value at a JSON pointer. */
export function at(document: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((value, step) => (value as Json | undefined)?.[step], document);
}

function escaped(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Closes all object schemas that declare members. Examples are not schemas; but a member may have that name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isOpen = copy["additionalProperties"] !== undefined;
  return isSchemaWithMembers(copy) && !isOpen ? { ...copy, unevaluatedProperties: false } : copy;
}

function isSchemaWithMembers(value: Json): boolean {
  return typeof value["properties"] === "object" && (value["type"] === "object" || "$ref" in value);
}

/** Checks every response that a test gets from this server against the document. */
export function checkResponsesOf(server: Pick<Server, "inject">, { checkResponse }: Conformance): void {
  const inject = server.inject.bind(server);
  const checked = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    const { method = "GET", url } = typeof options === "string" ? { url: options } : options;
    const isStream = typeof options !== "string" && options.payloadAsStream;
    if (typeof url === "string" && method !== "HEAD" && !isStream) checkResponse(method, url, response);
    return response;
  };
  server.inject = checked as typeof server.inject;
}

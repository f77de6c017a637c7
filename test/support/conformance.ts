import assert from "node:assert/strict";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/openapi/document.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/openapi/operations.ts";
import type { Server } from "../../src/http/server.ts";
import { WEBHOOKS } from "../../src/webhooks/webhooks.ts";

type Json = Record<string, unknown>;

/** The document of a service at this address. */
export function documentAt(publicUrl: string): OpenApiDocument {
  return openApiDocument({
    publicUrl,
    apiVersion: "1.0",
    operations: OPERATIONS,
    webhooks: WEBHOOKS,
  });
}

/** Whether answers and events are what the document says, with nothing beside it: each function throws where not. */
export interface Conformance {
  checkResponse(
    method: string,
    url: string,
    response: Pick<LightMyRequestResponse, "statusCode" | "headers" | "body">,
  ): void;
  checkEvent(body: string): void;
  /** A value by a schema of the document, by the JSON pointer to it; null, or what is wrong. */
  errorOf(pointer: string, value: unknown): string | null;
}

/** Reads the document as strictly as it can be read: what it does not name must not be there. */
export function conformanceTo(document: OpenApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
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
      const operation = operations.find((each) => each.method === method && each.path.test(path));
      const what = `${method} ${path}: ${statusCode} ${mediaType}`;
      if (!operation) {
        if (mediaType !== "application/problem+json") return;
        const error = errorOf("/components/schemas/Problem", JSON.parse(body));
        assert.equal(error, null, `${what} is no problem of the document: ${error} ${body.slice(0, 500)}`);
        return;
      }
      const pointer = `${operation.pointer}/responses/${statusCode}`;
      assert.ok(at(document, `${pointer}/content/${escaped(mediaType)}`), `the document names no ${what}`);
      const error = errorOf(`${pointer}/content/${escaped(mediaType)}/schema`, JSON.parse(body));
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

/** What stands at a JSON pointer. */
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

/** The same with every object closed that names its members. Examples are no schemas, and a member may be named so. */
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

/** Holds every answer that a test gets from this server to the document. */
export function checkResponsesOf(server: Pick<Server, "inject">, { checkResponse }: Conformance): void {
  const inject = server.inject.bind(server);
  const checked = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    const { method = "GET", url } = typeof options === "string" ? { url: options } : options;
    if (typeof url === "string" && method !== "HEAD") checkResponse(method, url, response);
    return response;
  };
  server.inject = checked as typeof server.inject;
}

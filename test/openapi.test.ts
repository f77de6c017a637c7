import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { routePathOf } from "../src/http/operation.ts";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { problemsOf } from "../src/openapi/problem-responses.ts";
import { PROBLEMS } from "../src/problem-types.ts";
import type { ProblemName } from "../src/problem-types.ts";
import { SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import { EVENT_TYPES, TEST_EVENT } from "../src/webhooks/event.ts";
import { at, conformanceTo, documentAt } from "./support/conformance.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";
import { SPEC_ENDPOINTS, SPEC_EVENTS, SPEC_SCHEMAS, SPEC_STATUSES, SPEC_WORDS } from "./support/spec-interface.ts";

type Json = Record<string, unknown>;
interface Schema extends Json {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

let service: TestService;
let document: OpenApiDocument;
before(async () => {
  service = await startService({ isWorking: false });
  const response = await service.app.server.inject({ url: "/openapi.json" });
  assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
  document = response.json<OpenApiDocument>();
});
after(() => service.close());

/** Resolves a `$ref`. */
function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (at(document, schema.$ref.slice(1)) as Schema);
}

function assertHas(schema: Schema, members: string, where: string): void {
  const names = Object.keys(resolved(schema).properties ?? {});
  const missing = members.split(" ").filter((member) => !names.includes(member));
  assert.deepEqual(missing, [], `${where} has every member of the specification`);
}

interface OperationObject {
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema; examples: Json }> }>;
}

/** Finds an operation of the document; `{}` in `path` is any id. */
function operationAt(method: string, path: string): OperationObject {
  const found = Object.entries(document.paths).find(([each]) => each.replaceAll(/\{\w+\}/g, "{}") === path);
  assert.ok(found?.[1][method], `${method} ${path} is in the document`);
  return found[1][method] as OperationObject;
}

describe("the document", () => {
  test("is the one that tests check responses against, and is open to everyone", async () => {
    assert.deepEqual(document, JSON.parse(JSON.stringify(documentAt("http://rewards.test"))));
  });

  test("has every endpoint of the specification with every field, parameter and status", () => {
    for (const endpoint of SPEC_ENDPOINTS) {
      const { method, path, status, response } = endpoint;
      const where = `${method} ${path}`;
      const { parameters, requestBody, responses } = operationAt(method, path);
      assert.ok(
        parameters.some(({ $ref }) => $ref === "#/components/parameters/api-version"),
        `${where}: api-version`,
      );
      const queries = parameters.filter((each) => each.in === "query").map(({ name }) => name);
      if ("query" in endpoint) assert.deepEqual(queries, endpoint.query.split(" "), where);
      if ("body" in endpoint) {
        const schema = Object.values(requestBody!.content)[0]!.schema;
        assertHas(schema, endpoint.body, `the body of ${where}`);
        assert.deepEqual(resolved(schema).required?.toSorted(), endpoint.required.split(" ").toSorted(), where);
      }
      assertHas(responses[status]!.content["application/json"]!.schema, response, `the response of ${where}`);
      assert.ok(responses["401"], `${where} may be refused for its credentials`);
      for (const each of path.endsWith("/session") ? SPEC_STATUSES.session : SPEC_STATUSES.intake) {
        assert.ok(responses[each], `${where}: ${each}`);
      }
    }
  });

  test("has every resource, event and enumeration of the specification", () => {
    for (const [name, members] of Object.entries(SPEC_SCHEMAS)) {
      assertHas({ $ref: `#/components/schemas/${name}` }, members, name);
    }
    assert.deepEqual(Object.keys(document.webhooks).toSorted(), [...EVENT_TYPES, TEST_EVENT].toSorted());
    for (const [type, members] of Object.entries(SPEC_EVENTS)) {
      const content = at(document, `/webhooks/${type}/post/requestBody/content/application~1json/schema`);
      assertHas(content as Schema, members, `the event ${type}`);
    }
    for (const [pointer, words] of Object.entries(SPEC_WORDS)) {
      const { enum: values = [] } = at(document, pointer) as { enum?: string[] };
      assert.deepEqual(
        words.split(" ").filter((word) => !values.includes(word)),
        [],
        pointer,
      );
    }
  });

  test("has every problem, with an example at each operation that can return it", () => {
    const codes = (at(document, "/components/schemas/Problem/properties/code") as { enum: string[] }).enum;
    assert.deepEqual(
      codes,
      Object.values(PROBLEMS).map(({ code }) => code),
    );
    // Not returned by operations: problems of an unknown method and of the hosted pages.
    const beside: ProblemName[] = ["methodNotAllowed", "sessionNotFound"];
    const returned = new Set(OPERATIONS.flatMap(problemsOf));
    assert.deepEqual(
      (Object.keys(PROBLEMS) as ProblemName[]).filter((name) => !returned.has(name)).toSorted(),
      beside.toSorted(),
    );
    for (const operation of OPERATIONS) {
      const { responses } = operationAt(operation.method.toLowerCase(), operation.path.replaceAll(/:\w+/g, "{}"));
      for (const { status, code } of problemsOf(operation).map((name) => PROBLEMS[name])) {
        if (operation.responses[status]) continue;
        const { examples } = responses[status]!.content["application/problem+json"]!;
        assert.ok(examples[code], `${operation.id} shows ${code}`);
      }
    }
  });

  test("describes every parameter, header and member", () => {
    const silent: string[] = [];
    const look = (schema: Schema, path: string): void => {
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        const { description } = { ...resolved(member), ...member } as { description?: string };
        if (!description) silent.push(`${path}.${name}`);
        look(member, `${path}.${name}`);
        if (member["items"]) look(member["items"] as Schema, `${path}.${name}[]`);
      }
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
    const discriminators = new Set(["event", "eventType"]);
    assert.deepEqual(
      silent.filter((path) => !discriminators.has(path.split(".").at(-1)!)),
      [],
    );
    for (const { id, summary, description } of OPERATIONS) {
      assert.ok(summary.length > 5 && description.length > summary.length, `${id} says what it is for`);
    }
  });

  test("lists every sample of the sandbox", () => {
    const { parameters } = operationAt("post", "/track/receipts");
    const { description } = parameters.find(({ name }) => name === "testBlobUri") as unknown as { description: string };
    const unnamed = Object.keys(SAMPLE_OUTCOMES).filter((outcome) => !description.includes(`sample:${outcome}`));
    assert.deepEqual(unnamed, []);
  });

  test("lints clean", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });
});

describe("examples", () => {
  test("match their schemas, checked as strictly as responses", () => {
    const { errorOf } = conformanceTo(document);
    const wrong: string[] = [];
    const look = (value: unknown, pointer: string): void => {
      if (typeof value !== "object" || value === null) return;
      const { schema, examples } = value as { schema?: object; examples?: Record<string, { value?: unknown }> };
      if (schema && examples && !Array.isArray(examples)) {
        for (const [name, { value: example }] of Object.entries(examples)) {
          const error = example === undefined ? null : errorOf(`${pointer}/schema`, example);
          if (error !== null) wrong.push(`${pointer}/examples/${name}: ${error}`);
        }
      }
      for (const [key, member] of Object.entries(value)) {
        look(member, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
      }
    };
    look(document.paths, "/paths");
    look(document.webhooks, "/webhooks");
    for (const [code, { value }] of Object.entries(at(document, "/components/examples") as Record<string, Json>)) {
      const error = errorOf("/components/schemas/Problem", value);
      if (error !== null) wrong.push(`${code}: ${error}`);
    }
    assert.deepEqual(wrong, []);
  });

  test("of JSON requests are accepted by the service", async () => {
    const client = await service.newClient({ isSandbox: true });
    const userId = await client.enrol();
    let sent = 0;
    for (const { method, path, body, examples = [], responses } of OPERATIONS) {
      // Ids in paths do not exist here, and the endpoints of examples cannot be reached.
      if (!body || path.includes(":") || path.startsWith("/webhooks")) continue;
      for (const { value } of examples) {
        const example = value as Json;
        const response = await service.app.server.inject({
          method,
          url: `${path}?api-version=1.0`,
          headers: client.headers,
          payload: {
            ...example,
            ...("userId" in example && { userId }),
            ...("loggedAt" in example && { loggedAt: new Date(service.clock.ms).toISOString() }),
          },
        });
        assert.ok(
          responses[response.statusCode],
          `${method} ${path}: ${response.statusCode} ${response.body.slice(0, 300)}`,
        );
        sent++;
      }
    }
    assert.ok(sent >= 10);
  });
});

describe("operations", () => {
  test("have routes with and without the prefix", () => {
    const without = OPERATIONS.filter((operation) => {
      const { server } = service.app;
      const { method, isOpen } = operation;
      const prefixes = isOpen ? [""] : ["", "/issuers"];
      return !prefixes.every((prefix) => server.hasRoute({ method, url: `${prefix}${routePathOf(operation)}` }));
    });
    assert.deepEqual(
      without.map(({ id }) => id),
      [],
    );
  });

  test("all declared operations are in the list, so that the document has every route of the API", () => {
    const src = join(import.meta.dirname, "../src");
    const declared = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...readFileSync(join(src, file), "utf8").matchAll(/= operation\(\{\s+id: "(\w+)"/g)])
      .map((match) => match[1]!);
    assert.deepEqual(declared.toSorted(), OPERATIONS.map(({ id }) => id).toSorted());
    assert.equal(new Set(declared).size, declared.length, "no two have one name");
  });
});

import type { Example, Operation, ResponseSpec } from "../http/operation.ts";
import { ProblemDocument } from "../http/problem-schema.ts";
import { CHAPTERS, INTRODUCTION } from "./introduction.ts";
import { commonHeaders, problemResponses, problemExamples } from "./problem-responses.ts";
import { createComponents } from "./schemas.ts";
import type { Components } from "./schemas.ts";
import { HEADERS, SECURITY_SCHEMES, SIGNATURE_HEADERS, parameters } from "./shared-parts.ts";
import type { EventDescription } from "../webhooks/event-descriptions.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the API. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Json>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Json }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Json;
}

/** Creates the document. `publicUrl` is the configured address. Equal arguments give equal documents. */
export function openApiDocument(service: {
  publicUrl: string;
  apiVersion: string;
  operations: readonly Operation[];
  webhooks: readonly EventDescription[];
}): OpenApiDocument {
  const { publicUrl, apiVersion, operations, webhooks } = service;
  const components = createComponents();
  const problem = components.place(ProblemDocument);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const paths = Object.fromEntries(
    [...byPath].map(([path, operationsOfPath]) => [
      path.replaceAll(/:(\w+)/g, "{$1}"),
      {
        // Open operations do not exist below /issuers.
        ...(operationsOfPath[0]?.isOpen && { servers: [{ url: publicUrl }] }),
        ...Object.fromEntries(
          operationsOfPath.map((each) => [each.method.toLowerCase(), operationObject(each, components, problem)]),
        ),
      },
    ]),
  );
  const hooks = Object.fromEntries(webhooks.map((each) => [each.type, { post: webhookObject(each, components) }]));
  const tags = Object.entries(CHAPTERS).filter(([name]) => operations.some(({ tag }) => tag === name));
  return {
    openapi: "3.1.1",
    info: {
      title: "Rewards Service",
      version: apiVersion,
      summary: "Rewards people for buying and eating food that is better for them and for the climate.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "API reference", url: `${publicUrl}/docs` },
    servers: [
      { url: publicUrl, description: "The service" },
      { url: `${publicUrl}/issuers`, description: "The same operations below the prefix /issuers" },
    ],
    security: [{ clientId: [], clientSecret: [] }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: hooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: parameters(apiVersion),
      headers: HEADERS,
      examples: problemExamples(publicUrl, operations),
      schemas: components.all(),
    },
  };
}

function operationObject(operation: Operation, components: Components, problem: object): Json {
  const { id, method, tag, summary, description, params, query, isOpen, scope } = operation;
  const shared = [
    ...(isOpen ? [] : [{ $ref: "#/components/parameters/api-version" }]),
    { $ref: "#/components/parameters/x-request-id" },
    ...(method === "POST" ? [{ $ref: "#/components/parameters/idempotency-key" }] : []),
  ];
  const body = requestBody(operation, components);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scope === undefined ? description : `${description}\n\nScope: \`${scope}\`.`,
    // The scopes of a secret are those of OpenAPI's "role names", which it has for other schemes than OAuth.
    security: scope === undefined ? [] : [{ clientId: [], clientSecret: [scope] }],
    parameters: [...membersAs("path", params, components), ...membersAs("query", query, components), ...shared],
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          responseObject(response, components, operation),
        ]),
      ),
      ...withoutResponses(problemResponses(operation, problem), operation),
    },
  };
}

/** Leaves out the problems of a status that the operation declares as a response (503 of readiness). */
function withoutResponses(problems: Json, { responses }: Operation): Json {
  return Object.fromEntries(Object.entries(problems).filter(([status]) => !(status in responses)));
}

function membersAs(place: "path" | "query", schema: Operation["params"], components: Components): Json[] {
  const { properties = {}, required = [] } = schema ?? {};
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest } = components.place(member);
    const isRequired = place === "path" || (required as readonly string[]).includes(name);
    return { name, in: place, description, required: isRequired, schema: rest };
  });
}

const NULLS = "Null is the same as leaving out an optional member.";

function requestBody({ method, body, form, examples }: Operation, components: Components): Json | null {
  const schema = body ?? form;
  if (!schema) return null;
  const content = { schema: components.place(schema), examples: namedExamples(examples ?? []) };
  const encoding = { receiptImage: { contentType: "image/jpeg, image/png" } };
  return {
    ...(body && method !== "PATCH" && { description: NULLS }),
    required: true,
    content: body ? { "application/json": content } : { "multipart/form-data": { ...content, encoding } },
  };
}

function responseObject(response: ResponseSpec, components: Components, operation: Operation): Json {
  const { description, schema, examples, headers = {}, mediaType = "application/json", alsoText } = response;
  return {
    description,
    headers: {
      ...commonHeaders(operation),
      ...(operation.method === "POST" && {
        "idempotency-replayed": { $ref: "#/components/headers/idempotency-replayed" },
      }),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, about]) => [name, { description: about, schema: { type: "string" } }]),
      ),
    },
    ...(schema && {
      content: {
        [mediaType]: { schema: components.place(schema), examples: namedExamples(examples) },
        ...(alsoText && { [alsoText]: { schema: { type: "string" } } }),
      },
    }),
  };
}

function webhookObject(
  { type, summary, description, schema, example }: EventDescription,
  components: Components,
): Json {
  return {
    operationId: `on-${type.replaceAll(/[._]/g, "-")}`,
    tags: ["Webhook endpoints"],
    summary,
    description,
    security: [],
    parameters: Object.keys(SIGNATURE_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: components.place(schema), examples: { event: { summary, value: example } } },
      },
    },
    responses: {
      "2XX": { description: "Any 2xx within 15 seconds: the event is delivered and is not sent again." },
      "410": { description: "The endpoint no longer exists: it gets no more events." },
      default: { description: "Any other status, including redirects: the event is sent again later." },
    },
  };
}

function namedExamples(examples: readonly Example[]): Json {
  return Object.fromEntries(
    examples.map(({ summary, value }) => [summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"), { summary, value }]),
  );
}

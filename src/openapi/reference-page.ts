import type { Example, Operation } from "../http/operation.ts";
import { html } from "../html/html.ts";
import type { Html } from "../html/html.ts";
import { PROBLEMS } from "../problems.ts";
import type { OpenApiDocument } from "./document.ts";
import { CHAPTERS, INTRODUCTION } from "./introduction.ts";
import { inline, markdown } from "./markdown.ts";
import { problemsOf } from "./problem-responses.ts";
import { membersTable, schemaLink, typeOf } from "./reference-schemas.ts";
import type { Schema } from "./reference-schemas.ts";
import { SIGNATURE_HEADERS } from "./shared-parts.ts";
import type { Webhook } from "../webhooks/webhooks.ts";

/** What the page tells of; `document` is the one made of the same operations and webhooks. */
export interface Reference {
  readonly publicUrl: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Webhook[];
  readonly document: OpenApiDocument;
  readonly stylesheet: string;
}

/**
 * The reference for people: one page that needs neither network nor JavaScript. Every link is relative, so that it works
 * below any prefix.
 */
export function referencePage(reference: Reference): Html {
  const { publicUrl, version, operations, webhooks, document, stylesheet } = reference;
  const chapters = Object.entries(CHAPTERS)
    .map(([name, about]) => ({ name, about, members: operations.filter(({ tag }) => tag === name) }))
    .filter(({ members }) => members.length > 0);
  const schemas = Object.entries(document.components.schemas) as [string, Schema][];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Rewards Service: reference of the API</title>
        <link rel="stylesheet" href="${stylesheet}" />
      </head>
      <body>
        <a class="skip" href="#main">To the text</a>
        <nav aria-label="Contents">
          <p class="brand"><a href="#main">Rewards Service</a> <span>API ${version}</span></p>
          <ul>
            ${chapters.map(
              ({ name, members }) =>
                html`<li>
                  <a href="#${anchor(name)}">${name}</a>
                  <ul>
                    ${members.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
                  </ul>
                </li>`,
            )}
            <li>
              <a href="#webhooks">Webhooks</a>
              <ul>
                ${webhooks.map(({ type }) => html`<li><a href="#${eventAnchor(type)}">${type}</a></li>`)}
              </ul>
            </li>
            <li><a href="#problems">Problems</a></li>
            <li><a href="#schemas">Schemas</a></li>
          </ul>
        </nav>
        <main id="main">
          <h1>Reference of the API</h1>
          <p class="lead">
            Version ${version} at <code>${publicUrl}</code>. For tools: <a href="openapi.json">openapi.json</a> (OpenAPI
            3.1).
          </p>
          ${markdown(INTRODUCTION)}
          ${chapters.map(
            ({ name, about, members }) =>
              html`<section aria-labelledby="${anchor(name)}">
                <h2 id="${anchor(name)}">${name}</h2>
                <p>${about}</p>
                ${members.map((operation) => operationSection(operation, reference))}
              </section>`,
          )}
          <section aria-labelledby="webhooks">
            <h2 id="webhooks">Webhooks</h2>
            <p>What is posted to your endpoints. Each delivery carries these headers:</p>
            <dl>
              ${Object.entries(SIGNATURE_HEADERS).map(
                ([name, { description }]) =>
                  html`<dt><code>${name}</code></dt>
                    <dd>${inline(description)}</dd>`,
              )}
            </dl>
            ${webhooks.map(webhookSection)}
          </section>
          <section aria-labelledby="problems">
            <h2 id="problems">Problems</h2>
            <p>
              Whatever is not served is answered with a problem document. ${schemaLink("Problem")} says its members;
              each
              <code>code</code> has a page of its own.
            </p>
            <ul class="problems">
              ${Object.values(PROBLEMS).map(
                ({ code, slug, status, title }) =>
                  html`<li>
                    <a href="problems/${slug}"><code>${code}</code></a> ${status}: ${title}
                  </li>`,
              )}
            </ul>
          </section>
          <section aria-labelledby="schemas">
            <h2 id="schemas">Schemas</h2>
            ${schemas.map(
              ([name, schema]) =>
                html`<section aria-labelledby="schema-${name}">
                  <h3 id="schema-${name}">${name}</h3>
                  <p>${inline(schema.description ?? "")}</p>
                  ${membersTable(schema, `Members of ${name}`)}
                </section>`,
            )}
          </section>
        </main>
      </body>
    </html>`;
}

function operationSection(operation: Operation, { publicUrl, document }: Reference): Html {
  const { id, method, path, summary, description, params, query, body, form, responses } = operation;
  const address = path.replaceAll(/:(\w+)/g, "{$1}");
  const parameters = [...membersOf(params, "path"), ...membersOf(query, "query")];
  const problems = problemsOf(operation).map((name) => PROBLEMS[name]);
  const item = document.paths[address]?.[method.toLowerCase()] as { requestBody?: { content: Bodies } } | undefined;
  const bodySchema = Object.values(item?.requestBody?.content ?? {})[0]?.schema;
  return html`<section class="operation" aria-labelledby="${id}">
    <h3 id="${id}">${summary}</h3>
    <p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${address}</code></p>
    ${markdown(description)}
    ${
      parameters.length === 0
        ? null
        : html`<h4>Parameters</h4>
            <dl>
              ${parameters.map(
                ({ name, place, schema }) =>
                  html`<dt><code>${name}</code> <span class="optional">${place}, ${typeOf(schema)}</span></dt>
                    <dd>${inline(schema.description ?? "")}</dd>`,
              )}
            </dl>`
    }
    ${
      bodySchema
        ? html`<h4>Body</h4>
            <p>${typeOf(bodySchema)}, as ${body ? "application/json" : "multipart/form-data"}.</p>`
        : null
    }
    <h4>Example</h4>
    ${codeBlock(curlOf(operation, publicUrl))} ${(operation.examples ?? []).slice(1).map(exampleDetails)}
    <h4>Answers</h4>
    ${Object.entries(responses).map(
      ([status, response]) =>
        html`<p>
            <strong>${status}</strong> ${inline(response.description)} ${typeOf(titled(response.schema as Schema))}
          </p>
          ${response.examples.map(exampleDetails)}`,
    )}
    <details>
      <summary>Problems it may answer</summary>
      <ul class="problems">
        ${problems.map(
          ({ code, slug, status, title }) =>
            html`<li>
              <a href="problems/${slug}"><code>${code}</code></a> ${status}: ${title}
            </li>`,
        )}
      </ul>
    </details>
    ${form ? html`<p>The fields of the form may come in any order.</p>` : null}
  </section>`;
}

type Bodies = Record<string, { schema: Schema }>;

function membersOf(schema: Operation["params"], place: string) {
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => ({ name, place, schema: member as Schema }));
}

function titled(schema: Schema & { title?: string }): Schema {
  return schema.title === undefined ? schema : { $ref: `#/components/schemas/${schema.title}` };
}

function webhookSection({ type, summary, description, schema, example }: Webhook): Html {
  return html`<section class="operation" aria-labelledby="${eventAnchor(type)}">
    <h3 id="${eventAnchor(type)}">${type}</h3>
    <p>${summary}. ${inline(description)}</p>
    <p>${typeOf(titled(schema))}</p>
    ${exampleDetails({ summary: "Example", value: example })}
  </section>`;
}

function exampleDetails({ summary, value }: Example): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${codeBlock(JSON.stringify(value, null, 2))}
  </details>`;
}

// Focusable, since a long line scrolls and not everyone has a wheel.
function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** What a shell puts into an example: an invented user is refused, and a meal of a fixed day would soon be too long ago. */
const SHELL_VALUES: Readonly<Record<string, string>> = { userId: "$USER_ID", loggedAt: "$(date -u +%FT%TZ)" };

/** A body as an argument of the shell, its members of SHELL_VALUES outside of the single quotes. */
function shellJson(value: unknown): string {
  const json = `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`;
  return json.replaceAll(/"(userId|loggedAt)":"[^"]*"/g, (_, name: string) => `"${name}":"'"${SHELL_VALUES[name]}"'"`);
}

/** The call as a command for a shell that has the credentials, and ids, in variables. */
function curlOf(operation: Operation, publicUrl: string): string {
  const { method, path, query, body, form, isOpen, examples = [] } = operation;
  const value = examples[0]?.value;
  const required = Object.keys(query?.properties ?? {}).filter((name) => query?.required?.includes(name));
  const queries = [...required.map((name) => `${name}=GRK%20YOG`), ...(isOpen ? [] : ["api-version=1.0"])].join("&");
  const address = `${publicUrl}${path.replaceAll(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  return [
    `curl ${method === "GET" || value !== undefined ? "" : `-X ${method} `}"${address}${queries && `?${queries}`}"`,
    ...(method === "PATCH" && value !== undefined ? ["-X PATCH"] : []),
    ...(isOpen ? [] : ['-H "x-client-id: $CLIENT_ID"', '-H "x-client-secret: $CLIENT_SECRET"']),
    ...(method === "POST" ? ['-H "idempotency-key: $(uuidgen)"'] : []),
    ...(body && value !== undefined ? ['-H "content-type: application/json"', `-d ${shellJson(value)}`] : []),
    ...(form
      ? Object.entries(value as Record<string, string>).map(([name, field]) =>
          name === "receiptImage" ? "-F receiptImage=@receipt.jpg" : `-F "${name}=${SHELL_VALUES[name] ?? field}"`,
        )
      : []),
  ].join(" \\\n  ");
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

function eventAnchor(type: string): string {
  return `event-${type.replaceAll(/[._]/g, "-")}`;
}

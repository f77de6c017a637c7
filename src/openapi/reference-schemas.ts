import { html } from "../html/html.ts";
import type { Content, Html } from "../html/html.ts";
import { inline } from "./markdown.ts";

/** A schema of the document, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

/** The members of an object in a table; those of objects within stand below it, indented. */
export function membersTable(schema: Schema, caption: string): Html {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Member</th>
        <th scope="col">Type</th>
        <th scope="col">What it is</th>
      </tr>
    </thead>
    <tbody>
      ${rows(schema, "")}
    </tbody>
  </table>`;
}

function rows({ properties = {}, required = [] }: Schema, path: string): Html[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = member.items?.properties ? member.items : member;
    const row = html`<tr>
      <th scope="row">
        <code>${path}${name}</code>${required.includes(name) ? null : html` <span class="optional">optional</span>`}
      </th>
      <td>${typeOf(member)}</td>
      <td>${inline(member.description ?? "")} ${limitsOf(member)}</td>
    </tr>`;
    return [row, ...rows(inner, `${path}${name}${member.items ? "[]" : ""}.`)];
  });
}

/** The type of a value in words, with links to what has a name. */
export function typeOf(schema: Schema): Content {
  const { $ref, type, anyOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return schemaLink($ref);
  if (anyOf) return anyOf.map((each, index) => [index === 0 ? null : " or ", typeOf(each)]);
  if (items) return ["array of ", typeOf(items)];
  if (typeof additionalProperties === "object" && !schema.properties) return ["map to ", typeOf(additionalProperties)];
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const words = [type ?? "any"].flat().join(" or ");
  return schema.format === undefined ? words : `${words}, ${schema.format}`;
}

function limitsOf(schema: Schema): Content {
  const { enum: values, minimum, maximum, maxLength, maxItems } = schema;
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} where left out`]),
  ];
  // The meanings of numeric codes stand in their description.
  const words = values?.filter((value) => typeof value === "string") ?? [];
  return [
    words.length === 0
      ? null
      : html`<span class="limits"
          >One of ${words.map((word, index) => [index === 0 ? null : ", ", html`<code>${word}</code>`])}.</span
        >`,
    limits.length === 0 ? null : html` <span class="limits">${limits.join(", ")}.</span>`,
  ];
}

/** A link to the place of a component on the page. */
export function schemaLink(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}

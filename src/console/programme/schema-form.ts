// Forms of the parts of a programme, made from the schema of its definition: the one place that says what a part has.
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { typedNumber } from "../typed-number.ts";

/** What is read of a JSON schema. */
export interface FormSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly patternProperties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

export interface FormWords {
  /** The label of a member; its name where it has none. */
  label(name: string): string;
  readonly remove: string;
  readonly more: string;
}

/** The errors by path, as `points.receipt.multiplier`. */
export type ErrorsByPath = Readonly<Record<string, readonly string[]>>;

/**
 * Returns whether a value has a list that is longer than the schema allows. It has no form: 20,000 campaigns, which fit
 * into the JSON of a draft, would be a page of 100 MB.
 */
export function isTooLong(schema: FormSchema, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > (schema.maxItems ?? Infinity);
  const members = membersOf(value);
  return Object.entries(schema.properties ?? {}).some(([name, each]) => isTooLong(each, members[name]));
}

/** Draws the fields of a value; `path` names them. */
export function fieldsOfSchema(
  schema: FormSchema,
  value: unknown,
  path: string,
  context: { readonly words: FormWords; readonly errors: ErrorsByPath },
): Html {
  const { words, errors } = context;
  const name = path
    .split(".")
    .at(-1)!
    .replace(/\[\d+\]$/, "");
  const label = words.label(name);
  if (schema.properties) {
    const members = membersOf(value);
    return html`<fieldset>
      <legend>${label}</legend>
      ${errorsAt(errors, path)}
      ${Object.entries(schema.properties).map(([member, each]) =>
        fieldsOfSchema(each, members[member], `${path}.${member}`, context),
      )}
    </fieldset>`;
  }
  if (schema.items?.properties) return elements(schema.items, value, path, { ...context, label });
  const attributes = html`name="${path}" ${path in errors && html`aria-invalid="true" aria-describedby="error-${path}"`}`;
  if (schema.items ?? schema.patternProperties) {
    return html`<label>
      ${label}
      ${schema.description !== undefined && html`<span class="hint" lang="en" dir="auto">${schema.description}</span>`}
      <textarea ${attributes} rows="2">${linesOf(value)}</textarea>
      ${errorsAt(errors, path)}
    </label>`;
  }
  if (schema.enum) {
    return html`<label>
      ${label}
      <select ${attributes}>
        <option value=""></option>
        ${schema.enum.map(
          (each) => html`<option value="${String(each)}" ${each === value && html`selected`}>${String(each)}</option>`,
        )}
      </select>
      ${errorsAt(errors, path)}
    </label>`;
  }
  const isNumber = schema.type === "integer" || schema.type === "number";
  return html`<label>
    ${label}
    <input ${attributes} value="${scalarOf(value)}" ${isNumber && html`inputmode="decimal"`} />
    ${errorsAt(errors, path)}
  </label>`;
}

/** The elements of a list of objects, each with a box to remove it, and an empty one to add. */
function elements(
  schema: FormSchema,
  value: unknown,
  path: string,
  context: { readonly words: FormWords; readonly errors: ErrorsByPath; readonly label: string },
): Html {
  const { words, errors, label } = context;
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const present = list.map(
    (each, i) =>
      html`<div class="element">
        ${fieldsOfSchema(schema, each, `${path}[${i}]`, context)}
        <label><input type="checkbox" name="${path}[${i}]-remove" value="yes" /> ${words.remove}</label>
      </div>`,
  );
  return html`<fieldset>
    <legend>${label}</legend>
    ${errorsAt(errors, path)}
    <input type="hidden" name="${path}-count" value="${list.length + 1}" />
    ${present}
    <details>
      <summary>${words.more}</summary>
      ${fieldsOfSchema(schema, undefined, `${path}[${list.length}]`, context)}
    </details>
  </fieldset>`;
}

function errorsAt(errors: ErrorsByPath, path: string): Html | null {
  const messages = errors[path];
  return messages
    ? html`<span class="error field-error" id="error-${path}" lang="en" dir="auto">${messages.join("; ")}</span>`
    : null;
}

/** More elements than any list of a definition may have: a bound for the loop. */
const ELEMENTS_MAX = 1_001;

/** Reads what `fieldsOfSchema` has drawn; undefined where nothing is filled in. */
export function valueOfForm(schema: FormSchema, fields: ReadonlyMap<string, string>, path: string): unknown {
  if (schema.properties) {
    const members = Object.entries(schema.properties).flatMap(([member, each]) => {
      const value = valueOfForm(each, fields, `${path}.${member}`);
      return value === undefined ? [] : [[member, value] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const { items } = schema;
  if (items?.properties) {
    const count = Math.min(Number(fields.get(`${path}-count`) ?? 0) || 0, ELEMENTS_MAX);
    const list = Array.from({ length: count }, (_, i) => `${path}[${i}]`)
      .filter((each) => fields.get(`${each}-remove`) !== "yes")
      .map((each) => valueOfForm(items, fields, each))
      .filter((each) => each !== undefined);
    return list.length === 0 ? undefined : list;
  }
  const text = (fields.get(path) ?? "").trim();
  if (text === "") return undefined;
  if (items) return textLines(text);
  if (schema.patternProperties) {
    return Object.fromEntries(
      textLines(text).map((line) => {
        const [name = "", ...rest] = line.split(/\s+/);
        return [name, typedNumber(rest.join(" "))];
      }),
    );
  }
  return schema.type === "integer" || schema.type === "number" ? typedNumber(text) : text;
}

function textLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A list, or a record of numbers, one a line. */
function linesOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(scalarOf).join("\n");
  return Object.entries(membersOf(value))
    .map(([name, each]) => `${name} ${scalarOf(each)}`)
    .join("\n");
}

/** A text, number or boolean as it is typed; anything else that a draft may have here is shown by its JSON alone. */
function scalarOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

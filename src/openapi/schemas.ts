type Json = Record<string, unknown>;

/** Schemas of the document: what has a title becomes a component, and is referred to wherever it stands. */
export interface Components {
  /** The schema as the document has it, its components set down. */
  place(schema: object): Json;
  /** All components, by name. */
  all(): Record<string, Json>;
}

/** Gathers the components of one document. Two schemas of one title must be the same. */
export function createComponents(): Components {
  const components = new Map<string, Json>();

  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== "object" || value === null) return value;
    const schema = plain(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, KEPT.has(key) ? member : place(member)])),
    );
    const { title } = schema;
    if (typeof title !== "string") return schema;
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are titled ${title}`);
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  return {
    place: (schema) => place(schema) as Json,
    all: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Keywords whose values are data and no schemas. */
const KEPT = new Set(["default", "examples", "enum", "const", "required"]);

/** What only our validator knows, or TypeBox writes at length, in the words that every reader of JSON Schema knows. */
function plain(schema: Json): Json {
  const { anyOf, format, patternProperties, ...rest } = schema;
  if (format === "currency") return { ...rest, pattern: "^[A-Za-z]{3}$" };
  const anyMember = (patternProperties as Json | undefined)?.["^.*$"];
  if (anyMember !== undefined) return { ...rest, additionalProperties: isEmpty(anyMember) ? true : anyMember };
  const [first, second, ...more] = (anyOf as Json[] | undefined) ?? [];
  if (first && second?.["type"] === "null" && more.length === 0 && typeof first["type"] === "string") {
    const { enum: words } = first as { enum?: unknown[] };
    return { ...first, ...rest, type: [first["type"], "null"], ...(words && { enum: [...words, null] }) };
  }
  return schema;
}

function isEmpty(schema: unknown): boolean {
  return Object.keys(schema as object).length === 0;
}

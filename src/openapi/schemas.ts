type Json = Record<string, unknown>;

/** The components of a document: every schema with a title becomes one, and is replaced by a `$ref`. */
export interface Components {
  /** Returns the schema in the form of the document and stores its components. */
  place(schema: object): Json;
  /** Returns all components by name. */
  all(): Record<string, Json>;
}

/** Creates the components of one document. Throws for two different schemas with the same title. */
export function createComponents(): Components {
  const components = new Map<string, Json>();

  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== "object" || value === null) return value;
    const schema = plain(
      Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, DATA_KEYWORDS.has(key) ? member : place(member)]),
      ),
    );
    const { title } = schema;
    if (typeof title !== "string") return schema;
    const existing = components.get(title);
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`two schemas are titled ${title}`);
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  return {
    place: (schema) => place(schema) as Json,
    all: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set(["default", "examples", "enum", "const", "required"]);

/** Replaces formats that only our validator has, and long forms of TypeBox, by standard JSON Schema. */
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

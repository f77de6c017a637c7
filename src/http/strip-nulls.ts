/** The keywords of a JSON Schema that decide where null is allowed. */
export interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * Removes members that are null: many serializers (in Java, C#, Go) write null for a missing value. Null is kept for
 * members whose schema allows it and for undeclared members, such as those of `metadata`. Null as an array entry is
 * kept as well, and fails validation.
 */
export function stripNulls(value: unknown, shape: Shape): unknown {
  const { items, properties } = shape;
  if (Array.isArray(value)) return items ? value.map((entry) => stripNulls(entry, items)) : value;
  if (!properties || typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const declared = Object.hasOwn(properties, name) ? properties[name]! : null;
    if (declared === null) return [[name, member]];
    if (member === null && !allowsNull(declared)) return [];
    return [[name, stripNulls(member, declared)]];
  });
  return Object.fromEntries(members);
}

function allowsNull({ type, anyOf }: Shape): boolean {
  return type === "null" || (anyOf?.some(allowsNull) ?? false);
}

import type { Errors } from "../problems.ts";

/** The keywords of a JSON Schema that limit the entries of arrays. */
export interface ArrayShape {
  readonly properties?: Readonly<Record<string, ArrayShape>>;
  readonly items?: ArrayShape;
  readonly maxItems?: number;
}

/**
 * Returns an error for each declared array with too many entries, by path. Validation with `allErrors` would judge all
 * of those entries: a body of 72 kB with 24,000 empty ingredients cost 330 ms and a response of 2 MB.
 */
export function overlongArrays(value: unknown, shape: ArrayShape): Errors {
  return hasArrays(shape) ? errorsIn(value, shape, "") : {};
}

/** Whether a schema declares a limit of entries somewhere. Most members do not, and need no look. */
const withArrays = new WeakMap<ArrayShape, boolean>();

function hasArrays(shape: ArrayShape): boolean {
  const known = withArrays.get(shape);
  if (known !== undefined) return known;
  const { maxItems, items, properties = {} } = shape;
  const found =
    maxItems !== undefined || (items !== undefined && hasArrays(items)) || Object.values(properties).some(hasArrays);
  withArrays.set(shape, found);
  return found;
}

function errorsIn(value: unknown, shape: ArrayShape, path: string): Errors {
  if (Array.isArray(value)) {
    const { items, maxItems = Infinity } = shape;
    if (value.length > maxItems) return { [path || "body"]: [`must not have more than ${maxItems} entries`] };
    if (!items || !hasArrays(items)) return {};
    return Object.assign({}, ...value.map((entry, index) => errorsIn(entry, items, `${path}[${index}]`))) as Errors;
  }
  const { properties } = shape;
  if (!properties || typeof value !== "object" || value === null) return {};
  const errors: Errors = {};
  for (const [name, declared] of Object.entries(properties)) {
    if (!hasArrays(declared) || !Object.hasOwn(value, name)) continue;
    const member = (value as Record<string, unknown>)[name];
    Object.assign(errors, errorsIn(member, declared, path ? `${path}.${name}` : name));
  }
  return errors;
}

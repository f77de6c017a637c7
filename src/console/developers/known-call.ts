import type { Operation } from "../../http/operation.ts";

/** A call of the API that was typed. */
export interface KnownCall {
  readonly method: Operation["method"];
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Returns what to call for a method and a path that were typed; null if no operation of the API has them. Nothing but
 * operations can be called, whatever is typed: no page of the console, no other host.
 */
export function knownCall(operations: readonly Operation[], method: string, typed: string): KnownCall | null {
  const [path = "", search = ""] = typed.trim().split("?", 2);
  if (!/^(?:\/[\w.~:@%-]+)+$/.test(path)) return null;
  const known = operations.find(
    (operation) => operation.method === method && !operation.isOpen && matches(operation.path, path),
  );
  if (!known) return null;
  return { method: known.method, path, query: Object.fromEntries(new URLSearchParams(search)) };
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every(
      (part, index) => part === given[index] || (part.startsWith(":") && !/^(?:\.|%2e){1,2}$/i.test(given[index]!)),
    )
  );
}

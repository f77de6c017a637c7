import { isSampleOutcome } from "./outcomes.ts";
import type { SampleOutcome } from "./outcomes.ts";

/** The image that a sandbox application wants in place of the uploaded one. */
export type TestBlob =
  | { readonly kind: "sample"; readonly outcome: SampleOutcome }
  | { readonly kind: "address"; readonly url: string };

/**
 * What `testBlobUri` asks for. `sample:<outcome>` is a picture that we draw; each ends as its name says, and by the
 * service's own ways: `not_authentic` shows no receipt, `merchant_name_not_found` one without its head,
 * `no_valid_food_items` hardware; the bytes of `already_exists` are claimed for its user beforehand, and those of
 * `internal_error` are stored damaged, so that nothing can read them. Otherwise an https address on `hosts`.
 */
export function readTestBlob(
  value: unknown,
  allowed: { isSandbox: boolean; hosts: readonly string[] },
): TestBlob | { kind: "none" } | { kind: "error"; error: string } {
  if (value === undefined) return { kind: "none" };
  if (!allowed.isSandbox) return { kind: "error", error: "is for sandbox applications only" };
  if (typeof value !== "string") return { kind: "error", error: "must be given once" };
  if (value.startsWith("sample:")) {
    const outcome = value.slice("sample:".length);
    return isSampleOutcome(outcome) ? { kind: "sample", outcome } : { kind: "error", error: "names no sample" };
  }
  const url = URL.canParse(value) ? new URL(value) : null;
  const isAllowed =
    url?.protocol === "https:" && !url.username && !url.password && allowed.hosts.includes(url.host.toLowerCase());
  return isAllowed
    ? { kind: "address", url: url.href }
    : { kind: "error", error: "must be sample:<outcome> or an https address on an allowed host" };
}

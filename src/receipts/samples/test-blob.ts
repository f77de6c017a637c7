import { isSampleOutcome } from "./outcomes.ts";
import type { SampleOutcome } from "./outcomes.ts";

/** The image that a sandbox application requests in place of the uploaded one. */
export type TestBlob =
  | { readonly kind: "sample"; readonly outcome: SampleOutcome }
  | { readonly kind: "address"; readonly url: string };

/**
 * Reads `testBlobUri`: `sample:<outcome>`, or an https address on `hosts`. A sample is a picture drawn by the service,
 * and the usual stages lead to its outcome: `not_authentic` shows no receipt, `merchant_name_not_found` a receipt
 * without its header, `no_valid_food_items` hardware. The bytes of `already_exists` are already claimed for the user.
 * Those of `internal_error` are stored damaged, so that the OCR cannot read them. `held` waits for a decision.
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

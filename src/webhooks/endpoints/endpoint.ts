import type { UrlRefusal } from "../address.ts";
import type { EventType } from "../event.ts";
import type { EndpointResponse } from "./schema.ts";

/** An address that receives an application's events. `eventTypes` null: all. Its secret is derived, see sign.ts. */
export interface Endpoint {
  readonly id: string;
  readonly applicationId: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[] | null;
  /** Generation of its signing secret; a rotation increments it. */
  readonly generation: number;
  /** Until this time, the secret of the previous generation signs too. */
  readonly previousSecretUntil: Date | null;
  /** The first failed attempt after the last successful one. */
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
}

/**
 * `gone`: the endpoint responded with 410. `failing`: no attempt succeeded for days. `requested`: by the integrator or
 * the operator.
 */
export const DISABLED_REASONS = ["gone", "failing", "requested"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Endpoints of one application. Bounded, since each multiplies the deliveries. */
export const ENDPOINTS_MAX = 20;

/** Error messages for the sender of a refused address. */
export const REFUSALS: Readonly<Record<UrlRefusal, string>> = {
  malformed: "must be an absolute address (URL) without spaces, control characters or backslashes",
  too_long: "must not be longer than 2,048 characters",
  scheme_not_https: "must be an https address",
  credentials_in_url: "must not hold a user name or password",
  private_address: "must be a public address: not private, loopback, link-local or reserved",
  local_name: "must be a public name",
  resolves_inside: "must not resolve to a private, loopback, link-local or reserved address",
  port_not_web: "must have no port below 1024 but 443",
};

/** The public form of an endpoint, without its secret. */
export function presentEndpoint(endpoint: Endpoint, now: Date): EndpointResponse {
  const { id, url, description, eventTypes, previousSecretUntil, failingSince, disabledAt, createdAt } = endpoint;
  const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
  return {
    id,
    url,
    description,
    events: eventTypes === null ? null : [...eventTypes],
    disabled: disabledAt !== null,
    disabledAt: disabledAt?.toISOString() ?? null,
    disabledReason: endpoint.disabledReason,
    failingSince: failingSince?.toISOString() ?? null,
    previousSecretValidUntil: isRotating ? previousSecretUntil.toISOString() : null,
    createdAt: createdAt.toISOString(),
  };
}

// What the first page says of the service and of each application. Pure.
import type { GaugeReading } from "../../metrics/gauge.ts";
import type { Row } from "../../reports/report.ts";
import { receiptsBy, sum } from "../overview/figures.ts";

/** The state of the service, from its health and its metrics; an unknown number is null. */
export interface ServiceState {
  readonly isReady: boolean;
  /** Null: the person may not see figures of all applications together. */
  readonly gauges: ServiceGauges | null;
}

export interface ServiceGauges {
  readonly receiptsWaiting: number;
  readonly receiptsOldestSeconds: number;
  readonly intakesWaiting: number;
  readonly intakesOldestSeconds: number;
  readonly deliveriesPending: number;
  readonly deliveriesLateSeconds: number;
  readonly deliveriesFailed: number;
  readonly endpointsFailing: number;
  readonly ledgerDifferences: number | null;
  readonly ledgerVerifiedAt: string | null;
}

/** The most important figures of an application. */
export interface ApplicationState {
  readonly held: number;
  readonly disputed: number;
  readonly receipts: number;
  readonly failed: number;
  readonly endpointsFailing: number;
}

/** Reads the gauges of `/metrics` by their names. */
export function gaugesOf(gauges: readonly GaugeReading[]): ServiceGauges {
  const byName = new Map(gauges.map(({ name, values }) => [name, values[0]?.value ?? null]));
  const of = (name: string) => byName.get(`rewards_${name}`) ?? 0;
  const verifiedSeconds = byName.get("rewards_ledger_verified_timestamp_seconds") ?? null;
  return {
    receiptsWaiting: of("receipts_waiting"),
    receiptsOldestSeconds: of("receipts_oldest_seconds"),
    intakesWaiting: of("intakes_waiting"),
    intakesOldestSeconds: of("intakes_oldest_seconds"),
    deliveriesPending: of("deliveries_pending"),
    deliveriesLateSeconds: of("deliveries_late_seconds"),
    deliveriesFailed: of("deliveries_failed"),
    endpointsFailing: of("endpoints_failing"),
    ledgerDifferences: byName.get("rewards_ledger_differences") ?? null,
    ledgerVerifiedAt: verifiedSeconds === null ? null : new Date(verifiedSeconds * 1_000).toISOString(),
  };
}

/** It fails now, or was switched off because it did. */
function isFailing({ state, failingSince }: Row): boolean {
  return state === "failing" || (state === "disabled" && failingSince !== null);
}

/** Reads an application's state from three of its reports. */
export function applicationState(reports: {
  readonly review: readonly Row[];
  readonly webhooks: readonly Row[];
  readonly submissions: readonly Row[];
}): ApplicationState {
  const { review, webhooks, submissions } = reports;
  const failed = receiptsBy("failed")(submissions);
  return {
    held: sum(review, "held"),
    disputed: sum(review, "disputed"),
    receipts: failed + receiptsBy("completed")(submissions),
    failed,
    endpointsFailing: webhooks.filter(isFailing).length,
  };
}

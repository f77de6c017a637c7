// A row of a file of opening balances.
import { cellError } from "../../csv/cell.ts";
import { isUuid } from "../../ids.ts";
import { POINTS_MOVED_MAX } from "../adjustments/schema.ts";
import type { OpeningPoints } from "./opening.ts";

const NAMES = ["email", "userId", "points", "lifetimePoints", "reference", "reason"] as const;
export type BalanceColumn = (typeof NAMES)[number];

/** The columns of a file of opening balances. */
export const BALANCE_COLUMNS = {
  names: NAMES,
  required: [["email", "userId"], ["points"]] satisfies BalanceColumn[][],
};

const TEXT_CHARS_MAX = 255;

/** One opening balance as a file has it. */
export interface OpeningRow extends OpeningPoints {
  /** Trimmed and lower-case, as it identifies a user; null: `userId` does. At least one of the two is there. */
  readonly email: string | null;
  readonly userId: string | null;
  /** Null: the reference is made of the user's id, so that a user has one opening balance. */
  readonly reference: string | null;
  readonly reason: string;
}

/**
 * Reads a row, or returns what is wrong with each column, in one sentence without values. lifetimePoints are the points
 * unless the row has them. `usualReason` is for rows without one.
 */
export function openingRowOf(
  cells: Readonly<Partial<Record<BalanceColumn, string>>>,
  usualReason: string,
): OpeningRow | string {
  const texts = Object.fromEntries(NAMES.map((name) => [name, cells[name]?.trim() ?? ""])) as Record<
    BalanceColumn,
    string
  >;
  const errors = (["email", "reference", "reason"] as const).flatMap((name) => {
    const error = cellError(texts[name], TEXT_CHARS_MAX);
    return error === null ? [] : [`${name} ${error}`];
  });
  const { email, userId, reference, reason } = texts;
  if (email === "" && userId === "") errors.push("email or userId must not be empty");
  if (userId !== "" && !isUuid(userId.toLowerCase())) errors.push("userId is no id");
  const points = pointsOf(texts.points);
  const lifetimePoints = texts.lifetimePoints === "" ? points : pointsOf(texts.lifetimePoints);
  const whole = `must be a whole number from 0 to ${POINTS_MOVED_MAX}`;
  if (points === null) errors.push(`points ${whole}`);
  if (lifetimePoints === null && texts.lifetimePoints !== "") errors.push(`lifetimePoints ${whole}`);
  if (points === null || lifetimePoints === null) return errors.join("; ");
  if (lifetimePoints < points) errors.push("lifetimePoints must not be less than points");
  if (errors.length > 0) return errors.join("; ");
  return {
    email: email === "" ? null : email.toLowerCase(),
    userId: userId === "" ? null : userId.toLowerCase(),
    points,
    lifetimePoints,
    reference: reference === "" ? null : reference,
    reason: reason === "" ? usualReason : reason,
  };
}

/** Points are digits alone: "1,000" and "1.000" mean different numbers in different countries. */
function pointsOf(text: string): number | null {
  const points = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return points !== null && points <= POINTS_MOVED_MAX ? points : null;
}

// Bonuses of a programme in words: the reason in the record, and its explanation.
import type { BonusCause } from "./granting.ts";

/** The reason of a bonus, for people to read later. */
export function bonusReason(cause: BonusCause): string {
  if (cause.kind === "welcome") return "Welcome";
  if (cause.kind === "streak") return `${cause.length} ${cause.every}s in a row`;
  return cause.kind === "referred"
    ? "Joined by the code of a friend"
    : "A friend who was referred has earned first points";
}

/** Which rule gave a bonus, and why. */
export function bonusText(cause: BonusCause, rule: string, points: number): string {
  return `${points} points by ${rule}. ${because(cause)}`;
}

function because(cause: BonusCause): string {
  if (cause.kind === "welcome") {
    const moment = cause.on === "enrolment" ? "the enrolment" : "the first points from a submission";
    return `The welcome of the programme is given once, with ${moment}.`;
  }
  if (cause.kind === "streak") {
    const { id, every, length, from, till, number, timeZone } = cause;
    return (
      `The streak ${id} gives this bonus for each ${length} ${every}s in a row with a green or healthy product. From ` +
      `${from} to ${till} (${timeZone}) each ${every} had one, and this is bonus ${number} of them.`
    );
  }
  return cause.kind === "referred"
    ? "The user was enrolled with the code of another user, and has earned first points from a submission."
    : "A user who was enrolled with this user's code has earned first points from a submission.";
}

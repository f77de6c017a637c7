// A row of a file of people, by the rules of an enrolment.
import { cellError } from "../../csv/cell.ts";
import { isEmail } from "../../http/formats.ts";
import { PROFILE_MEMBERS, PersonBody } from "../schema.ts";
import type { Enrollment } from "../schema.ts";
import { normaliseEmail } from "../user.ts";
import type { ProfileMember } from "../user.ts";

export type UserColumn = ProfileMember;

/** The columns of a file of people: the members of an enrolment that say who it is. */
export const USER_COLUMNS = {
  names: PROFILE_MEMBERS,
  required: [["email"], ["firstName"], ["lastName"]] satisfies UserColumn[][],
};

interface TextSchema {
  readonly maxLength: number;
  readonly pattern?: string;
  readonly format?: string;
}

// The types of the schemas do not have their keywords.
const SCHEMAS = PersonBody.properties as object as Readonly<Record<UserColumn, TextSchema>>;
const REQUIRED: readonly string[] = PersonBody.required;

/**
 * Reads a row: the enrolment with its normalised address, or what is wrong with each column, in one sentence without
 * values. An empty cell is a missing member. Cells are kept as they are, formulas of spreadsheets too.
 */
export function enrollmentOf(cells: Readonly<Partial<Record<UserColumn, string>>>): Enrollment | string {
  const errors = PROFILE_MEMBERS.flatMap((member) => {
    const error = errorOf(member, cells[member] ?? "");
    return error === null ? [] : [`${member} ${error}`];
  });
  if (errors.length > 0) return errors.join("; ");
  const members = PROFILE_MEMBERS.map((member) => [member, cells[member] ?? ""]).filter(([, cell]) => cell !== "");
  const enrollment = Object.fromEntries(members) as Enrollment;
  return { ...enrollment, email: normaliseEmail(enrollment.email) };
}

function errorOf(member: UserColumn, cell: string): string | null {
  const { maxLength, pattern, format } = SCHEMAS[member];
  if (cell === "") return REQUIRED.includes(member) ? "must not be empty" : null;
  const error = cellError(cell, maxLength);
  if (error !== null) return error;
  if (pattern !== undefined && !new RegExp(pattern).test(cell)) return "must not be empty";
  if (format === "email" && !isEmail(cell)) return "must be an e-mail address";
  return null;
}

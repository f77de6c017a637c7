import type { Static } from "typebox";
import type { Enrollment, User as PresentedUser } from "./schema.ts";

/** A user with the balance of the ledger. */
export interface User {
  readonly id: string;
  readonly applicationId: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
  readonly records: number;
  /** Records that are no earning events. */
  readonly otherRecords: number;
  readonly carbonPoints: number;
  readonly greenProducts: number;
}

/** What an enrolment says of a user, in the order of the table's columns. The address is normalised. */
export interface Profile {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly imageUrl: string | null;
  readonly country: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
}

export type ProfileMember = keyof Profile;

/** Returns the profile of an enrolment, with null for what it leaves out. */
export function profileOf({ email, firstName, lastName, ...rest }: Enrollment): Profile {
  const { imageUrl = null, country = null, city = null, postalCode = null } = rest;
  return { email, firstName, lastName, imageUrl, country, city, postalCode };
}

/** Returns the members of `sent` that are not as stored. A member that it leaves out says nothing. */
export function differingMembers(stored: Profile, sent: Partial<Profile>): ProfileMember[] {
  const members = Object.keys(stored) as ProfileMember[];
  return members.filter((member) => sent[member] !== undefined && sent[member] !== stored[member]);
}

/** Normalises an e-mail address. Within an application a normalised address identifies one user. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Converts a user to the User of the specification. */
export function presentUser(user: User): Static<typeof PresentedUser> {
  return {
    userID: user.id,
    email: user.email,
    lifetimePoints: user.lifetimePoints,
    availablePoints: user.availablePoints,
    numOfTransactions: user.records - user.otherRecords,
    totalCarbonScore: user.carbonPoints,
    totalGreenProducts: user.greenProducts,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

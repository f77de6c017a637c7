import type { Static } from "@fastify/type-provider-typebox";
import type { User as PresentedUser } from "./schema.ts";

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

import type { Static } from "@fastify/type-provider-typebox";
import { Type } from "@fastify/type-provider-typebox";

/** What an application sends to enrol a user (specification: Enrollment request). */
export const EnrollmentBody = Type.Object({
  email: Type.String({ format: "email", maxLength: 254 }),
  firstName: Type.String({ pattern: "\\S", maxLength: 255 }),
  lastName: Type.String({ pattern: "\\S", maxLength: 255 }),
  imageUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  country: Type.Optional(Type.String({ maxLength: 255 })),
  city: Type.Optional(Type.String({ maxLength: 255 })),
  postalCode: Type.Optional(Type.String({ maxLength: 255 })),
});

export type Enrollment = Static<typeof EnrollmentBody>;

/** A user with the balance that the ledger keeps for them. */
export interface User {
  readonly id: string;
  readonly applicationId: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
  readonly records: number;
  readonly carbonPoints: number;
  readonly greenProducts: number;
}

/** The address by which a user is one and the same within an application. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The User of the specification. */
export function presentUser(user: User) {
  return {
    userID: user.id,
    email: user.email,
    lifetimePoints: user.lifetimePoints,
    availablePoints: user.availablePoints,
    numOfTransactions: user.records,
    totalCarbonScore: user.carbonPoints,
    totalGreenProducts: user.greenProducts,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { count, instant, points, text } from "../http/schema-members.ts";

const PersonName = { pattern: "\\S", maxLength: 255 };

/** The body of an enrolment (specification: Enrollment request). */
export const EnrollmentBody = Type.Object(
  {
    email: Type.String({
      format: "email",
      maxLength: 254,
      description: "Identifies the user. Case and surrounding spaces are ignored.",
    }),
    firstName: Type.String({ ...PersonName, description: "Given name." }),
    lastName: Type.String({ ...PersonName, description: "Family name." }),
    imageUrl: Type.Optional(Type.String({ maxLength: 2048, description: "Address of the user's picture." })),
    country: Type.Optional(Type.String({ maxLength: 255, description: "Country, preferably its ISO 3166 code." })),
    city: Type.Optional(Type.String({ maxLength: 255, description: "Town or city." })),
    postalCode: Type.Optional(Type.String({ maxLength: 255, description: "Postal code." })),
  },
  { title: "Enrollment", description: "A person to enrol as a user." },
);
export type Enrollment = Static<typeof EnrollmentBody>;

/** The User of the specification. */
export const User = Type.Object(
  {
    userID: text("The user's id, used in all other calls."),
    email: text("E-mail address as enrolled, in lower case."),
    lifetimePoints: points("All points ever earned."),
    availablePoints: points("Points that can be spent now."),
    numOfTransactions: count("Earning events credited: receipts, meals and foods."),
    totalCarbonScore: points("Points earned for the climate, over all credited items."),
    totalGreenProducts: count("Credited items with carbon rating 1 or 2 (A or B)."),
    createdAt: instant("When the user was enrolled."),
    updatedAt: instant("When any member above last changed."),
  },
  { title: "User", description: "A user with the balance of their points." },
);

/** The response with one user. */
export const UserResponse = Type.Object({ user: User }, { title: "UserResponse", description: "One user." });

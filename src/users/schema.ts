import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { count, instant, pathId, points, text } from "../http/members.ts";
import { operation } from "../http/operation.ts";

const PersonName = { pattern: "\\S", maxLength: 255 };

/** What an application sends to enrol a user (specification: Enrollment request). */
export const EnrollmentBody = Type.Object(
  {
    email: Type.String({
      format: "email",
      maxLength: 254,
      description: "By which the user is known; compared without regard to case and spaces around it.",
    }),
    firstName: Type.String({ ...PersonName, description: "Given name." }),
    lastName: Type.String({ ...PersonName, description: "Family name." }),
    imageUrl: Type.Optional(Type.String({ maxLength: 2048, description: "Address of the user's picture." })),
    country: Type.Optional(Type.String({ maxLength: 255, description: "Country, best as its ISO 3166 code." })),
    city: Type.Optional(Type.String({ maxLength: 255, description: "Town or city." })),
    postalCode: Type.Optional(Type.String({ maxLength: 255, description: "Postal code." })),
  },
  { title: "Enrollment", description: "A person who is to become a user." },
);
export type Enrollment = Static<typeof EnrollmentBody>;

/** The User of the specification. */
export const User = Type.Object(
  {
    userID: text("The user's id. Every other call names the user by it."),
    email: text("E-mail address as enrolled, in lower case."),
    lifetimePoints: points("All points ever earned."),
    availablePoints: points("Points that can be spent now."),
    numOfTransactions: count("Earning events credited: receipts, meals and foods."),
    totalCarbonScore: points("Points earned for the climate, over everything credited."),
    totalGreenProducts: count("Items credited whose carbon rating is 1 or 2 (A or B)."),
    createdAt: instant("When the user was enrolled."),
    updatedAt: instant("When anything of the above last changed."),
  },
  { title: "User", description: "A user with the balance of their points." },
);

/** The User as it is answered, in its wrapper. */
export const UserResponse = Type.Object({ user: User }, { title: "UserAnswer", description: "One user." });

const NEW_USER = {
  user: {
    userID: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
    email: "ada@example.com",
    lifetimePoints: 0,
    availablePoints: 0,
    numOfTransactions: 0,
    totalCarbonScore: 0,
    totalGreenProducts: 0,
    createdAt: "2026-01-31T12:00:00.000Z",
    updatedAt: "2026-01-31T12:00:00.000Z",
  },
};

const EARNING_USER = {
  user: {
    ...NEW_USER.user,
    lifetimePoints: 412,
    availablePoints: 412,
    numOfTransactions: 9,
    totalCarbonScore: 198,
    totalGreenProducts: 17,
    updatedAt: "2026-02-02T08:15:30.250Z",
  },
};

/** POST /users/enroll */
export const enrollUser = operation({
  id: "enrollUser",
  method: "POST",
  path: "/users/enroll",
  tag: "Users",
  summary: "Enrol a user",
  description:
    "Makes a user of your application, who can earn points from now on. An e-mail address that is enrolled already " +
    "gives the user it belongs to, unchanged: it is safe to send an enrolment again. Use this where you have the " +
    "user's consent yourself; otherwise open a session for the hosted consent page.",
  body: EnrollmentBody,
  examples: [
    { summary: "The least", value: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" } },
    {
      summary: "Everything",
      value: {
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace",
        imageUrl: "https://example.com/ada.jpg",
        country: "GB",
        city: "London",
        postalCode: "W1U 6TU",
      },
    },
  ],
  responses: {
    200: { description: "The user.", schema: UserResponse, examples: [{ summary: "A new user", value: NEW_USER }] },
  },
});

/** GET /users/{id}/summary */
export const getUserSummary = operation({
  id: "getUserSummary",
  method: "GET",
  path: "/users/:id/summary",
  tag: "Users",
  summary: "Read a user's balance",
  description: "The user with the points earned so far. The figures move in the moment in which a record is credited.",
  params: pathId("The user's id, as enrolment answered it."),
  responses: {
    200: {
      description: "The user.",
      schema: UserResponse,
      examples: [{ summary: "A user who earned", value: EARNING_USER }],
    },
  },
});

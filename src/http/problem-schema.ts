import { Type } from "typebox";
import { SCOPES } from "../applications/scope.ts";
import { PROBLEMS } from "../problem-types.ts";
import { text } from "./schema-members.ts";

/** The problem document of RFC 9457, as sendProblem writes it. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({
      format: "uri",
      description: "Identifies the problem: the address of a page that explains it.",
    }),
    title: text("The problem in a few words, always the same for a type."),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status." }),
    detail: text(
      "An explanation for people of what is wrong with this request. Does not repeat any value of the request.",
    ),
    instance: text("The path of the request; empty if the request could not be read."),
    code: Type.Enum(
      Object.values(PROBLEMS).map(({ code }) => code),
      { type: "string", description: "The code of the problem, for programs." },
    ),
    requestId: text("The request id, as in x-request-id. Include it when you ask the operator for help."),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: "All validation errors of the request: property path (`ingredients[0].foodId`) to messages.",
      }),
    ),
    availablePoints: Type.Optional(
      Type.Integer({ description: "With the code PointsShort: the points that the user can spend." }),
    ),
    requiredScope: Type.Optional(
      Type.Enum([...SCOPES], {
        type: "string",
        description: "With the code InsufficientScope: the scope that the credential needs.",
      }),
    ),
    movedTo: Type.Optional(
      Type.String({
        format: "uri",
        description: "With the code ApplicationMoved: the address that all calls of the application go to now.",
      }),
    ),
  },
  { title: "Problem", description: "The response to a request that failed (RFC 9457), as application/problem+json." },
);

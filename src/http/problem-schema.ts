import { Type } from "@fastify/type-provider-typebox";
import { PROBLEMS } from "../problems.ts";
import { text } from "./members.ts";

/** The problem document of RFC 9457, as sendProblem writes it. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({ format: "uri", description: "Which problem it is: the address of a page that explains it." }),
    title: text("The same in a few words, always the same for a type."),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status." }),
    detail: text("What is wrong with this request, for people. Repeats nothing that was sent."),
    instance: text("The path that was called; empty where what arrived was no request."),
    code: Type.Enum(
      Object.values(PROBLEMS).map(({ code }) => code),
      { type: "string", description: "The word that a program switches on." },
    ),
    requestId: text("The request's id, as in x-request-id: tell it to the operator when you ask for help."),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          "Every error of the request: the path of each property (`ingredients[0].foodId`) to what is wrong.",
      }),
    ),
  },
  { title: "Problem", description: "What is answered instead of success (RFC 9457), as application/problem+json." },
);

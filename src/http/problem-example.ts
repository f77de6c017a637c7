import { PROBLEMS } from "../problem-types.ts";
import type { ProblemName } from "../problem-types.ts";

/** Creates an example of a problem document. */
export function problemExample(publicUrl: string, name: ProblemName): object {
  const { code, slug, status, title, meaning } = PROBLEMS[name];
  return {
    type: `${publicUrl}/problems/${slug}`,
    title,
    status,
    detail: meaning,
    instance: name === "malformedRequest" ? "" : "/track/meals",
    code,
    requestId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d71",
    ...(name === "validation" && {
      errors: {
        "ingredients[0].foodId": ["is required"],
        mealType: ["must be one of breakfast, lunch, dinner, snack, other"],
      },
    }),
  };
}

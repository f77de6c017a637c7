import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { Ajv } from "ajv";
import { Problem } from "../problems.ts";
import { nullable, oneOf } from "./schema-members.ts";
import { errorsOf, refuseErrors } from "./validation.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
const Body = Type.Object({
  colours: Type.Optional(
    nullable(Type.Array(oneOf(["red", "blue"], "A colour."), { minItems: 1, description: "Some." })),
  ),
});
const validate = ajv.compile(Body);

const errorsIn = (body: unknown) => {
  validate(body);
  return errorsOf((validate.errors ?? []) as Parameters<typeof errorsOf>[0], "body");
};

test("the error of a nullable member names its other type and nothing else", () => {
  assert.deepEqual(errorsIn({ colours: null }), {});
  assert.deepEqual(errorsIn({ colours: 5 }), { colours: ["must be of type array"] });
  assert.deepEqual(errorsIn({ colours: [] }), { colours: ["must not be empty"] });
  assert.deepEqual(errorsIn({ colours: ["red", "green"] }), { "colours[1]": ["must be one of red, blue"] });
});

test("a value that is not an object is an error of the body", () => {
  assert.deepEqual(errorsIn([]), { body: ["must be of type object"] });
});

test("a rule does not see a member that the schema refused, and its errors are in the same problem", () => {
  const body = { locale: "x".repeat(600_000), ingredients: [{ weight: "much" }], redirectUri: "javascript:1" };
  const schemaErrors = {
    locale: ["must not be longer than 64 characters"],
    "ingredients[0].weight": ["must be a number"],
  };
  const seen: unknown[] = [];
  const refuse = () =>
    refuseErrors({ body, validationError: new Problem("validation", { errors: schemaErrors }) }, (accepted) => {
      seen.push(accepted);
      return { redirectUri: ["must be https"] };
    });
  assert.throws(refuse, (error) => {
    assert.ok(error instanceof Problem);
    assert.deepEqual(error.errors, { ...schemaErrors, redirectUri: ["must be https"] });
    return true;
  });
  assert.deepEqual(seen, [{ locale: null, ingredients: null, redirectUri: "javascript:1" }]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "@fastify/type-provider-typebox";
import { Ajv } from "ajv";
import { nullable, oneOf } from "./members.ts";
import { errorsOf } from "./validation.ts";

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

test("a member that may be null is told what else it may be, and of nothing beside that", () => {
  assert.deepEqual(errorsIn({ colours: null }), {});
  assert.deepEqual(errorsIn({ colours: 5 }), { colours: ["must be of type array"] });
  assert.deepEqual(errorsIn({ colours: [] }), { colours: ["must not be empty"] });
  assert.deepEqual(errorsIn({ colours: ["red", "green"] }), { "colours[1]": ["must be one of red, blue"] });
});

test("what is no object is a error of the body", () => {
  assert.deepEqual(errorsIn([]), { body: ["must be of type object"] });
});

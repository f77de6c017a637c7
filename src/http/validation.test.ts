import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "@fastify/type-provider-typebox";
import { Ajv } from "ajv";
import { nullable, oneOf } from "./members.ts";
import { faultsOf } from "./validation.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
const Body = Type.Object({
  colours: Type.Optional(
    nullable(Type.Array(oneOf(["red", "blue"], "A colour."), { minItems: 1, description: "Some." })),
  ),
});
const validate = ajv.compile(Body);

const faultsIn = (body: unknown) => {
  validate(body);
  return faultsOf((validate.errors ?? []) as Parameters<typeof faultsOf>[0], "body");
};

test("a member that may be null is told what else it may be, and of nothing beside that", () => {
  assert.deepEqual(faultsIn({ colours: null }), {});
  assert.deepEqual(faultsIn({ colours: 5 }), { colours: ["must be of type array"] });
  assert.deepEqual(faultsIn({ colours: [] }), { colours: ["must not be empty"] });
  assert.deepEqual(faultsIn({ colours: ["red", "green"] }), { "colours[1]": ["must be one of red, blue"] });
});

test("what is no object is a fault of the body", () => {
  assert.deepEqual(faultsIn([]), { body: ["must be of type object"] });
});

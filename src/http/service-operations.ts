import { Type } from "@fastify/type-provider-typebox";
import { oneOf } from "./members.ts";
import { operation } from "./operation.ts";

/** GET /health/live */
export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/health/live",
  tag: "Service",
  summary: "Is the process alive",
  description: "Answers as long as the process does. For whatever restarts it.",
  isOpen: true,
  responses: {
    200: {
      description: "It is.",
      schema: Type.Object(
        { status: Type.Literal("live", { description: "Always live." }) },
        { title: "Liveness", description: "The process answers." },
      ),
      examples: [{ summary: "Alive", value: { status: "live" } }],
    },
  },
});

const Readiness = Type.Object(
  { status: oneOf(["ready", "not ready"], "Whether calls are served now.") },
  { title: "Readiness", description: "Whether the service can serve." },
);

/** GET /health/ready */
export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/health/ready",
  tag: "Service",
  summary: "Can the service serve",
  description: "Whether the service has its database and is not stopping. For load balancers.",
  isOpen: true,
  responses: {
    200: { description: "It can.", schema: Readiness, examples: [{ summary: "Ready", value: { status: "ready" } }] },
    503: {
      description: "Not now.",
      schema: Readiness,
      examples: [{ summary: "Not ready", value: { status: "not ready" } }],
    },
  },
});

/** GET /openapi.json */
export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag: "Service",
  summary: "Read this document",
  description: "This description of the interface, in OpenAPI 3.1. `/docs` shows it to people.",
  isOpen: true,
  responses: {
    200: {
      description: "The document.",
      headers: {
        etag: "Of these very bytes. Sent back as `if-none-match`, an unchanged document is a 304 without them.",
      },
      schema: Type.Object(
        { openapi: Type.String({ description: "The version of OpenAPI." }) },
        { title: "OpenApi", description: "An OpenAPI document.", additionalProperties: true },
      ),
      examples: [{ summary: "Its beginning", value: { openapi: "3.1.1" } }],
    },
  },
});

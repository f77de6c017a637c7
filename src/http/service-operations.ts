import { operation } from "./operation.ts";
import { Liveness, OpenApi, Readiness } from "./service-schema.ts";

/** GET /health/live */
export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/health/live",
  tag: "Service",
  summary: "Check that the process is alive",
  description: "Responds as long as the process runs. For process supervisors, which restart it otherwise.",
  isOpen: true,
  responses: {
    200: {
      description: "The process is alive.",
      schema: Liveness,
      examples: [{ summary: "Alive", value: { status: "live" } }],
    },
  },
});

/** GET /health/ready */
export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/health/ready",
  tag: "Service",
  summary: "Check that the service is ready",
  description: "Ready means: the database can be reached and the service is not stopping. For load balancers.",
  isOpen: true,
  responses: {
    200: {
      description: "The service is ready.",
      schema: Readiness,
      examples: [{ summary: "Ready", value: { status: "ready" } }],
    },
    503: {
      description: "The service is not ready.",
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
  description: "This description of the API, in OpenAPI 3.1. `/docs` shows it in a browser.",
  isOpen: true,
  responses: {
    200: {
      description: "The document.",
      headers: {
        etag: "Identifies the content of this response. Send it as `if-none-match` to get a 304 while it is unchanged.",
      },
      schema: OpenApi,
      examples: [{ summary: "The beginning of the document", value: { openapi: "3.1.1" } }],
    },
  },
});

import { Type } from "typebox";
import { oneOf } from "./schema-members.ts";

/** The response of GET /health/live. */
export const Liveness = Type.Object(
  { status: Type.Literal("live", { description: "Always live." }) },
  { title: "Liveness", description: "The process responds." },
);

/** The response of GET /health/ready. */
export const Readiness = Type.Object(
  {
    status: oneOf(["ready", "not ready"], "Whether the service can handle calls now."),
    images: Type.Optional(
      oneOf(
        ["available", "unavailable"],
        "Where images are stored in S3: whether that responds. Meanwhile uploads get 503, all other calls are handled.",
      ),
    ),
  },
  { title: "Readiness", description: "Whether the service can handle calls." },
);

/** The response of GET /openapi.json. */
export const OpenApi = Type.Object(
  { openapi: Type.String({ description: "The version of OpenAPI." }) },
  { title: "OpenApi", description: "An OpenAPI document.", additionalProperties: true },
);

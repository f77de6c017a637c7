// Written by generate.ts from the service's OpenAPI document: change that, not this.

/** The process answers. */
export interface Liveness {
  /** Always live. */
  readonly status: "live";
}

/** An OpenAPI document. */
export interface OpenApi {
  /** The version of OpenAPI. */
  readonly openapi: string;
}

/** Whether the service can serve. */
export interface Readiness {
  /** Whether calls are served now. */
  readonly status: "ready" | "not ready";
}

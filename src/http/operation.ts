import type { TObject, TSchema } from "typebox";
import type { Scope } from "../applications/scope.ts";
import type { ProblemName } from "../problem-types.ts";

/**
 * One operation of the API, declared once. Its route takes method, path and schemas from here; the OpenAPI document
 * takes everything, and the reference page and the SDK follow from the document.
 */
export type Operation = OperationParts & Access;

/** Who may call an operation: a credential with its scope, or everybody, without credentials and api-version. */
type Access =
  | { readonly scope: Scope; readonly isOpen?: never }
  /** It does not exist below /issuers. */
  | { readonly isOpen: true; readonly scope?: never };

interface OperationParts {
  /** Name of the method in the SDK. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** In the notation of routes: `/users/:id/summary`. */
  readonly path: string;
  /** `:id` matches nothing but ids, because other words at its place are other operations. */
  readonly onlyIds?: true;
  readonly tag: Tag;
  /** A heading of a few words. */
  readonly summary: string;
  /** Markdown for a new user of the API: purpose, effects, pitfalls. */
  readonly description: string;
  readonly params?: TObject;
  /** For the document only. A query is text and is parsed by the domain. */
  readonly query?: TObject;
  /** The JSON body, validated before the route runs. */
  readonly body?: TSchema;
  /** The multipart/form-data body, for the document only. It is parsed by the domain. */
  readonly form?: TSchema;
  /** Examples of the body or form. */
  readonly examples?: readonly Example[];
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Problems in addition to those that `problemsOf` derives from the other members. */
  readonly problems?: readonly ProblemName[];
  /** Calls by keys are in the audit log. */
  readonly isAudited?: true;
}

/** The response of an operation for one status. */
export interface ResponseSpec {
  readonly description: string;
  /** Absent: it has no body (204). */
  readonly schema?: TSchema;
  readonly examples: readonly Example[];
  /** Headers in addition to those of every response: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: application/json. */
  readonly mediaType?: string;
  /** A second form of the response, as text of this type. */
  readonly alsoText?: string;
}

/** An example of a body or response, with a caption. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** Chapters of the reference. */
export type Tag =
  | "Users"
  | "Meals and foods"
  | "Receipts"
  | "Points"
  | "Reports"
  | "Rewards"
  | "Catalogue"
  | "Webhook endpoints"
  | "Service";

/** Returns the operation as it is, with its exact type; the request type of its route is derived from it. */
export function operation<const Declared extends Operation>(declared: Declared): Declared {
  return declared;
}

/** Returns the path of an operation's route, with the pattern of its id where it has one. */
export function routePathOf({ path, onlyIds }: Pick<Operation, "path" | "onlyIds">): string {
  return onlyIds ? path.replace(":id", ":id(^[0-9a-fA-F-]{36}$)") : path;
}

type RouteSchema<Declared extends Operation> = (Declared["params"] extends TObject
  ? { params: Declared["params"] }
  : object) &
  (Declared["body"] extends TSchema ? { body: Declared["body"] } : object);

/** Creates the Fastify options of an operation's route: its validation, and the operation itself. */
export function routeOf<Declared extends Operation>(
  declared: Declared,
): { schema: RouteSchema<Declared>; config: { operation: Operation } } {
  const { params, body } = declared;
  const schema = { ...(params && { params }), ...(body && { body }) } as RouteSchema<Declared>;
  return { schema, config: { operation: declared } };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation of an API route; pages have none. */
    operation?: Operation;
  }
}

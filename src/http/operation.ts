import type { TObject, TSchema } from "@fastify/type-provider-typebox";
import type { ProblemName } from "../problems.ts";

/**
 * One operation of the interface, said once: its route takes method, path and schemas from here, and the OpenAPI
 * document and the reference page take all of it.
 */
export interface Operation {
  /** What SDKs call it. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** As routes write it: `/users/:id/summary`. */
  readonly path: string;
  readonly tag: Tag;
  /** A few words, as a heading. */
  readonly summary: string;
  /** For a newcomer, in Markdown: what it is for, what happens then, what to mind. */
  readonly description: string;
  readonly params?: TObject;
  /** For the document; a query is text and is read by the domain's own parser. */
  readonly query?: TObject;
  /** JSON, checked before the route runs. */
  readonly body?: TSchema;
  /** multipart/form-data, for the document; read by the domain's own parser. */
  readonly form?: TSchema;
  /** Of the body or form. */
  readonly examples?: readonly Example[];
  /** What it answers when all is well, by status. */
  readonly responses: Readonly<Record<number, Answer>>;
  /** Problems beyond those that follow from what it takes; see `problemsOf`. */
  readonly problems?: readonly ProblemName[];
  /** Wants neither credentials nor an api-version, and has no twin below /issuers. */
  readonly isOpen?: true;
}

/** What an operation answers with a status. */
export interface Answer {
  readonly description: string;
  readonly schema: TSchema;
  readonly examples: readonly Example[];
  /** Headers beyond those of every answer: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** application/json unless said otherwise. */
  readonly mediaType?: string;
}

/** A value as it may be sent or answered, and what it shows. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** Chapters of the reference. */
export type Tag = "Users" | "Meals and foods" | "Receipts" | "Points" | "Catalogue" | "Webhook endpoints" | "Service";

/** Keeps the exact type of an operation, from which its route's request has its types. */
export function operation<const Declared extends Operation>(declared: Declared): Declared {
  return declared;
}

type RouteSchema<Declared extends Operation> = (Declared["params"] extends TObject
  ? { params: Declared["params"] }
  : object) &
  (Declared["body"] extends TSchema ? { body: Declared["body"] } : object);

/** The options of an operation's route: what is checked before it runs, and whose route it is. */
export function routeOf<Declared extends Operation>(
  declared: Declared,
): { schema: RouteSchema<Declared>; config: { operation: Operation } } {
  const { params, body } = declared;
  const schema = { ...(params && { params }), ...(body && { body }) } as RouteSchema<Declared>;
  return { schema, config: { operation: declared } };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Which operation of the interface a route is; absent on pages. */
    operation?: Operation;
  }
}

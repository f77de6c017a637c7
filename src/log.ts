/** What adapters write their news to: the shape of pino's and Fastify's loggers, fields first. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

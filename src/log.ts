/** A logger with the interface of pino and Fastify: fields first. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes nothing. */
export const NO_LOG: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

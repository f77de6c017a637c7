import { createParamDecorator, type ExecutionContext } from "@nestjs/common";
import type { ClientRequest } from "./client.guard.js";

export const CurrentClient = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ClientRequest>().client,
);

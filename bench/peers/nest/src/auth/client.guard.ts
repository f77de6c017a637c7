import { createHash, timingSafeEqual } from "node:crypto";
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import type { Request } from "express";
import { Client } from "../entities/client.entity.js";

export interface ClientRequest extends Request {
  client: Client;
}

@Injectable()
export class ClientGuard implements CanActivate {
  constructor(@InjectRepository(Client) private readonly clients: Repository<Client>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ClientRequest>();
    const clientId = request.header("x-client-id");
    const secret = request.header("x-client-secret");
    if (!clientId || !secret) throw new UnauthorizedException();
    const client = await this.clients.findOneBy({ clientId });
    const hash = createHash("sha256").update(secret).digest();
    if (!client || !timingSafeEqual(hash, Buffer.from(client.secretHash, "hex"))) throw new UnauthorizedException();
    request.client = client;
    return true;
  }
}

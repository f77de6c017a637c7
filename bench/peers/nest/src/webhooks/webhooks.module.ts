import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { WebhookDelivery } from "../entities/webhook-delivery.entity.js";
import { WebhooksService } from "./webhooks.service.js";

@Module({
  imports: [TypeOrmModule.forFeature([WebhookDelivery])],
  providers: [WebhooksService],
  exports: [WebhooksService],
})
export class WebhooksModule {}

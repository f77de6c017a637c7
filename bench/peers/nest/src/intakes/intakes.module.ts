import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { Client } from "../entities/client.entity.js";
import { IntakesController } from "./intakes.controller.js";
import { IntakesService } from "./intakes.service.js";

@Module({
  imports: [TypeOrmModule.forFeature([Client])],
  controllers: [IntakesController],
  providers: [IntakesService],
})
export class IntakesModule {}

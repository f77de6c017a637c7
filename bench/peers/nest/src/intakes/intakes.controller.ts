import { Body, Controller, HttpCode, HttpStatus, Post, UseGuards } from "@nestjs/common";
import { ClientGuard } from "../auth/client.guard.js";
import { CurrentClient } from "../auth/current-client.decorator.js";
import { Client } from "../entities/client.entity.js";
import { IntakesService } from "./intakes.service.js";
import { TrackFoodDto } from "./track-food.dto.js";

@Controller("track")
@UseGuards(ClientGuard)
export class IntakesController {
  constructor(private readonly intakes: IntakesService) {}

  @Post("food")
  @HttpCode(HttpStatus.ACCEPTED)
  async trackFood(@CurrentClient() client: Client, @Body() dto: TrackFoodDto): Promise<object> {
    const intake = await this.intakes.trackFood(client, dto);
    return { success: true, id: intake.id, message: "The food was received and will be scored." };
  }
}

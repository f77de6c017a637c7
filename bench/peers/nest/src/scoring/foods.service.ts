import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { In, Repository } from "typeorm";
import type { Food } from "../entities/food.entity.js";
import { FoodName } from "../entities/food-name.entity.js";

@Injectable()
export class FoodsService {
  constructor(@InjectRepository(FoodName) private readonly names: Repository<FoodName>) {}

  /** The food whose name is the longest part of `name`: "Wholemeal bread 800 g" is wholemeal bread. */
  async findByName(name: string): Promise<Food | null> {
    const found = await this.names.find({ where: { name: In(partsOf(name)) }, relations: { food: true } });
    found.sort((a, b) => b.name.length - a.name.length);
    return found[0]?.food ?? null;
  }
}

/** All sequences of words of a name, in the plural and in the singular. */
function partsOf(name: string): string[] {
  const words = name
    .toLowerCase()
    .replace(/\d+([.,]\d+)?\s*(%|g|kg|ml|cl|l|oz|pk|pcs)?(?=\s|$)/g, " ")
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .slice(0, 8);
  const parts = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= words.length; to++) {
      const part = words.slice(from, to).join(" ");
      parts.add(part);
      if (part.endsWith("s")) parts.add(part.slice(0, -1));
    }
  }
  return [...parts];
}

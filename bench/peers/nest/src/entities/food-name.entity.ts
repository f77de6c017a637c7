import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from "typeorm";
import { Food } from "./food.entity.js";

/** A name or synonym of a food, in lower case. */
@Entity("food_names")
export class FoodName {
  @PrimaryColumn()
  name: string;

  @Column()
  foodId: string;

  @ManyToOne(() => Food)
  @JoinColumn({ name: "foodId" })
  food: Relation<Food>;
}

import { Column, Entity, PrimaryColumn } from "typeorm";

/** A food of the catalogue; nutrients are of 100 g. */
@Entity("foods")
export class Food {
  @PrimaryColumn()
  id: string;

  @Column()
  name: string;

  @Column()
  category: string;

  @Column("float")
  co2ePerKg: number;

  @Column("float")
  energyKcal: number;

  @Column("float")
  sugarG: number;

  @Column("float")
  saturatedFatG: number;

  @Column("float")
  proteinG: number;

  @Column("float")
  fiberG: number;

  @Column("float")
  saltG: number;

  @Column("float")
  fruitsVegetablesLegumesPct: number;
}

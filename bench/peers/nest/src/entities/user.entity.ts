import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from "typeorm";
import { Client } from "./client.entity.js";

@Entity("users")
export class User {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Column("uuid")
  clientId: string;

  @ManyToOne(() => Client)
  @JoinColumn({ name: "clientId" })
  client: Relation<Client>;

  @Column({ default: 0 })
  availablePoints: number;

  @Column({ default: 0 })
  lifetimePoints: number;

  @CreateDateColumn({ type: "timestamptz" })
  createdAt: Date;
}

import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from "typeorm";
import { Client } from "./client.entity.js";

@Entity("webhook_endpoints")
export class WebhookEndpoint {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Index()
  @Column("uuid")
  clientId: string;

  @ManyToOne(() => Client)
  @JoinColumn({ name: "clientId" })
  client: Relation<Client>;

  @Column()
  url: string;

  @Column()
  secret: string;
}

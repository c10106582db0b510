import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ name: 'organizations' })
export class Organization {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'folded_name', type: 'text' })
  foldedName!: string;

  @Column({ name: 'integrator_id', type: 'int', nullable: true })
  integratorId!: number | null;

  @Column({ name: 'assets_limit', type: 'int', nullable: true })
  assetsLimit!: number | null;

  /** After how many hours a retest that ended as `fixed` gets its second look; null for never. */
  @Column({ name: 'second_look_hours', type: 'int', nullable: true, default: 6 })
  secondLookHours!: number | null;

  /** Refusals of the site itself count as fixes. */
  @Column({ name: 'refusals_count_as_fixed', type: 'boolean', default: false })
  refusalsCountAsFixed!: boolean;

  /** The MCP server lists tools that change something. */
  @Column({ name: 'mcp_write', type: 'boolean', default: false })
  mcpWrite!: boolean;

  @Column({ name: 'observation_enabled', type: 'boolean', default: true })
  observationEnabled!: boolean;

  /** Null for the default of the installation. */
  @Column({ name: 'observe_every_hours', type: 'int', nullable: true })
  observeEveryHours!: number | null;

  /** When an admin turned observation on; null if it was on from the beginning. */
  @Column({ name: 'observation_since', type: 'timestamptz', precision: 3, nullable: true })
  observationSince!: Date | null;

  /** Whether its home page shows the checklist of first steps, which admins can remove. */
  @Column({ name: 'has_checklist', type: 'boolean', default: false })
  hasChecklist!: boolean;
  /** A risk is accepted only with a comment. */
  @Column({ name: 'acceptance_needs_comment', type: 'boolean', default: false })
  acceptanceNeedsComment!: boolean;

  /** A risk is accepted only until a day. */
  @Column({ name: 'acceptance_needs_end', type: 'boolean', default: false })
  acceptanceNeedsEnd!: boolean;

  /** Decisions need a second admin. */
  @Column({ name: 'second_approval', type: 'boolean', default: false })
  secondApproval!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  /** When the operator suspended it; nobody may change anything in it since then. */
  @Column({ name: 'suspended_at', type: 'timestamptz', precision: 3, nullable: true })
  suspendedAt!: Date | null;

  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;
}

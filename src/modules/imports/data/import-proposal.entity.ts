import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { ActorType } from '../../../platform/api/caller';
import type { TemplateRequest } from '../../findings';
import type { ProposalKind, ProposalStatus } from '../domain/proposal';

/** A check that the file of an import carries. It covers all results with the same template or, for replays, of the same rule. */
@Entity({ name: 'import_proposals' })
export class ImportProposal extends NumberedRow {
  @Column({ name: 'import_id', type: 'int' })
  importId!: number;

  @Column({ type: 'text' })
  kind!: ProposalKind;

  /** In hex: the MD5 of the template, or the digest of the scanner and its rule. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ type: 'text' })
  scanner!: string;

  @Column({ name: 'rule_id', type: 'text', nullable: true })
  ruleId!: string | null;

  /** The title of the most severe result. */
  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'int' })
  severity!: number;

  /** How many findings had no check when the import ended. */
  @Column({ type: 'int' })
  findings!: number;

  /** The location of the most severe result. */
  @Column({ type: 'text', nullable: true })
  location!: string | null;

  @Column({ name: 'check_id', type: 'text', nullable: true })
  checkId!: string | null;

  /** The YAML of the check. For replays, that of the first one as an example. */
  @Column({ type: 'text' })
  definition!: string;

  /** For replays, some of the requests with their URLs. */
  @Column({ type: 'jsonb' })
  requests!: readonly TemplateRequest[];

  /** How many different requests there are. */
  @Column({ name: 'request_count', type: 'int', default: 0 })
  requestCount!: number;

  @Column({ name: 'unsafe_methods', type: 'text', array: true })
  unsafeMethods!: readonly string[];

  @Column({ name: 'missing_values', type: 'text', array: true })
  missingValues!: readonly string[];

  /** Why it cannot be approved. */
  @Column({ type: 'text', nullable: true })
  refusal!: string | null;

  @Column({ type: 'text', default: 'proposed' })
  status!: ProposalStatus;

  /** Who approved or declined it. */
  @Column({ name: 'actor_type', type: 'text', nullable: true })
  actorType!: ActorType | null;

  @Column({ name: 'actor_id', type: 'text', nullable: true })
  actorId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decided!: Date | null;

  /** The number of findings that it was bound to. */
  @Column({ type: 'int', default: 0 })
  bound!: number;

  @Column({ name: 'not_bound', type: 'int', default: 0 })
  notBound!: number;

  /** The reason of the first finding to which it could not be bound. */
  @Column({ name: 'not_bound_reason', type: 'text', nullable: true })
  notBoundReason!: string | null;
}

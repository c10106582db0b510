import { Column, Entity } from 'typeorm';
import type { EndingRequest, SessionProof, SignInRecipe, SignInReport } from '../../../engine';
import type { Role } from '../../../kernel/role';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { AccountRelation } from '../domain/account-relations';
import type { Turn } from '../domain/turns';

export const LAUNCH_ROLES = ['member', 'admin', 'owner'] as const satisfies readonly Role[];
export type LaunchRole = (typeof LAUNCH_ROLES)[number];

export const SIGN_IN_STATES = ['PENDING', 'IN_PROGRESS', 'FINISHED', 'ERROR'] as const;
export type SignInState = (typeof SIGN_IN_STATES)[number];

/** An account with which tests sign in to an asset. */
@Entity({ name: 'asset_accounts' })
export class AssetAccountRow extends NumberedRow {
  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** What it is in the application, in words. */
  @Column({ type: 'text' })
  role!: string;

  @Column({ type: 'jsonb' })
  recipe!: SignInRecipe;

  /** Where alone its credentials and sessions go: scheme, host and port. */
  @Column({ type: 'text', array: true })
  origins!: string[];

  /** How it is seen that a session lives; null until an admin has confirmed one. */
  @Column({ type: 'jsonb', nullable: true })
  proof!: SessionProof | null;

  /** Who launches with it has at least this role. */
  @Column({ name: 'launch_role', type: 'text' })
  launchRole!: LaunchRole;

  /** Whether keys of pipelines, which have the scope ci alone, may launch with it. */
  @Column({ name: 'ci_keys', type: 'boolean' })
  ciKeys!: boolean;

  /** Null without the consent of an admin that tests run signed in. */
  @Column({ name: 'consented_at', type: 'timestamptz', precision: 3, nullable: true })
  consentedAt!: Date | null;

  @Column({ name: 'consented_by', type: 'text', nullable: true })
  consentedBy!: string | null;

  @Column({ name: 'consented_by_id', type: 'int', nullable: true })
  consentedById!: number | null;

  /** Its secrets, which SECRET_KEY encrypts; null until they are typed. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  /** A sign-in of an uploaded HAR with its secrets, until an admin saves it or signs in again. */
  @Column({ name: 'sealed_steps', type: 'bytea', nullable: true })
  sealedSteps!: Buffer | null;

  /** The last day of its cookie or header, such as 2026-01-31. */
  @Column({ type: 'date', nullable: true })
  expires!: string | null;

  /** Increases with each change of how it signs in: what was seen before says nothing then. */
  @Column({ type: 'int', default: 1 })
  version!: number;

  /** Sign-ins in a row that failed. */
  @Column({ type: 'int', default: 0 })
  failures!: number;

  /** Since then nothing signs in, until an admin resumes it. */
  @Column({ name: 'stopped_at', type: 'timestamptz', precision: 3, nullable: true })
  stoppedAt!: Date | null;

  /** When a session last lived. */
  @Column({ name: 'proved_at', type: 'timestamptz', precision: 3, nullable: true })
  provedAt!: Date | null;

  /** When a session last could not be proved, and why. */
  @Column({ name: 'refused_at', type: 'timestamptz', precision: 3, nullable: true })
  refusedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  refusal!: string | null;

  /** Those of the last hour. */
  @Column({ name: 'sign_ins', type: 'timestamptz', array: true, default: [] })
  signIns!: Date[];

  /** What uses it, and what waits for it. */
  @Column({ type: 'jsonb', default: [] })
  turns!: Turn[];

  /** After which its sessions had ended: tests do not send them. */
  @Column({ name: 'ending_requests', type: 'jsonb', default: [] })
  endingRequests!: EndingRequest[];

  /** The last sign-in that a person asked for. */
  @Column({ name: 'sign_in_uuid', type: 'uuid', nullable: true })
  signInUuid!: string | null;

  @Column({ name: 'sign_in_status', type: 'text', nullable: true })
  signInStatus!: SignInState | null;

  @Column({ name: 'sign_in_started', type: 'timestamptz', precision: 3, nullable: true })
  signInStarted!: Date | null;

  @Column({ name: 'sign_in_error', type: 'text', nullable: true })
  signInError!: string | null;

  @Column({ name: 'sign_in_report', type: 'json', nullable: true })
  signInReport!: SignInReport | null;

  /** What belongs to it alone, as an admin has typed it. */
  @Column({ name: 'own_values', type: 'text', array: true, default: [] })
  ownValues!: string[];

  /** To which accounts of its asset it is compared. */
  @Column({ type: 'jsonb', default: [] })
  relations!: AccountRelation[];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

/** Never read with others: secrets, and what only the workers need. */
export const UNREAD = [
  'sealed',
  'sealedSteps',
  'signIns',
  'turns',
  'endingRequests',
] as const satisfies readonly (keyof AssetAccountRow)[];

export type AssetAccount = Omit<AssetAccountRow, (typeof UNREAD)[number]> & { readonly hasSecrets: boolean };

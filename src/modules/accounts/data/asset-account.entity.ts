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

  /** The only places where its credentials and sessions go: scheme, host and port. */
  @Column({ type: 'text', array: true })
  origins!: string[];

  /** The proof that a session is valid; null until an admin has confirmed one. */
  @Column({ type: 'jsonb', nullable: true })
  proof!: SessionProof | null;

  /** The lowest role that may launch with it. */
  @Column({ name: 'launch_role', type: 'text' })
  launchRole!: LaunchRole;

  /** Whether keys of pipelines, which have the scope ci alone, may launch with it. */
  @Column({ name: 'ci_keys', type: 'boolean' })
  ciKeys!: boolean;

  /** Null without the consent of an admin to signed-in tests. */
  @Column({ name: 'consented_at', type: 'timestamptz', precision: 3, nullable: true })
  consentedAt!: Date | null;

  @Column({ name: 'consented_by', type: 'text', nullable: true })
  consentedBy!: string | null;

  @Column({ name: 'consented_by_id', type: 'int', nullable: true })
  consentedById!: number | null;

  /** Its secrets, encrypted with SECRET_KEY; null until they are entered. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  /** A sign-in of an uploaded HAR with its secrets, until an admin saves it or signs in again. */
  @Column({ name: 'sealed_steps', type: 'bytea', nullable: true })
  sealedSteps!: Buffer | null;

  /** The last day of its cookie or header, such as 2026-01-31. */
  @Column({ type: 'date', nullable: true })
  expires!: string | null;

  /** Increases with each change of the sign-in, after which earlier results do not count. */
  @Column({ type: 'int', default: 1 })
  version!: number;

  /** Sign-ins in a row that failed. */
  @Column({ type: 'int', default: 0 })
  failures!: number;

  /** Since this time nothing signs in, until an admin resumes the account. */
  @Column({ name: 'stopped_at', type: 'timestamptz', precision: 3, nullable: true })
  stoppedAt!: Date | null;

  /** When a session was last proved to be valid. */
  @Column({ name: 'proved_at', type: 'timestamptz', precision: 3, nullable: true })
  provedAt!: Date | null;

  /** When a session last could not be proved, and why. */
  @Column({ name: 'refused_at', type: 'timestamptz', precision: 3, nullable: true })
  refusedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  refusal!: string | null;

  /** The sign-ins of the last hour. */
  @Column({ name: 'sign_ins', type: 'timestamptz', array: true, default: [] })
  signIns!: Date[];

  /** The work that uses it, and the work that waits for it. */
  @Column({ type: 'jsonb', default: [] })
  turns!: Turn[];

  /** Requests that ended its sessions: tests do not send them. */
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

  /** Values that belong to it alone, as an admin has entered them. */
  @Column({ name: 'own_values', type: 'text', array: true, default: [] })
  ownValues!: string[];

  /** The accounts of its asset that it is compared with. */
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

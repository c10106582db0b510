import type { Config } from '../../platform/config/load-config';
import { asService } from './as-table-owner';
import { textTable } from './text-output';

export interface ListWorkOptions {
  readonly state?: string;
  readonly kind?: string;
  readonly organization?: number;
  readonly limit: number;
}

export interface ListedWork {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly organization_id: number | null;
  readonly state: string;
  readonly attempts: number;
  readonly failures: number;
  readonly run_at: Date;
  readonly error: string | null;
}

/** Without a state, what is unfinished or has failed; the oldest first. */
export const listWork = (
  config: Config,
  { state, kind, organization, limit }: ListWorkOptions,
): Promise<ListedWork[]> =>
  asService(config, async (client) => {
    const { rows } = await client.query<ListedWork>(
      `SELECT w.id, w.kind, w.reference, w.organization_id, CASE WHEN w.state = 'waiting' AND o.suspended_at IS NOT NULL THEN 'held'
         ELSE w.state END AS state, w.attempt AS attempts, w.failures, w.run_at, w.error
       FROM work w LEFT JOIN organizations o ON o.id = w.organization_id
       WHERE w.state = ANY($1::text[]) AND ($2::text IS NULL OR w.kind = $2) AND ($3::int IS NULL OR w.organization_id = $3)
       ORDER BY w.run_at, w.id LIMIT $4`,
      [state === undefined ? ['waiting', 'running', 'failed'] : [state], kind ?? null, organization ?? null, limit],
    );
    return rows;
  });

const HEAD = ['ID', 'Kind', 'Record', 'Organization', 'State', 'Attempts', 'Failures', 'Due', 'Error'];

export const workText = (work: readonly ListedWork[]): string =>
  work.length === 0
    ? 'No such work.'
    : textTable(
        HEAD,
        work.map((one) => [
          one.id,
          one.kind,
          one.reference,
          one.organization_id,
          one.state,
          one.attempts,
          one.failures,
          one.run_at,
          one.error,
        ]),
      );

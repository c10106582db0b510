import { parseTraceContext } from '../../kernel/trace-context';
import { raw } from '../database/sql';
import type { Claim } from './claim';

/** What a worker needs of a row of work. */
export const claimColumns = raw(`id, kind, reference, organization_id AS "organizationId", asset_id AS "assetId",
  event_id AS "eventId", attempt, failures, traceparent, tracestate,
  (SELECT integrator_id FROM organizations WHERE organizations.id = work.organization_id) AS "integratorId"`);

export interface ClaimedRow extends Omit<Claim, 'trace'> {
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

export const claimOf = ({ traceparent, tracestate, ...row }: ClaimedRow): Claim => ({
  ...row,
  trace: parseTraceContext(traceparent, tracestate),
});

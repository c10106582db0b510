import type { INestApplicationContext } from '@nestjs/common';
import { conflict, notFound } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import type { Config } from '../../platform/config/load-config';
import { Database } from '../../platform/database/database';
import { sql } from '../../platform/database/sql';
import { CanceledWorkRepository } from '../../platform/work/canceled-work.repository';
import type { Claim } from '../../platform/work/claim';
import { claimColumns, type ClaimedRow, claimOf } from '../../platform/work/claimed-row';
import type { WorkHandler } from '../../platform/work/work-handler';
import { WorkRegistry } from '../../platform/work/work-registry';
import { WorkRepository } from '../../platform/work/work.repository';
import { operatorScope, runWithModules } from './run-in-domain';

const CANCELED = 'The operator of the service has canceled it.';

interface FoundWork {
  readonly claim: Claim;
  readonly state: string;
  readonly handler: WorkHandler;
}

/** Lets a worker run it now: what waits for its next attempt, or what has failed without an end of its record. */
export const retryWork = (config: Config, id: string): Promise<string> =>
  runWithModules(config, async (app) => {
    const { claim, state, handler } = await find(app, id);
    const retry = state === 'waiting' ? runNow : state === 'failed' && handler.isRepeatable === true ? add : undefined;
    if (retry === undefined) throw conflict(whyNotRetried(claim, state));
    const { audit } = handler.abandon(claim, '');
    const metadata = { work: claim.kind, via: 'cli' };
    const entry = { ...audit, actor: system, operation: `${audit.resourceType}.retry_work`, metadata };
    await app.get(UnitOfWork).run(entry, operatorScope, () => retry(app, claim));
    return `${claim.kind} ${claim.reference} is due now. A worker begins it within seconds.`;
  });

/** Ends it as after its last attempt: its record says so, and its organization finds it in the audit log. */
export const cancelWork = (config: Config, id: string): Promise<string> =>
  runWithModules(config, async (app) => {
    const { claim: found, state, handler } = await find(app, id);
    const rows = app.get(WorkRepository);
    // Its worker, if it has one, stops at its next renewal.
    const claim = await app.get(CanceledWorkRepository).claimOne(found.id);
    if (claim === undefined) throw conflict(`It has ended already: ${state}.`);
    const { audit, apply } = handler.abandon(claim, CANCELED, CANCELED);
    const metadata = { ...audit.metadata, via: 'cli' };
    await app.get(UnitOfWork).run({ ...audit, metadata, outcome: 'failure' }, operatorScope, async () => {
      if (!(await rows.finish(claim, 'failed', CANCELED)))
        throw conflict('A worker has begun it. Run the command again.');
      await apply();
    });
    return `${claim.kind} ${claim.reference} is canceled.`;
  });

async function find(app: INestApplicationContext, id: string): Promise<FoundWork> {
  const row = await app
    .get(Database)
    .row<ClaimedRow & { state: string }>(sql`SELECT state, ${claimColumns} FROM work WHERE id = ${id}`);
  if (row === undefined) throw notFound('Work');
  const { state, ...claimed } = row;
  const claim = claimOf(claimed);
  return { claim, state, handler: app.get(WorkRegistry).handlerOf(claim.kind) };
}

function whyNotRetried({ kind }: Claim, state: string): string {
  if (state === 'running') return 'A worker runs it. If that worker is lost, another takes it when the lease expires.';
  if (state === 'done' || state === 'canceled') return `It has ended already: ${state}.`;
  return `Work of kind ${kind} cannot be run again: its record has ended with the failure. Start it anew in the portal or with the API.`;
}

async function runNow(app: INestApplicationContext, { id }: Claim): Promise<void> {
  await app.get(Database).change(sql`UPDATE work SET run_at = now() WHERE id = ${id} AND state = 'waiting'`);
}

async function add(app: INestApplicationContext, claim: Claim): Promise<void> {
  const { kind, reference, organizationId, assetId, eventId } = claim;
  const work = {
    organizationId: organizationId ?? undefined,
    assetId: assetId ?? undefined,
    eventId: eventId ?? undefined,
  };
  if (!(await app.get(WorkRepository).add({ kind, reference, ...work })))
    throw conflict('Newer work of the same record waits or runs already.');
}

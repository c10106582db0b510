import { Injectable } from '@nestjs/common';
import { checkById } from '../../../../engine/checks';
import { FORMER_TITLES, titleAt } from '../../../../engine/titles';
import { Transactions } from '../../../../platform/database/transactions';
import type { Claim } from '../../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../../platform/work/work-handler';
import { workAudit } from '../../../../platform/work/work-audit';
import { AssetTotalsRepository } from '../../changes/data/asset-totals.repository';
import { priorityFactsOf, priorityOf } from '../../domain/priority';
import { FindingCopiesRepository, type TitledFinding } from '../data/finding-copies.repository';

/** Rows that one transaction locks. */
const BATCH_SIZE = 200;

/**
 * After an upgrade, recomputes what earlier versions stored of findings: their order within a priority (whether a claim has
 * support, and no step for the tier of an unverified asset), the titles from their checks and the digests of titles; and the risk
 * of assets. Migrations enqueue it. It is idempotent.
 */
@Injectable()
@WorkKind('finding.beliefs')
export class FindingBeliefs implements WorkHandler {
  readonly isRepeatable = true;
  readonly maxConcurrent = 1;

  constructor(
    private readonly copies: FindingCopiesRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly transactions: Transactions,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    let changed = 0;
    for (let after = 0; ;) {
      signal.throwIfAborted();
      const ids = (await this.copies.listAfter(after, BATCH_SIZE)).map(({ id }) => id);
      const last = ids.at(-1);
      if (last === undefined) break;
      changed += await this.transactions.run(() => this.update(ids));
      after = last;
    }
    for (let after: number | undefined = 0; after !== undefined;) {
      signal.throwIfAborted();
      const from: number = after;
      after = await this.transactions.run(() => this.totals.recountBeliefs(from, BATCH_SIZE));
    }
    return completionOf(claim, { changed });
  }

  abandon(claim: Claim, error: string): Completion {
    return completionOf(claim, { error }, 'failure');
  }

  private async update(ids: readonly number[]): Promise<number> {
    const changes = (await this.copies.lock(ids))
      .map((finding) => ({ ...finding, before: finding.priority, priority: priorityOf(priorityFactsOf(finding)) }))
      .filter(({ before, priority }) => before !== priority);
    await this.copies.save(changes);
    await this.copies.saveSupport(ids);
    const formerly = await this.copies.listFormerlyTitled(ids, FORMER_TITLES);
    await this.copies.saveTitles(formerly.flatMap(retitled));
    await this.copies.saveTitles(await this.copies.listWithoutTitleKey(ids));
    return changes.length;
  }
}

function retitled({ id, checkId, location }: TitledFinding): Pick<TitledFinding, 'id' | 'title'>[] {
  const check = checkById(checkId);
  return check === null ? [] : [{ id, title: titleAt(check, location) }];
}

const completionOf = (claim: Claim, metadata: Record<string, unknown>, outcome?: 'failure'): Completion => ({
  audit: { ...workAudit(claim, { operation: 'finding.order', resourceType: 'finding', metadata }), outcome },
  apply: async () => undefined,
});

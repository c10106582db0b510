import { Injectable } from '@nestjs/common';
import { groupBy } from '../../kernel/group-by';
import type { Scope } from '../../platform/auth/scope';
import type { Retest } from './data/retest.entity';
import { type Period, TestAccountsRepository } from './data/test-accounts.repository';
import { type CoverageAccount, CoverageByAsset } from './domain/coverage-account';
import { type ProbeAccount, probesOf } from './domain/retest-evidence-account';

export interface RetestAccount extends Pick<Retest, 'uuid' | 'findingId' | 'status' | 'result' | 'reason'> {
  readonly created: Date;
  readonly finished: Date | null;
  /** The key that signed its evidence; null where there is none, or where evidence was not asked for. */
  readonly signedBy: string | null;
  readonly probes: readonly ProbeAccount[];
}

const mostRetests = 20;
/** Of the retests of one finding: earlier evidence is at its own address. */
const mostWithEvidence = 3;
/** Of one asset: it has been tested whatever becomes of the others, and however many those are. */
const mostPages = 1_000;
/** Coverage and evidence are large. */
const readAtOnce = 50;

/** What has been tested and what came of it, for who tells of a whole event, as a report does. */
@Injectable()
export class TestAccountsService {
  constructor(private readonly accounts: TestAccountsRepository) {}

  /** By finding, newest first. */
  async retestsOf(
    scope: Scope,
    findingIds: readonly number[],
    { withEvidence }: { withEvidence: boolean },
  ): Promise<Map<number, RetestAccount[]>> {
    const retests = groupBy(
      await this.accounts.listRetests(scope, findingIds, mostRetests),
      ({ findingId }) => findingId,
    );
    const told = withEvidence ? [...retests.values()].flatMap((ofOne) => ofOne.slice(0, mostWithEvidence)) : [];
    const evidence = await this.evidenceOf(told.map(({ id }) => id));
    return new Map(
      [...retests].map(([findingId, ofOne]) => [findingId, ofOne.map((retest) => accountOf(retest, evidence))]),
    );
  }

  /** By asset: what the jobs of an event tested in a period. */
  async coverageOf(scope: Scope, eventId: number, period: Period): Promise<Map<number, CoverageAccount>> {
    const ids = await this.accounts.listLastJobs(scope, eventId, period, mostPages);
    const coverage = new CoverageByAsset();
    for (let index = 0; index < ids.length; index += readAtOnce) {
      const jobs = await this.accounts.listCoverageOfVisible(ids.slice(index, index + readAtOnce));
      for (const job of jobs) coverage.add(job);
    }
    return coverage.accounts;
  }

  private async evidenceOf(retestIds: readonly number[]): Promise<EvidenceAccounts> {
    const accounts: EvidenceAccounts = new Map();
    for (let index = 0; index < retestIds.length; index += readAtOnce) {
      for (const { id, evidence } of await this.accounts.listEvidenceOfVisible(
        retestIds.slice(index, index + readAtOnce),
      )) {
        if (evidence !== null) accounts.set(id, { signedBy: evidence.signature.key, probes: probesOf(evidence) });
      }
    }
    return accounts;
  }
}

type EvidenceAccounts = Map<number, Pick<RetestAccount, 'signedBy' | 'probes'>>;

const accountOf = (retest: Retest, evidence: EvidenceAccounts): RetestAccount => ({
  uuid: retest.uuid,
  findingId: retest.findingId,
  status: retest.status,
  result: retest.result,
  reason: retest.reason,
  created: retest.created,
  finished: retest.finished,
  ...(evidence.get(retest.id) ?? { signedBy: null, probes: [] }),
});

import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../kernel/grouped-by';
import type { Scope } from '../../platform/auth/scope';
import type { Retest } from './data/retest.entity';
import { type Period, TestAccountsRepository } from './data/test-accounts.repository';
import { type CoverageAccount, coverageByAsset, type CoveringJob } from './domain/coverage-account';
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
const mostJobs = 1_000;
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
    const retests = groupedBy(
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
    const jobs = await this.accounts.listLastJobs(scope, eventId, period, mostJobs);
    const covering: CoveringJob[] = [];
    for (let index = 0; index < jobs.length; index += readAtOnce) {
      const some = jobs.slice(index, index + readAtOnce);
      const rows = await this.accounts.listCoverageOfVisible(some.map(({ id }) => id));
      const coverage = new Map(rows.map((row) => [row.id, row.coverage]));
      for (const { id, assetId, url, finished, error } of some) {
        if (assetId === null || finished === null) continue;
        covering.push({ assetId, url, finished, error, coverage: (coverage.get(id) ?? []).map(inShort) });
      }
    }
    return coverageByAsset(covering);
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

/** Without what the controls saw, which is most of it. */
const inShort = ({ check, location, outcome, reason }: CoveringJob['coverage'][number]) => ({
  check,
  location,
  outcome,
  reason,
});

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

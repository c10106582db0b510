import { Injectable } from '@nestjs/common';
import { groupBy } from '../../kernel/group-by';
import type { Scope } from '../../platform/api/scope';
import { type ProbeSummary, summarizeProbes } from '../evidence';
import { type FindingWithCheck, testOfFinding } from '../findings';
import { FindingBaselinesRepository } from './data/finding-baselines.repository';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import { ScanEvidenceRepository } from './data/scan-evidence.repository';
import { nextStepOf } from './domain/next-step';
import { type ShownConfirmation, shownConfirmation } from './domain/shown-confirmation';
import { type ShownExperiment, shownExperiment } from './domain/shown-experiment';
import { type SecondLook, secondLookOf } from './domain/second-look';

export interface RetestSummary extends Pick<
  Retest,
  'uuid' | 'findingId' | 'checkId' | 'status' | 'result' | 'reason' | 'requests' | 'judgedBy' | 'byRefusal' | 'offer'
> {
  readonly created: Date;
  readonly finished: Date | null;
  /** When the response arrived that decided; null where nothing was decided, or an earlier version did. */
  readonly decided: Date | null;
  readonly secondLook: SecondLook | null;
  /** Of one that decided nothing: what to do about it. */
  readonly nextStep: string | null;
  /** The key that signed its evidence; null where there is none, or where evidence was not asked for. */
  readonly signedBy: string | null;
  readonly probes: readonly ProbeSummary[];
}

/** The most retests of one finding. */
const MAX_RETESTS = 20;
/** The most retests of one finding with evidence: earlier evidence has its own address. */
const MAX_WITH_EVIDENCE = 3;
/** Older inconclusive retests are not read. */
const MAX_UNDECIDED = 200;
/** Evidence is large. */
const BATCH_SIZE = 50;

/** Summarizes for reports the retests of many findings. */
@Injectable()
export class RetestSummaryService {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly scans: ScanEvidenceRepository,
    private readonly baselines: FindingBaselinesRepository,
  ) {}

  /** By finding, newest first. */
  async retestsOf(
    scope: Scope,
    findingIds: readonly number[],
    { withEvidence }: { withEvidence: boolean },
  ): Promise<Map<number, RetestSummary[]>> {
    const byFinding = groupBy(
      await this.retests.listLastFor(scope, findingIds, MAX_RETESTS),
      ({ findingId }) => findingId,
    );
    const detailed = withEvidence
      ? [...byFinding.values()].flatMap((retests) => retests.slice(0, MAX_WITH_EVIDENCE))
      : [];
    const evidence = await this.evidenceOf(detailed.map(({ id }) => id));
    return new Map(
      [...byFinding].map(([findingId, retests]) => [findingId, retests.map((retest) => summarize(retest, evidence))]),
    );
  }

  /** The last retest of each finding that has one, without evidence; with `finishedOnly` of those that have a result. */
  async lastOf(scope: Scope, findingIds: readonly number[], finishedOnly = false): Promise<Map<number, RetestSummary>> {
    const retests = await this.retests.listLastFor(scope, findingIds, 1, finishedOnly);
    return new Map(retests.map((retest) => [retest.findingId, summarize(retest, new Map())]));
  }

  /** What the last scan that saw the finding sent and received. */
  evidenceOfScan(scope: Scope, findingId: number): Promise<ProbeSummary | null> {
    return this.scans.find(scope, findingId);
  }

  /** The experiment that showed it last, and who has confirmed that a refusal is its fix; null where there is none. */
  async shownBaselineOf(
    scope: Scope,
    finding: FindingWithCheck,
  ): Promise<{ experiment: ShownExperiment | null; confirmedRefusal: ShownConfirmation | null }> {
    const { id: findingId, checkDefinition } = finding;
    const baseline = checkDefinition == null ? null : await this.baselines.find(scope, { findingId, checkDefinition });
    return {
      experiment: shownExperiment(baseline, testOfFinding(finding)?.target),
      confirmedRefusal: shownConfirmation(baseline),
    };
  }

  /** Which of these retests are fixed because a refusal counts as the fix. */
  async fixedByRefusal(scope: Scope, uuids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(uuids.length === 0 ? [] : await this.retests.listFixedByRefusal(scope, uuids));
  }

  /** The ids of open findings whose last retest was inconclusive. */
  undecidedFindings(scope: Scope, organizationId: number): Promise<number[]> {
    return this.retests.listUndecided(scope, organizationId, MAX_UNDECIDED);
  }

  /** The ids of findings without a check, whose retest waits for a verdict by a person. */
  findingsWithoutVerdict(scope: Scope, organizationId: number): Promise<number[]> {
    return this.retests.listUnfinished(scope, organizationId, false);
  }

  /** The ids of findings whose check runs, or waits for a worker. */
  findingsUnderTest(scope: Scope, organizationId: number): Promise<number[]> {
    return this.retests.listUnfinished(scope, organizationId, true);
  }

  private async evidenceOf(retestIds: readonly number[]): Promise<EvidenceSummaries> {
    const summaries: EvidenceSummaries = new Map();
    for (let index = 0; index < retestIds.length; index += BATCH_SIZE) {
      const batch = retestIds.slice(index, index + BATCH_SIZE);
      for (const { id, evidence } of await this.retests.listEvidenceOfVisible(batch)) {
        if (evidence !== null)
          summaries.set(id, { signedBy: evidence.signature.key, probes: summarizeProbes(evidence) });
      }
    }
    return summaries;
  }
}

type EvidenceSummaries = Map<number, Pick<RetestSummary, 'signedBy' | 'probes'>>;

const summarize = (retest: Retest, evidence: EvidenceSummaries): RetestSummary => ({
  uuid: retest.uuid,
  findingId: retest.findingId,
  status: retest.status,
  result: retest.result,
  reason: retest.reason,
  checkId: retest.checkId,
  requests: retest.requests,
  judgedBy: retest.judgedBy,
  byRefusal: retest.byRefusal,
  offer: retest.offer,
  nextStep: nextStepOf({ ...retest, isOfJob: false }),
  created: retest.created,
  finished: retest.finished,
  decided: retest.decided,
  secondLook: secondLookOf(retest),
  ...(evidence.get(retest.id) ?? { signedBy: null, probes: [] }),
});

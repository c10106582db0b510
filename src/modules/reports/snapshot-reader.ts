import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { inTurns } from '../../kernel/in-turns';
import { packageVersion } from '../../kernel/package-version';
import { severityNumber } from '../../kernel/severity';
import { Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { type Acceptances, type AcceptedPlace, AcceptedChecksService, AssetsService } from '../assets';
import {
  factsOfCheck,
  FINDING_STATUS,
  type FindingDetails,
  FindingDetailsService,
  type FindingOutline,
} from '../findings';
import { IdentityService } from '../identity';
import { checkSummaries, type CoverageSummary, type JobFindingSummary } from '../jobs';
import { OrganizationsService } from '../organizations';
import { BeaconNames, RetestSummaryService } from '../retests';
import { hasAnnex, inFull, MAX_COUNTED, MAX_FINDINGS } from './domain/report-annex';
import { arranged, findingChoiceOf, includesEvidence, leftOutOf } from './domain/report-choice';
import { completeOptions, type ReportOptions } from './domain/report-options';
import type { ReportSnapshot, SnapshotCheck } from './domain/report-snapshot';
import type { SnapshotProduct } from './domain/snapshot-parts';
import { timelineOf } from './domain/report-timeline';
import { requireAtMost, TextBudget } from './domain/report-size-limits';
import {
  type FindingContext,
  type SnapshotFinding,
  snapshotOfFinding,
  usersOf,
  withAcceptedCheck,
} from './domain/snapshot-finding';
import { countedOf, summaryOf } from './domain/snapshot-summary';
import { snapshotVocabulary, totalsOf } from './domain/snapshot-totals';
import { timeToFix } from './domain/time-to-fix';
import { ReportAdditions, type ReportAuthor } from './report-additions';
import { scopeOf } from './snapshot-scope';
import { type SubjectData, type SubjectOfReport, SubjectReader } from './subject-reader';

export interface SnapshotLimits {
  readonly findings: number;
  readonly characters: number;
}

const WORKER_LIMITS: SnapshotLimits = { findings: MAX_FINDINGS, characters: 64 * 2 ** 20 };
const MAX_ACCEPTED_CHECKS = 20_000;
const BATCH_SIZE = 100;

/** What a report shows, with its subject. */
export interface SnapshotOrder extends SubjectOfReport, ReportAuthor {
  readonly id: number | null;
  readonly options: ReportOptions;
  /** By default the current time. */
  readonly taken?: Date;
}

/** Reads the data of a report in one consistent snapshot. Changes made meanwhile are not included. */
@Injectable()
export class SnapshotReader {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationsService,
    private readonly subjects: SubjectReader,
    private readonly findings: FindingDetailsService,
    private readonly assets: AssetsService,
    private readonly retests: RetestSummaryService,
    private readonly identity: IdentityService,
    private readonly additions: ReportAdditions,
    private readonly acceptedChecks: AcceptedChecksService,
    private readonly beacons: BeaconNames,
    private readonly clock: Clock,
  ) {}

  async read(stored: SnapshotOrder, limits = WORKER_LIMITS): Promise<ReportSnapshot> {
    const report = { ...stored, options: completeOptions(stored.options) };
    // Before the transaction, so that waiting for a thread holds no database connection.
    const assessment = await this.additions.assessment(report.options, report);
    const snapshot = await this.transactions.inSnapshot(() => this.readAll(report, limits));
    return { ...snapshot, assessment };
  }

  private async readAll(report: SnapshotOrder, limits: SnapshotLimits): Promise<Omit<ReportSnapshot, 'assessment'>> {
    const { organizationId, options, startDate, endDate, taken = this.clock.now() } = report;
    const scope = Scope.organizations([organizationId]);
    const budget = new TextBudget(limits.characters);
    const organization = await this.organizations.get(scope, organizationId);
    const subject = await this.subjects.read(scope, report);
    budget.spend(subject.parts);
    const choice = findingChoiceOf(options, report);
    const most = hasAnnex(options) ? MAX_COUNTED : limits.findings;
    const matched = await this.findings.listMatching(scope, subject.findings, choice, most + 1);
    const { unselected, ofSubject, ...matching } = matched;
    requireAtMost(most, matching.chosen.length, 'findings');
    const chosen = arranged(matching.chosen, options);
    const counted = matching.chosen.map(countedOf);
    const resolved = chosen.filter(({ status }) => status === FINDING_STATUS.resolved).map(({ id }) => id);
    const summary = summaryOf(counted, await this.additions.provedFixes(scope, resolved));
    const left_out = unselected.map((one) => leftOutOf(one, choice));
    const comparison = await this.additions.comparison(scope, report, chosen);
    budget.spend({ left_out, comparison });
    const placed = subject.assets.map(({ asset }) => asset.beaconId);
    const beacons = await this.beacons.namesOf(scope, organizationId, placed);
    const placedAssets = await scopeOf(subject, chosen, beacons, budget);
    const accepted = await this.readAcceptedChecks(scope);
    const inFullById = await this.readFindings(
      scope,
      inFull(matching.chosen, options, summary.most_urgent),
      options,
      { ...subject, organizationId },
      accepted,
      budget,
    );
    const findings = chosen.flatMap(({ id }) => inFullById.get(id) ?? []);
    const usedChecks = [...subject.checks, ...findings.flatMap(({ check }) => check ?? [])];
    return {
      report_id: report.id,
      taken: taken.toISOString(),
      start_date: startDate.toISOString(),
      end_date: endDate.toISOString(),
      options,
      organization: { id: organization.id, name: organization.name },
      assay_version: packageVersion,
      logo: await this.additions.logo(scope, organizationId),
      ...subject.parts,
      totals: totalsOf(counted, findings, ofSubject),
      summary,
      counted: counted.map(({ id, status, severity }) => [id, status, severityNumber(severity)]),
      timeline: timelineOf(counted, { from: startDate, to: endDate, now: taken }),
      time_to_fix: timeToFix(counted),
      scope: placedAssets,
      checks: checksOf(subject.coverage.values()),
      check_descriptions: checkSummaries(usedChecks),
      findings,
      left_out,
      comparison,
      ...(options.owner !== null && { owner_name: await this.additions.ownerName(organizationId, options.owner) }),
      ...(options.kind === 'letter' && { evidence_key: await this.additions.evidenceKey() }),
      vocabulary: snapshotVocabulary,
    };
  }

  /** In batches: neither one statement per finding, nor everything in one result. An annex ends when the budget is used up. */
  private async readFindings(
    scope: Scope,
    chosen: readonly FindingOutline[],
    options: ReportOptions,
    { organizationId, jobFindings, isInScope }: SubjectData & { readonly organizationId: number },
    accepted: Acceptances,
    budget: TextBudget,
  ): Promise<ReadonlyMap<number, SnapshotFinding>> {
    const read = new Map<number, SnapshotFinding>();
    const withEvidence = includesEvidence(options);
    for (let index = 0; index < chosen.length; index += BATCH_SIZE) {
      const ids = chosen.slice(index, index + BATCH_SIZE).map(({ id }) => id);
      const accounts = await this.findings.listByIds(scope, ids);
      const retests = await this.retests.retestsOf(scope, ids, { withEvidence });
      const products = await this.productsOf(scope, accounts);
      await accepted.learn(accounts.map(placeOf));
      const users = accounts.flatMap((account) => usersOf(account, retests.get(account.id) ?? []));
      const context: FindingContext = {
        people: await this.identity.displayNamesOfVisible([...new Set(users)]),
        beacons: await this.beacons.namesOf(scope, organizationId, beaconsIn(accounts)),
        isInScope,
      };
      for await (const account of inTurns(accounts)) {
        const shown = jobFindings.get(account.id);
        const finding = {
          ...withAcceptedCheck(
            snapshotOfFinding(account, retests.get(account.id) ?? [], context),
            accepted.find(placeOf(account)),
          ),
          product: products.get(account.assetId ?? 0) ?? null,
          job: shown === undefined ? null : jobFindingOf(shown),
        };
        if (!hasAnnex(options)) budget.spend(finding);
        else if (!budget.hasRoomFor(finding)) return read;
        read.set(finding.id, finding);
      }
    }
    return read;
  }

  private async readAcceptedChecks(scope: Scope): Promise<Acceptances> {
    const accepted = await this.acceptedChecks.listActive(scope, MAX_ACCEPTED_CHECKS + 1);
    requireAtMost(MAX_ACCEPTED_CHECKS, accepted.length, 'accepted checks of assets');
    return this.acceptedChecks.acceptancesWith(scope, accepted);
  }

  /** By the id of the asset; only assets that name their product. */
  private async productsOf(
    scope: Scope,
    findings: readonly FindingDetails[],
  ): Promise<ReadonlyMap<number, SnapshotProduct>> {
    const ids = new Set(findings.flatMap(({ assetId }) => assetId ?? []));
    const assets = await this.assets.listByIds(scope, [...ids]);
    return new Map(
      assets.filter(({ purl, cpe }) => purl !== null || cpe !== null).map(({ id, purl, cpe }) => [id, { purl, cpe }]),
    );
  }
}

/** The checks that ran, over all assets. */
function checksOf(summaries: Iterable<CoverageSummary>): SnapshotCheck[] {
  const counts = new Map<string, { completed: number; notCompleted: number }>();
  for (const { checks } of summaries) {
    for (const [id, { completed, notCompleted }] of checks) {
      const sum = counts.get(id) ?? { completed: 0, notCompleted: 0 };
      counts.set(id, { completed: sum.completed + completed, notCompleted: sum.notCompleted + notCompleted });
    }
  }
  return [...counts]
    .map(([id, { completed, notCompleted: not_completed }]) => {
      const { title, cwe, owasp, wstg } = factsOfCheck(id) ?? { title: null, cwe: null, owasp: [], wstg: [] };
      return { id, title, cwe, owasp, wstg, completed, not_completed };
    })
    .toSorted((one, other) => Number(one.id > other.id) - Number(one.id < other.id));
}

const jobFindingOf = ({ outcome, severity, failsGate }: JobFindingSummary): SnapshotFinding['job'] => ({
  outcome,
  severity,
  fails_gate: failsGate,
});

const beaconsIn = (findings: readonly FindingDetails[]): (number | null)[] => findings.map(({ beaconId }) => beaconId);

const placeOf = ({ id, severity, builtInCheckId, location, beaconId, assetId }: FindingDetails): AcceptedPlace => ({
  check: builtInCheckId,
  location,
  beaconId,
  assetId,
  finding: { id, severity },
});

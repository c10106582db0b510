import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { packageVersion } from '../../kernel/package-version';
import { Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { type AcceptedCheckOfAsset, AcceptedChecks, AcceptedChecksService } from '../assets';
import {
  type Event,
  eventCategoryVocabulary,
  EventScopeService,
  EventsService,
  eventTypeVocabulary,
  type ScopeAsset,
  ScopeMembership,
} from '../events';
import { factsOfCheck, FindingDetailsService, type FindingOutline } from '../findings';
import { IdentityService } from '../identity';
import { type CoverageSummary, CoverageSummaryService } from '../jobs';
import { LogosService, OrganizationsService } from '../organizations';
import { RetestSummaryService } from '../retests';
import type { PendingReport } from './data/reports.repository';
import { findingChoiceOf, includesEvidence } from './domain/report-choice';
import type { ReportSnapshot, SnapshotCheck, SnapshotScopeAsset } from './domain/report-snapshot';
import { timelineOf } from './domain/report-timeline';
import { requireAtMost, TextBudget } from './domain/report-size-limits';
import {
  type FindingContext,
  type SnapshotFinding,
  snapshotOfFinding,
  usersOf,
  withAcceptedCheck,
} from './domain/snapshot-finding';
import { snapshotVocabulary, totalsOf } from './domain/snapshot-totals';
import { timeToFix } from './domain/time-to-fix';

/** More findings need more memory than a worker has for one report. */
const MAX_FINDINGS = 20_000;
const MAX_SCOPE_ASSETS = 20_000;
const MAX_ACCEPTED_CHECKS = 20_000;
const MAX_CHARACTERS = 64 * 2 ** 20;
const BATCH_SIZE = 100;

/** Reads the data of a report in one consistent snapshot. Changes made meanwhile are not included. */
@Injectable()
export class SnapshotReader {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationsService,
    private readonly events: EventsService,
    private readonly scopes: EventScopeService,
    private readonly findings: FindingDetailsService,
    private readonly coverage: CoverageSummaryService,
    private readonly retests: RetestSummaryService,
    private readonly identity: IdentityService,
    private readonly logos: LogosService,
    private readonly acceptedChecks: AcceptedChecksService,
    private readonly clock: Clock,
  ) {}

  read(report: PendingReport): Promise<ReportSnapshot> {
    return this.transactions.inSnapshot(() => this.readAll(report));
  }

  private async readAll(report: PendingReport): Promise<ReportSnapshot> {
    const { organizationId, options, startDate, endDate } = report;
    const scope = Scope.organizations([organizationId]);
    const budget = new TextBudget(MAX_CHARACTERS);
    const organization = await this.organizations.get(scope, organizationId);
    const event = await this.events.get(scope, report.eventSlug);
    const choice = findingChoiceOf(options, report);
    const { chosen, ofEvent } = await this.findings.listMatching(scope, event.id, choice, MAX_FINDINGS + 1);
    requireAtMost(MAX_FINDINGS, chosen.length, 'findings');
    const items = await this.readScopeItems(scope, event);
    const coverage = await this.coverage.coverageOf(scope, event.id, { from: startDate, to: endDate });
    const membership = new ScopeMembership(items);
    const findings = await this.readFindings(scope, chosen, includesEvidence(options), membership, budget);
    const taken = this.clock.now();
    return {
      report_id: report.id,
      taken: taken.toISOString(),
      start_date: startDate.toISOString(),
      end_date: endDate.toISOString(),
      options,
      organization: { id: organization.id, name: organization.name },
      assay_version: packageVersion,
      logo: await this.readLogo(scope, organizationId),
      event: snapshotOfEvent(event),
      totals: totalsOf(findings, ofEvent),
      timeline: timelineOf(findings, { from: startDate, to: endDate, now: taken }),
      time_to_fix: timeToFix(findings),
      scope: scopeOf(items, coverage, chosen, budget),
      checks: checksOf(coverage.values()),
      findings,
      vocabulary: snapshotVocabulary,
    };
  }

  /** In batches: neither one statement per finding, nor everything in one result. */
  private async readFindings(
    scope: Scope,
    chosen: readonly FindingOutline[],
    withEvidence: boolean,
    membership: ScopeMembership,
    budget: TextBudget,
  ): Promise<SnapshotFinding[]> {
    const told: SnapshotFinding[] = [];
    const accepted = await this.readAcceptedChecks(scope);
    for (let index = 0; index < chosen.length; index += BATCH_SIZE) {
      const ids = chosen.slice(index, index + BATCH_SIZE).map(({ id }) => id);
      const accounts = await this.findings.listByIds(scope, ids);
      const retests = await this.retests.retestsOf(scope, ids, { withEvidence });
      const users = accounts.flatMap((account) => usersOf(account, retests.get(account.id) ?? []));
      const context: FindingContext = {
        people: await this.identity.displayNamesOfVisible([...new Set(users)]),
        isInScope: (asset) => membership.contains(asset),
      };
      for (const account of accounts) {
        const finding = withAcceptedCheck(
          snapshotOfFinding(account, retests.get(account.id) ?? [], context),
          accepted.find(account.builtInCheckId, account.location),
        );
        budget.spend(finding);
        told.push(finding);
      }
    }
    return told;
  }

  private async readAcceptedChecks(scope: Scope): Promise<AcceptedChecks<AcceptedCheckOfAsset>> {
    const accepted = await this.acceptedChecks.listActive(scope, MAX_ACCEPTED_CHECKS + 1);
    requireAtMost(MAX_ACCEPTED_CHECKS, accepted.length, 'accepted checks of assets');
    return new AcceptedChecks(accepted);
  }

  private async readScopeItems(scope: Scope, event: Event): Promise<ScopeAsset[]> {
    const { items } = await this.scopes.list(scope, event.slug, { page: 1, perPage: MAX_SCOPE_ASSETS + 1 });
    requireAtMost(MAX_SCOPE_ASSETS, items.length, 'assets in the scope of the event');
    return items;
  }

  private async readLogo(scope: Scope, organizationId: number): Promise<ReportSnapshot['logo']> {
    const logo = await this.logos.find(scope, organizationId);
    if (logo === undefined) return null;
    const { mediaType: media_type, width, height, content } = logo;
    return { media_type, width, height, base64: content.toString('base64') };
  }
}

function scopeOf(
  items: readonly ScopeAsset[],
  coverage: ReadonlyMap<number, CoverageSummary>,
  chosen: readonly FindingOutline[],
  budget: TextBudget,
): ReportSnapshot['scope'] {
  const counts = new Map<number, number>();
  for (const { assetId } of chosen) if (assetId !== null) counts.set(assetId, (counts.get(assetId) ?? 0) + 1);
  const told = (inScope: boolean): SnapshotScopeAsset[] =>
    items
      .filter(({ entry }) => entry.inScope === inScope)
      .map((item) => snapshotOfAsset(item, coverage.get(item.asset.id), counts.get(item.asset.id) ?? 0))
      .toSorted((one, other) => Number(one.value > other.value) - Number(one.value < other.value));
  const whole = { in_scope: told(true), out_of_scope: told(false) };
  budget.spend(whole);
  return whole;
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

const nameOf = (vocabulary: readonly { number: number; name: string }[], wanted: number): string =>
  vocabulary.find(({ number }) => number === wanted)?.name ?? String(wanted);

const snapshotOfEvent = (event: Event): ReportSnapshot['event'] => ({
  id: event.id,
  name: event.name,
  slug: event.slug,
  type: nameOf(eventTypeVocabulary, event.eventType),
  category: nameOf(eventCategoryVocabulary, event.eventCategory),
  dimension: event.dimension,
  status: event.status,
  start_date: event.startDate.toISOString(),
  end_date: event.endDate.toISOString(),
});

const snapshotOfAsset = (
  { asset, entry }: ScopeAsset,
  coverage: CoverageSummary | undefined,
  findings: number,
): SnapshotScopeAsset => ({
  id: asset.id,
  value: asset.value,
  type: asset.type,
  tier: asset.tier,
  description: entry.description,
  findings,
  last_tested: coverage?.lastTested.toISOString() ?? null,
  checks_completed: coverage?.checksCompleted ?? 0,
  not_tested: coverage?.notTested ?? [],
});

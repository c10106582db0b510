import { Injectable } from '@nestjs/common';
import { checkById, type Coverage, locationAdoptedBy, type Scan, type Sighting } from '../../engine';
import { severityNumber } from '../../kernel/severity';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { AssetsService } from '../assets';
import {
  type FindingDraft,
  FindingsService,
  type Markdown,
  fingerprintOfCheck,
  isOpen,
  severityOfScan,
} from '../findings';
import { OrganizationsService } from '../organizations';
import { JobFindingsRepository, type KnownFindingRow } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import type { ActiveState } from './domain/active-state';
import { hostingOfJob } from './domain/hosted-job';
import type { TestedFinding } from './domain/previous-findings';
import type { TestedLocations } from './domain/tested-locations';
import { FindingBaselinesRepository, type Launchable, ScanEvidenceRepository, throughBeacon } from '../retests';
import { JobEnds } from './job-ends';

/** What a worker found, before it is stored. */
export interface JobResult {
  readonly launch: Launchable;
  readonly locations: TestedLocations;
  readonly scan: Scan;
  /** The rendered text of each sighting. */
  readonly texts: ReadonlyMap<Sighting, Markdown>;
  /** The known findings that it tested again. */
  readonly previous: readonly TestedFinding[];
  /** How many were sent. */
  readonly requests: number;
  /** Null of a standard job, and of an active one that did not get to its active part. */
  readonly active: ActiveState | null;
}

const scope = everything('a job writes to the organization that it belongs to');

/** A job, and how it reached its target: a part of a sentence, empty for a direct connection. */
interface Tested {
  readonly job: Job;
  readonly through: string;
}

const FINISHED_ENDS: ReadonlySet<Scan['end']> = new Set(['complete', 'partial', 'interrupted']);

type Place = Pick<KnownFindingRow, 'checkId' | 'location'>;

/** Stores what a job found, in the unit of work that ends the job. */
@Injectable()
export class JobResults {
  constructor(
    private readonly ends: JobEnds,
    private readonly jobFindings: JobFindingsRepository,
    private readonly baselines: FindingBaselinesRepository,
    private readonly evidence: ScanEvidenceRepository,
    private readonly findings: FindingsService,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async apply(uuid: string, { launch, locations, scan, texts, previous, requests, active }: JobResult): Promise<void> {
    const job = await this.ends.lock(uuid);
    if (job === undefined) return;
    // Before the findings, as everything that records or merges them does.
    await this.organizations.lockForShare(scope, job.organizationId);
    await this.jobFindings.lockHost(job, launch.target.host);
    const asset = await this.assets.lockForKeyShare(scope, launch.assetId);
    const stored = await this.jobFindings.listKnownOfVisible(job, locations);
    await this.jobFindings.lockFindings(
      job.organizationId,
      stored.flatMap(({ id, mergedInto }) => (mergedInto === null ? [id] : [id, mergedInto])),
    );
    const known = await this.adoptLocations(stored, scan.sightings);
    const through = launch.beacon === null ? '' : ` through the beacon ${launch.beacon.name}`;
    const seen = new Set<number>();
    for (const sighting of inOrder(scan.sightings))
      for (const id of await this.record({ job, asset, through }, sighting, texts.get(sighting), known)) seen.add(id);
    const fixed = await this.resolve({ job, through }, scan, known, previous, seen);
    // What could not be completed does not spoil the rest: the gate names it.
    const isFinished = FINISHED_ENDS.has(scan.end);
    const to = isFinished ? 'FINISHED' : 'ERROR';
    await this.ends.end(job, {
      status: to,
      error: isFinished ? null : plain(throughBeacon(launch.beacon, scan.reason ?? 'It could not be completed.')),
      coverage: scan.coverage,
      ...hostingOfJob(launch.hosting),
      requests,
      active,
    });
    this.unitOfWork.note({ metadata: { from: job.status, to, findings: scan.sightings.length, fixed } });
  }

  async fail(uuid: string, reason: string): Promise<void> {
    const job = await this.ends.lock(uuid);
    if (job === undefined) return;
    const { hostedBy, hostedTarget } = job;
    await this.ends.end(job, { status: 'ERROR', error: reason, coverage: [], hostedBy, hostedTarget });
    this.unitOfWork.note({ metadata: { from: job.status, to: 'ERROR', reason } });
  }

  /** Findings of earlier versions move to the parameter that they are about when a job sees it, instead of a second one. */
  private async adoptLocations(
    stored: readonly KnownFindingRow[],
    sightings: readonly Sighting[],
  ): Promise<KnownFindingRow[]> {
    const known = [...stored];
    for (const [index, row] of known.entries()) {
      const check = row.builtInCheck === null ? null : checkById(row.builtInCheck);
      const isTaken = ({ check: checkId, location }: Sighting): boolean =>
        known.some((other) => other.assetValue === row.assetValue && isAt(other, { checkId, location }));
      const free = sightings.filter((one) => one.check === row.checkId && one.template === null && !isTaken(one));
      const locations = inOrder(free).map(({ location }) => location);
      const location = check && locationAdoptedBy(check, row, locations);
      if (location === null) continue;
      await this.findings.relocate(system, await this.findings.lock(scope, row.id), row.checkId, location);
      known[index] = { ...row, location };
    }
    return known;
  }

  private async record(
    { asset: listed, ...tested }: Tested & Pick<FindingDraft, 'asset'>,
    sighting: Sighting,
    text: Markdown | undefined,
    known: KnownFindingRow[],
  ): Promise<number[]> {
    const { check, location } = sighting;
    // A finding that was recorded on another asset for the same location is the same finding; on several assets, all count.
    const earlier = known.filter((one) => isAt(one, { checkId: check, location }));
    const values = new Map(earlier.map((one) => [one.assetValue, one.assetId ?? idOf(listed, one)]));
    const assets = [...values].map(([value, id]) => ({ ...listed, id, value }));
    const recorded: number[] = [];
    for (const asset of assets.length > 0 ? assets : [listed])
      recorded.push(await this.recordOn(asset, tested, sighting, text));
    return recorded;
  }

  private async recordOn(
    asset: FindingDraft['asset'],
    { job, through }: Tested,
    sighting: Sighting,
    text: Markdown | undefined,
  ): Promise<number> {
    const { check, location, severity, cwe, baseline, template } = sighting;
    const { organizationId, eventId } = job;
    const seenAt = sighting.seenAt === undefined ? undefined : new Date(sighting.seenAt);
    const checkDefinition = template === null ? { location } : { location, http: template };
    const { finding, ownId, isOutdated, contradicts } = await this.findings.record(system, {
      organizationId,
      eventId,
      asset,
      title: plain(sighting.title),
      severity,
      cvssVector: severityOfScan({ severity, cvssVector: sighting.cvss }).cvssVector,
      cwe,
      text,
      fingerprint: fingerprintOfCheck(check, location),
      checkId: check,
      checkDefinition,
      jobUuid: job.uuid,
      ...(seenAt !== undefined && { seenAt }),
      reopenComment: `Job ${job.uuid} found it again${through}.`,
    });
    if (baseline !== null && !isOutdated) await this.baselines.save({ findingId: ownId, checkDefinition }, baseline);
    await this.evidence.save({ findingId: ownId, organizationId }, sighting);
    const contradiction = contradicts ? 'contradicts' : null;
    const shown = {
      outcome: 'seen',
      severity: severityNumber(severity),
      seenAt: seenAt ?? null,
      contradiction,
    } as const;
    // Of a merged finding the place that was seen: whether its check is accepted is decided there.
    await this.jobFindings.save({ jobId: job.id, findingId: ownId, organizationId, ...shown });
    return finding.id;
  }

  /**
   * A finding counts as fixed only by the verdict of repeated probes and their control, and only if they were those of its own
   * check: another finding at this place may have another template with the same id.
   */
  private async resolve(
    { job, through }: Tested,
    { coverage, finished }: Scan,
    known: KnownFindingRow[],
    previous: readonly TestedFinding[],
    seen: ReadonlySet<number>,
  ): Promise<number> {
    const fixed = coverage.filter(({ verdict }) => verdict?.result === 'fixed');
    const fixOf = (one: Place): Coverage | undefined =>
      fixed.find(({ check, location }) => isAt(one, { checkId: check, location }));
    const there = known.filter((one) => fixOf(one) !== undefined);
    const ofTemplates = there.filter(({ builtInCheck }) => builtInCheck === null).map(({ id }) => id);
    const templates = await this.jobFindings.listTemplatesOfVisible(job, ofTemplates);
    const resolved = there.filter((one) => {
      const tested = previous.find(({ finding: { check: checkId, location } }) => isAt(one, { checkId, location }));
      return tested !== undefined && tested.template === (templates.get(one.id) ?? null);
    });
    let confirmed = 0;
    for (const one of resolved) {
      const { id, mergedInto } = one;
      const finding = await this.findings.lock(scope, id);
      const at = new Date(fixOf(one)?.decided ?? finished);
      // A merged finding keeps its status, and its main finding is not fixed while the job sees one of its parts.
      const isDecisive = mergedInto === null && !seen.has(id);
      const by = fixOf(one)?.verdict?.byRefusal === undefined ? '' : ' by refusal';
      const comment = `Job ${job.uuid} tested it again${through} and confirmed that it is fixed${by}.`;
      const fix = { result: 'fixed', at, isDecisive } as const;
      const { outdatedBy } = await this.findings.applyTest(system, finding, fix, comment);
      // Somebody else has seen it since, or has opened it.
      if (isDecisive && (outdatedBy === 'seen' || (outdatedBy === 'stated' && isOpen(finding.status)))) continue;
      const { organizationId } = job;
      const shown = { outcome: 'fixed', severity: null, seenAt: at, contradiction: null } as const;
      await this.jobFindings.save({ jobId: job.id, findingId: id, organizationId, ...shown });
      confirmed += 1;
    }
    return confirmed;
  }
}

const isAt = (one: Place, { checkId, location }: Place): boolean =>
  one.checkId === checkId && one.location === location;

const idOf = ({ id, value }: FindingDraft['asset'], { assetValue }: KnownFindingRow): number | null =>
  value === assetValue ? id : null;

const inOrder = (sightings: readonly Sighting[]): Sighting[] =>
  sightings.toSorted(
    (one, two) => Number(placeKeyOf(one) > placeKeyOf(two)) - Number(placeKeyOf(one) < placeKeyOf(two)),
  );

const placeKeyOf = ({ check, location }: Sighting): string => `${check} ${location}`;

/** A reason may quote a target, which may send bytes that PostgreSQL cannot store in a text. */
const plain = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

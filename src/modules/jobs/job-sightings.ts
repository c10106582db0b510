import { Injectable } from '@nestjs/common';
import { type Check, parseLocation, type Sighting } from '../../engine';
import { groupBy } from '../../kernel/group-by';
import { severityNumber } from '../../kernel/severity';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { AssetAccountsRepository } from '../accounts';
import { AssetsService } from '../assets';
import {
  type FindingDraft,
  FindingsService,
  type Markdown,
  MarkdownRenderer,
  fingerprintOfCheck,
  severityOfScan,
} from '../findings';
import { OrganizationsService } from '../organizations';
import { FindingBaselinesRepository, type Launchable, ScanEvidenceRepository, shownExperiment } from '../retests';
import { JobFindingsRepository, type KnownFindingRow } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import { placeKeyOf } from './domain/active-result';
import { adoptedLocations } from './domain/adopted-locations';
import type { LaneSighting } from './domain/lanes';
import { checksOf, inOrder } from './domain/sighting-order';
import { textOfSighting } from './domain/sighting-text';
import type { TestedLocations } from './domain/tested-locations';
import { isOfThisJob, isProvedBy, isRecordedBefore, mainOf } from './known-finding';

/** What a job has found, at its end or so far. */
export interface JobSighted {
  readonly launch: Launchable;
  readonly locations: TestedLocations;
  readonly sightings: readonly LaneSighting[];
  /** The rendered text of each sighting. */
  readonly texts: ReadonlyMap<Sighting, Markdown>;
}

export interface RecordedSightings {
  /** The findings there before. */
  readonly known: KnownFindingRow[];
  /** The ids of those that the job has seen, in this batch or before. */
  readonly seen: ReadonlySet<number>;
}

const scope = everything('a job writes to the organization that it belongs to');

/** A job, and how it reached its target: a part of a sentence, empty for a direct connection. */
interface Tested {
  readonly job: Job;
  readonly through: string;
}

/** Records what jobs see, each place once for a job: in batches while it runs, and at its end. */
@Injectable()
export class JobSightings {
  constructor(
    private readonly jobFindings: JobFindingsRepository,
    private readonly baselines: FindingBaselinesRepository,
    private readonly evidence: ScanEvidenceRepository,
    private readonly findings: FindingsService,
    private readonly assets: AssetsService,
    private readonly accounts: AssetAccountsRepository,
    private readonly organizations: OrganizationsService,
    private readonly markdown: MarkdownRenderer,
  ) {}

  /** Rendered before the unit of work, which holds locks: these texts quote what a target sent, so rendering may take long. */
  async textsOf(
    { organizationId }: Job,
    sightings: readonly Sighting[],
    checks: readonly Check[],
  ): Promise<ReadonlyMap<Sighting, Markdown>> {
    const texts = new Map<Sighting, Markdown>();
    const aboutOf = new Map(checks.map(({ id, text }) => [id, text]));
    for (const sighting of sightings) {
      const shown = shownExperiment(sighting.baseline, parseLocation(sighting.location));
      const text = textOfSighting(aboutOf.get(sighting.check) ?? '', sighting, shown?.curl);
      texts.set(sighting, await this.markdown.render(text, `organization ${organizationId}`));
    }
    return texts;
  }

  /** In a unit of work that has locked the job. */
  async record(
    job: Job,
    { launch, locations, sightings, texts }: JobSighted,
    isBatch = false,
  ): Promise<RecordedSightings> {
    // Before the findings, as everything that records or merges them does.
    await this.organizations.lockForShare(scope, job.organizationId);
    await this.jobFindings.lockHost(job, launch.target.host);
    const asset = await this.assets.lockForKeyShare(scope, launch.assetId);
    const stored = await this.jobFindings.listKnownOfVisible(job, locations, isBatch ? checksOf(sightings) : null);
    await this.jobFindings.lockFindings(
      job.organizationId,
      stored.flatMap(({ id, mergedInto }) => (mergedInto === null ? [id] : [id, mergedInto])),
    );
    const known = await this.adoptLocations(stored, sightings);
    const through = throughOf(launch);
    const seen = new Set(known.filter(isOfThisJob).map(mainOf));
    const knownAt = groupBy(known, ({ checkId: check, location }) => placeKeyOf({ check, location }));
    for (const sighting of inOrder(sightings)) {
      const earlier = knownAt.get(placeKeyOf(sighting)) ?? [];
      const recorded = await this.recordAt({ job, asset, through }, sighting, texts.get(sighting), earlier);
      for (const id of recorded) seen.add(id);
    }
    return { known, seen };
  }

  /** Instead of a second finding. */
  private async adoptLocations(
    stored: readonly KnownFindingRow[],
    sightings: readonly Sighting[],
  ): Promise<KnownFindingRow[]> {
    const locations = adoptedLocations(stored, sightings);
    const known = stored.map((row, index) => ({ ...row, location: locations[index] ?? row.location }));
    for (const [index, { id, checkId, location }] of known.entries()) {
      if (location === stored[index]?.location) continue;
      await this.findings.relocate(system, await this.findings.lock(scope, id), checkId, location);
    }
    return known;
  }

  private async recordAt(
    { asset: listed, ...tested }: Tested & Pick<FindingDraft, 'asset'>,
    sighting: LaneSighting,
    text: Markdown | undefined,
    // A finding that was recorded on another asset for the same location is the same finding; on several assets, all count.
    earlier: readonly KnownFindingRow[],
  ): Promise<number[]> {
    const recorded: number[] = [];
    const isRecorded = (one: KnownFindingRow): boolean => isRecordedBefore(sighting, one);
    for (const one of earlier.filter(isRecorded)) {
      if (isProvedBy(sighting, one) && one.account === (sighting.account ?? null))
        await this.prove(tested.job, one, sighting, text);
      recorded.push(mainOf(one));
    }
    if (recorded.length === earlier.length && earlier.length > 0) return recorded;
    const values = new Map(
      earlier.filter((one) => !isRecorded(one)).map((one) => [one.assetValue, one.assetId ?? idOf(listed, one)]),
    );
    const assets = [...values].map(([value, id]) => ({ ...listed, id, value }));
    for (const asset of assets.length > 0 ? assets : [listed])
      recorded.push(await this.recordOn(asset, tested, sighting, text, await this.accountFor(sighting, earlier)));
    return recorded;
  }

  /** As which the finding is tested from now on: the account of before, if that sees it in other runs as well. */
  private async accountFor(
    { account = null }: LaneSighting,
    earlier: readonly KnownFindingRow[],
  ): Promise<number | null> {
    const before = earlier.find((one) => one.account !== null && one.account !== account)?.account ?? null;
    if (account === null || before === null) return account;
    return (await this.accounts.findById(scope, before)) === undefined ? account : before;
  }

  private async recordOn(
    asset: FindingDraft['asset'],
    { job, through }: Tested,
    sighting: LaneSighting,
    text: Markdown | undefined,
    account: number | null,
  ): Promise<number> {
    const { check, location, severity, cwe, baseline, template } = sighting;
    const { organizationId, eventId } = job;
    const seenAt = sighting.seenAt === undefined ? undefined : new Date(sighting.seenAt);
    const checkDefinition = {
      location,
      ...(template !== null && { http: template }),
      ...(account !== null && { account }),
    };
    const isOwnState = account === (sighting.account ?? null);
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
    if (baseline !== null && !isOutdated && isOwnState)
      await this.baselines.save({ findingId: ownId, checkDefinition }, baseline);
    await this.evidence.save({ findingId: ownId, organizationId }, sighting);
    const contradiction = contradicts ? 'contradicts' : null;
    const shown = {
      outcome: 'seen',
      severity: severityNumber(severity),
      seenAt: seenAt ?? null,
      template,
      contradiction,
      accountId: sighting.account ?? null,
    } as const;
    // Of a merged finding the place that was seen: whether its check is accepted is decided there.
    await this.jobFindings.save({ jobId: job.id, findingId: ownId, organizationId, ...shown });
    return finding.id;
  }

  /** The job has recorded what its standard part saw at the place: the experiment that proves it replaces that. */
  private async prove(
    job: Job,
    { id }: KnownFindingRow,
    sighting: LaneSighting,
    text: Markdown | undefined,
  ): Promise<void> {
    const { organizationId, uuid } = job;
    const { baseline, location, account } = sighting;
    const checkDefinition = { location, ...(account != null && { account }) };
    if (baseline !== null) await this.baselines.save({ findingId: id, checkDefinition }, baseline);
    await this.evidence.save({ findingId: id, organizationId }, sighting);
    if (text !== undefined) await this.findings.renewText(id, uuid, text);
  }
}

export const throughOf = ({ beacon }: Launchable): string =>
  beacon === null ? '' : ` through the beacon ${beacon.name}`;

const idOf = ({ id, value }: FindingDraft['asset'], { assetValue }: KnownFindingRow): number | null =>
  value === assetValue ? id : null;

/** A reason may quote a target, which may send bytes that PostgreSQL cannot store in a text. */
export const plain = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

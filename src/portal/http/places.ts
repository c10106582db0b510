import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { type Asset, AssetsService } from '../../modules/assets';
import { BeaconsService, type BeaconView } from '../../modules/beacons';
import { type Event, EventsService } from '../../modules/events';
import { FindingsService, type FindingWithCheck } from '../../modules/findings';
import { type Import, ImportsService } from '../../modules/imports';
import { type Job, JobsService } from '../../modules/jobs';
import { OrganizationsService } from '../../modules/organizations';
import { type Report, ReportsService } from '../../modules/reports';
import type { Caller } from '../../platform/api/caller';
import { parseId } from '../../platform/http/path-id';
import { parseSlug } from '../../platform/http/path-slug';
import { parseUuid } from '../../platform/http/path-uuid';

/** The records that paths name. */
export interface PathRecords {
  readonly asset: Asset;
  readonly beacon: BeaconView;
  readonly event: Event;
  readonly finding: FindingWithCheck;
  readonly imported: Import;
  readonly job: Job;
  readonly report: Report;
}

/** Where in the portal a request is. */
export type Place<Names extends keyof PathRecords = never> = {
  readonly caller: Caller;
  readonly organizationId: number;
} & Pick<PathRecords, Names>;

/** With the id of a record that the service reads. */
export type RecordPlace = Place & { readonly id: number };

type PathParameters = Readonly<Record<string, string | readonly string[]>>;

type Read = (at: Place, text: string) => Promise<Partial<PathRecords>>;

/** Refuses a record that is visible to the caller but belongs to another organization than the path names. */
export function requireInOrganization(record: { readonly organizationId: number }, organizationId: number): void {
  if (record.organizationId !== organizationId) throw notFound('Page');
}

/** Reads what a path names once for its request, in the scope of the caller. */
@Injectable()
export class Places {
  private readonly reads: ReadonlyMap<string, Read>;

  constructor(
    private readonly organizations: OrganizationsService,
    assets: AssetsService,
    beacons: BeaconsService,
    events: EventsService,
    findings: FindingsService,
    imports: ImportsService,
    jobs: JobsService,
    reports: ReportsService,
  ) {
    this.reads = new Map<string, Read>([
      ['asset_id', async ({ caller }, id) => ({ asset: await assets.get(caller.scope, parseId(id)) })],
      [
        'beacon_id',
        async ({ caller, organizationId }, id) => ({
          beacon: await beacons.get(caller.scope, organizationId, parseId(id)),
        }),
      ],
      ['event_slug', async ({ caller }, slug) => ({ event: await events.get(caller.scope, parseSlug(slug)) })],
      ['finding_id', async ({ caller }, id) => ({ finding: await findings.getWithCheck(caller.scope, parseId(id)) })],
      ['import_id', async ({ caller }, id) => ({ imported: await imports.get(caller.scope, parseId(id)) })],
      ['report_id', async ({ caller }, id) => ({ report: await reports.get(caller.scope, parseId(id)) })],
      ['uuid', async ({ caller }, uuid) => ({ job: await jobs.get(caller.scope, parseUuid(uuid)) })],
    ]);
  }

  /** Throws if the caller cannot read the organization or a record, or if a record belongs to another organization. */
  async read(caller: Caller, { organization, ...parameters }: PathParameters): Promise<Place> {
    const place: Place = { caller, organizationId: parseId(String(organization)) };
    const found: Partial<PathRecords> = {};
    for (const [name, text] of Object.entries(parameters))
      Object.assign(found, await this.reads.get(name)?.(place, String(text)));
    for (const record of Object.values(found)) requireInOrganization(record, place.organizationId);
    if (Object.keys(found).length === 0) await this.organizations.get(caller.scope, place.organizationId);
    return { ...place, ...found };
  }
}

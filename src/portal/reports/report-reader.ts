import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { Page, Slice } from '../../kernel/page';
import { type Event, EventsService } from '../../modules/events';
import { JobsService } from '../../modules/jobs';
import {
  noTexts,
  type Report,
  type ReportContents,
  ReportDraftsService,
  type ReportFacts,
  type ReportOrder,
  ReportsService,
  type ReportSubject,
  type ReportTexts,
} from '../../modules/reports';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { People } from '../findings/people';
import type { OwnerOption } from '../frame/owner-select';
import { reasonInWords } from '../frame/refused-form';
import { type Place, requireInOrganization } from '../http/places';
import { type Preset, type PresetName, PRESETS } from './presets';
import { orderOfPreset, type ReportBeginning, subjectOf } from './reports.requests';

export interface ReportsView {
  readonly organizationId: number;
  readonly slice: Slice<Report>;
  /** That a report can be about, with those of the listed reports. */
  readonly events: readonly Event[];
  readonly mayOrder: boolean;
}

export interface NewReportView {
  readonly organizationId: number;
  readonly query: { readonly subject: string; readonly preset: PresetName };
  readonly preset: Preset;
  readonly events: readonly Event[];
  readonly owners: readonly OwnerOption[];
  readonly facts: ReportFacts;
  readonly draft: ReportTexts;
  /** Earlier reports of the subject. */
  readonly comparable: readonly Report[];
}

export interface ReportView {
  readonly organizationId: number;
  readonly report: Report;
  /** The subject, if it is an event. */
  readonly event: Event | undefined;
  /** Undefined until it is generated. */
  readonly contents: ReportContents | undefined;
  readonly mayDelete: boolean;
}

const MAX_EVENTS = 50;

@Injectable()
export class ReportReader {
  constructor(
    private readonly reports: ReportsService,
    private readonly events: EventsService,
    private readonly jobs: JobsService,
    private readonly drafts: ReportDraftsService,
    private readonly people: People,
  ) {}

  async list(caller: Caller, organizationId: number, page: Page): Promise<ReportsView> {
    const events = await this.events.list(caller.scope, organizationId, { page: 1, perPage: MAX_EVENTS });
    return {
      organizationId,
      slice: await this.reports.list(caller.scope.within(organizationId), page),
      events: events.items,
      mayOrder: caller.hasRole('member', organizationId),
    };
  }

  /** `order` is what was typed so far. */
  async prepare(
    { caller, organizationId }: Place,
    { draft, ...query }: ReportBeginning,
    order = orderOfPreset(PRESETS[query.preset]),
  ): Promise<NewReportView> {
    caller.requireRole('member', organizationId);
    const subject = subjectOf(query, organizationId);
    await this.requireSubject(caller, organizationId, subject);
    const events = await this.events.list(caller.scope, organizationId, { page: 1, perPage: MAX_EVENTS });
    return {
      organizationId,
      query,
      preset: PRESETS[query.preset],
      events: events.items,
      owners: await this.people.owners(caller.scope, organizationId),
      facts: await this.facts(caller.scope, subject, order),
      draft: draft === true ? await this.drafts.draft(caller.scope, subject) : noTexts,
      comparable: await this.reports.listComparable(caller.scope, subject),
    };
  }

  /** A period or an owner that cannot be is no reason to lose the form. */
  private async facts(scope: Scope, subject: ReportSubject, order: ReportOrder): Promise<ReportFacts> {
    try {
      return await this.drafts.facts(scope, subject, order);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...(await this.drafts.facts(scope, subject)), size: reasonInWords({ reason: error.message }) };
    }
  }

  /** Throws if the event or job belongs to another organization. */
  async requireSubject(
    { scope }: Pick<Caller, 'scope'>,
    organizationId: number,
    subject: ReportSubject,
  ): Promise<void> {
    if (subject.kind === 'event') requireInOrganization(await this.events.get(scope, subject.slug), organizationId);
    if (subject.kind === 'job') requireInOrganization(await this.jobs.get(scope, subject.uuid), organizationId);
  }

  async read({ caller, organizationId, report }: Place<'report'>): Promise<ReportView> {
    return {
      organizationId,
      report,
      event: report.eventId === null ? undefined : await this.events.getById(caller.scope, report.eventId),
      contents: await this.reports.contents(caller.scope, report.id),
      mayDelete: caller.hasRole('admin', organizationId),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Scope } from '../../platform/api/scope';
import { EventsService } from '../events';
import { MemberGroupsService, type Owner } from '../identity';
import { type Job, JobsService } from '../jobs';
import { OrganizationsService } from '../organizations';
import type { ReportWithFile } from './data/reports.repository';
import { jobCanceled, jobNotOver } from './domain/report.errors';
import type { ReportPeriod } from './domain/report-period';
import type { ReportSubject } from './domain/report-subject';

/** How a report refers to its subject. */
export interface FoundSubject {
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly jobUuid: string | null;
  /** For the audit log. */
  readonly metadata: Record<string, unknown>;
  /** Throws if there is nothing to report yet. Called after the role was checked. */
  defaultPeriod(): ReportPeriod;
}

/** Finds the events, jobs and organizations that reports are about. */
@Injectable()
export class ReportSubjects {
  constructor(
    private readonly events: EventsService,
    private readonly jobs: JobsService,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
    private readonly groups: MemberGroupsService,
  ) {}

  async requireOwner(organizationId: number, owner: Owner | null): Promise<void> {
    if (owner !== null) await this.groups.requireOwner(organizationId, owner);
  }

  /** The name for people; `eventName` was read with the report. */
  async nameOf(
    scope: Scope,
    { organizationId, jobUuid, eventName }: Pick<ReportWithFile, 'organizationId' | 'jobUuid' | 'eventName'>,
  ): Promise<string> {
    if (eventName !== null) return eventName;
    if (jobUuid === null) return (await this.organizations.get(scope, organizationId)).name;
    return `Job on ${new URL((await this.jobs.get(scope, jobUuid)).url).host}`;
  }

  find(scope: Scope, subject: ReportSubject): Promise<FoundSubject> {
    if (subject.kind === 'event') return this.findEvent(scope, subject.slug);
    return subject.kind === 'job' ? this.findJob(scope, subject.uuid) : this.findOrganization(scope, subject.id);
  }

  private async findEvent(scope: Scope, slug: string): Promise<FoundSubject> {
    const event = await this.events.get(scope, slug);
    const { organizationId, id: eventId } = event;
    return { organizationId, eventId, jobUuid: null, metadata: { event: slug }, defaultPeriod: () => event };
  }

  private async findJob(scope: Scope, jobUuid: string): Promise<FoundSubject> {
    const job = await this.jobs.get(scope, jobUuid);
    const { organizationId } = job;
    return {
      organizationId,
      eventId: null,
      jobUuid,
      metadata: { job: jobUuid },
      defaultPeriod: () => periodOfJob(job),
    };
  }

  private async findOrganization(scope: Scope, id: number): Promise<FoundSubject> {
    const { created: startDate } = await this.organizations.get(scope, id);
    const defaultPeriod = () => ({ startDate, endDate: this.clock.now() });
    return { organizationId: id, eventId: null, jobUuid: null, metadata: { organization: id }, defaultPeriod };
  }
}

/** From its launch to its end. */
function periodOfJob({ status, created, finished }: Job): ReportPeriod {
  if (status === 'CANCELED') throw jobCanceled();
  if (finished === null) throw jobNotOver(status);
  return { startDate: created, endDate: finished };
}

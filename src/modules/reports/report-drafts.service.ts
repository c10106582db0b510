import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { FindingDetailsService, type FindingOutline, type FindingsOf } from '../findings';
import { JobSummaryService } from '../jobs';
import { RetestSummaryService } from '../retests';
import { findingChoiceOf } from './domain/report-choice';
import { draftFrom } from './domain/report-draft';
import { defaultReportOptions, type ReportTexts } from './domain/report-options';
import type { ReportSubject } from './domain/report-subject';
import { ReportSubjects } from './report-subjects';

/** What a person chooses from before a report is ordered. */
export interface ReportFacts {
  /** Most urgent first. */
  readonly findings: readonly FindingOutline[];
  readonly ofSubject: number;
}

const MAX_FOR_DRAFT = 20_000;
const MAX_OF_CHOICE = 200;

/** Reads what is known before a report is generated. */
@Injectable()
export class ReportDraftsService {
  constructor(
    private readonly subjects: ReportSubjects,
    private readonly findings: FindingDetailsService,
    private readonly jobs: JobSummaryService,
    private readonly retests: RetestSummaryService,
  ) {}

  /** The findings that a person can put first or leave out. */
  facts(scope: Scope, subject: ReportSubject): Promise<ReportFacts> {
    return this.read(scope, subject, MAX_OF_CHOICE);
  }

  /** From the 20,000 most urgent findings, which is as much as a report may have. */
  async draft(scope: Scope, subject: ReportSubject): Promise<ReportTexts> {
    const { findings } = await this.read(scope, subject, MAX_FOR_DRAFT);
    const ids = findings.map(({ id }) => id);
    const retests = await this.retests.lastOf(scope, ids, true);
    const fixed = [...retests].flatMap(([id, { result }]) => (result === 'fixed' ? id : []));
    return draftFrom(findings, retests, await this.findings.lastOpenOfVisible(fixed));
  }

  private async read(scope: Scope, subject: ReportSubject, limit: number): Promise<ReportFacts> {
    const found = await this.subjects.find(scope, subject);
    const { organizationId } = found;
    const choice = findingChoiceOf(defaultReportOptions, { ...found.defaultPeriod(), organizationId });
    const of = await this.findingsOf(scope, subject, found);
    const { chosen, ofSubject } = await this.findings.listMatching(scope, of, choice, limit);
    return { findings: chosen, ofSubject };
  }

  private async findingsOf(
    scope: Scope,
    subject: ReportSubject,
    { eventId, organizationId }: { readonly eventId: number | null; readonly organizationId: number },
  ): Promise<FindingsOf> {
    if (subject.kind === 'job') return { ids: [...(await this.jobs.summaryOf(scope, subject.uuid)).findings.keys()] };
    return eventId === null ? { organizationId } : { eventId };
  }
}

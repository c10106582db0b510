import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { FindingDetailsService, type FindingOutline, type FindingsOf } from '../findings';
import { JobSummaryService } from '../jobs';
import { RetestSummaryService } from '../retests';
import { MAX_FINDINGS, MAX_SIZED, sizeInWords } from './domain/report-annex';
import { findingChoiceOf } from './domain/report-choice';
import { draftFrom } from './domain/report-draft';
import { defaultReportOptions, type ReportTexts } from './domain/report-options';
import { periodOf } from './domain/report-period';
import type { ReportSubject } from './domain/report-subject';
import { type FoundSubject, ReportSubjects } from './report-subjects';
import type { ReportOrder } from './reports.service';

/** The choices of a person before a report is ordered. */
export interface ReportFacts {
  /** Most urgent first. */
  readonly findings: readonly FindingOutline[];
  /** Up to `MAX_SIZED + 1`. */
  readonly ofSubject: number;
  /** What the report will have of the findings that its options select. */
  readonly size: string;
}

const MAX_FOR_DRAFT = MAX_FINDINGS;
const MAX_OF_CHOICE = 200;
/** Some of them may have been seen outside of the period. */
const MAX_EXAMINED = 1_000;

/** Reads what is known before a report is generated. */
@Injectable()
export class ReportDraftsService {
  constructor(
    private readonly subjects: ReportSubjects,
    private readonly findings: FindingDetailsService,
    private readonly jobs: JobSummaryService,
    private readonly retests: RetestSummaryService,
  ) {}

  /** The findings that a person can put first or leave out, and how many the current options select. */
  async facts(
    scope: Scope,
    subject: ReportSubject,
    { options, ...stated }: ReportOrder = { options: defaultReportOptions, startDate: null, endDate: null },
  ): Promise<ReportFacts> {
    const found = await this.subjects.find(scope, subject);
    const { organizationId } = found;
    if (options.owner !== null) await this.subjects.requireOwner(organizationId, options.owner);
    const choice = findingChoiceOf(options, { ...periodOf(stated, found.defaultPeriod()), organizationId });
    const of = await this.findingsOf(scope, subject, found);
    const { examined, selected } = await this.findings.countMatching(scope, of, choice, MAX_SIZED);
    const findings = await this.listMostUrgent(scope, found, of, { examined: MAX_EXAMINED, limit: MAX_OF_CHOICE });
    return { findings, ofSubject: examined, size: sizeInWords(options, selected, examined) };
  }

  /** From the 20,000 most urgent findings. */
  async draft(scope: Scope, subject: ReportSubject): Promise<ReportTexts> {
    const found = await this.subjects.find(scope, subject);
    const of = await this.findingsOf(scope, subject, found);
    const findings = await this.listMostUrgent(scope, found, of, { examined: MAX_FOR_DRAFT, limit: MAX_FOR_DRAFT });
    const ids = findings.map(({ id }) => id);
    const retests = await this.retests.lastOf(scope, ids, true);
    const fixed = [...retests].flatMap(([id, { result }]) => (result === 'fixed' ? id : []));
    return draftFrom(findings, retests, await this.findings.lastOpenOfVisible(fixed));
  }

  private listMostUrgent(
    scope: Scope,
    found: FoundSubject,
    of: FindingsOf,
    most: { readonly examined: number; readonly limit: number },
  ): Promise<FindingOutline[]> {
    const { organizationId } = found;
    const choice = findingChoiceOf(defaultReportOptions, { ...found.defaultPeriod(), organizationId });
    return this.findings.listMostUrgent(scope, of, choice, most);
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

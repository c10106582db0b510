import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { FindingDetailsService, type FindingOutline, type FindingsOf } from '../findings';
import { JobSummaryService } from '../jobs';
import { RetestSummaryService } from '../retests';
import { MAX_FINDINGS, sizeInWords } from './domain/report-annex';
import { findingChoiceOf } from './domain/report-choice';
import { draftFrom } from './domain/report-draft';
import { defaultReportOptions, type ReportTexts } from './domain/report-options';
import { periodOf } from './domain/report-period';
import type { ReportSubject } from './domain/report-subject';
import { ReportSubjects } from './report-subjects';
import type { ReportOrder } from './reports.service';

/** The choices of a person before a report is ordered. */
export interface ReportFacts {
  /** Most urgent first. */
  readonly findings: readonly FindingOutline[];
  readonly ofSubject: number;
  /** What the report will have of the findings that its options select. */
  readonly size: string;
}

const MAX_FOR_DRAFT = MAX_FINDINGS;
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
    const size = sizeInWords(options, await this.findings.countMatching(scope, of, choice));
    return { ...(await this.read(scope, subject, MAX_OF_CHOICE)), size };
  }

  /** From the 20,000 most urgent findings. */
  async draft(scope: Scope, subject: ReportSubject): Promise<ReportTexts> {
    const { findings } = await this.read(scope, subject, MAX_FOR_DRAFT);
    const ids = findings.map(({ id }) => id);
    const retests = await this.retests.lastOf(scope, ids, true);
    const fixed = [...retests].flatMap(([id, { result }]) => (result === 'fixed' ? id : []));
    return draftFrom(findings, retests, await this.findings.lastOpenOfVisible(fixed));
  }

  private async read(scope: Scope, subject: ReportSubject, limit: number): Promise<Omit<ReportFacts, 'size'>> {
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

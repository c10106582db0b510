import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { Scope } from '../../platform/api/scope';
import { SigningKeysService } from '../evidence';
import { FindingDetailsService, type FindingOutline, MarkdownRenderer } from '../findings';
import { IdentityService, MemberGroupsService, type Owner } from '../identity';
import { LogosService } from '../organizations';
import { RetestSummaryService } from '../retests';
import { ReportsRepository } from './data/reports.repository';
import { provesFix } from './domain/proved-fix';
import { compareReports, type SnapshotComparison } from './domain/report-comparison';
import type { ReportOptions } from './domain/report-options';
import type { ReportPeriod } from './domain/report-period';
import type { ReportSnapshot, SnapshotAssessment } from './domain/report-snapshot';
import { earlierReportDeleted, ReportGenerationError } from './domain/report.errors';

/** Who ordered a report, and when: the texts in it are that person's. */
export interface ReportAuthor {
  readonly startedBy?: number | null;
  readonly created?: Date;
}

const TITLES = { summary: 'Summary', conclusion: 'Conclusion', next_steps: 'Next steps' } as const;

/** Reads what a report has besides its subject: the logo, the texts of a person, and the comparison with an earlier report. */
@Injectable()
export class ReportAdditions {
  constructor(
    private readonly logos: LogosService,
    private readonly markdown: MarkdownRenderer,
    private readonly identity: IdentityService,
    private readonly reports: ReportsRepository,
    private readonly findings: FindingDetailsService,
    private readonly keys: SigningKeysService,
    private readonly groups: MemberGroupsService,
    private readonly retests: RetestSummaryService,
  ) {}

  async ownerName(organizationId: number, owner: Owner): Promise<string> {
    return (await this.groups.nameOf(organizationId, owner)) ?? owner;
  }

  async logo(scope: Scope, organizationId: number): Promise<ReportSnapshot['logo']> {
    const logo = await this.logos.find(scope, organizationId);
    if (logo === undefined) return null;
    const { mediaType: media_type, width, height, content } = logo;
    return { media_type, width, height, base64: content.toString('base64') };
  }

  /** Of the key that signs evidence now. */
  async evidenceKey(): Promise<string | null> {
    return (await this.keys.list()).find(({ retired }) => retired === null)?.id ?? null;
  }

  /** Those of these resolved findings whose last finished retest proves the fix. */
  async provedFixes(scope: Scope, resolved: readonly number[]): Promise<ReadonlySet<number>> {
    const last = await this.retests.lastOf(scope, resolved, true);
    const lastOpen = await this.findings.lastOpenOfVisible([...last.keys()]);
    return new Set([...last.keys()].filter((id) => provesFix(last.get(id), lastOpen.get(id))));
  }

  /** Null if nobody has written anything. */
  async assessment({ texts }: ReportOptions, { startedBy, created }: ReportAuthor): Promise<SnapshotAssessment | null> {
    const stated = Object.entries(TITLES).flatMap(([name, title]) => {
      const md = texts[name as keyof typeof TITLES];
      return md === null ? [] : [{ title, md }];
    });
    if ((texts.rating === null && stated.length === 0) || created === undefined) return null;
    const names = await this.identity.displayNamesOfVisible(startedBy == null ? [] : [startedBy]);
    const rendered = [];
    for (const { title, md } of stated) rendered.push({ title, ...(await this.render(title, md)) });
    return {
      author: names.get(startedBy ?? 0) ?? 'A former user',
      written: created.toISOString(),
      rating: texts.rating,
      texts: rendered,
    };
  }

  async comparison(
    scope: Scope,
    report: ReportPeriod & { readonly options: ReportOptions },
    chosen: readonly FindingOutline[],
  ): Promise<SnapshotComparison | null> {
    const id = report.options.compare_with;
    if (id === null) return null;
    const earlier = await this.reports.findEarlier(scope, id);
    if (earlier === undefined) throw earlierReportDeleted(id);
    const shown = new Set(chosen.map((one) => one.id));
    const others = earlier.contents.findings.flatMap(([other]) => (shown.has(other) ? [] : [other]));
    return compareReports(earlier, report, chosen, await this.findings.listOutlines(scope, others));
  }

  private async render(title: string, md: string): Promise<{ readonly md: string; readonly html: string }> {
    try {
      return await this.markdown.render(md, 'reports');
    } catch (error) {
      if (error instanceof DomainError)
        throw new ReportGenerationError(`Its text "${title}" is refused: ${error.message}`);
      throw error;
    }
  }
}

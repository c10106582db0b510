import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Check, CHECKS, checkFromYaml, type SkippedCheck } from '../../engine';
import { needsCallbacks } from '../../engine/needs-callbacks';
import { DomainError } from '../../kernel/domain-error';
import type { TestDepth } from '../../kernel/test-depth';
import { Config } from '../../platform/config/load-config';
import { CheckLibrary, notInJobs, TEMPLATE_PREFIX } from '../checks';
import type { Job } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { isStandard } from './domain/point-checks';
import { parseSelection, requireDepth, type SelectedTemplate, selectTemplates } from './domain/check-selection';

/** The checks of one job. */
export interface ChecksOfJob {
  readonly checks: readonly Check[];
  /** What was selected and does not run. */
  readonly skipped: readonly SkippedCheck[];
}

/** Which checks a job runs. */
@Injectable()
export class JobChecks {
  constructor(
    private readonly library: CheckLibrary,
    private readonly jobs: JobsRepository,
    private readonly config: Config,
  ) {}

  /** The templates that the entries select now; null if all built-in checks run. Throws if an entry selects nothing. */
  async select(entries: readonly string[] | null, depth: TestDepth = 'standard'): Promise<SelectedTemplate[] | null> {
    if (entries === null) return null;
    const selection = parseSelection(entries);
    requireDepth(entries, selection, depth);
    const { templateIds, tags } = selection;
    if (templateIds.length + tags.length === 0) return [];
    const found = await this.library.select(templateIds, tags);
    await this.library.requireAll(templateIds, found, 'checks');
    return selectTemplates(selection, found);
  }

  /** Without a listener, what only its calls show is left out, unless it was selected. */
  private isUsual = (check: Check): boolean => this.config.CALLBACK_DOMAIN !== undefined || !needsCallbacks(check);

  /** In the versions of the launch, whatever was loaded since. */
  async load({ id, checks: entries, depth }: Job): Promise<ChecksOfJob> {
    const ofDepth = (check: Check): boolean => depth === 'active' || isStandard(check);
    if (entries === null) return { checks: CHECKS.filter(ofDepth).filter(this.isUsual), skipped: [] };
    const checks = parseSelection(entries).builtIn.filter(ofDepth);
    const templates = await this.jobs.findTemplatesOfVisible(id);
    const skipped: SkippedCheck[] = templates.flatMap(({ id: template, skipped: reason }) =>
      reason === null ? [] : [{ check: `${TEMPLATE_PREFIX}${template}`, outcome: 'not_applicable', reason }],
    );
    const sources = await this.library.sourcesOf(templates.filter((template) => template.skipped === null));
    for (const { id: template, skipped: reason } of templates) {
      if (reason !== null) continue;
      const check = compiled(sources.get(template));
      if (check === null || notInJobs(check) !== null) skipped.push(outdated(template));
      else checks.push(check);
      // Each takes about a millisecond.
      await setImmediate();
    }
    return { checks, skipped };
  }
}

/** After a change of Assay between the launch and the start. */
const outdated = (template: string): SkippedCheck => ({
  check: `${TEMPLATE_PREFIX}${template}`,
  outcome: 'inconclusive',
  reason: 'this version of Assay does not run it in jobs; load it again to see why',
});

/** Null if this version of Assay refuses it. */
function compiled(source: string | undefined): ReturnType<typeof checkFromYaml> | null {
  try {
    return source === undefined ? null : checkFromYaml(source, { origin: 'loaded' });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

import { Injectable } from '@nestjs/common';
import { type Check, checkById, CHECKS, type Coverage, type Verdict } from '../../engine';
import { Metrics } from '../../platform/metrics/metrics';

type Source = 'retest' | 'job' | 'initial_verification';
type Result = Verdict['result'] | Exclude<Coverage['outcome'], 'not_applicable'>;

const SOURCES: readonly Source[] = ['retest', 'job', 'initial_verification'];
const RESULTS: readonly Result[] = [
  'vulnerable',
  'not_vulnerable',
  'still_vulnerable',
  'fixed',
  'inconclusive',
  'blocked',
];

/** The label of all checks that organizations wrote, and of all templates of the library. */
const TEMPLATE = 'template';
const BUILT_IN: ReadonlySet<Check> = new Set(CHECKS);

/** Counts what the checks found out. */
@Injectable()
export class VerdictMetrics {
  private readonly verdicts = this.metrics.counter({
    name: 'assay_verdicts_total',
    help: 'Results of checks. Templates have the label template',
    labels: { source: SOURCES, check: [...CHECKS.map(({ id }) => id), TEMPLATE], result: RESULTS },
  });

  constructor(private readonly metrics: Metrics) {}

  /** Counts the result for one finding. A check of an organization may have the id of a built-in one. */
  count(source: 'retest' | 'initial_verification', check: Check, result: Result): void {
    this.verdicts({ source, check: BUILT_IN.has(check) ? check.id : TEMPLATE, result });
  }

  /** Counts the results of a job. */
  countCoverage(coverage: readonly Coverage[]): void {
    for (const { check, outcome, verdict } of coverage)
      if (outcome !== 'not_applicable')
        this.verdicts({
          source: 'job',
          check: checkById(check) === null ? TEMPLATE : check,
          result: verdict?.result ?? outcome,
        });
  }
}

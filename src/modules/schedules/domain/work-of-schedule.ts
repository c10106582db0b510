import type { TestDepth } from '../../../kernel/test-depth';
import type { ReportOptions } from '../../reports/domain/report-options';
import { wrongField } from './schedule.errors';
import type { TargetKind, What } from './vocabulary';

/** What a schedule starts, and on what. */
export interface WorkOfSchedule {
  readonly what: What;
  readonly target: TargetKind;
  readonly assetId: number | null;
  readonly label: string | null;
  readonly eventSlug: string | null;
  readonly checks: readonly string[] | null;
  /** Null for standard. */
  readonly depth: TestDepth | null;
  readonly accounts: readonly number[] | null;
  readonly resolvedDays: number | null;
  readonly reportOptions: ReportOptions | null;
}

/** The field that each target needs; no other may be set. */
const FIELD_OF_TARGET: Readonly<Record<TargetKind, 'assetId' | 'label' | 'eventSlug' | null>> = {
  asset: 'assetId',
  label: 'label',
  event: 'eventSlug',
  all: null,
};

const NAMES = { assetId: 'asset_id', label: 'label', eventSlug: 'event_slug' } as const;

/** What only one kind may set. */
const ONLY_OF = {
  checks: { name: 'checks', what: 'job' },
  depth: { name: 'depth', what: 'job' },
  accounts: { name: 'accounts', what: 'job' },
  resolvedDays: { name: 'resolved_days', what: 'resolved_retest' },
  reportOptions: { name: 'report_options', what: 'report' },
} as const;

/** Throws an error that names the wrong field. */
export function requireWork(work: WorkOfSchedule): void {
  const { what, target } = work;
  const needed = FIELD_OF_TARGET[target];
  for (const field of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    if (field === needed && work[field] === null) throw wrongField(NAMES[field], `is missing: \`on\` is ${target}.`);
    if (field !== needed && work[field] !== null)
      throw wrongField(NAMES[field], `must be null, because \`on\` is ${target}.`);
  }
  for (const field of Object.keys(ONLY_OF) as (keyof typeof ONLY_OF)[]) {
    const { name, what: only } = ONLY_OF[field];
    if (what !== only && work[field] !== null) throw wrongField(name, `must be null, because \`what\` is ${what}.`);
  }
  if (what === 'resolved_retest' && work.resolvedDays === null)
    throw wrongField('resolved_days', 'is missing: it says how many days after their fix findings are retested.');
  if (what === 'report' && (target === 'asset' || target === 'label'))
    throw wrongField('on', 'must be event or all, because reports are about an event or the organization.');
}

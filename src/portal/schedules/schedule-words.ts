import type { Schedule, What } from '../../modules/schedules';
import { pluralize } from '../frame/words';

export const WHAT_NAMES: Readonly<Record<What, string>> = {
  job: 'Scan',
  observation: 'Observation',
  retest: 'Retest of open findings',
  resolved_retest: 'Retest of fixed findings',
  report: 'Report',
};

export function targetText({ target, label, eventSlug }: Pick<Schedule, 'target' | 'label' | 'eventSlug'>): string {
  if (target === 'label') return `assets labeled ${label}`;
  if (target === 'event') return `the event ${eventSlug}`;
  return target === 'asset' ? 'one asset' : 'everything';
}

export function timingText({ cron, timeZone, everyHours, windows }: Schedule): string {
  const when = cron === null ? `every ${pluralize(everyHours ?? 0, 'hour')}` : `${cron} (${timeZone})`;
  return [when, ...windows].join(', ');
}

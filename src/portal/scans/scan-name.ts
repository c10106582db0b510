import type { Job } from '../../modules/jobs';
import { dateFormat } from '../frame/date-format';

const TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** What tells a scan from others: its target and when it was ordered, with the year of another year. */
export function nameOfScan({ url, created }: Pick<Job, 'url' | 'created'>, timeZone: string): string {
  return `${url.replace(/(?<=^\w+:\/\/[^/?#]+)\/$/, '')} · ${timeOfScan(created, timeZone)}`;
}

export function timeOfScan(created: Date, timeZone: string): string {
  const isThisYear = created.getUTCFullYear() === new Date().getUTCFullYear();
  const text = dateFormat({ ...TIME, ...(!isThisYear && { year: 'numeric' }), timeZone }).format(created);
  return text.replace(',', '');
}

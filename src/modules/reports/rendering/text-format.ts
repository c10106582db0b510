import { capitalized } from '../../../kernel/capitalized';
import type { Severity } from '../../../kernel/severity';
import { wordOfStatus } from '../domain/snapshot-totals';
import type { SnapshotProbe, SnapshotRetest } from '../domain/snapshot-parts';
import { type Markup, markup } from './markup';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const formatDay = (moment: string): string => day.format(new Date(moment));

export const formatShortDay = (moment: string): string => shortDay.format(new Date(moment));

export const dayElement = (moment: string): Markup => markup`<time datetime="${moment}">${formatDay(moment)}</time>`;

export const momentElement = (moment: string): Markup =>
  markup`<time datetime="${moment}">${formatDay(moment)}, ${minute.format(new Date(moment))} UTC</time>`;

/** `risk_accepted` as words: risk accepted. */
export const withSpaces = (word: string): string => word.replaceAll('_', ' ');

/** 12,431 */
export const grouped = (count: number): string => count.toLocaleString('en');

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** Less than two days in hours, more in days. */
export function formatDuration(hours: number): string {
  if (hours < 0.5) return 'under 1 hour';
  return hours < 48 ? pluralize(Math.round(hours), 'hour') : pluralize(Math.round(hours / 24), 'day');
}

/** Text from a person, isolated so that its direction does not change the text around it. */
export const isolated = (text: string): Markup => markup`<bdi>${text}</bdi>`;

/** Cosmic is the severity of a score of 10.0. Reports do not use the word. */
export const severityLabel = (severity: Severity): string =>
  severity === 'cosmic' ? 'Cosmic (10.0)' : capitalized(severity);

export const PROBE_STATE_LABELS: Readonly<Record<SnapshotProbe['state'], string>> = {
  vulnerable: 'Vulnerable',
  not_vulnerable: 'Not vulnerable',
  blocked: 'Blocked',
  inconclusive: 'Inconclusive',
};

/** 2 Nov 2026, 14:03 UTC */
export const formatMoment = (instant: string): string => `${formatDay(instant)}, ${instant.slice(11, 16)} UTC`;

/** 2 Nov to 20 Nov 2026 */
export function formatPeriod(from: string, to: string): string {
  if (formatDay(from) === formatDay(to)) return formatDay(from);
  return `${from.slice(0, 4) === to.slice(0, 4) ? formatShortDay(from) : formatDay(from)} to ${formatDay(to)}`;
}

/** `risk_accepted` as a label: Risk accepted. */
/** Of a finding, for people. */
export const statusLabel = (name: string): string => capitalized(wordOfStatus(name));

export const labelOf = (name: string): string => capitalized(withSpaces(name));

/** The result of a retest, or the status of one without. */
export const resultLabelOf = ({ result, status, by_refusal }: SnapshotRetest): string =>
  `${labelOf(result ?? status)}${by_refusal == null ? '' : ' by refusal'}`;

/** one, two and three */
export const joinWithAnd = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Shortens a text to a length, without cutting a surrogate pair. */
export const truncated = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

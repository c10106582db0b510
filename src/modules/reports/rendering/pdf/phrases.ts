import { capital, dayOf, shortDayOf, spoken } from '../html/words';

/** 2 Nov 2026, 14:03 UTC */
export const momentOf = (instant: string): string => `${dayOf(instant)}, ${instant.slice(11, 16)} UTC`;

/** 2 Nov to 20 Nov 2026 */
export function periodOf(from: string, to: string): string {
  if (dayOf(from) === dayOf(to)) return dayOf(from);
  return `${from.slice(0, 4) === to.slice(0, 4) ? shortDayOf(from) : dayOf(from)} to ${dayOf(to)}`;
}

/** A name as the interface has it, as a line begins with it: risk_accepted is Risk accepted. */
export const wordsOf = (name: string): string => capital(spoken(name));

/** one, two and three */
export const enumerated = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** The beginning of a text that is longer than there is room for; no character is cut through. */
export const begun = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

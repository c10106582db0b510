import { type Markup, markup } from '../markup';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const dayOf = (moment: string): string => day.format(new Date(moment));

export const shortDayOf = (moment: string): string => shortDay.format(new Date(moment));

export const onDay = (moment: string): Markup => markup`<time datetime="${moment}">${dayOf(moment)}</time>`;

export const atMoment = (moment: string): Markup =>
  markup`<time datetime="${moment}">${dayOf(moment)}, ${minute.format(new Date(moment))} UTC</time>`;

/** `risk_accepted` as people write it. */
export const spoken = (word: string): string => word.replaceAll('_', ' ');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Hours as people say them: short spans in hours, long ones in days. */
export const lasting = (hours: number): string =>
  hours < 48 ? counted(Math.round(hours), 'hour') : counted(Math.round(hours / 24), 'day');

/** Text that somebody wrote, in whatever script: it has a direction of its own, and what it does to it ends with it. */
export const theirs = (text: string): Markup => markup`<bdi>${text}</bdi>`;

import { isFromCache } from './page';
import type { HttpAnswer } from './transport/http';

const FROM_CACHE = 'a cache responds instead of the target';
const MAX_WAIT_SECONDS = 86_400;

const secondsOf = (text: string | null | undefined): number => (text == null ? NaN : Number(text));

/** How far the Date of a response is behind our clock. NaN without a Date. */
const lagOf = ({ headers, at = Date.now() }: HttpAnswer): number => at - Date.parse(headers.get('date') ?? '');

/**
 * The age by the clock of the target, which is taken from a response that did not come from a cache: a Date behind our clock
 * alone may be a wrong clock.
 */
export function ageByDate(answer: HttpAnswer, others: readonly HttpAnswer[]): { ms: number; isByOurClock: boolean } {
  const usual = others.filter((other) => !isFromCache(other)).map(lagOf);
  const known = usual.find((lag) => !Number.isNaN(lag));
  return { ms: lagOf(answer) - (known ?? 0), isByOurClock: known === undefined };
}

/** How long ago the cache stored the response, according to its headers; NaN if they do not say. */
const ageOf = (answer: HttpAnswer, others: readonly HttpAnswer[]): number => {
  const age = secondsOf(answer.headers.get('age'));
  return Number.isNaN(age) ? ageByDate(answer, others).ms / 1_000 : age;
};

/** Says that a response came from a cache, and what to do: wait until the cache asks the target again, or purge it. */
export function cacheReason(answer: HttpAnswer, others: readonly HttpAnswer[] = []): string {
  const control = answer.headers.get('cache-control') ?? '';
  const [, shared] = /\bs-maxage=(\d{1,10})/i.exec(control) ?? [];
  const [, own] = /\bmax-age=(\d{1,10})/i.exec(control) ?? [];
  const left = Math.ceil(secondsOf(shared ?? own) - ageOf(answer, others));
  if (Number.isNaN(left)) return FROM_CACHE;
  return left > 0 && left <= MAX_WAIT_SECONDS
    ? `${FROM_CACHE}: retest after ${left} seconds, or purge the cache`
    : `${FROM_CACHE}: purge the cache, and retest`;
}

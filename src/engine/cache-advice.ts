import type { HttpAnswer } from './transport/http';

const FROM_CACHE = 'a cache responds instead of the target';
const MAX_WAIT_SECONDS = 86_400;

const secondsOf = (text: string | null | undefined): number => (text == null ? NaN : Number(text));

/** How long ago the cache stored the response, by what it says itself; NaN if it says nothing. */
const ageOf = ({ headers }: HttpAnswer): number => {
  const age = secondsOf(headers.get('age'));
  return Number.isNaN(age) ? (Date.now() - Date.parse(headers.get('date') ?? '')) / 1_000 : age;
};

/** That a response is stored, and what to do about it: wait until the cache asks the target again, or purge it. */
export function cacheReason(answer: HttpAnswer): string {
  const control = answer.headers.get('cache-control') ?? '';
  const [, shared] = /\bs-maxage=(\d{1,10})/i.exec(control) ?? [];
  const [, own] = /\bmax-age=(\d{1,10})/i.exec(control) ?? [];
  const left = Math.ceil(secondsOf(shared ?? own) - ageOf(answer));
  if (Number.isNaN(left)) return FROM_CACHE;
  return left > 0 && left <= MAX_WAIT_SECONDS
    ? `${FROM_CACHE}: retest after ${left} seconds, or purge the cache`
    : `${FROM_CACHE}: purge the cache, and retest`;
}

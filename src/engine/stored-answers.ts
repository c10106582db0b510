import type { Assessment } from './assess';
import type { Exchange } from './transport/exchange';
import { MADE_UP, withoutMadeUp } from '../kernel/made-up-path';

/** Dates are in seconds, so a shorter period shows nothing. */
const LEAST_SPAN_MS = 3_000;
const TOLERANCE_MS = 30_000;
const FEWEST_ANSWERS = 4;

interface DatedAnswer {
  readonly date: number;
  /** When it was received, by our clock. */
  readonly at: number;
}

function datedAnswer({ received, started, ms }: Exchange): DatedAnswer | null {
  const [, field = ''] = /^date:[ \t]*([^\r\n]*)/im.exec(received.split('\r\n\r\n', 1)[0] ?? '') ?? [];
  const date = Date.parse(field);
  return Number.isNaN(date) ? null : { date, at: Date.parse(started) + ms };
}

const isWeb = (exchange: Exchange | undefined): exchange is Exchange =>
  exchange?.kind === 'http' && exchange.failure === null;

const datedAnswers = (exchanges: readonly Exchange[]): DatedAnswer[] =>
  exchanges.flatMap((exchange) => datedAnswer(exchange) ?? []);

/** How far the clock of the responses is behind ours. A constant difference is a wrong clock. */
const lagOf = ({ date, at }: DatedAnswer): number => at - date;

function reasonAt(decisive: readonly DatedAnswer[], fresh: readonly DatedAnswer[]): string | null {
  const [first] = decisive;
  const last = decisive.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = last.at - first.at;
  if (decisive.length >= FEWEST_ANSWERS && span >= LEAST_SPAN_MS && decisive.every(({ date }) => date === first.date))
    return `the Date of ${decisive.length} responses within ${Math.floor(span / 1_000)} seconds is the same: a cache responds instead of the target`;
  const usual = Math.max(...fresh.map(lagOf));
  const isBehind = fresh.length > 0 && decisive.some((answer) => lagOf(answer) > usual + TOLERANCE_MS);
  return isBehind
    ? 'the Date of a response is behind that of a missing path: a cache responds instead of the target'
    : null;
}

/** Repeats of the same path at the same address, whatever their query. */
const requestOf = ({ address, to }: Exchange): string => `${address} ${withoutMadeUp(to.split('?', 1)[0] ?? '')}`;

/** Why the repeats of the decisive request got a stored response, judging only by their Date headers; or null. */
export function storedAnswerReason(probes: readonly Assessment[]): string | null {
  const repeats = probes
    .filter(({ kind }) => kind === 'repeat')
    .map(({ exchanges: [first] }) => first)
    .filter(isWeb);
  const others = probes.filter(({ kind }) => kind !== 'repeat').flatMap(({ exchanges }) => exchanges);
  const fresh = others.filter((exchange) => isWeb(exchange) && MADE_UP.test(exchange.to));
  for (const request of new Set(repeats.map(requestOf))) {
    const same = repeats.filter((exchange) => requestOf(exchange) === request);
    const here = fresh.filter(({ address }) => address === same[0]?.address);
    const reason = reasonAt(datedAnswers(same), datedAnswers(here));
    if (reason !== null) return reason;
  }
  return null;
}

import type { TraceContext } from '../../kernel/trace-context';
import { loadConfig } from '../config/load-config';
import { Sampler } from './sampler';

let now = 0;
let randomNumber = 0.5;
const samplerOf = (name: string, ratio = '1'): Sampler =>
  new Sampler(
    loadConfig({ DATABASE_URL: 'postgres://localhost', OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }),
    () => now,
    () => randomNumber,
  );

/** The last 13 digits are a part of all possible values. */
const traceAt = (part: number): string =>
  `4bf92f3577b34da6a3c${Math.floor(part * 16 ** 13)
    .toString(16)
    .padStart(13, '0')}`;
const caller = (sampled: boolean, traceId = traceAt(0)): TraceContext => ({
  traceId,
  spanId: '00f067aa0ba902b7',
  sampled,
});

it.each([
  ['always_on', [true, true, true]],
  ['always_off', [false, false, false]],
  ['parentbased_always_on', [true, true, false]],
  ['parentbased_always_off', [false, true, false]],
])('%s decides about traces without a caller, of a caller that samples, and of one that does not', (name, expected) => {
  const sampler = samplerOf(name);
  const decisions = [undefined, caller(true), caller(false)].map((one) => sampler.isSampled(traceAt(0), one));
  expect(decisions).toEqual(expected);
});

it('samples a part of all traces by their id, so that every process decides alike', () => {
  const sampler = samplerOf('parentbased_traceidratio', '0.25');
  const parts = [0, 0.5, 0.74, 0.76, 0.99];
  expect(parts.map((part) => sampler.isSampled(traceAt(part), undefined))).toEqual([false, false, false, true, true]);
});

it('records at most ten traces a second that callers ask for', () => {
  now = 0;
  const sampler = samplerOf('parentbased_traceidratio', '0');
  const ask = (times: number): number =>
    Array.from({ length: times }, () => sampler.isSampled(traceAt(0.5), caller(true))).filter(Boolean).length;
  expect(ask(1_000)).toBe(10);
  now = 999;
  expect(ask(10)).toBe(0);
  now = 1_000;
  expect(ask(1_000)).toBe(10);
});

describe('of a caller that chooses the highest trace id', () => {
  const highest = 'f'.repeat(32);
  const recorded = (sampler: Sampler): number =>
    Array.from({ length: 1_000 }, () => sampler.isSampled(highest, caller(true, highest))).filter(Boolean).length;

  it.each([
    ['always_off', '1', 0],
    ['traceidratio', '0', 0],
    ['traceidratio', '0.01', 10],
    ['parentbased_always_off', '1', 10],
    ['parentbased_traceidratio', '0', 10],
    ['parentbased_traceidratio', '0.01', 10],
    ['parentbased_traceidratio', '1', 1_000],
    ['traceidratio', '1', 1_000],
  ])('%s with %s records as many traces of a second as of other callers', (name, ratio, expected) => {
    expect(recorded(samplerOf(name, ratio))).toBe(expected);
  });

  it('samples what exceeds ten a second by the ratio, with a number that the caller does not choose', () => {
    const sampler = samplerOf('parentbased_traceidratio', '0.25');
    expect(recorded(sampler)).toBe(10);
    randomNumber = 0.2;
    expect(recorded(sampler)).toBe(1_000);
  });
});

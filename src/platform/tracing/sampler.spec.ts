import type { TraceContext } from '../../kernel/trace-context';
import { loadConfig } from '../config/load-config';
import { Sampler } from './sampler';

let now = 0;
const samplerOf = (name: string, ratio = '1'): Sampler =>
  new Sampler(
    loadConfig({ DATABASE_URL: 'postgres://localhost', OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }),
    () => now,
  );

/** The last 14 digits are a part of all possible values. */
const traceAt = (part: number): string =>
  `4bf92f3577b34da6a3${Math.floor(part * 16 ** 14)
    .toString(16)
    .padStart(14, '0')}`;
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

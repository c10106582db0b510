import { parseTraceContext, traceparentOf } from './trace-context';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${spanId}-01`;

it('reads traceparent and tracestate, and writes traceparent', () => {
  const context = parseTraceContext(valid, 'congo=t61rcWkgMzE, rojo@vendor=00f067aa0ba902b7,');
  expect(context).toEqual({ traceId, spanId, sampled: true, state: 'congo=t61rcWkgMzE,rojo@vendor=00f067aa0ba902b7' });
  expect(context && traceparentOf(context)).toBe(valid);
});

it('reads only the sampled flag, and the known fields of later versions', () => {
  expect(parseTraceContext(`00-${traceId}-${spanId}-00`)?.sampled).toBe(false);
  expect(parseTraceContext(`00-${traceId}-${spanId}-02`)?.sampled).toBe(false);
  expect(parseTraceContext(`cc-${traceId}-${spanId}-03-what-follows`)?.sampled).toBe(true);
});

it.each([
  ['', 'is empty'],
  [`00-${traceId}-${spanId}`, 'has no flags'],
  [`00-${traceId}-${spanId}-01-more`, 'has more fields than its version'],
  [`ff-${traceId}-${spanId}-01`, 'has the version ff'],
  [`00-${'0'.repeat(32)}-${spanId}-01`, 'has no trace id'],
  [`00-${traceId}-${'0'.repeat(16)}-01`, 'has no span id'],
  [valid.toUpperCase(), 'is in upper case'],
  [`${valid}, ${valid}`, 'was sent twice'],
  [`cc-${traceId}-${spanId}-01-${'x'.repeat(256)}`, 'is too long'],
  [`00-${traceId}-${spanId}-0x`, 'has flags that are not hexadecimal'],
])('ignores %j, which %s', (traceparent) => {
  expect(parseTraceContext(traceparent)).toBeUndefined();
});

it('ignores a missing traceparent, and one that is a list', () => {
  expect(parseTraceContext(undefined, 'a=b')).toBeUndefined();
  expect(parseTraceContext([valid])).toBeUndefined();
});

it.each(['Upper=1', 'a', 'a=', 'a=b=c', '', 'a=\u0007', `a=${'x'.repeat(257)}`, 'é=1', Array(33).fill('a=1').join()])(
  'keeps the trace of a request whose tracestate %j is not valid',
  (tracestate) => {
    expect(parseTraceContext(valid, tracestate)).toEqual({ traceId, spanId, sampled: true, state: undefined });
  },
);

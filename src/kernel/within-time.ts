/**
 * A signal that also aborts when the time is over. Node 20 may collect an `AbortSignal.timeout` that only `AbortSignal.any` refers to,
 * and then nothing ends.
 */
export function withinTime(signal: AbortSignal, ms: number): AbortSignal {
  const clock = new AbortController();
  setTimeout(() => clock.abort(new DOMException('The time is over.', 'TimeoutError')), ms).unref();
  return AbortSignal.any([signal, clock.signal]);
}

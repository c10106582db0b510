/**
 * Aborts after a time, or with one of the signals. Node 20 may collect an `AbortSignal.timeout` that only `AbortSignal.any` refers
 * to, and then a wait never ends.
 */
export function limited(ms: number, ...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const controller = new AbortController();
  const end = (reason: unknown): void => controller.abort(reason);
  if (ms < Infinity) setTimeout(end, ms, new DOMException('The time is over.', 'TimeoutError')).unref();
  for (const signal of signals) {
    if (signal?.aborted === true) end(signal.reason);
    signal?.addEventListener('abort', () => end(signal.reason), { once: true });
  }
  return controller.signal;
}

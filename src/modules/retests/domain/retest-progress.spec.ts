import type { Assessment, Exchange } from '../../../engine';
import { RetestProgressLog } from './retest-progress';

const exchange = (path: string, received: string, parts: Partial<Exchange> = {}): Exchange => ({
  kind: 'http',
  to: `https://example.com${path}`,
  started: '2026-01-31T12:00:00.000Z',
  ms: 1,
  address: '192.0.2.1:443',
  sent: `GET ${path} HTTP/1.1\r\nHost: example.com\r\n\r\n`,
  received,
  bytes: received.length,
  sha256: null,
  tls: null,
  failure: null,
  ...parts,
});

const probe = (kind: Assessment['kind'], parts: Partial<Assessment> = {}): Assessment => ({
  kind,
  started: '2026-01-31T12:00:00.000Z',
  observation: { state: 'not_vulnerable', detail: 'not there' },
  controlFailure: null,
  answer: null,
  baseline: null,
  exchanges: [exchange('/', 'HTTP/1.1 200 OK\r\n\r\n'), exchange('/.git/HEAD', 'HTTP/1.1 404 Not Found\r\n\r\n')],
  ...parts,
});

describe('the progress of a retest', () => {
  it('has the control beside each probe, and counts the repeats', () => {
    const log = new RetestProgressLog();
    log.add(probe('probe'));
    for (const kind of ['repeat', 'interleaved', 'repeat'] as const) log.add(probe(kind));
    log.add(
      probe('control', { exchanges: [exchange('/', 'HTTP/1.1 503 Busy\r\n\r\n')], controlFailure: 'it answered 503' }),
    );
    const { probes, repeats, requests } = log.progress;
    expect([repeats, requests]).toEqual([2, 9]);
    expect(probes).toMatchObject([
      {
        kind: 'probe',
        control: { request: 'GET /', answer: '200 OK', address: '192.0.2.1:443' },
        check: { request: 'GET /.git/HEAD', answer: '404 Not Found' },
      },
      { kind: 'control', control: { answer: '503 Busy' }, controlFailure: 'it answered 503', check: null },
    ]);
  });

  it('has the reason of a failed request, and is bounded', () => {
    const log = new RetestProgressLog();
    const failure = { code: 'refused', reason: 'the connection was refused' } as const;
    const long = exchange(`/${'x'.repeat(5_000)}`, '', { failure });
    for (let count = 0; count < 100; count++) log.add(probe('probe', { exchanges: [long] }));
    const { probes, requests } = log.progress;
    expect([probes.length, requests]).toEqual([20, 100]);
    expect(probes[0]?.control).toMatchObject({ answer: 'the connection was refused' });
    expect(JSON.stringify(log.progress).length).toBeLessThan(32_768);
  });
});

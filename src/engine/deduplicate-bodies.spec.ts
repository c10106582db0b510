import type { Assessment } from './assess';
import { deduplicateBodies } from './deduplicate-bodies';
import type { Exchange } from './transport/exchange';

const exchange = (body: string, sha256: string | null = body): Exchange => ({
  kind: 'http',
  to: 'https://target.test/',
  started: '2026-01-31T12:00:00.000Z',
  ms: 1,
  address: '192.0.2.1:443',
  sent: 'GET / HTTP/1.1\r\n\r\n',
  received: `HTTP/1.1 200\r\nage: 1\r\n\r\n${body}`,
  bytes: body.length,
  sha256,
  tls: null,
  failure: null,
});

const probe = (...exchanges: readonly Exchange[]): Assessment => ({
  kind: 'repeat',
  started: '2026-01-31T12:00:00.000Z',
  observation: { state: 'not_vulnerable', detail: 'not there' },
  controlFailure: null,
  answer: '404',
  baseline: null,
  exchanges,
});

describe('deduplicateBodies', () => {
  it('keeps a body that was received several times in the first exchange only, and every head', () => {
    const probes = deduplicateBodies([
      probe(exchange('one')),
      probe(exchange('two'), exchange('one')),
      probe(exchange('one')),
    ]);
    expect(probes.map(({ exchanges }) => exchanges.map(({ received }) => received.split('\r\n\r\n')))).toEqual([
      [['HTTP/1.1 200\r\nage: 1', 'one']],
      [
        ['HTTP/1.1 200\r\nage: 1', 'two'],
        ['HTTP/1.1 200\r\nage: 1', ''],
      ],
      [['HTTP/1.1 200\r\nage: 1', '']],
    ]);
  });

  it('does not change exchanges without a body', () => {
    const [first, second] = deduplicateBodies([probe(exchange('', null)), probe(exchange('', null))]);
    expect(second?.exchanges).toEqual(first?.exchanges);
  });
});

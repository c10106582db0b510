import type { Assessment } from './assess';
import { notVulnerable } from './check';
import { storedAnswerReason } from './stored-answers';
import type { Exchange } from './transport/exchange';

const START = Date.parse('2026-03-01T12:00:00Z');

const exchange = (path: string, seconds: number, date: number | null, address = '192.0.2.1:443'): Exchange => ({
  kind: 'http',
  to: `https://target.test${path}`,
  started: new Date(START + seconds * 1_000).toISOString(),
  ms: 20,
  address,
  sent: '',
  received: `HTTP/1.1 404 Not Found\r\n${date === null ? '' : `Date: ${new Date(START + date * 1_000).toUTCString()}\r\n`}\r\nDate: x`,
  bytes: 7,
  sha256: null,
  tls: null,
  failure: null,
});

const probe = (kind: Assessment['kind'], ...exchanges: Exchange[]): Assessment => ({
  kind,
  started: new Date(START).toISOString(),
  observation: notVulnerable('not there'),
  controlFailure: null,
  answer: null,
  baseline: null,
  exchanges,
});

/** Sixteen responses in four seconds, with the Date that `dateAt` returns for their second. */
const repeats = (dateAt: (second: number) => number | null, addresses = ['192.0.2.1:443']): Assessment[] =>
  Array.from({ length: 16 }, (_none, at) =>
    probe('repeat', exchange('/.env', at / 4, dateAt(at / 4), addresses[at % addresses.length])),
  );

const missing = (second: number, date: number, path = '/nothing-0123456789ab'): Assessment =>
  probe('probe', exchange('/', second, date), exchange(path, second, date));

describe('storedAnswerReason', () => {
  it.each([
    ['move with the time', repeats((second) => second)],
    ['come from a clock that is an hour late', [missing(0, -3_600), ...repeats((second) => second - 3_600)]],
    ['have no Date', repeats(() => null)],
    [
      'come from two servers whose clocks differ',
      [missing(0, 0), ...repeats((second) => second - (second % 0.5) * 40)],
    ],
    ['are all from one second', repeats((second) => second / 100).slice(0, 8)],
    ['are few', repeats(() => 0).filter((_one, at) => at % 6 === 0)],
  ])('is null if the answers %s', (_what, probes) => {
    expect(storedAnswerReason(probes)).toBeNull();
  });

  it.each(['/nothing-0123456789ab', '/.env-nothing-0123456789ab'])('compares with the answer to %s', (path) => {
    const stored = repeats((second) => second - 300);
    expect(storedAnswerReason(stored)).toBeNull();
    expect(storedAnswerReason([missing(0, 0, path), ...stored])).toContain('behind that of a missing path');
  });

  it('names answers of one path that stand still among those of another', () => {
    const others = Array.from({ length: 16 }, (_none, at) => probe('repeat', exchange('/other', at / 4, at / 4)));
    expect(storedAnswerReason([...others, ...repeats(() => -300)])).toContain('the Date of 16 responses');
  });

  it('names answers whose Date stands still', () => {
    expect(storedAnswerReason(repeats(() => -300))).toBe(
      'the Date of 16 responses within 3 seconds is the same: a cache responds instead of the target',
    );
  });

  it('names answers whose Date stands still at one of two addresses', () => {
    const both = repeats((second) => (second % 0.5 === 0 ? second : 0), ['192.0.2.1:443', '192.0.2.2:443']);
    expect(storedAnswerReason(both)).toContain('the Date of 8 responses within 3 seconds is the same');
  });

  it('names an answer that is older than those for missing paths', () => {
    const stored = repeats((second) => (second === 2 ? second - 40 : second));
    expect(storedAnswerReason([missing(0, 0), ...stored])).toContain('is behind that of a missing path');
  });
});

import * as fc from 'fast-check';
import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { type TypedAssetValue, mostSpecific, covers, valuesCovering } from './asset-coverage';
import { recognizeAsset } from './asset-value';

const asset = (type: TypedAssetValue['type'], value: string): TypedAssetValue => ({ type, value });
const domain = asset('domain', 'example.com');
const page = asset('url', 'https://www.example.com/shop');
const service = asset('url', 'http://127.0.0.1:8080/');
const address = asset('ip', '192.0.2.7');
const block = asset('cidr', '192.0.2.0/24');

describe('what an asset covers', () => {
  it.each([
    [domain, 'example.com', 80, true],
    [domain, 'a.b.example.com', 8443, true],
    [domain, 'notexample.com', 80, false],
    [domain, 'example.com.evil.example', 80, false],
    [page, 'www.example.com', 80, true],
    [page, 'example.com', 443, false],
    [page, 'a.www.example.com', 443, false],
    [service, '127.0.0.1', 8080, true],
    [service, '127.0.0.1', 80, false],
    [asset('url', 'https://[2001:db8::1]/'), '2001:db8::1', 443, true],
    [address, '192.0.2.7', 6379, true],
    [address, '192.0.2.70', 6379, false],
    [block, '192.0.2.9', 80, true],
    [block, '192.0.3.9', 80, false],
    [block, 'example.com', 80, false],
  ])('%o: %s, port %i: %s', (one, host, port, expected) => {
    expect(covers(one, { host, port })).toBe(expected);
  });

  it('is found among the values of valuesCovering', () => {
    const label = fc.constantFrom('a', 'b0', 'www', 'example');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.example.com`);
    const host = fc.oneof(name, fc.ipV4(), fc.ipV6()).map((text) => canonicalIp(text) ?? text);
    const hostAndAsset = host.chain((where) => {
      const authority = where.includes(':') ? `[${where}]` : where;
      const above = where.split('.').map((_label, index, labels) => labels.slice(index).join('.'));
      const urls = [`https://${authority}:8443/page`, `http://${authority}/`];
      const blocks = Cidr.containing(where).slice(-20).map(String);
      return fc.record({ where: fc.constant(where), text: fc.constantFrom(where, ...above, ...urls, ...blocks) });
    });
    fc.assert(
      fc.property(hostAndAsset, fc.constantFrom(80, 443, 8443), ({ where, text }, port) => {
        const known = recognizeAsset(text);
        fc.pre(known !== undefined && covers(known, { host: where, port }));
        const { values, ranges } = valuesCovering(where);
        const found = known?.value ?? '';
        const isInRange = ranges.some(({ from, below }) => found >= from && found < below);
        expect([found, isInRange || values.includes(found)]).toEqual([found, true]);
      }),
      { numRuns: 200 },
    );
  });

  it('is most specific as a URL, then an address, then the longest name, then the smallest block', () => {
    const longer = asset('domain', 'www.example.com');
    const smaller = asset('cidr', '192.0.2.0/28');
    expect(mostSpecific([domain, page, longer])).toEqual([page]);
    expect(mostSpecific([domain, longer, domain])).toEqual([longer]);
    expect(mostSpecific([block, address, smaller])).toEqual([address]);
    expect(mostSpecific([block, smaller])).toEqual([smaller]);
    expect(mostSpecific([domain, { ...domain }])).toHaveLength(2);
  });
});

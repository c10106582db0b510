import { type ObservedTechnology, storableAsset } from './observed-asset';

const technology = (stated: Partial<ObservedTechnology> = {}): ObservedTechnology => ({
  name: 'nginx',
  vendor: '',
  version: '',
  os: '',
  cpe: '',
  source: '',
  ...stated,
});
const nothing = { ip: null, services: [], ports: [], technologies: [] };

describe('what is stored of an observed asset', () => {
  it('has each service and port once and in order, and no more than the limits', () => {
    const ports = Array.from({ length: 2_000 }, (_one, index) => 2_000 - index);
    const services = ['ssh', 'http', 'ssh', ...Array.from({ length: 200 }, (_one, index) => `x${index}`)];
    const stored = storableAsset({ ...nothing, ip: '192.0.2.1', services, ports: [...ports, ...ports] });
    expect(stored.ip).toBe('192.0.2.1');
    expect(stored.ports).toEqual(Array.from({ length: 1_000 }, (_one, index) => index + 1));
    expect(stored.services).toHaveLength(100);
    expect(stored.services.slice(0, 2)).toEqual(['http', 'ssh']);
  });

  it('has each technology once in each version, without those that have no name, at most 100', () => {
    const seen = [
      technology({ version: '1.28.0', source: 'first' }),
      technology({ version: '1.28.0', source: 'second' }),
      technology({ version: '1.27.0' }),
      technology({ name: '' }),
    ];
    expect(storableAsset({ ...nothing, technologies: seen }).technologies).toEqual([seen[0], seen[2]]);
    const many = Array.from({ length: 150 }, (_one, index) => technology({ name: `t${index}` }));
    expect(storableAsset({ ...nothing, technologies: many }).technologies).toEqual(many.slice(0, 100));
  });

  it('limits the texts of targets, and shows where they had characters that cannot be stored', () => {
    const long = 'x'.repeat(1_000);
    const seen = technology({ name: long, vendor: long, version: long, os: long, cpe: long, source: 'a\0b\uD800' });
    const [stored] = storableAsset({ ...nothing, technologies: [seen] }).technologies;
    expect(Object.values(stored ?? {}).map(({ length }) => length)).toEqual([200, 200, 100, 100, 512, 4]);
    expect(stored?.source).toBe('a\uFFFDb\uFFFD');
  });
});

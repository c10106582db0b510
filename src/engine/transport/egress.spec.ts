import * as fc from 'fast-check';
import { networkInterfaces } from 'node:os';
import { Cidr } from '../../kernel/cidr';
import { parseEgressEntry } from '../../kernel/egress-entry';
import { Egress, type EgressRules, unroutable } from './egress';
import { type Endpoint, parseEndpoint } from './endpoint';

const FORBIDDEN = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
  192.168.1.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1
  255.255.255.255 168.63.129.16 ::ffff:168.63.129.16 ::ffff:a83f:8110 :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 2002:7f00:1:: 2002:808:808::1 2001::1
  2001:0:53aa:64c:0:fbfe:80ff:fffe 2001:db8::1 3fff::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1
  4000::1 5f00::1 127.1 0x7f.1 2130706433 0177.0.0.1 localhost [2606:4700::1]`
  .trim()
  .split(/\s+/);

const sixToFour = (v4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1`;
};

describe('unroutable', () => {
  it.each([...FORBIDDEN, '', '1.2.3.4 '])('refuses %s', (address) => expect(unroutable(address)).not.toBeNull());

  it.each(['8.8.8.8', '1.1.1.1', '168.63.129.17', '2606:4700:4700::1111', '::ffff:8.8.8.8', '2a00:1450::1'])(
    'lets %s through',
    (address) => expect(unroutable(address)).toBeNull(),
  );

  it('refuses every private IPv4 address, also in its five IPv6 forms', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const network = fc.constantFrom('10.{}.{}.{}', '127.{}.{}.{}', '192.168.{}.{}', '169.254.{}.{}');
    fc.assert(
      fc.property(network, fc.array(byte, { minLength: 3, maxLength: 3 }), (shape, bytes) => {
        let next = 0;
        const v4 = shape.replaceAll('{}', () => String(bytes[next++]));
        const disguises = [v4, `::ffff:${v4}`, `::${v4}`, `64:ff9b::${v4}`, `::ffff:0:${v4}`, sixToFour(v4)];
        expect(disguises.filter((address) => unroutable(address) === null)).toEqual([]);
      }),
    );
  });
});

const OWN = 'its address belongs to this service';
const NOT_PUBLIC = 'its address is not a public address';

const withEntries = (entries: string[], rules: EgressRules = {}): Egress =>
  new Egress({ ...rules, allow: entries.map(parseEgressEntry) });

describe('Egress', () => {
  it('allows exactly the configured endpoints, in any notation of the address', async () => {
    const egress = withEntries(['127.0.0.1:8080', '[::1]:9000']);
    expect(await egress.refusal({ address: '127.0.0.1', port: 8080 })).toBeNull();
    expect(await egress.refusal({ address: '::ffff:127.0.0.1', port: 8080 })).toBeNull();
    expect(await egress.refusal({ address: '0:0:0:0:0:0:0:1', port: 9000 })).toBeNull();
    expect(await egress.refusal({ address: '127.0.0.1', port: 8081 })).toBe(NOT_PUBLIC);
    expect(await egress.refusal({ address: '127.0.0.2', port: 8080 })).toBe(NOT_PUBLIC);
  });

  it('never allows the service to test itself, unless that endpoint is configured', async () => {
    const ownListeners = [
      { host: '203.0.114.9', port: 443 },
      { host: '0.0.0.0', port: 3000 },
    ];
    const egress = new Egress({ ownListeners });
    expect(await egress.refusal({ address: '203.0.114.9', port: 443 })).toBe(OWN);
    expect(await egress.refusal({ address: '203.0.114.9', port: 80 })).toBeNull();
    const local = Object.values(networkInterfaces()).flat()[0]?.address ?? '127.0.0.1';
    for (const address of [local, '127.0.0.2', '::1']) expect(await egress.refusal({ address, port: 3000 })).toBe(OWN);
    const trusted = withEntries(['203.0.114.9:443'], { ownListeners });
    expect(await trusted.refusal({ address: '203.0.114.9', port: 443 })).toBeNull();
  });

  it('reports each refused address with its reason', async () => {
    const reasons: string[] = [];
    const ownListeners = [{ host: '203.0.114.9', port: 443 }];
    const egress = new Egress({ ownListeners, onRefusal: (reason) => reasons.push(reason) });
    for (const address of ['203.0.114.8', '203.0.114.9', '10.0.0.1', 'a name'])
      await egress.refusal({ address, port: 443 });
    expect(reasons).toEqual(['own_listener', 'not_public', 'invalid']);
  });
});

describe('an allowed block', () => {
  const at = (text: string): Endpoint => parseEndpoint(text);

  it('allows its addresses on its port, in IPv4 and IPv6', async () => {
    const egress = withEntries(['10.20.0.0/16:443', '[fd00:1::/32]:8443', '100.64.0.0/10:80']);
    for (const text of ['10.20.0.1:443', '10.20.255.255:443', '[fd00:1::9]:8443', '100.64.0.1:80'])
      expect(await egress.refusal(at(text))).toBeNull();
    for (const text of ['10.20.0.1:80', '10.21.0.1:443', '[fd00:2::9]:8443', '[fd00:1::9]:443'])
      expect(await egress.refusal(at(text))).toBe(NOT_PUBLIC);
  });

  it.each([
    '127.0.0.1',
    '127.9.8.7',
    '::1',
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '192.0.0.192',
    '100.100.100.200',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    '168.63.129.16',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2002:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:f5ff:fffe',
    '::ffff:127.0.0.1',
    '::7f00:1',
  ])('never reaches %s, although it contains it', async (address) => {
    const egress = withEntries(['0.0.0.0/0:80', '[::/0]:80', '7@0.0.0.0/0:80', '7@[::/0]:80']);
    expect(await egress.refusal({ address, port: 80 }, 7)).toBe(NOT_PUBLIC);
    expect(await egress.refusal({ address: '10.0.0.1', port: 80 }, 7)).toBeNull();
    expect(await egress.refusal({ address: 'fd00::1', port: 80 }, 7)).toBeNull();
  });

  it.each([
    ['an address of a listener', { host: '10.20.0.7', port: 3000 }, '10.20.0.7:3000'],
    ['an IPv6 address of a listener', { host: 'fd00::7', port: 3000 }, '[fd00::7]:3000'],
    ['a name of a listener', { host: 'db.internal', port: 5432 }, '10.20.0.8:5432'],
    ['any address, while the name of the listener cannot be resolved', { host: 'lost', port: 6379 }, '10.20.0.9:6379'],
  ])('never reaches %s', async (_what, listener, text) => {
    const lookup = (name: string): Promise<string[]> =>
      name === 'db.internal' ? Promise.resolve(['10.20.0.8']) : Promise.reject(new Error('no such name'));
    const entries = ['10.20.0.0/16', '[fd00::/16]'].map((block) => `7@${block}:${listener.port}`);
    const egress = withEntries(entries, { ownListeners: [listener], lookup });
    expect(await egress.refusal(at(text), 7)).toBe(OWN);
    expect(await withEntries(entries).refusal(at(text), 7)).toBeNull();
  });

  it('reaches servers on the port of a listener at another address', async () => {
    const egress = withEntries(['10.20.0.0/16:5432'], { ownListeners: [{ host: '10.20.0.8', port: 5432 }] });
    expect(await egress.refusal(at('10.20.0.9:5432'))).toBeNull();
  });
});

describe('an entry for one organization', () => {
  it.each(['7@10.20.0.5:443', '7@10.20.0.0/16:443', '7@staging.internal=10.20.0.5:443'])(
    '%s is not for another one, and not for targets of an unknown one',
    async (text) => {
      const egress = withEntries([text]);
      const endpoint = { address: '10.20.0.5', port: 443 };
      expect(await egress.refusal(endpoint, 7)).toBeNull();
      expect(await egress.refusal(endpoint, 8)).toBe(NOT_PUBLIC);
      expect(await egress.refusal(endpoint)).toBe(NOT_PUBLIC);
      expect(egress.addressesOf('staging.internal', 443, 8)).toEqual([]);
    },
  );

  it('gives a name its address, for its port and organization', () => {
    const egress = withEntries(['7@staging.internal=10.20.0.5:443', '7@staging.internal=10.20.0.6:443']);
    expect(egress.addressesOf('staging.internal', 443, 7)).toEqual(['10.20.0.5', '10.20.0.6']);
    expect(egress.addressesOf('staging.internal', 80, 7)).toEqual([]);
    expect(egress.addressesOf('other.internal', 443, 7)).toEqual([]);
  });
});

it('a single address counts as a block where single addresses are not trusted', async () => {
  const ownListeners = [{ host: '10.20.0.7', port: 443 }];
  const egress = withEntries(['7@10.20.0.7:443', '7@10.20.0.8:443', '7@127.0.0.1:443', '7@169.254.169.254:443'], {
    ownListeners,
    trustSingleAddresses: false,
  });
  const refusals = ['10.20.0.7', '10.20.0.8', '127.0.0.1', '169.254.169.254'].map((address) =>
    egress.refusal({ address, port: 443 }, 7),
  );
  expect(await Promise.all(refusals)).toEqual([OWN, null, NOT_PUBLIC, NOT_PUBLIC]);
});

const never = (): Promise<never> => Promise.reject(new Error('nothing is asked'));

describe('a refusal', () => {
  const beacon = {
    key: 'beacon',
    isProven: () => Promise.resolve(true),
    cidrs: [Cidr.parse('10.1.0.0/16', 'cidr')],
    resolve: never,
    connect: never,
  };
  const ownListeners = [{ host: '10.9.8.7', port: 443 }];

  it.each([
    ['10.9.8.7', 80],
    ['10.9.8.7', 443],
    ['169.254.169.254', 80],
    ['fd00::1:2:3', 80],
  ])(
    'never names the address, which a tenant may know only by a name that leads there: %s, port %i',
    async (address, port) => {
      const egress = new Egress({ ownListeners });
      const refusals = [
        await egress.refusal({ address, port }),
        await egress.refusalThrough(beacon, { address, port }),
      ];
      for (const refusal of refusals) {
        expect(refusal).toMatch(/\bits address\b/);
        expect(refusal).not.toContain(address);
      }
    },
  );
});

describe('parseEndpoint', () => {
  it.each(['127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', '127.1:80', 'localhost:80', '::1:80', '[::1]', '0x7f.1:80'])(
    'refuses %s',
    (text) => expect(() => parseEndpoint(text)).toThrow('must be an address and a port'),
  );
});

describe('the names of callbacks', () => {
  const egress = new Egress({ callbackDomain: 'calls.example.com' });

  it.each(['calls.example.com', 'abc.calls.example.com', 'A.B.CALLS.example.com.'])('%s is never resolved', (name) => {
    expect(egress.refusalOfName(name)).toContain('Assay never resolves it');
  });

  it('are those below the domain only, and none without a listener', () => {
    for (const name of ['example.com', 'notcalls.example.com', 'calls.example.com.other.example'])
      expect(egress.refusalOfName(name)).toBeNull();
    expect(new Egress().refusalOfName('abc.calls.example.com')).toBeNull();
  });
});

import * as fc from 'fast-check';
import type { CertificateFacts, HostSeen, PortSeen, PortState, TechnologySeen } from '../../../engine';
import type { Change, KnownAsset } from './asset-change';
import { type AssetSeen, changesBetween } from './changes-between';

const AT = new Date('2026-06-01T00:00:00Z');
const nothing: KnownAsset = { hosts: [], addresses: [], hosting: null, watched: new Set(), isFirst: true };

const port = (number: number, seen: Partial<PortSeen> = {}): PortSeen => ({
  port: number,
  state: 'open',
  service: null,
  security: null,
  certificate: null,
  technologies: [],
  ...seen,
});
const host = (address: string, ...ports: PortSeen[]): HostSeen => ({ address, ports, stopped: null });
const technology = (name: string, version = ''): TechnologySeen => ({
  name,
  vendor: '',
  version,
  os: '',
  cpe: '',
  source: 'a test',
});
const certificate = (sha256: string, until: string): CertificateFacts => ({
  subject: 'CN=a',
  issuer: 'CN=b',
  serial: '1',
  sha256,
  from: '2026-01-01T00:00:00Z',
  until,
  names: '',
  covers: true,
  key: { type: 'EC', bits: 256 },
  signature: null,
});

const look = (hosts: readonly HostSeen[], more: Partial<AssetSeen> = {}): AssetSeen => ({
  isName: true,
  addresses: hosts.map(({ address }) => address),
  hosting: null,
  hosts,
  watched: new Set(hosts.flatMap(({ ports }) => ports.map((one) => one.port))),
  ...more,
});

/** The changes of each look after the first. */
function changesOf(looks: readonly AssetSeen[], at: readonly Date[] = []): Change[][] {
  let asset = nothing;
  return looks.map((seen, index) => {
    const differences = changesBetween(asset, seen, at[index] ?? AT);
    ({ asset } = differences);
    return [...differences.changes];
  });
}

const kindsOf = (looks: readonly AssetSeen[], at?: readonly Date[]): string[][] =>
  changesOf(looks, at).map((changes) => changes.map(({ kind }) => kind));

const ofPort = (...states: Partial<PortSeen>[]): AssetSeen[] =>
  states.map((seen) => look([host('192.0.2.1', port(443, seen), port(22))]));

describe('the changes of ports', () => {
  const open: Partial<PortSeen> = { service: 'https' };
  const closed: Partial<PortSeen> = { state: 'closed' };
  const filtered: Partial<PortSeen> = { state: 'filtered' };

  it.each<[string, Partial<PortSeen>[], string[][]]>([
    ['one without it', [open, closed, open], [[], [], []]],
    ['one in which it is silent', [open, filtered, open], [[], [], []]],
    ['two without it', [open, closed, closed], [[], [], ['port_closed']]],
    ['two in which it is silent or closed', [open, filtered, closed], [[], [], ['port_closed']]],
    ['three without it', [open, closed, closed, closed], [[], [], ['port_closed'], []]],
    ['it open after that', [open, closed, closed, open], [[], [], ['port_closed'], ['port_opened']]],
    ['it open for the first time', [closed, open], [[], ['port_opened']]],
    ['it say nothing once', [open, { service: null }, open], [[], [], []]],
    ['another service', [open, { service: 'ssh' }], [[], ['service_changed']]],
    ['what the service is for the first time', [{ service: null }, open], [[], []]],
  ])('after looks that show %s', (_what, states, kinds) => {
    expect(kindsOf(ofPort(...states))).toEqual(kinds);
  });

  it('are none where a port was not tried before, or is not tried any more', () => {
    const narrow = look([host('192.0.2.1', port(22))]);
    const wide = look([host('192.0.2.1', port(22), port(443))]);
    expect(kindsOf([narrow, wide, narrow, narrow, narrow])).toEqual([[], [], [], [], []]);
    const { asset } = changesBetween(changesBetween(nothing, wide, AT).asset, narrow, AT);
    expect(asset.hosts.map(({ ports }) => ports.map((one) => one.port))).toEqual([[22]]);
  });

  it('are none for what a host that stopped answering did not show', () => {
    const all = look([host('192.0.2.1', port(22), port(443))]);
    const stopped = {
      ...host('192.0.2.1', port(22), port(443, { state: 'closed' })),
      stopped: 'It stopped answering.',
    };
    const looks = [all, ...Array(3).fill(look([stopped], { watched: all.watched })), all] as AssetSeen[];
    expect(kindsOf(looks)).toEqual([[], [], [], [], []]);
  });
});

describe('the changes of technologies', () => {
  const shows = (...technologies: TechnologySeen[]): Partial<PortSeen> => ({ service: 'https', technologies });
  const nginx = technology('nginx', '1.26');

  it.each<[string, Partial<PortSeen>[], string[][]]>([
    ['another one', [shows(), shows(nginx)], [[], ['technology_added']]],
    ['one no more, once', [shows(nginx), shows(), shows(nginx)], [[], [], []]],
    ['one no more, twice', [shows(nginx), shows(), shows()], [[], [], ['technology_removed']]],
    ['another version', [shows(nginx), shows(technology('nginx', '1.28'))], [[], ['version_changed']]],
    ['a service that says nothing, twice', [shows(nginx), {}, {}, shows(nginx)], [[], [], [], []]],
    ['no version any more', [shows(nginx), shows(technology('nginx')), shows(nginx)], [[], [], []]],
    ['a version for the first time', [shows(technology('nginx')), shows(nginx)], [[], []]],
    [
      'two versions, of which one changes',
      [shows(nginx, technology('nginx', '1')), shows(nginx, technology('nginx', '2'))],
      [[], ['version_changed']],
    ],
    ['those of another service', [shows(nginx), { service: 'ssh', technologies: [] }], [[], ['service_changed']]],
  ])('after looks that show %s', (_what, states, kinds) => {
    expect(kindsOf(ofPort(...states))).toEqual(kinds);
  });
});

describe('the changes of certificates', () => {
  const shows = (sha256: string, until = '2027-01-01T00:00:00Z'): Partial<PortSeen> => ({
    service: 'https',
    certificate: certificate(sha256, until),
  });

  it('are reported when it is replaced, and not when a handshake fails once', () => {
    expect(kindsOf(ofPort(shows('a'), { service: 'https' }, shows('a'), shows('b')))).toEqual([
      [],
      [],
      [],
      ['certificate_replaced'],
    ]);
  });

  it('are reported once for 30, 14 and 3 days before its end, and again for another certificate', () => {
    const until = '2026-07-01T00:00:00Z';
    const days = ['05-31', '06-02', '06-10', '06-18', '06-27', '06-29', '07-05'];
    const at = days.map((day) => new Date(`2026-${day}T00:00:00Z`));
    const looks = ofPort(...days.map(() => shows('a', until)), shows('b', '2026-07-10T00:00:00Z'));
    const changes = changesOf(looks, [...at, new Date('2026-07-05T00:00:00Z')]);
    expect(changes.map((ofLook) => ofLook.map(({ kind, after }) => after?.['days'] ?? kind))).toEqual([
      [],
      [30],
      [],
      [14],
      [],
      [3],
      [],
      [14, 'certificate_replaced'],
    ]);
  });
});

describe('the changes of addresses and hosts', () => {
  const [one, two] = ['192.0.2.1', '192.0.2.2'];
  const both = look([host(one, port(443)), host(two, port(443))]);
  const first = look([host(one, port(443))], { watched: both.watched });

  it('are reported for an address that was added, and for one that was missing twice', () => {
    expect(kindsOf([first, both])).toEqual([[], ['address_changed']]);
    expect(kindsOf([both, first, both])).toEqual([[], [], []]);
    expect(changesOf([both, first, first])[2]).toMatchObject([
      { kind: 'address_changed', before: { addresses: [one, two] }, after: { addresses: [one] } },
    ]);
  });

  it('are not reported for addresses of a service, which change often', () => {
    const hosting = { by: 'Fastly', target: '151.101.0.0/16' };
    const elsewhere = (seen: AssetSeen): AssetSeen => ({ ...seen, hosting });
    expect(kindsOf([first, both, first, first, both].map(elsewhere))).toEqual([[], [], [], [], []]);
    expect(kindsOf([first, elsewhere(first), first])).toEqual([[], ['hosting_changed'], ['hosting_changed']]);
  });

  it('are reported for a host of a block that is new, or silent twice', () => {
    const block = (seen: AssetSeen): AssetSeen => ({ ...seen, isName: false });
    expect(kindsOf([first, both].map(block))).toEqual([[], ['host_new']]);
    expect(kindsOf([both, first, first, both].map(block))).toEqual([[], [], ['host_gone'], ['host_new']]);
  });

  it('are not reported for a host of which no port could be tried', () => {
    const refused = look([{ ...host(one), stopped: 'The egress rules forbid it.' }], { watched: first.watched });
    expect(kindsOf([first, refused, refused, refused, first])).toEqual([[], [], [], [], []]);
  });

  it('are reported for a host of a name that is silent twice, and answers again', () => {
    const silent = look([host(one, port(443, { state: 'filtered' }))]);
    expect(kindsOf([first, silent, first])).toEqual([[], [], []]);
    expect(kindsOf([first, silent, silent, silent, first])).toEqual([[], [], ['host_gone'], [], ['host_new']]);
  });
});

const states = fc.constantFrom<PortState>('open', 'closed', 'filtered');
const ports = fc.tuple(...[22, 80, 443].map((number) => states.map((state) => port(number, { state, service: 'x' }))));
const looks = fc.array(
  fc.record({ ports, isStopped: fc.boolean(), isThere: fc.boolean() }).map(({ ports: seen, isStopped, isThere }) =>
    look(isThere ? [{ ...host('192.0.2.1', ...seen), stopped: isStopped ? 'It stopped.' : null }] : [], {
      isName: false,
      watched: new Set([22, 80, 443]),
    }),
  ),
  { maxLength: 12 },
);

describe('changesBetween', () => {
  it('finds nothing in a first look, and nothing when the same look is repeated', () => {
    fc.assert(
      fc.property(looks, (series) => {
        expect(kindsOf(series.slice(0, 1)).flat()).toEqual([]);
        const last = series.at(-1);
        // What has been missed once counts as gone with the next look.
        const settled = last === undefined ? [] : [last, last, last, last];
        expect(kindsOf([...series, ...settled]).at(-1) ?? []).toEqual([]);
      }),
    );
  });

  it('reports for each port openings and closings in turn, and a closing only after two looks without it', () => {
    fc.assert(
      fc.property(looks, (series) => {
        const changes = changesOf(series);
        for (const number of [22, 80, 443]) {
          const reported = changes.flatMap((ofLook, index) =>
            ofLook.filter((one) => one.port === number).map(({ kind }) => ({ kind, index })),
          );
          for (const [place, { kind, index }] of reported.entries()) {
            const before = reported[place - 1]?.kind;
            expect(before).not.toBe(kind);
            if (kind !== 'port_closed') continue;
            const shown = series[index]?.hosts[0]?.ports.find((one) => one.port === number)?.state;
            expect(shown).not.toBe('open');
          }
        }
      }),
    );
  });

  it('never reports a difference after a single look that shows less', () => {
    fc.assert(
      fc.property(looks, (series) => {
        const all = look([host('192.0.2.1', ...[22, 80, 443].map((number) => port(number, { service: 'x' })))], {
          isName: false,
        });
        for (const less of series) expect(kindsOf([all, less, all]).flat()).toEqual([]);
      }),
    );
  });
});

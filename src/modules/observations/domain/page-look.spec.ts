import type { HostSeen, PortSeen, TechnologySeen } from '../../../engine';
import type { Change, KnownAsset } from './asset-change';
import { changesBetween } from './changes-between';
import { withPage } from './page-look';

const AT = new Date('2026-06-01T00:00:00Z');
const nothing: KnownAsset = { hosts: [], addresses: [], hosting: null, watched: new Set(), isFirst: true };

const technology = (name: string, version = ''): TechnologySeen => ({
  name,
  vendor: '',
  version,
  os: '',
  cpe: '',
  source: 'a test',
});
const port = (number: number, service: string, ...technologies: TechnologySeen[]): PortSeen => ({
  port: number,
  state: 'open',
  service,
  security: null,
  certificate: null,
  technologies,
});
const host = (...ports: PortSeen[]): HostSeen => ({ address: '192.0.2.1', ports, stopped: null });

const observed = (...ports: PortSeen[]): KnownAsset => {
  const hosts = [host(...ports), { ...host(port(22, 'ssh')), address: '192.0.2.2' }];
  const addresses = hosts.map(({ address }) => address);
  const watched = new Set([22, 80, 443, 8080]);
  return changesBetween(nothing, { isName: true, addresses, hosting: null, hosts, watched }, AT).asset;
};

const kinds = (changes: readonly Change[]): string[] => changes.map(({ kind }) => kind);
const site = host(port(80, 'http', technology('nginx', '1.28.0')));

describe('withPage', () => {
  it('counts nothing as closed, gone or removed, however often a page shows less', () => {
    let asset = observed(port(22, 'ssh'), port(80, 'prometheus', technology('Prometheus', '3.1'), technology('Go')));
    const before = asset;
    for (let time = 0; time < 5; time += 1) {
      const after = withPage(asset, host(port(80, 'http')), true, AT);
      expect(after.changes).toEqual([]);
      ({ asset } = after);
    }
    expect(new Set(asset.hosts)).toEqual(new Set(before.hosts));
    expect(asset).toMatchObject({ addresses: before.addresses, watched: before.watched, isFirst: false });
  });

  it('keeps count of the observations that did not show a technology', () => {
    const [first, other] = observed(port(80, 'http', technology('nginx'), technology('PHP', '8.3'))).hosts;
    const missed = first?.ports.map((one) => ({
      ...one,
      technologies: one.technologies.map((t) => ({ ...t, misses: 1 })),
    }));
    const known = { ...observed(), hosts: [{ ...first, ports: missed }, other] } as KnownAsset;
    const { asset } = withPage(known, host(port(80, 'http', technology('nginx'))), true, AT);
    const seen = asset.hosts.find(({ address }) => address === '192.0.2.1');
    const misses = seen?.ports[0]?.technologies.map(({ name, misses: count }) => [name, count]);
    expect(Object.fromEntries(misses ?? [])).toEqual({ nginx: 0, PHP: 1 });
  });

  it('reports a new technology, another version, and a port that has opened', () => {
    const known = observed(port(80, 'http', technology('nginx', '1.26.0')));
    expect(kinds(withPage(known, site, true, AT).changes)).toEqual(['version_changed']);
    const opened = host(port(8080, 'http', technology('Jetty')));
    expect(kinds(withPage(known, opened, true, AT).changes)).toEqual(['port_opened']);
    const php = host(port(80, 'http', technology('PHP')));
    expect(kinds(withPage(known, php, true, AT).changes)).toEqual(['technology_added']);
  });

  it('keeps another version of a technology that it names', () => {
    let asset = observed(port(80, 'http', technology('PHP', '7.4'), technology('PHP', '8.3')));
    for (let time = 0; time < 3; time += 1) {
      const after = withPage(asset, host(port(80, 'http', technology('PHP', '8.3'))), true, AT);
      expect(after.changes).toEqual([]);
      ({ asset } = after);
    }
  });

  it('shows a port that was closed as it is now', () => {
    const look = { isName: true, addresses: ['192.0.2.1'], hosting: null, watched: new Set([80]) };
    const closed = [host({ ...port(80, 'http'), state: 'closed' })];
    let asset = observed(port(80, 'prometheus', technology('Go')));
    for (let time = 0; time < 2; time += 1) ({ asset } = changesBetween(asset, { ...look, hosts: closed }, AT));
    const now = withPage(asset, site, true, AT).asset.hosts.find(({ address }) => address === '192.0.2.1');
    expect(now?.ports).toMatchObject([{ isOpen: true, service: 'http', technologies: [{ name: 'nginx' }] }]);
  });

  it('shows its results before the first observation, which then reports none of them as new', () => {
    const { asset, changes } = withPage(nothing, site, true, AT);
    expect(changes).toEqual([]);
    expect(asset).toMatchObject({ isFirst: true, hosts: [{ address: '192.0.2.1', ports: [{ port: 80 }] }] });
    const look = { isName: true, addresses: ['192.0.2.1'], hosting: null, watched: new Set([80, 443]) };
    const hosts = [host(port(80, 'http', technology('nginx', '1.28.0')), port(443, 'https'))];
    expect(kinds(changesBetween(asset, { ...look, hosts }, AT).changes)).toEqual([]);
  });
});

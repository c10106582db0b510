import { Cidr } from '../../../kernel/cidr';
import { FakeNetwork } from '../../../../test/support/fake-beacon-links';
import { StreamFailure } from '../../beacons';
import type { SearchProgress } from '../data/discoveries.repository';
import { HostList } from '../domain/host-list';
import { HostSearch, SEARCH_LIMITS, SearchEndedError } from './host-search';

const quick = { ...SEARCH_LIMITS, connectMs: 20, recordMs: 0, reconnectPauseMs: 5 };
const nothing: SearchProgress = { hostsDone: 0, hostsSkipped: 0, candidates: [] };
const signal = new AbortController().signal;

interface Setup {
  readonly block?: string;
  readonly ports?: number[];
  readonly progress?: SearchProgress;
  readonly limits?: Partial<typeof SEARCH_LIMITS>;
  readonly check?: (progress: SearchProgress) => readonly Cidr[];
}

/** A search in a /28, which has 14 hosts. */
function searchIn(network: FakeNetwork, setup: Setup = {}): HostSearch {
  const { block = '10.20.0.0/28', ports = [80], progress = nothing, limits, check } = setup;
  const blocks = [Cidr.parse(block, 'block')];
  const context = {
    turnAt: async () => () => undefined,
    open: async () => network.openLink(),
    check: async (now: SearchProgress) => check?.(now) ?? blocks,
  };
  return new HostSearch({ hosts: new HostList(blocks), ports, progress }, context, { ...quick, ...limits });
}

const done = (candidates: SearchProgress['candidates'], hostsSkipped = 0): SearchProgress => ({
  hostsDone: 14,
  hostsSkipped,
  candidates,
});

describe('a search for hosts', () => {
  it('tries every port of every host once, and finds the open ones', async () => {
    const network = new FakeNetwork('10.20.0.5:80', '10.20.0.5:22');
    const search = searchIn(network, { ports: [80, 22] });
    await search.run(signal);
    expect(search.progress).toEqual(done([{ address: '10.20.0.5', ports: [22, 80] }]));
    expect(network.dials).toHaveLength(28);
    expect(new Set(network.dials.map(({ address, port }) => `${address}:${port}`)).size).toBe(28);
  });

  it('has no more connections at once than allowed, although no host answers', async () => {
    const network = new FakeNetwork();
    network.isSilent = true;
    const search = searchIn(network, { limits: { connections: 4 } });
    await search.run(signal);
    expect(network.peakConnections).toBe(4);
    expect(search.progress).toEqual(done([]));
  });

  it('stops trying addresses that the beacon no longer allows', async () => {
    const network = new FakeNetwork('10.20.0.1:80', '10.20.0.9:80');
    const half = Cidr.parse('10.20.0.8/29', 'block');
    const search = searchIn(network, {
      check: ({ hostsDone }) => (hostsDone === 0 ? [] : [half]),
      progress: { ...nothing, hostsDone: 1 },
    });
    await search.run(signal);
    expect(network.addresses.filter((address) => !half.contains(address))).toEqual([]);
    expect(search.progress.candidates).toEqual([{ address: '10.20.0.9', ports: [80] }]);
    expect(search.progress.hostsSkipped + network.addresses.length).toBe(13);
  });

  it('reads the record of the beacon again when it is too old', async () => {
    const count = async (recordMs: number): Promise<number> => {
      let checks = 0;
      const check = () => (checks++, [block]);
      await searchIn(new FakeNetwork(), { check, limits: { recordMs } }).run(signal);
      return checks;
    };
    expect(await count(60_000)).toBe(1);
    expect(await count(0)).toBeGreaterThan(14);
    expect(SEARCH_LIMITS.recordMs).toBeLessThanOrEqual(5_000);
  });

  it('counts hosts that the agent refuses as skipped', async () => {
    const network = new FakeNetwork('10.20.0.5:80');
    const link = network.openLink();
    jest.spyOn(network, 'openLink').mockReturnValue({
      ...link,
      connect: (endpoint, ended) =>
        endpoint.address === '10.20.0.2'
          ? Promise.reject(new StreamFailure('egress', 'the agent does not allow it'))
          : link.connect(endpoint, ended),
    });
    const search = searchIn(network);
    await search.run(signal);
    expect(search.progress).toEqual(done([{ address: '10.20.0.5', ports: [80] }], 1));
  });

  it('continues over a new link where the old one was lost', async () => {
    const network = new FakeNetwork('10.20.0.5:80', '10.20.0.6:80');
    network.holdAfter(5);
    const search = searchIn(network, { limits: { connections: 4 } });
    const run = search.run(signal);
    while (network.dials.length < 9) await new Promise(setImmediate);
    network.disconnect();
    network.release();
    setImmediate(() => (network.isConnected = true));
    await run;
    expect(search.progress.hostsDone).toBe(14);
    expect(search.progress.candidates.map(({ address }) => address).sort()).toEqual(['10.20.0.5', '10.20.0.6']);
    expect(network.dials).toHaveLength(14 + 4);
  });

  it('ends with what it has found when no agent connects again', async () => {
    const network = new FakeNetwork('10.20.0.1:80');
    network.holdAfter(13);
    const search = searchIn(network, { limits: { reconnectMs: 0 } });
    const run = search.run(signal);
    while (network.dials.length < 14) await new Promise(setImmediate);
    network.disconnect();
    await expect(run).rejects.toThrow(SearchEndedError);
    expect(search.progress.candidates).toEqual([{ address: '10.20.0.1', ports: [80] }]);
    expect(search.progress.hostsDone).toBe(13);
  });

  it('ends when links are lost repeatedly', async () => {
    const network = new FakeNetwork();
    network.isFlapping = true;
    await expect(searchIn(network).run(signal)).rejects.toThrow('was lost too often');
    expect(network.openedLinks).toBe(11);
  });

  it('continues after the hosts that an earlier attempt has done, and keeps what it found', async () => {
    const network = new FakeNetwork('10.20.0.5:80');
    const candidates = [{ address: '10.20.0.9', ports: [22] }];
    const search = searchIn(network, { progress: { hostsDone: 10, hostsSkipped: 2, candidates } });
    await search.run(signal);
    expect(network.dials).toHaveLength(4);
    expect(search.progress.hostsSkipped).toBe(2);
    expect(search.progress.candidates).toContainEqual(candidates[0]);
  });

  it('does not save a host as done while one of its ports has no result', async () => {
    const network = new FakeNetwork();
    network.holdAfter(9);
    let saved = nothing;
    const search = searchIn(network, { ports: [1, 2], check: (progress) => ((saved = progress), [block]) });
    const run = search.run(signal);
    while (network.dials.length < 20) await new Promise(setImmediate);
    // The first host and one port of each of the next seven have their results.
    expect(saved.hostsDone).toBeLessThanOrEqual(1);
    expect(search.progress.hostsDone).toBe(1);
    network.release();
    await run;
    expect(search.progress.hostsDone).toBe(14);
  });

  it('stops at once when its work is canceled, and ends its connections', async () => {
    const network = new FakeNetwork();
    network.isSilent = true;
    const cancel = new AbortController();
    const search = searchIn(network, { limits: { connectMs: 60_000, recordMs: 60_000, connections: 4 } });
    const run = search.run(cancel.signal);
    while (network.dials.length < 4) await new Promise(setImmediate);
    // Timers fire in their order, so that the search waits for one of its connections after these turns.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    cancel.abort(new Error('canceled'));
    await expect(run).rejects.toThrow('canceled');
    expect(search.progress.hostsDone).toBe(0);
    expect(network.dials).toHaveLength(4);
    expect(network.openConnections).toBe(0);
  });

  it('fails with an error that is not about the network', async () => {
    const network = new FakeNetwork();
    const link = network.openLink();
    const broken = { ...link, connect: () => Promise.reject(new TypeError('a fault')) };
    jest.spyOn(network, 'openLink').mockReturnValue(broken);
    await expect(searchIn(network).run(signal)).rejects.toThrow('a fault');
  });
});

const block = Cidr.parse('10.20.0.0/28', 'block');

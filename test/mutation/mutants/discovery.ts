import type { Mutant } from '../mutant';

const plan = 'src/modules/discovery/domain/discovery-plan.ts';
const planSpec = 'src/modules/discovery/domain/discovery-plan.spec.ts';
const search = 'src/modules/discovery/work/host-search.ts';
const searchSpec = 'src/modules/discovery/work/host-search.spec.ts';
const run = 'src/modules/discovery/work/discovery-run.ts';
const service = 'src/modules/discovery/discoveries.service.ts';
const repository = 'src/modules/discovery/data/discoveries.repository.ts';
const adding = 'src/modules/assets/beacon-assets.service.ts';
const spec = 'test/e2e/discovery.spec.ts';

/** The limits of discoveries, what they may try, and who may add what they find. */
export const discovery: readonly Mutant[] = [
  {
    name: 'discovery: a search may have any number of hosts',
    file: plan,
    search: 'if (size > BigInt(MAX_HOSTS))',
    replace: 'if (size < 0n)',
    spec: planSpec,
    test: 'and names a block that it accepts',
  },
  {
    name: 'discovery: blocks outside of the beacon are tried',
    file: plan,
    search: 'if (!allowed.some((one) => one.covers(block))) throw cidrNotAllowed(text);',
    replace: '',
    spec: planSpec,
    test: 'refuses the block',
  },
  {
    name: 'discovery: public blocks may be named',
    file: plan,
    search: 'if (!isPrivateBlock(block)) throw cidrNotPrivate(text);',
    replace: '',
    spec: planSpec,
    test: 'refuses the block',
  },
  {
    name: 'discovery: public blocks are tried by default',
    file: plan,
    search: 'const blocks = allowed.filter(isPrivateBlock);',
    replace: 'const blocks = [...allowed];',
    spec: planSpec,
    test: 'has all private blocks of the beacon',
  },
  {
    name: 'discovery: public and metadata addresses are tried',
    file: plan,
    search: 'isPrivate(address) && allowed.some(',
    replace: 'allowed.some(',
    spec: planSpec,
    test: 'an address may be tried',
  },
  {
    name: 'discovery: addresses that the beacon no longer allows are tried',
    file: search,
    search: 'if (mayTry(again.address, this.allowed)) return again;',
    replace: 'return again;',
    spec: searchSpec,
    test: 'stops trying addresses that the beacon no longer allows',
  },
  {
    name: 'discovery: the record of the beacon is read once',
    file: search,
    search: 'if (performance.now() - this.checked < this.limits.recordMs) return;',
    replace: 'if (this.checked > 0) return;',
    spec: searchSpec,
    test: 'reads the record of the beacon again when it is too old',
  },
  {
    name: 'discovery: any number of connections at once',
    file: search,
    search: 'endpoint === undefined || this.dials.size >= this.limits.connections',
    replace: 'endpoint === undefined',
    spec: searchSpec,
    test: 'has no more connections at once than allowed',
  },
  {
    name: 'discovery: connections without the pace of the beacon',
    file: search,
    search: 'await this.context.turnAt(endpoint.address, signal)',
    replace: '() => undefined',
    spec,
    test: 'opens at most 50 connections a second',
  },
  {
    name: 'discovery: endpoints of a lost link count as tried',
    file: search,
    search: `this.lost.push(endpoint);
        return;`,
    replace: '',
    spec: searchSpec,
    test: 'continues over a new link where the old one was lost',
  },
  {
    name: 'discovery: lost links are replaced without end',
    file: search,
    search: 'if (this.lostLinks > this.limits.lostLinks)',
    replace: 'if (this.lostLinks > 1_000)',
    spec: searchSpec,
    test: 'ends when links are lost repeatedly',
  },
  {
    name: 'discovery: connections stay when the work is canceled',
    file: search,
    search: "signal.addEventListener('abort', stop);",
    replace: '',
    spec: searchSpec,
    test: 'stops at once when its work is canceled',
  },
  {
    name: 'discovery: it goes on after the deletion of its beacon',
    file: run,
    search: "if (beacon === undefined) throw new SearchEndedError('The beacon was deleted.');",
    replace: "if (beacon === undefined) return [Cidr.parse('10.0.0.0/8', 'cidrs')];",
    spec,
    test: 'ends with its beacon',
  },
  {
    name: 'discovery: any attempt may save progress',
    file: repository,
    search: "WHERE id = ${id} AND attempt = ${attempt} AND status = 'IN_PROGRESS'`);",
    replace: "WHERE id = ${id} AND ${attempt} > -1 AND status = 'IN_PROGRESS'`);",
    spec,
    test: 'does not save the progress of an attempt that is not current',
  },
  {
    name: 'discovery: progress is saved after the end',
    file: repository,
    search: "WHERE id = ${id} AND attempt = ${attempt} AND status = 'IN_PROGRESS'`);",
    replace: 'WHERE id = ${id} AND attempt = ${attempt}`);',
    spec,
    test: 'does not save the progress of an attempt that is not current',
  },
  {
    name: 'discovery: members may start one',
    file: service,
    search: `caller.requireRole('admin', organizationId);
    const plan`,
    replace: `caller.requireRole('member', organizationId);
    const plan`,
    spec: 'test/contract/roles.spec.ts',
    test: "in the record's organization decides",
  },
  {
    name: 'discovery: members may cancel one',
    file: service,
    search: `caller.requireRole('admin', organizationId);
    await this.work.cancel`,
    replace: `caller.requireRole('member', organizationId);
    await this.work.cancel`,
    spec: 'test/contract/roles.spec.ts',
    test: "in the record's organization decides",
  },
  {
    name: 'discovery: it starts without an agent',
    file: service,
    search: 'if (!beacon.isConnected) throw beaconNotConnected(beacon.name);',
    replace: '',
    spec,
    test: 'is refused without a connected agent',
  },
  {
    name: 'discovery: all of them are kept',
    file: service,
    search: 'await this.discoveries.removeOldOf(discovery, KEPT);',
    replace: '',
    spec,
    test: 'is kept with the nine before it',
  },
  {
    name: 'discovery: viewers may add assets',
    file: adding,
    search: "caller.requireRole('member', organizationId);",
    replace: '',
    spec: 'test/contract/roles.spec.ts',
    test: "in the record's organization decides",
  },
  {
    name: 'discovery: added assets exceed the limit of the organization',
    file: adding,
    search: 'if (isAdded) capacity--;',
    replace: '',
    spec,
    test: 'stops at the limit of assets',
  },
  {
    name: 'discovery: any address may be added',
    file: 'src/modules/discovery/discovered-assets.service.ts',
    search: 'wanted.filter((address) => known.has(address))',
    replace: 'wanted',
    spec,
    test: 'returns the result of each address',
  },
];

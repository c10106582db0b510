import type { Mutant } from '../mutant';

const host = 'src/engine/observation/observe-host.ts';
const look = 'src/engine/observation/port-look.ts';
const ports = 'src/engine/observation/ports.ts';

/** What is dialled and said while a host is observed, and what is believed. */
export const observation: readonly Mutant[] = [
  {
    name: 'observation: ports of printers and controllers are talked to',
    file: host,
    search: 'isSilentPort(port) ? null : look)',
    replace: 'look)',
    spec: 'src/engine/observation/observe-host.spec.ts',
    test: 'sends nothing to ports of printers',
  },
  {
    name: 'observation: ranges contain ports of printers and controllers',
    file: ports,
    search: 'return range.filter((port) => !isSilentPort(port));',
    replace: 'return range;',
    spec: 'src/engine/observation/ports.spec.ts',
    test: 'never include a port of a printer',
  },
  {
    name: 'observation: a host that stopped answering is dialled on',
    file: host,
    search: 'this.stopped = STOPPED_ANSWERING;',
    replace: '',
    spec: 'src/engine/observation/observe-host.spec.ts',
    test: 'leaves a host that stops answering',
  },
  {
    name: 'observation: hosts behind a beacon share no budget',
    file: 'src/engine/transport/target-paces.ts',
    search: 'turns.push([network,',
    replace: 'turns.push([`${network} of ${address}`,',
    spec: 'src/engine/observation/observe-host.spec.ts',
    test: 'shares the connections of a beacon',
  },
  {
    name: 'observation: requests on one connection do not wait for their turn',
    file: 'src/engine/observation/web-look.ts',
    search: 'await line.waitForRequest();',
    replace: '',
    spec: 'src/engine/observation/observe-host.spec.ts',
    test: 'sends each request at the pace of requests',
  },
  {
    name: 'observation: requests ignore the pace of their event',
    file: 'src/engine/transport/target-paces.ts',
    search: 'pace?.requestsPerSecond ?? this.limits.perSecond',
    replace: 'this.limits.perSecond * Number(pace !== null)',
    spec: 'src/engine/observation/observe-host.spec.ts',
    test: 'sends requests at the lower pace of an event',
  },
  {
    name: 'observation: requests on one connection are not counted with those of other processes',
    file: 'src/engine/transport/rate-limiter.ts',
    search: 'if (this.shared !== undefined) await this.hasReserved(',
    replace: 'if (address === "") await this.hasReserved(',
    spec: 'test/e2e/target-pace.spec.ts',
    test: 'is shared by requests on connections that are open',
  },
  {
    name: 'observation: requests go faster than the operator allows',
    file: 'src/modules/retests/engine-runtime.ts',
    search: 'requestsPerSecond: Math.min(limit, ofAsset ?? this.perSecond)',
    replace: 'requestsPerSecond: Math.min(limit, ofAsset ?? limit)',
    spec: 'test/e2e/target-pace.spec.ts',
    test: 'is that of the operator for the requests of an observation',
  },
  {
    name: 'observation: jobs on addresses of a block do not share its pace',
    file: 'src/modules/retests/beacon-tests.ts',
    search: 'block === null ? direct :',
    replace: 'block !== "" ? direct :',
    spec: 'test/e2e/observed-blocks.spec.ts',
    test: 'shares the pace of a block with jobs and retests',
  },
  {
    name: 'observation: blocks within a block have a pace of their own',
    file: 'src/modules/retests/domain/largest-block.ts',
    search: 'specificity(one) - specificity(other)',
    replace: 'specificity(other) - specificity(one)',
    spec: 'src/modules/retests/domain/largest-block.spec.ts',
    test: 'is the one that contains the others',
  },
  {
    name: 'observation: silent addresses of a block are tried on all ports',
    file: 'src/engine/observation/observe-addresses.ts',
    search: 'const hosts = found.filter(isHost).values();',
    replace: 'const hosts = found.filter((one) => isHost(one) || true).values();',
    spec: 'src/engine/observation/observe-addresses.spec.ts',
    test: 'tries silent addresses on the few ports of the search',
  },
  {
    name: 'observation: the search of a block does not stop at the first open port',
    file: 'src/engine/observation/observe-addresses.ts',
    search: "if (state === 'open') break;",
    replace: '',
    spec: 'src/engine/observation/observe-addresses.spec.ts',
    test: 'tries an address until a port is open',
  },
  {
    name: 'observation: one answer to every hello is believed',
    file: look,
    search: 'this.isRepeated(protocol) ? null : ',
    replace: '',
    spec: 'src/engine/observation/port-look.spec.ts',
    test: 'names no service that answers every hello',
  },
];

import type { Mutant } from '../mutant';

const egress = 'src/engine/transport/egress.ts';
const evidence = 'src/engine/evidence.ts';
const searchThread = 'src/engine/templates/search-thread.ts';

/** Egress rules, the signature of evidence, and the search thread. */
export const engine: readonly Mutant[] = [
  {
    name: 'egress: addresses that are not global are allowed',
    file: egress,
    search: `if (address.range() !== 'unicast') return false;`,
    replace: '',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'refuses',
  },
  {
    name: 'egress: IPv6 addresses outside of the allocated blocks are allowed',
    file: egress,
    search: `return address.kind() === 'ipv4' || address.match(...GLOBAL_V6);`,
    replace: 'return true;',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'refuses',
  },
  {
    name: 'egress: the metadata service of a cloud is allowed',
    file: egress,
    search: 'if (CLOUD_AGENTS.has(canonical) || !isGlobalUnicast(parse(canonical))) {',
    replace: 'if (!isGlobalUnicast(parse(canonical))) {',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'refuses',
  },
  {
    name: 'egress: an allowed endpoint allows its address on every port',
    file: egress,
    search: 'if (this.allowed.has(endpointText({ address: canonical, port }))) return null;',
    replace: 'if ([...this.allowed].some((one) => one.startsWith(canonical))) return null;',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'allows exactly the configured endpoints',
  },
  {
    name: 'egress: the service may test itself',
    file: egress,
    search: 'if (this.isOwn(canonical, port)) return OWN;\n    return unroutable(canonical);',
    replace: 'return unroutable(canonical);',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'never allows the service to test itself',
  },
  {
    name: 'egress: a beacon is used for addresses outside of its CIDR blocks',
    file: egress,
    search: 'if (route.cidrs.some((cidr) => cidr.contains(canonical))) return null;',
    replace: 'return null;',
    spec: 'src/engine/transport/transport.spec.ts',
    test: 'is required for a private address, and only allows addresses in its blocks',
  },
  {
    name: 'egress: a beacon is used for its own loopback addresses',
    file: egress,
    search: 'if (NEVER_ROUTED.has(parse(canonical).range()) || CLOUD_AGENTS.has(canonical)) {',
    replace: 'if (CLOUD_AGENTS.has(canonical)) {',
    spec: 'test/e2e/beacon-egress.spec.ts',
    test: 'do not reach',
  },
  {
    name: 'evidence: a signature is not checked',
    file: evidence,
    search: '!verify(null, Buffer.from(canonicalJson(evidence)), key, bytes))',
    replace: 'verify === null)',
    spec: 'src/engine/evidence.spec.ts',
    test: 'is not authentic when anything in it was changed',
  },
  {
    name: 'evidence: unsigned fields may contradict the signed part',
    file: evidence,
    search: 'return contradiction === null\n',
    replace: 'return contradiction !== undefined\n',
    spec: 'src/engine/evidence.spec.ts',
    test: 'is not authentic when an unsigned field contradicts the signed part',
  },
  {
    name: 'evidence: the order of JSON members changes the signature',
    file: evidence,
    search: `    .sort()\n`,
    replace: '',
    spec: 'src/engine/evidence.spec.ts',
    test: 'stays authentic when the order of its JSON members changes',
  },
  {
    name: 'search thread: it has the environment variables of the process',
    file: searchThread,
    search: 'env: {},',
    replace: '',
    spec: 'src/engine/templates/search-thread.spec.ts',
    test: 'has no environment variables',
  },
  {
    name: 'search thread: a bug looks like an exceeded limit',
    file: searchThread,
    search: 'throw exceedsLimit(error) ? new SearchBudgetExceeded() : error;',
    replace: 'throw new SearchBudgetExceeded();',
    spec: 'src/engine/templates/search-thread.spec.ts',
    test: 'reports other errors as they are',
  },
];

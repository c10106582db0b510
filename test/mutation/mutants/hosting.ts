import type { Mutant } from '../mutant';

const hosted = 'src/engine/observation/hosting/hosted-elsewhere.ts';
const hostedSpec = 'src/engine/observation/hosting/hosted-elsewhere.spec.ts';
const addresses = 'src/engine/observation/hosting/addresses-of-name.ts';
const limit = 'src/modules/retests/domain/hosting-limit.ts';
const limitSpec = 'test/e2e/hosted-elsewhere.spec.ts';
const addressesSpec = 'src/engine/observation/hosting/addresses-of-name.spec.ts';

/** What belongs to someone else, who did not ask for a test. */
export const hosting: readonly Mutant[] = [
  {
    name: 'hosting: aliases of other domains are the own ones',
    file: hosted,
    search: 'if (end !== undefined && !isOwn(end)) {',
    replace: `if (end === '') {`,
    spec: hostedSpec,
    test: 'reports',
  },
  {
    name: 'hosting: addresses of CDNs are the own ones',
    file: hosted,
    search: 'compare(bytes, before.last) <= 0 ? before',
    replace: 'compare(bytes, before.last) < 0 ? before',
    spec: hostedSpec,
    test: 'finds the service of the first and last address',
  },
  {
    name: 'hosting: addresses that the organization has verified are of someone else',
    file: hosted,
    search: `address !== null && !isOwn(address)`,
    replace: 'address !== null',
    spec: hostedSpec,
    test: 'reports nothing for',
  },
  {
    name: 'hosting: a name server that fails is taken for one without records',
    file: addresses,
    search: `if (state === 'found' || state === 'none') return found;`,
    replace: `if (state !== 'timeout') return found;`,
    spec: addressesSpec,
    test: 'where the name servers fail',
  },
  {
    name: 'hosting: the public DNS is asked for names behind a beacon',
    file: addresses,
    search: 'if (via.route !== undefined) return',
    replace: 'if (via.route !== undefined && literal !== null) return',
    spec: addressesSpec,
    test: 'asks the beacon alone',
  },
  {
    name: 'hosting: a job tests any port of a host of someone else',
    file: 'src/modules/retests/launch-rule.ts',
    search: 'if (closedPort !== null) return refuse(closedPort);',
    replace: '',
    spec: limitSpec,
    test: 'is refused on other ports than 80 and 443 until an admin confirms its target',
  },
  {
    name: 'hosting: a host that was never observed is taken for an own one',
    file: limit,
    search: 'const now = await hostingNow(launch, via);',
    replace: 'const now = hosting;',
    spec: limitSpec,
    test: 'sends nothing to another port of a host that was never observed, and runs when its target is confirmed',
  },
  {
    name: 'hosting: a retest of a zone needs the addresses of the host',
    file: limit,
    search: "if (check.on === 'dns') return;",
    replace: '',
    spec: limitSpec,
    test: 'is retested while its alias leads to nothing and after the alias is deleted',
  },
  {
    name: 'hosting: a zone is no site, so its retest is refused where someone else runs the host',
    file: limit,
    search: "scheme !== 'dns' && !PORTS",
    replace: '!PORTS',
    spec: limitSpec,
    test: 'is retested although the service that its alias leads to is run by someone else',
  },
  {
    name: 'hosting: a job sends everything to a host of someone else',
    file: 'src/modules/jobs/domain/hosted-job.ts',
    search: 'if (hosting?.isLimited !== true) return plan;',
    replace: 'if (hosting?.target !== "") return plan;',
    spec: limitSpec,
    test: 'leaves out checks that are not passive, and says so',
  },
  {
    name: 'hosting: a retest sends everything to a host of someone else',
    file: 'src/modules/retests/retest-permission.ts',
    search: 'if (refusal !== null) return refuse(refusal);',
    replace: "if (refusal === '') return refuse(refusal);",
    spec: limitSpec,
    test: 'is not retested with a check that is not passive until an admin confirms its target',
  },
  {
    name: 'hosting: an initial verification sends everything to a host of someone else',
    file: 'src/modules/retests/work/initial-verification.ts',
    search: 'await requireAllowedCheck(launch, test.check, run);',
    replace: '',
    spec: limitSpec,
    test: 'is not retested with a check that is not passive until an admin confirms its target',
  },
];

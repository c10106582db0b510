import type { KnownLimit } from './known-limits';
import type { TestedZone, ZoneContent } from './tested-zone';
import type { Truth } from './truth';
import { AUTHORITIES, type Said } from './zone-servers';

export interface ZoneState {
  readonly name: string;
  readonly truth: Truth;
  readonly limit?: KnownLimit;
  /** The zone has its weak content before. */
  readonly arrange: (zone: TestedZone, content: { weak: ZoneContent; fixed: ZoneContent }) => void;
}

export interface ZoneWeakness {
  readonly check: string;
  readonly weak: ZoneContent;
  readonly fixed: ZoneContent;
  readonly states: readonly ZoneState[];
}

const says = (name: string, truth: Truth, content: (zone: TestedZone) => ZoneContent): ZoneState => ({
  name,
  truth,
  arrange: (zone) => zone.set(content(zone)),
});

/** One TXT record, or several. */
const text = (name: string, truth: Truth, records: (zone: TestedZone) => readonly string[]): ZoneState =>
  says(name, truth, (zone) => ({ records: { TXT: records(zone) } }));

const dmarc = (name: string, truth: Truth, ...records: string[]): ZoneState =>
  says(name, truth, () => ({ dmarc: records }));

const spf = (terms: readonly string[], end = '-all'): string[] => [['v=spf1', ...terms, end].join(' ')];
const includes = (names: readonly string[]): string[] => names.map((name) => `include:${name}`);
const block = (at: number): string => `v=spf1 ip4:11.88.${at}.0/24 -all`;

/** One server fails, in each way. */
const failing = (said: Said & string): ZoneState => ({
  name: `fixed, and the third server: ${said}`,
  truth: 'unknowable',
  arrange: (zone, { fixed }) => {
    zone.set(fixed);
    for (const name of [zone.host, `_dmarc.${zone.host}`]) zone.publish(name, said, 'third');
  },
});

/** For every check of a zone. */
export const SERVER_STATES: readonly ZoneState[] = [
  { name: 'as it was', truth: 'weak', arrange: () => undefined },
  { name: 'fixed', truth: 'fixed', arrange: (zone, { fixed }) => zone.set(fixed) },
  ...AUTHORITIES.map((role): ZoneState => ({
    name: `fixed, but not at the ${role} server`,
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      zone.set(fixed);
      zone.set(weak, role);
    },
  })),
  failing('servfail'),
  failing('silent'),
  failing('refused'),
  {
    // Nobody outside of it can ask it, and the reason names it.
    name: 'fixed, and the third server at a private address',
    truth: 'fixed',
    arrange: (zone, { fixed }) => {
      zone.set(fixed);
      zone.publish(zone.nameOf('third'), { A: ['10.99.0.53'] });
    },
  },
  {
    name: 'fixed over IPv4, and not at the IPv6 address of the third server',
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      zone.set(fixed);
      zone.addVersion6('third');
      zone.set(weak, 'third6');
    },
  },
  {
    name: 'fixed at IPv6 addresses alone',
    truth: 'hidden',
    arrange: (zone, { fixed }) => {
      for (const role of AUTHORITIES) {
        zone.addVersion6(role);
        zone.set(fixed, `${role}6`);
      }
    },
  },
  {
    name: 'a server that only the parent names has the old zone',
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      const delegated = AUTHORITIES.map((role) => zone.nameOf(role));
      zone.set({ ...fixed, records: { ...fixed.records, NS: delegated.slice(0, 2) } });
      zone.publish(zone.host, { SOA: delegated.slice(0, 1), NS: delegated }, 'parent');
      zone.set(weak, 'third');
    },
  },
  {
    name: 'each server answers with the old zone every second time',
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      let count = 0;
      zone.alternate(weak, fixed, () => count++ % 2 === 0);
    },
  },
  {
    name: 'one server answers with the old zone every fifth time',
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      let count = 0;
      zone.set(fixed);
      zone.alternate(weak, fixed, () => count++ % 5 === 0, 'second');
    },
  },
  {
    name: 'two machines behind one server, at random',
    truth: 'hidden',
    arrange: (zone, { weak, fixed }) => {
      zone.set(fixed);
      zone.alternate(weak, fixed, () => Math.random() < 0.5, 'third');
    },
  },
  {
    name: 'a machine of forty behind one server',
    truth: 'known limit',
    limit: 'nameServerMachines',
    arrange: (zone, { weak, fixed }) => {
      let count = 0;
      zone.set(fixed);
      zone.alternate(weak, fixed, () => count++ % 600 === 599, 'third');
    },
  },
  {
    name: 'all servers fail for the names of the check',
    truth: 'unknowable',
    arrange: (zone) => {
      for (const name of [zone.host, `_dmarc.${zone.host}`]) zone.publish(name, 'servfail');
    },
  },
];

const gone = (truth: Truth): ZoneState => ({
  name: 'the zone does not exist any more',
  truth,
  arrange: (zone) => {
    for (const name of [zone.host, `_dmarc.${zone.host}`]) zone.publish(name, 'nonexistent');
  },
});

const SPF_STATES: readonly ZoneState[] = [
  gone('unknowable'),
  text('twelve includes', 'hidden', (zone) => spf(includes(zone.parts(12, block)))),
  text('fourteen lookups in nested includes', 'hidden', (zone) => {
    const leaves = includes(zone.parts(12, block));
    zone.publish(`left.${zone.host}`, { TXT: spf(leaves.slice(0, 6)) });
    zone.publish(`right.${zone.host}`, { TXT: spf(leaves.slice(6)) });
    return spf(includes([`left.${zone.host}`, `right.${zone.host}`]));
  }),
  text('an include that allows everybody', 'hidden', (zone) => spf(includes(zone.parts(1, () => 'v=spf1 +all')))),
  text('an include whose include does not exist', 'hidden', (zone) =>
    spf(includes(zone.parts(1, () => `v=spf1 include:gone.${zone.host} -all`))),
  ),
  text('an include of itself', 'hidden', ({ host }) => spf([`include:${host}`])),
  text('all IPv4 addresses in two blocks', 'hidden', () => spf(['ip4:0.0.0.0/1', 'ip4:128.0.0.0/1'])),
  text('all IPv4 addresses in four blocks', 'hidden', () =>
    spf([0, 64, 128, 192].map((first) => `ip4:${first}.0.0.0/2`)),
  ),
  text('a macro that every address matches', 'hidden', (zone) => {
    zone.publish(`any.${zone.host}`, { A: ['127.0.0.2'] });
    return spf([`exists:any.${zone.host}`]);
  }),
  text('four names without addresses', 'hidden', ({ host }) => spf([1, 2, 3, 4].map((at) => `a:void${at}.${host}`))),
  text('two records', 'hidden', () => ['v=spf1 -all', 'v=spf1 mx -all']),
  text('?all', 'weak', () => spf([], '?all')),
  text('no all, and no redirect', 'weak', () => ['v=spf1 mx']),
  text('an unknown term', 'hidden', () => spf(['ipv4:11.88.0.1'])),
  text('an address that is none', 'hidden', () => spf(['ip4:999.1.1.1'])),
  text('typographic quotes', 'hidden', () => ['“v=spf1 -all”']),
  text('a version that does not exist', 'hidden', () => ['v=spf2 -all']),
  text('no blank after the version', 'hidden', () => ['v=spf1-all']),
  text('terms after all', 'fixed', () => ['v=spf1 -all ip4:11.88.0.1']),
  text('+all after a pass of everybody by a mechanism', 'hidden', () => spf(['ip4:0.0.0.0/0'])),
  text('a redirect to a name without a record', 'weak', ({ host }) => [`v=spf1 redirect=gone.${host}`]),
  text('a record in a name below it', 'hidden', (zone) => {
    zone.publish(`_spf.${zone.host}`, { TXT: ['v=spf1 -all'] });
    return [];
  }),
  text('a record of several strings', 'fixed', () => spf(Array<string>(21).fill('ip4:11.88.7.0/24'))),
  text('~all', 'fixed', () => spf(['mx'], '~all')),
  text('a redirect to a record', 'fixed', (zone) => {
    zone.publish(`target.${zone.host}`, { TXT: ['v=spf1 -all'] });
    return [`v=spf1 redirect=target.${zone.host}`];
  }),
  says('answers that are cut over UDP', 'fixed', () => ({
    records: { TXT: ['v=spf1 -all', 'x'.repeat(900)], truncated: true },
  })),
  {
    name: 'no mail servers at one server, and no record anywhere',
    truth: 'hidden',
    arrange: (zone) => zone.set({ records: { MX: [], TXT: [] } }, 'second'),
  },
];

const DMARC_STATES: readonly ZoneState[] = [
  gone('unknowable'),
  dmarc('two records', 'hidden', 'v=DMARC1; p=reject', 'v=DMARC1; p=none'),
  dmarc('a version in small letters', 'hidden', 'v=dmarc1; p=reject'),
  dmarc('the policy before the version', 'hidden', 'p=reject; v=DMARC1'),
  dmarc('no semicolons', 'hidden', 'v=DMARC1 p=reject'),
  dmarc('a record about something else', 'hidden', 'google-site-verification=abc'),
  dmarc('no policy, and an address for reports', 'fixed', 'v=DMARC1; rua=mailto:reports@library.example'),
  dmarc('another policy for names below it', 'fixed', 'v=DMARC1; p=reject; sp=none'),
  says('a record at the name itself', 'hidden', () => ({ records: { TXT: ['v=DMARC1; p=reject'] } })),
  {
    name: 'an alias to a provider',
    truth: 'fixed',
    arrange: (zone) => {
      zone.publish(`policy.${zone.host}`, { TXT: ['v=DMARC1; p=reject'] });
      zone.publish(`_dmarc.${zone.host}`, { CNAME: [`policy.${zone.host}`] });
    },
  },
  {
    name: 'an alias to nothing',
    truth: 'weak',
    arrange: (zone) => zone.publish(`_dmarc.${zone.host}`, { CNAME: [`gone.${zone.host}`] }),
  },
];

const ENFORCEMENT_STATES: readonly ZoneState[] = [
  gone('unknowable'),
  dmarc('reject for no messages (pct=0)', 'hidden', 'v=DMARC1; p=reject; pct=0'),
  dmarc('a policy in a second tag', 'hidden', 'v=DMARC1; p=none; p=reject'),
  dmarc('no policy, and an address for reports', 'hidden', 'v=DMARC1; rua=mailto:reports@library.example'),
  dmarc('a policy for names below it alone', 'hidden', 'v=DMARC1; p=none; sp=reject'),
  dmarc('no policy for names below it', 'fixed', 'v=DMARC1; p=reject; sp=none'),
  dmarc('an unknown policy', 'hidden', 'v=DMARC1; p=block'),
  says('no record', 'hidden', () => ({})),
  dmarc('quarantine', 'fixed', 'v=DMARC1; p=quarantine'),
];

const caa = (name: string, truth: Truth, ...records: string[]): ZoneState =>
  says(name, truth, () => ({ records: { CAA: records } }));

const CAA_STATES: readonly ZoneState[] = [
  // Authorities look for records above a name that does not exist, too.
  gone('weak'),
  caa('a contact alone', 'hidden', 'iodef mailto:ca@library.example'),
  caa('wildcards alone', 'hidden', 'issuewild ca.example'),
  caa('an unknown property alone', 'hidden', 'issuemail ca.example'),
  caa('nobody may issue', 'fixed', 'issue ;'),
];

export const ZONE_WEAKNESSES: readonly ZoneWeakness[] = [
  { check: 'missing-spf', weak: {}, fixed: { records: { TXT: ['v=spf1 -all'] } }, states: SPF_STATES },
  { check: 'missing-dmarc', weak: {}, fixed: { dmarc: ['v=DMARC1; p=reject'] }, states: DMARC_STATES },
  {
    check: 'unenforced-dmarc',
    weak: { dmarc: ['v=DMARC1; p=none'] },
    fixed: { dmarc: ['v=DMARC1; p=reject'] },
    states: ENFORCEMENT_STATES,
  },
  { check: 'missing-caa', weak: {}, fixed: { records: { CAA: ['issue ca.example'] } }, states: CAA_STATES },
];

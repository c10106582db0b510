import { CHANGE_KINDS, type ChangeKind } from './asset-change';
import { certificateDay, changeSentence, KIND_NAMES } from './change-sentence';

type Differences = Partial<Omit<Parameters<typeof changeSentence>[0], 'kind' | 'seen'>>;

const sentence = (kind: ChangeKind, differences: Differences): string =>
  changeSentence({
    kind,
    seen: new Date('2026-11-23T12:00:00Z'),
    address: '192.0.2.7',
    port: 443,
    before: null,
    after: null,
    ...differences,
  });

const nginx = (version: string) => ({ name: 'nginx', vendor: 'F5', version });
const until = (day: string) => ({ subject: 'CN=a', until: `${day}T00:00:00.000Z` });
const addresses = (...given: string[]) => ({ addresses: given });
const many = Array.from({ length: 7 }, (_, index) => `192.0.2.${index}`);

const CASES: readonly (readonly [ChangeKind, Differences, string])[] = [
  ['port_opened', { after: { service: 'https' } }, 'Port 443 opened (https).'],
  ['port_opened', { after: { service: null } }, 'Port 443 opened.'],
  ['port_closed', { before: { service: 'ssh' } }, 'Port 443 closed (ssh).'],
  ['service_changed', { before: { service: 'http' }, after: { service: 'ssh' } }, 'Port 443: http → ssh.'],
  ['technology_added', { after: nginx('1.24.0') }, 'nginx 1.24.0 is new on port 443.'],
  ['technology_removed', { before: nginx('') }, 'nginx is no longer on port 443.'],
  ['version_changed', { before: nginx('1.22.1'), after: nginx('1.24.0') }, 'nginx 1.22.1 → 1.24.0 on port 443.'],
  [
    'certificate_replaced',
    { after: until('2027-02-01') },
    'The certificate on port 443 was replaced; it ends on 2027-02-01.',
  ],
  ['certificate_expires', { after: until('2026-12-01') }, 'The certificate on port 443 ends on 2026-12-01.'],
  ['certificate_expires', { after: until('2026-11-01') }, 'The certificate on port 443 ended on 2026-11-01.'],
  [
    'address_changed',
    { before: addresses('192.0.2.1', '192.0.2.2'), after: addresses('192.0.2.2', '192.0.2.3') },
    'New in the DNS: 192.0.2.3. No longer in the DNS: 192.0.2.1.',
  ],
  [
    'address_changed',
    { before: addresses(), after: addresses(...many) },
    'New in the DNS: 192.0.2.0, 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4 and 2 more.',
  ],
  ['hosting_changed', { before: { by: 'Fastly', target: 'a.example' } }, 'Fastly no longer runs the host.'],
  [
    'hosting_changed',
    { after: { by: 'GitHub Pages', target: 'a.github.io' } },
    'The host is run by GitHub Pages (a.github.io).',
  ],
  ['host_new', { after: { ports: [80, 443] } }, '192.0.2.7 answers (ports 80, 443).'],
  ['host_gone', { before: { ports: [80] } }, '192.0.2.7 no longer answers (port 80).'],
];

describe('changeSentence', () => {
  it.each(CASES)('says %s in words: %#', (kind, differences, words) => {
    expect(sentence(kind, differences)).toBe(words);
  });

  it('has words for each kind, one by one and counted', () => {
    expect(new Set(CASES.map(([kind]) => kind))).toEqual(new Set(CHANGE_KINDS));
    expect(new Set(Object.keys(KIND_NAMES))).toEqual(new Set(CHANGE_KINDS));
  });
});

describe('certificateDay', () => {
  it('is the text of the certificate if that is no date', () => {
    expect([certificateDay('2027-02-01T23:00:00Z'), certificateDay('soon')]).toEqual(['2027-02-01', 'soon']);
  });
});

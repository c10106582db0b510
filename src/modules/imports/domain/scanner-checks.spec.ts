import { readFileSync } from 'node:fs';
import { factsOfCheck } from '../../findings/domain/check-facts';
import { testOfFinding } from '../../findings/domain/check-definition';
import { checkOfResult, PATHS_OF_CHECKS, SCANNER_RULES } from './scanner-checks';

const at = (url: string | null, host: string | null = null, port: number | null = null) => ({
  url,
  host,
  port,
  source: null,
});

const docs = readFileSync('docs/checks.md', 'utf8');

it.each(SCANNER_RULES.map((rule) => [`${rule.scanner} ${rule.rule} ${rule.parameter ?? ''}`, rule] as const))(
  '%s names a check that exists, and is documented',
  (_name, { rule, parameter, check }) => {
    expect(factsOfCheck(check)).not.toBeNull();
    const [, section = ''] = docs.split(`\n### ${check}\n`);
    const [rules = ''] = /^- Rules of scanners: .*$/m.exec(section.split('\n### ')[0] ?? '') ?? [];
    expect(rules).toContain(`\`${rule}\`${parameter === undefined ? '' : ` (matcher \`${parameter}\`)`}`);
  },
);

it('no rule is bound twice', () => {
  const keys = SCANNER_RULES.map(({ scanner, rule, parameter }) => `${scanner} ${rule} ${parameter ?? ''}`);
  expect(new Set(keys).size).toBe(keys.length);
});

const zap = { scanner: 'ZAP', ruleId: '10021', parameter: 'x-content-type-options' };
const git = { scanner: 'nuclei', ruleId: 'git-config', parameter: null };
const tls = { scanner: 'nessus', ruleId: '104743', parameter: null };
const headers = { scanner: 'nuclei', ruleId: 'http-missing-security-headers' };

it.each([
  ['a page', { ...zap, location: at('http://a.example/shop/') }, 'missing-nosniff', 'http://a.example/shop/'],
  [
    'a file',
    { ...git, location: at('https://a.example/.git/config') },
    'exposed-git',
    'https://a.example/',
    '/.git/config',
  ],
  ['a port', { ...tls, location: at(null, 'a.example', 8443) }, 'weak-tls-protocol', 'https://a.example:8443/'],
  [
    'a file in a folder',
    { ...git, location: at('https://a.example/shop/.git/config') },
    'exposed-git',
    'https://a.example/shop/',
    '/shop/.git/config',
  ],
  [
    'a service',
    { scanner: 'nessus', ruleId: '10079', parameter: null, location: at(null, '2001:db8::1', 21) },
    'anonymous-ftp',
    'tcp://[2001:db8::1]:21',
  ],
  [
    'a service of Nuclei',
    { scanner: 'nuclei', ruleId: 'exposed-redis', parameter: null, location: at(null, 'a.example', 6379) },
    'open-redis',
    'tcp://a.example:6379',
  ],
  [
    'the front page of a port',
    { scanner: 'nessus', ruleId: '84502', parameter: null, location: at(null, 'a.example', 443) },
    'missing-hsts',
    'https://a.example/',
  ],
  [
    'a matcher',
    { ...headers, parameter: 'strict-transport-security', location: at('https://a.example/') },
    'missing-hsts',
    'https://a.example/',
  ],
])('%s is tested where the scanner saw it', (...[_name, result, checkId, location, path]) => {
  expect(checkOfResult(result)).toEqual({ checkId, checkDefinition: { location, path } });
});

it.each([
  [
    'a folder that the check does not request',
    { ...git, ruleId: 'apache-server-status', location: at('https://a.example/shop/server-status') },
  ],
  [
    'a path that the check does not request',
    { ...git, ruleId: 'nginx-status', location: at('https://a.example/nginx-status') },
  ],
  ['a query', { ...zap, location: at('http://a.example/?page=2') }],
  ['a rule that is not in the table', { ...zap, ruleId: '40012', location: at('http://a.example/') }],
  ['the same number of another tool', { ...zap, scanner: 'other', location: at('http://a.example/') }],
  ['another matcher', { ...headers, parameter: 'permissions-policy', location: at('https://a.example/') }],
  ['HSTS over HTTP', { ...headers, parameter: 'strict-transport-security', location: at('http://a.example/') }],
  ['a host without a port', { ...tls, location: at(null, 'a.example') }],
  ['a text that is no address', { ...zap, location: at('not a url') }],
])('%s is not tested', (_name, result) => {
  expect(checkOfResult(result)).toBeNull();
});

it.each(Object.entries(PATHS_OF_CHECKS).flatMap(([check, paths]) => paths.map((path) => [check, path] as const)))(
  '%s requests %s',
  (check, path) => {
    const sources = [`checks/${check}.ts`, 'protocols/http/api-paths.ts'];
    expect(sources.map((file) => readFileSync(`src/engine/${file}`, 'utf8')).join('\n')).toContain(`'${path}'`);
  },
);

it.each(SCANNER_RULES.map((rule) => [rule.scanner, rule.rule, rule] as const))(
  'the check of %s %s is suitable for some place',
  (scanner, ruleId, { check, parameter = null }) => {
    const paths = ['/', ...(PATHS_OF_CHECKS[check] ?? [])];
    const places = [
      ...paths.map((path) => at(`https://a.example${path}`)),
      at('http://a.example/'),
      at(null, 'a.example', 443),
    ];
    const bound = places.map((location) => checkOfResult({ scanner, ruleId, parameter, location })?.checkId);
    expect(bound).toContain(check);
  },
);

it('keeps what the scanner saw of the target for the test of the finding', () => {
  const result = {
    scanner: 'nuclei',
    ruleId: 'git-config',
    parameter: null,
    location: { url: 'https://shop.test/.git/config', host: 'shop.test', port: 443, source: null },
  };
  const seen = { server: 'nginx', title: null, isSignedIn: true };
  const bound = checkOfResult({ ...result, address: '192.0.2.7', seen });
  expect(bound && testOfFinding(bound)?.seen).toEqual({ ...seen, address: '192.0.2.7' });
  const without = checkOfResult({ ...result, address: '192.0.2.7', seen: null });
  expect(without?.checkDefinition).not.toHaveProperty('seen');
  expect(without && testOfFinding(without)?.seen).toBeNull();
});

const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** They trust another authority, and the engine keeps what it has read of the trusted ones. */
const ALONE = new Set([
  '../src/engine/checks/untrusted-certificate',
  '../src/engine/protocols/tls/checks-on-openssl',
  '../src/engine/protocols/tls/several-clients',
]);

const specsBelow = (folder) =>
  readdirSync(join(__dirname, '../../src', folder), { recursive: true })
    .filter((path) => /\.spec\.tsx?$/.test(path))
    .map((path) => `../src/${folder}/${path.replace(/\.spec\.tsx?$/, '')}`)
    .filter((spec) => !ALONE.has(spec))
    .sort();

/** Unit specs of the programs outside of the service. */
const specsOfClients = ['sdk', 'cli', 'action'].flatMap((client) =>
  readdirSync(join(__dirname, '../../clients', client, 'src'))
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `../clients/${client}/src/${file.replace('.spec.ts', '')}`)
    .sort(),
);

const specsOfTests = (folder) =>
  readdirSync(join(__dirname, '..', folder))
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `${folder}/${file.replace('.spec.ts', '')}`)
    .sort();

const isCheck = (spec) => spec.startsWith('../src/engine/checks/');
const isDomain = (spec) => spec.includes('/domain/');

const checks = (first) =>
  specsBelow('engine/checks').filter((spec) => first.test(spec.slice('../src/engine/checks/'.length)));

/**
 * `npm test` runs the specs of a suite in one Jest environment, because loading the application costs more than most specs.
 * A spec that is in no suite runs by itself. Names are paths from `test`, without `.spec.ts`. Unit specs need no listing, but
 * those of `src/apps` run by themselves, because they start and end processes.
 */
module.exports = {
  access: [
    'e2e/api-keys',
    'e2e/archive-history',
    'e2e/audit',
    'e2e/authentication',
    'e2e/members',
    'e2e/settings',
    'e2e/organizations',
    'e2e/organization-race',
    'e2e/provider-sign-in',
    'e2e/provider-attacks',
    'e2e/provider-sessions',
    'e2e/provider-provisioning',
    'e2e/access-paths',
  ],
  'active-jobs': ['e2e/active-addresses', 'e2e/active-jobs', 'e2e/signed-in-jobs', 'e2e/access-of-accounts'],
  'active-launches': ['e2e/active-launches', 'e2e/running-results'],
  assets: [
    'e2e/assets',
    'e2e/observed-assets',
    'e2e/asset-access',
    'e2e/asset-labels',
    'e2e/discovery',
    'e2e/observations',
    'e2e/observation-schedule',
    'e2e/observed-blocks',
    'e2e/observed-targets',
    'e2e/hosted-elsewhere',
    'e2e/private-addresses',
    'e2e/foreign-targets',
    'e2e/bound-targets',
  ],
  'machine-events': [
    'e2e/event-plans',
    'e2e/machine-events',
    'e2e/pipelines',
    'e2e/job-references',
    'e2e/pipeline-stories',
    'e2e/clients',
    'e2e/client-proxy',
    'e2e/target-pace',
  ],
  architecture: ['architecture', 'docs', 'mutation'].flatMap(specsOfTests),
  browser: specsOfTests('browser'),
  'checks-a-to-d': checks(/^[a-d]/),
  'checks-exposed-a-to-l': checks(/^ex[^p]|^exp[^o]|^exposed-[a-l]/),
  'checks-exposed-m-to-z': checks(/^exposed-[m-z]/),
  'checks-f-to-o': checks(/^[f-o]/),
  'checks-p-to-z': checks(/^[p-z]/),
  contract: [
    'contract/benchmark',
    'contract/conditional-requests',
    'contract/indexed-texts',
    'contract/openapi',
    'contract/operations',
    'contract/query-counts',
    'contract/query-parameters',
    'contract/registration',
    'contract/roles',
    'contract/schema-drift',
    'contract/stored-tables',
    'contract/tenancy',
    'contract/tenant-keys',
    'contract/access-paths',
    'contract/result-effects',
  ],
  'domains-and-beacons': [
    'e2e/domains',
    'e2e/domain-ownership',
    'e2e/domain-race',
    'e2e/domain-verification',
    'e2e/beacons',
    'e2e/beacon-connections',
    'e2e/beacon-egress',
    'e2e/beacon-tests',
  ],
  findings: [
    'e2e/findings',
    'e2e/conditional-changes',
    'e2e/finding-acceptance',
    'e2e/asset-owners',
    'e2e/removed-owners',
    'e2e/finding-bulk',
    'e2e/finding-selections',
    'e2e/finding-changes',
    'e2e/finding-edits',
    'e2e/finding-attachments',
    'e2e/finding-history',
    'e2e/finding-merges',
    'e2e/alike-findings',
    'e2e/misplaced-findings',
    'e2e/finding-recording',
    'e2e/finding-search',
    'e2e/finding-status',
    'e2e/finding-beliefs',
    'e2e/finding-verification',
    'e2e/vulnerabilities',
    'e2e/markdown-rendering',
    'e2e/one-finding',
    'e2e/paging',
  ],
  jobs: [
    'e2e/contradictions',
    'e2e/event-changes',
    'e2e/events',
    'e2e/job-endings',
    'e2e/jobs',
    'e2e/launch-rule',
    'e2e/long-jobs',
    'e2e/parameter-findings',
    'e2e/queue-position',
    'e2e/time-of-observations',
    'e2e/unfinished-limits',
  ],
  platform: [
    'e2e/clock',
    'e2e/database-client',
    'e2e/database-faults',
    'e2e/early-answers',
    'e2e/fair-connections',
    'e2e/feed',
    'e2e/notifications',
    'e2e/inbox',
    'e2e/feed-order',
    'e2e/flooding-tenant',
    'e2e/gateways',
    'e2e/hostile-input',
    'e2e/idempotency',
    'e2e/large-answers',
    'e2e/metrics',
    'e2e/pgbouncer',
    'e2e/request-limits',
    'e2e/short-reads',
    'e2e/stored-limits',
    'e2e/traces',
    'e2e/transactions',
    'e2e/wrong-clock',
  ],
  portal: [
    'contract/portal-routes',
    'e2e/portal-account',
    'e2e/sign-in-attacks',
    'e2e/portal-activity',
    'e2e/finding-groups',
    'e2e/portal-findings',
    'e2e/portal-finding-edits',
    'e2e/portal-attachments',
    'e2e/portal-palette',
    'e2e/portal-home',
    'e2e/portal-https',
    'e2e/portal-imports',
    'e2e/portal-known-browser',
    'e2e/portal-passkeys',
    'e2e/portal-live',
    'e2e/lost-rights',
    'e2e/portal-events',
    'e2e/portal-observations',
    'e2e/portal-schedules',
    'e2e/portal-webhooks',
    'e2e/portal-pages',
    'e2e/portal-scans',
    'e2e/portal-people',
    'e2e/portal-refusals',
    'e2e/portal-refused-forms',
    'e2e/portal-report-form',
    'e2e/portal-setup',
    'e2e/address-proofs',
    'e2e/portal-sign-in',
    'e2e/sign-in-mail',
    'e2e/sign-in-rules',
    'e2e/portal-text',
  ],
  reports: [
    'e2e/imports',
    'e2e/import-limits',
    'e2e/import-plans',
    'e2e/large-hosts',
    'e2e/scanner-imports',
    'e2e/import-places',
    'e2e/reports',
    'e2e/report-additions',
    'e2e/report-board',
    'e2e/report-download',
    'e2e/report-generation',
    'e2e/report-snapshot',
  ],
  retests: [
    'e2e/retests',
    'e2e/blocked-retests',
    'e2e/confirmed-baselines',
    'e2e/retest-baselines',
    'e2e/retest-checks',
    'e2e/retest-claims',
    'e2e/retest-signing',
    'e2e/second-looks',
    'e2e/www-hosts',
  ],
  'units-domain': specsBelow('modules').filter(isDomain),
  'units-engine': [...specsBelow('engine').filter((spec) => !isCheck(spec)), 'templates/synthetic-responses'],
  'units-modules': specsBelow('modules').filter((spec) => !isDomain(spec)),
  'units-platform': [
    ...['beacon-protocol', 'kernel', 'platform', 'scanner-files'].flatMap(specsBelow),
    ...specsOfClients,
  ],
  work: [
    'e2e/poisoned-tasks',
    'e2e/schedules',
    'e2e/schedule-runs',
    'e2e/scheduled-retests',
    'e2e/work-fairness',
    'e2e/work-queues',
    'e2e/work-leases',
    'e2e/work-notifier',
    'e2e/worker',
    'e2e/webhooks',
    'e2e/webhook-deliveries',
    'e2e/webhook-faults',
    'e2e/webhook-mail',
    'e2e/webhook-requests',
    'e2e/notification-channels',
  ],
};

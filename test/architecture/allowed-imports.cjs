/** The modules that a module may import through their index.ts. Each may import only modules that are listed before it. */
const modules = {
  organizations: [],
  evidence: [],
  identity: ['organizations'],
  audit: ['organizations', 'evidence'],
  beacons: ['organizations', 'identity'],
  settings: ['organizations'],
  callbacks: [],
  vulnerabilities: [],
  checks: [],
  findings: ['organizations', 'identity', 'vulnerabilities', 'checks'],
  assets: ['organizations', 'identity', 'beacons', 'findings'],
  accounts: ['organizations', 'identity', 'assets'],
  events: ['organizations', 'findings', 'assets', 'accounts', 'settings'],
  retests: [
    'organizations',
    'identity',
    'beacons',
    'findings',
    'assets',
    'accounts',
    'events',
    'evidence',
    'callbacks',
  ],
  discovery: ['beacons', 'assets', 'retests'],
  observations: ['organizations', 'beacons', 'checks', 'assets', 'discovery', 'retests'],
  jobs: ['organizations', 'evidence', 'checks', 'findings', 'assets', 'accounts', 'retests', 'observations'],
  imports: ['organizations', 'beacons', 'findings', 'assets', 'events', 'retests', 'checks'],
  reports: ['organizations', 'identity', 'evidence', 'findings', 'assets', 'events', 'retests', 'observations', 'jobs'],
  'machine-events': ['organizations', 'findings', 'assets', 'events', 'retests', 'observations', 'jobs', 'reports'],
  schedules: [
    'organizations',
    'identity',
    'findings',
    'assets',
    'accounts',
    'events',
    'retests',
    'observations',
    'jobs',
    'reports',
  ],
  feed: ['organizations', 'identity', 'findings'],
  webhooks: ['organizations', 'identity', 'events', 'feed'],
  notifications: [
    'organizations',
    'identity',
    'findings',
    'accounts',
    'events',
    'retests',
    'jobs',
    'reports',
    'feed',
    'webhooks',
  ],
  trackers: ['organizations', 'identity', 'findings', 'events', 'retests', 'feed', 'webhooks'],
  providers: ['identity', 'assets', 'webhooks'],
};

/** The only modules that may import the engine. */
const engineUsers = [
  'checks',
  'findings',
  'evidence',
  'callbacks',
  'accounts',
  'retests',
  'observations',
  'jobs',
  'webhooks',
];

/** The folders of the module findings. Each may import only folders that are listed before it. */
const findings = ['changes', 'lists', 'scans', 'details'];

/** The folders of the platform. Each may import only folders that are listed before it, so that there is no cycle. */
const platform = [
  'api',
  'config',
  'metrics',
  'logging',
  'tracing',
  'mail',
  'database',
  'audit',
  'work',
  'idempotency',
  'limits',
  'http',
  'auth',
  'openapi',
];

module.exports = { modules, engineUsers, findings, platform };

/** Which modules a module may import, through their index.ts. Lower modules first: each may import only modules before it. */
const modules = {
  organizations: [],
  identity: ['organizations'],
  audit: ['organizations'],
  beacons: ['organizations'],
  settings: ['organizations'],
  evidence: [],
  findings: ['organizations'],
  assets: ['organizations', 'beacons', 'findings'],
  events: ['organizations', 'findings', 'assets', 'settings'],
  retests: ['organizations', 'findings', 'assets', 'events', 'evidence'],
  jobs: ['organizations', 'findings', 'assets', 'events', 'retests'],
  reports: ['organizations', 'findings', 'events', 'retests', 'jobs'],
};

/** The only modules that may import the engine. */
const engineUsers = ['findings', 'evidence', 'retests', 'jobs'];

/** The folders of the platform, lower ones first: each may import those before it, so that no two import each other. */
const platform = ['api', 'config', 'logging', 'database', 'audit', 'work', 'idempotency', 'http', 'auth', 'openapi'];

module.exports = { modules, engineUsers, platform };

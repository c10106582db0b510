/** The resources of audit entries, each with its category: the module that owns it. */
export const RESOURCE_CATEGORIES = {
  organization: 'organizations',
  user: 'identity',
  membership: 'identity',
  integrator: 'identity',
  api_key: 'identity',
  session: 'identity',
  invitation: 'identity',
  password_reset: 'identity',
  second_factor: 'identity',
  mail: 'identity',
  asset: 'assets',
  domain: 'assets',
  beacon: 'beacons',
  event: 'events',
  scope_asset: 'events',
  finding: 'findings',
  saved_view: 'findings',
  retest: 'retests',
  job: 'jobs',
  signing_key: 'evidence',
  secret_key: 'settings',
  report: 'reports',
  audit_log: 'audit',
  settings: 'settings',
} as const;

export type ResourceType = keyof typeof RESOURCE_CATEGORIES;

/** The interface specification as a table: what each operation is called with, and what it answers. */
export interface SpecifiedOperation {
  readonly number: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: readonly string[];
  readonly success: number;
  readonly answer: readonly string[];
  /** Fields that we take beyond the specification's. */
  readonly moreBody?: readonly string[];
  /** Fields that we answer beyond the specification's. */
  readonly more?: readonly string[];
  readonly errors: readonly number[];
  /** Set while the operation does not exist: with what it comes. */
  readonly missing?: string;
}

const acknowledgement = ['code', 'description', 'id', 'success'];
const retest = ['created', 'started', 'finished', 'status', 'uuid'];
const beacon = [
  'id',
  'name',
  'allowed_cidrs',
  'dns_server',
  'interface_name',
  'status',
  'last_seen',
  'created',
  'version',
  'beacon_token',
  'rathole_server',
  'rathole_public_port',
  'wireguard_config',
];
const asset = [
  'id',
  'value',
  'type',
  'tier',
  'organization_id',
  'private',
  'organization_name',
  'risk_score',
  'ip',
  'tld',
  'services',
  'ports',
  'technologies',
  'created',
  'n_findings',
  'findings',
];
const shortAsset = ['id', 'value', 'type', 'tier', 'organization_id', 'private'];
const scopeAsset = [
  'id',
  'value',
  'type',
  'in_scope',
  'private',
  'description',
  'wildcard',
  'beacon_id',
  'attachment_url',
];
const domain = ['id', 'value', 'organization_id', 'verified', 'verification_token', 'verification_txt_record'];
const report = ['id', 'generation_date', 'start_date', 'end_date', 'created', 'options', 'event_id', 'error'];
const job = ['url', 'beacon_id', 'event_slug'];

const three = [401, 403, 404];
const four = [401, 403, 404, 409];
const five = [400, 401, 403, 404, 409];
const six = [400, 401, 403, 404, 409, 422];

const jobs = 'pipeline jobs';

export const specification: readonly SpecifiedOperation[] = [
  {
    number: 1,
    method: 'POST',
    path: '/v1/findings/{finding_id}/status',
    body: ['status'],
    moreBody: ['comment', 'until'],
    success: 200,
    answer: ['result', 'finding_id'],
    errors: five,
  },
  {
    number: 2,
    method: 'GET',
    path: '/v1/findings/{finding_id}/',
    body: [],
    success: 200,
    answer: ['findings'],
    errors: three,
  },
  {
    number: 3,
    method: 'POST',
    path: '/v1/findings/{finding_id}/retest/',
    body: [],
    success: 202,
    answer: retest,
    more: ['result'],
    errors: four,
  },
  {
    number: 4,
    method: 'GET',
    path: '/v1/findings/{finding_id}/retest/',
    body: [],
    success: 200,
    answer: retest,
    more: ['result'],
    errors: four,
  },
  {
    number: 5,
    method: 'GET',
    path: '/v1/events/{event_slug}/findings/',
    body: [],
    success: 200,
    answer: ['findings'],
    errors: three,
  },
  {
    number: 6,
    method: 'POST',
    path: '/v1/events/{event_slug}/findings/{finding_id}/retest',
    body: [],
    success: 202,
    answer: retest,
    more: ['result'],
    errors: four,
  },
  {
    number: 7,
    method: 'GET',
    path: '/v1/organizations/{organization_id}/events/',
    body: [],
    success: 200,
    answer: ['events'],
    errors: three,
  },
  {
    number: 8,
    method: 'GET',
    path: '/v1/events/{event_slug}/scope/assets/{asset_id}',
    body: [],
    success: 200,
    answer: scopeAsset,
    errors: three,
  },
  {
    number: 9,
    method: 'DELETE',
    path: '/v1/events/{event_slug}/scope/assets/{asset_id}',
    body: [],
    success: 200,
    answer: acknowledgement,
    errors: four,
  },
  { number: 10, method: 'GET', path: '/v1/assets/{asset_id}', body: [], success: 200, answer: asset, errors: three },
  {
    number: 11,
    method: 'DELETE',
    path: '/v1/assets/{asset_id}',
    body: [],
    success: 200,
    answer: acknowledgement,
    errors: four,
  },
  {
    number: 12,
    method: 'POST',
    path: '/v1/assets/',
    body: ['organization_id', 'asset_value', 'asset_type', 'beacon_id', 'tier'],
    success: 201,
    answer: acknowledgement,
    errors: six,
  },
  {
    number: 13,
    method: 'GET',
    path: '/v1/organizations/{organization_id}/assets/{asset_id}',
    body: [],
    success: 200,
    answer: shortAsset,
    errors: three,
  },
  {
    number: 14,
    method: 'POST',
    path: '/v1/organizations/',
    body: ['name', 'assets_limit'],
    success: 201,
    answer: acknowledgement,
    errors: [400, 401, 403, 409, 422],
  },
  {
    number: 15,
    method: 'GET',
    path: '/v1/organizations/',
    body: [],
    success: 200,
    answer: ['organizations'],
    errors: [401, 403],
  },
  {
    number: 16,
    method: 'DELETE',
    path: '/v1/organizations/{organization_id}/',
    body: [],
    success: 200,
    answer: ['id', 'name'],
    errors: three,
  },
  {
    number: 17,
    method: 'POST',
    path: '/v1/domains/',
    body: ['value', 'organization_id'],
    success: 201,
    answer: acknowledgement,
    errors: six,
  },
  {
    number: 18,
    method: 'GET',
    path: '/v1/organizations/{organization_id}/domains/{domain_id}',
    body: [],
    success: 200,
    answer: domain,
    more: ['verification_result', 'last_checked'],
    errors: three,
  },
  {
    number: 19,
    method: 'POST',
    path: '/v1/organizations/{organization_id}/beacons/',
    body: ['name', 'allowed_cidrs', 'dns_server', 'interface_name'],
    success: 201,
    answer: beacon,
    errors: six,
  },
  {
    number: 20,
    method: 'PATCH',
    path: '/v1/organizations/{organization_id}/beacons/{beacon_id}',
    body: ['name', 'allowed_cidrs', 'dns_server'],
    success: 200,
    answer: beacon,
    errors: five,
  },
  {
    number: 21,
    method: 'DELETE',
    path: '/v1/organizations/{organization_id}/beacons/{beacon_id}',
    body: [],
    success: 204,
    answer: [],
    errors: three,
  },
  {
    number: 22,
    method: 'GET',
    path: '/v1/reports/{report_id}/',
    body: [],
    success: 200,
    answer: report,
    errors: three,
  },
  {
    number: 23,
    method: 'GET',
    path: '/v1/reports/{report_id}/download',
    body: [],
    success: 200,
    answer: [],
    errors: four,
    missing: 'the generation of reports',
  },
  {
    number: 24,
    method: 'POST',
    path: '/v1/jobs/check',
    body: job,
    success: 200,
    answer: [...job, 'valid'],
    more: ['reason'],
    errors: [400, 401],
    missing: jobs,
  },
  {
    number: 25,
    method: 'POST',
    path: '/v1/jobs/launch',
    body: job,
    success: 201,
    answer: ['url', 'uuid'],
    errors: [400, 401],
    missing: jobs,
  },
  {
    number: 26,
    method: 'GET',
    path: '/v1/audit-logs/',
    body: [],
    success: 200,
    answer: ['total', 'page', 'per_page', 'audit_logs'],
    errors: [401, 403],
  },
  {
    number: 27,
    method: 'PUT',
    path: '/v1/settings/default-event-duration/',
    body: ['duration', 'unit'],
    success: 200,
    answer: acknowledgement,
    errors: [400, 401, 403, 422],
  },
  {
    number: 28,
    method: 'GET',
    path: '/v1/version',
    body: [],
    success: 200,
    answer: ['version', 'api'],
    errors: [401, 403],
  },
];

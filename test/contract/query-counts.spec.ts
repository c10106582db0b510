import { useApi } from '../support/api';
import { currentContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, type Person } from '../support/factories';
import { type RecordIds, tenantWithRecords } from '../support/records';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

/**
 * The number of SQL statements of each read, without authentication. It must not depend on the number of rows. The organization
 * has an accepted check: without one, lists of findings, a finding and an asset need three fewer.
 */
const declared: Record<string, number> = {
  getVersion: 0,
  getMe: 1,
  getEnums: 0,
  listOrganizations: 1,
  listMembers: 2,
  listGroups: 2,
  getGroup: 2,
  listInvitations: 2,
  getSla: 2,
  // The organization, the entries, and how many are unread; of entries also each kind of record.
  listInbox: 3,
  getMyMail: 2,
  getMailSettings: 2,
  getTracker: 1,
  listTrackers: 2,
  listTickets: 2,
  getTicket: 2,
  getChannel: 1,
  listChannels: 2,
  getSecondLook: 1,
  getRefusalSetting: 1,
  getAgentWrites: 1,
  getSecondApproval: 1,
  listApprovals: 2,
  getAcceptance: 1,
  getSignInRules: 2,
  getObservationSettings: 1,
  getAssetObservation: 2,
  getObservation: 1,
  // The asset, the hosts and their ports.
  listObservedHosts: 3,
  listAssetChanges: 2,
  listChanges: 2,
  // The organization, the positions of new entries, and the entries.
  readFeed: 3,
  listApiKeys: 1,
  downloadOrganizationLogo: 2,
  // The organization, the page, the total, and the audit entry for the read.
  listAuditLogs: 4,
  listAuditHeads: 2,
  proveAuditConsistency: 3,
  proveAuditInclusion: 3,
  downloadAuditProofs: 4,
  getAsset: 7,
  listChecksAcceptedOnMany: 2,
  getOrganizationAsset: 1,
  listAssets: 1,
  listAcceptedChecks: 2,
  listReferences: 2,
  listAccounts: 2,
  getAccount: 2,
  getDomain: 1,
  listDomains: 2,
  getBeacon: 2,
  listBeacons: 3,
  listDiscoveries: 3,
  // The discovery, and the assets with the addresses of its candidates.
  getDiscovery: 2,
  // The schedule, and its runs.
  getSchedule: 2,
  listSchedules: 2,
  getWebhook: 1,
  listWebhooks: 2,
  listWebhookDeliveries: 2,
  listEvents: 2,
  listAllEvents: 1,
  getEvent: 1,
  downloadEventPicture: 2,
  // The event, its targets, jobs, findings and refusals, and before it starts its scope and the assets of the organization.
  getEventProgress: 10,
  getEventScope: 3,
  getScopeAsset: 3,
  listEventFindings: 4,
  getFinding: 4,
  listFindings: 4,
  // With its dry run. After the run, what became of its findings is another.
  getFindingSelection: 1,
  explainFindingPriority: 1,
  listFindingHistory: 2,
  getFindingEdits: 1,
  listFindingAttachments: 2,
  // The attachment, and its only chunk.
  downloadFindingAttachment: 2,
  getRetest: 2,
  getEventRetest: 3,
  getRetestEvidence: 3,
  getFindingBaseline: 4,
  listEvidenceKeys: 1,
  listChecks: 1,
  // A built-in check; a template needs one.
  getCheck: 0,
  listJobs: 1,
  // With what it could not complete; of an active job also what it has found and tested.
  getJob: 7,
  listPointsOfJob: 2,
  listLeftOutOfJob: 2,
  listWrittenByJob: 2,
  getRequestsOfJob: 2,
  getJobStatus: 1,
  getJobSuccess: 8,
  getJobEvidence: 3,
  // The job, the findings of its gate, its coverage, and the snapshot of each table.
  getJobReport: 25,
  // With the findings that are merged into it.
  listFindingSightings: 3,
  listEventImports: 2,
  listImports: 2,
  getImportTemplate: 0,
  getImport: 1,
  listImportRows: 2,
  listImportProposals: 2,
  // Of a finding whose sightings carry nothing.
  listFindingProposals: 2,
  listReports: 1,
  getReport: 1,
  // The report with its file, and each of its two chunks.
  downloadReport: 3,
};

let owner: Person;
let ids: RecordIds;

beforeAll(async () => {
  ({ owner, ids } = await tenantWithRecords(make));
  // The details of a job are read only when it has ended.
  const coverage = [{ check: 'exposed-git', location: 'https://example.com/.git/HEAD', outcome: 'not_vulnerable' }];
  await query("UPDATE jobs SET status = 'FINISHED', finished = now(), coverage = $2 WHERE uuid = $1", [
    ids.uuid,
    JSON.stringify(coverage),
  ]);
  await owner.client.get('/v1/version');
});

const reads = (): [string, string][] =>
  Object.entries(currentContract().document.paths).flatMap(([path, item]) =>
    // A connection of a beacon is no read, and not for API keys.
    item.get === undefined || path === '/v1/beacons/connect'
      ? []
      : [[(item.get as { operationId: string }).operationId, path] as [string, string]],
  );

it('every read route declares its number of SQL statements', () => {
  expect(
    reads()
      .map(([id]) => id)
      .sort(),
  ).toEqual(Object.keys(declared).sort());
});

it.each(Object.entries(declared))('%s needs %i SQL statements', async (id, count) => {
  const [, path] = reads().find(([operation]) => operation === id) ?? ['', ''];
  const filled =
    path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(ids[name])) +
    (id === 'proveAuditConsistency' ? '?first=1&second=1' : '');
  // The second request, because the first one fills caches.
  await owner.client.get(filled);
  const statements = await statementsOf(async () => expect((await owner.client.get(filled)).status).toBe(200));
  expect(statements.map(({ text }) => text)).toHaveLength(count);
});

it('searches for no accepted checks in an organization without one', async () => {
  const tenant = await make.organization();
  await make.finding(tenant.id);
  const { client } = await tenant.as('viewer');
  const read = () => client.get(`/v1/organizations/${tenant.id}/findings/`);
  await read();
  const statements = await statementsOf(async () => expect((await read()).body.findings).toHaveLength(1));
  expect(statements.filter(({ text }) => /JOIN accepted_checks|c\.covers|check_definition/.test(text))).toEqual([]);
});

/** With the audit entry, and without an event and an asset. */
it.each([
  ['creates', [], 8],
  ['sees again', [1], 7],
  ['reopens', [1, 5], 9],
] as const)(
  'a recording that %s a finding needs a fixed number of SQL statements',
  async (_outcome, statuses, count) => {
    const tenant = await make.organization();
    const draft = { title: 'Recorded', severity: 'high' };
    for (const status of statuses) {
      const { id } = await make.finding(tenant.id, draft);
      await query('UPDATE findings SET status = $2, stated_at = now() WHERE id = $1', [id, status]);
    }
    const statements = await statementsOf(() => make.finding(tenant.id, draft));
    expect(statements.map(({ text }) => text)).toHaveLength(count);
  },
);

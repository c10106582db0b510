import type { Role } from '../../src/kernel/role';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { currentContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';
import {
  accountDraft,
  importFile,
  inAnHour,
  logoFile,
  unknownIds,
  type RecordIds,
  tenantWithRecords,
} from '../support/records';

/** An address that the operator allows, so that it needs no verified domain. No worker tests it. */
const launchable = '127.0.0.1:8080';
const api = useApi({ EGRESS_ALLOW: launchable });
const make = new Factories(api);

// Canceled, so that workers of other tests do not run it.
afterAll(() =>
  query(
    `UPDATE work SET state = 'canceled', finished = now() WHERE state = 'waiting' AND kind <> 'organization.purge'`,
  ),
);

type Who = Role | 'integrator';

interface Row {
  readonly operation: string;
  readonly least: Who | 'any';
  readonly success: number;
  readonly body?: (ids: RecordIds) => object;
  /** Integrators who are no members are refused. */
  readonly isForMembers?: true;
}

/** The queries that operations need. */
const queryOf = (operation: string, ids: RecordIds): string =>
  ({ listAuditLogs: `?organization_id=${ids.organization_id}`, proveAuditConsistency: '?first=1&second=1' })[
    operation
  ] ?? '';

/**
 * The least role for each operation, in an order in which each request leaves what the next one needs. Rows with
 * `integrator` are refused to all other roles; in the other rows an integrator counts as owner. Every row is also sent by
 * people with a higher role in another organization, which tests both the guard and the check on the record.
 */
const table: readonly Row[] = [
  { operation: 'getVersion', least: 'any', success: 200 },
  { operation: 'getMe', least: 'any', success: 200 },
  { operation: 'getEnums', least: 'any', success: 200 },
  { operation: 'listOrganizations', least: 'any', success: 200 },
  { operation: 'listAuditLogs', least: 'admin', success: 200 },
  { operation: 'listAuditHeads', least: 'admin', success: 200 },
  { operation: 'proveAuditConsistency', least: 'admin', success: 200 },
  { operation: 'downloadAuditProofs', least: 'admin', success: 200 },
  { operation: 'proveAuditInclusion', least: 'admin', success: 200 },
  {
    operation: 'changeDefaultEventDuration',
    least: 'integrator',
    success: 200,
    body: () => ({ duration: 7, unit: 'days' }),
  },
  { operation: 'getSla', least: 'viewer', success: 200 },
  { operation: 'getAcceptance', least: 'viewer', success: 200 },
  { operation: 'changeAcceptance', least: 'admin', success: 200, body: () => ({ comment: true, until: false }) },
  { operation: 'getSignInRules', least: 'owner', success: 200 },
  { operation: 'changeSignInRules', least: 'owner', success: 200, body: () => ({ second_factor: 'off' }) },
  { operation: 'getSecondLook', least: 'viewer', success: 200 },
  { operation: 'getAgentWrites', least: 'viewer', success: 200 },
  { operation: 'getSecondApproval', least: 'viewer', success: 200 },
  { operation: 'changeSecondApproval', least: 'admin', success: 200, body: () => ({ second_approval: false }) },
  { operation: 'listApprovals', least: 'viewer', success: 200 },
  // It is decided.
  { operation: 'confirmApproval', least: 'admin', success: 409 },
  { operation: 'rejectApproval', least: 'admin', success: 409, body: () => ({}) },
  { operation: 'getRefusalSetting', least: 'viewer', success: 200 },
  { operation: 'getObservationSettings', least: 'viewer', success: 200 },
  { operation: 'changeObservationSettings', least: 'admin', success: 200, body: () => ({ enabled: false }) },
  { operation: 'changeSla', least: 'admin', success: 200, body: () => ({ high: 5 }) },
  { operation: 'changeAgentWrites', least: 'owner', success: 200, body: () => ({ mcp_write: true }) },
  {
    operation: 'changeRefusalSetting',
    least: 'owner',
    success: 200,
    body: () => ({ refusals_count_as_fixed: true }),
  },
  { operation: 'changeSecondLook', least: 'admin', success: 200, body: () => ({ hours: 12 }) },
  { operation: 'listInbox', least: 'viewer', success: 200 },
  { operation: 'readInbox', least: 'viewer', success: 200, body: () => ({}) },
  { operation: 'getMyMail', least: 'viewer', success: 200 },
  { operation: 'changeMyMail', least: 'viewer', success: 200, body: () => ({ done: true }), isForMembers: true },
  { operation: 'getMailSettings', least: 'viewer', success: 200 },
  {
    operation: 'createChannel',
    least: 'admin',
    success: 201,
    body: () => ({ name: unique('C'), kind: 'slack', url: 'https://hooks.slack.com/x' }),
  },
  {
    operation: 'createTracker',
    least: 'admin',
    success: 201,
    body: () => ({ name: unique('T'), kind: 'github', project: 'acme/shop' }),
  },
  { operation: 'listTrackers', least: 'admin', success: 200 },
  { operation: 'getTracker', least: 'admin', success: 200 },
  { operation: 'changeTracker', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },
  // It has no credentials.
  { operation: 'testTracker', least: 'admin', success: 409 },
  { operation: 'listTickets', least: 'admin', success: 200 },
  // The tracker is paused until a test has succeeded.
  { operation: 'openTickets', least: 'admin', success: 409, body: ({ finding_id }) => ({ finding_ids: [finding_id] }) },
  { operation: 'getTicket', least: 'viewer', success: 200 },
  { operation: 'openTicket', least: 'member', success: 422, body: () => ({}) },
  { operation: 'retryTicket', least: 'member', success: 409 },
  { operation: 'unlinkTicket', least: 'member', success: 200 },
  { operation: 'deleteTracker', least: 'admin', success: 200 },
  { operation: 'listChannels', least: 'admin', success: 200 },
  { operation: 'getChannel', least: 'admin', success: 200 },
  { operation: 'changeChannel', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },
  { operation: 'testChannel', least: 'admin', success: 202 },
  { operation: 'deleteChannel', least: 'admin', success: 200 },
  { operation: 'changeMailSettings', least: 'admin', success: 200, body: () => ({ titles: false }) },
  { operation: 'changeEvent', least: 'admin', success: 200, body: () => ({ dimension_type: 'branch office' }) },
  { operation: 'replaceEventPicture', least: 'admin', success: 204, body: () => logoFile() },
  { operation: 'downloadEventPicture', least: 'viewer', success: 200 },
  { operation: 'deleteEventPicture', least: 'admin', success: 204 },
  { operation: 'changeEventSecondLooks', least: 'admin', success: 200, body: () => ({ enabled: true }) },
  { operation: 'replaceOrganizationLogo', least: 'admin', success: 204, body: () => logoFile() },
  { operation: 'downloadOrganizationLogo', least: 'viewer', success: 200 },
  { operation: 'deleteOrganizationLogo', least: 'admin', success: 204 },
  { operation: 'createOrganization', least: 'integrator', success: 201, body: () => ({ name: unique('New') }) },

  { operation: 'listMembers', least: 'viewer', success: 200 },
  { operation: 'listGroups', least: 'viewer', success: 200 },
  { operation: 'createGroup', least: 'admin', success: 201, body: () => ({ name: unique('Group') }) },
  { operation: 'getGroup', least: 'viewer', success: 200 },
  { operation: 'changeGroup', least: 'admin', success: 200, body: () => ({ member_ids: [] }) },
  { operation: 'deleteGroup', least: 'admin', success: 200 },
  { operation: 'changeMember', least: 'owner', success: 200, body: () => ({ role: 'owner' }) },
  { operation: 'createPasswordReset', least: 'owner', success: 201 },
  { operation: 'removeMember', least: 'owner', success: 200 },
  {
    operation: 'createInvitation',
    least: 'owner',
    success: 201,
    body: () => ({ email: `${unique('new').replace(' ', '-')}@example.com`, role: 'owner' }),
  },
  { operation: 'listInvitations', least: 'owner', success: 200 },
  { operation: 'revokeInvitation', least: 'owner', success: 200 },
  { operation: 'createApiKey', least: 'any', success: 201, body: () => ({ label: 'own', scopes: ['write'] }) },
  { operation: 'listApiKeys', least: 'any', success: 200 },
  { operation: 'rotateApiKey', least: 'any', success: 200, body: () => ({}) },
  { operation: 'narrowApiKey', least: 'any', success: 200, body: () => ({ scopes: ['read'] }) },
  { operation: 'revokeApiKey', least: 'any', success: 200 },

  {
    operation: 'createAsset',
    least: 'member',
    success: 201,
    body: ({ organization_id }) => ({ organization_id, asset_value: 'role.example.com', asset_type: 'domain' }),
  },
  { operation: 'getAsset', least: 'viewer', success: 200 },
  { operation: 'changeAsset', least: 'member', success: 200, body: () => ({ tier: 2 }) },
  { operation: 'getOrganizationAsset', least: 'viewer', success: 200 },
  { operation: 'listAssets', least: 'viewer', success: 200 },
  {
    operation: 'acceptCheck',
    least: 'admin',
    success: 200,
    body: () => ({ reason: 'A staging site.', until: inAnHour() }),
  },
  {
    operation: 'acceptCheckOnMany',
    least: 'admin',
    success: 200,
    body: () => ({ reason: 'A staging site.', until: inAnHour() }),
  },
  { operation: 'listChecksAcceptedOnMany', least: 'viewer', success: 200 },
  { operation: 'deleteCheckAcceptedOnMany', least: 'admin', success: 200 },
  { operation: 'listAcceptedChecks', least: 'viewer', success: 200 },
  { operation: 'deleteAcceptedCheck', least: 'admin', success: 200 },
  { operation: 'listReferences', least: 'viewer', success: 200 },
  { operation: 'saveReference', least: 'admin', success: 200, body: () => ({ access_keys: [] }) },
  { operation: 'deleteReference', least: 'admin', success: 200 },
  { operation: 'listAccounts', least: 'viewer', success: 200 },
  { operation: 'getAccount', least: 'viewer', success: 200 },
  {
    operation: 'createAccount',
    least: 'admin',
    success: 201,
    body: ({ asset_host }) => ({ ...accountDraft(`https://${asset_host}`), name: unique('account') }),
  },
  { operation: 'changeAccount', least: 'admin', success: 200, body: () => ({ role: 'clerk' }) },
  { operation: 'resumeAccount', least: 'admin', success: 200 },
  { operation: 'signInAccount', least: 'admin', success: 422 },
  {
    operation: 'tryRecordedSignIn',
    least: 'admin',
    // It is no HAR.
    success: 400,
    body: () => new Blob(['{}'], { type: 'application/octet-stream' }),
  },
  { operation: 'deleteAccount', least: 'admin', success: 200 },
  { operation: 'getAssetObservation', least: 'viewer', success: 200 },
  { operation: 'changeAssetObservation', least: 'admin', success: 200, body: () => ({ observe_ports: '22,443' }) },
  // The domain of the asset is not verified.
  { operation: 'startObservation', least: 'member', success: 422 },
  { operation: 'getObservation', least: 'viewer', success: 200 },
  { operation: 'cancelObservation', least: 'member', success: 200 },
  { operation: 'listObservedHosts', least: 'viewer', success: 200 },
  { operation: 'listAssetChanges', least: 'viewer', success: 200 },
  { operation: 'listChanges', least: 'viewer', success: 200 },
  { operation: 'readFeed', least: 'viewer', success: 200 },
  {
    operation: 'createDomain',
    least: 'member',
    success: 201,
    body: ({ organization_id }) => ({ organization_id, value: 'roles.example.com' }),
  },
  { operation: 'getDomain', least: 'viewer', success: 200 },
  { operation: 'listDomains', least: 'viewer', success: 200 },
  { operation: 'verifyDomain', least: 'member', success: 200 },

  {
    operation: 'createBeacon',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'second', allowed_cidrs: ['10.0.0.0/8'] }),
  },
  { operation: 'getBeacon', least: 'viewer', success: 200 },
  { operation: 'listBeacons', least: 'viewer', success: 200 },
  { operation: 'changeBeacon', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },
  // No agent of the beacon is connected.
  { operation: 'startDiscovery', least: 'admin', success: 422, body: () => ({ cidrs: ['10.0.0.0/24'] }) },
  { operation: 'listDiscoveries', least: 'viewer', success: 200 },
  { operation: 'getDiscovery', least: 'viewer', success: 200 },
  { operation: 'addDiscoveredAssets', least: 'member', success: 200, body: () => ({}) },
  { operation: 'cancelDiscovery', least: 'admin', success: 200 },

  {
    operation: 'createSchedule',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'S', what: 'report', on: 'all', every_hours: 24 }),
  },
  {
    operation: 'previewSchedule',
    least: 'member',
    success: 200,
    body: () => ({ name: 'S', what: 'report', on: 'all', every_hours: 24 }),
  },
  { operation: 'listSchedules', least: 'member', success: 200 },
  { operation: 'getSchedule', least: 'member', success: 200 },
  { operation: 'changeSchedule', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },
  { operation: 'confirmSchedule', least: 'admin', success: 200 },
  { operation: 'deleteSchedule', least: 'admin', success: 200 },
  {
    operation: 'createWebhook',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'second', url: 'https://hooks.example.com/' }),
  },
  { operation: 'listWebhooks', least: 'admin', success: 200 },
  { operation: 'getWebhook', least: 'admin', success: 200 },
  { operation: 'changeWebhook', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },
  { operation: 'rotateWebhookSecret', least: 'admin', success: 200, body: () => ({ overlap_hours: 1 }) },
  { operation: 'testWebhook', least: 'admin', success: 202 },
  { operation: 'listWebhookDeliveries', least: 'admin', success: 200 },
  { operation: 'redeliver', least: 'admin', success: 202 },
  { operation: 'redeliverRange', least: 'admin', success: 202, body: () => ({ from: '2099-01-01' }) },
  { operation: 'deleteWebhook', least: 'admin', success: 200 },

  {
    operation: 'createEvent',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'E', event_type: 1, event_category: 1, start_date: '2098-01-01', end_date: '2099-01-01' }),
  },
  { operation: 'listEvents', least: 'viewer', success: 200 },
  { operation: 'listAllEvents', least: 'viewer', success: 200 },
  { operation: 'getEvent', least: 'viewer', success: 200 },
  { operation: 'getEventProgress', least: 'viewer', success: 200 },
  { operation: 'getEventScope', least: 'viewer', success: 200 },
  { operation: 'getScopeAsset', least: 'viewer', success: 200 },
  { operation: 'listEventFindings', least: 'viewer', success: 200 },
  {
    operation: 'recordFinding',
    least: 'member',
    success: 201,
    body: ({ asset_id }) => ({ title: unique('Found'), severity: 'low', asset_id }),
  },
  { operation: 'getFinding', least: 'viewer', success: 200 },
  {
    operation: 'createFindingSelection',
    least: 'member',
    success: 201,
    body: () => ({ action: { add_labels: ['mine'] } }),
  },
  { operation: 'listFindings', least: 'viewer', success: 200 },
  { operation: 'explainFindingPriority', least: 'viewer', success: 200 },
  { operation: 'getFindingEdits', least: 'viewer', success: 200 },
  { operation: 'listFindingHistory', least: 'viewer', success: 200 },
  { operation: 'changeFinding', least: 'member', success: 200, body: () => ({ labels: ['shop'] }) },
  { operation: 'commentFinding', least: 'member', success: 201, body: () => ({ comment: 'Seen.' }) },
  { operation: 'attachToFinding', least: 'member', success: 201, body: () => logoFile() },
  { operation: 'listFindingAttachments', least: 'viewer', success: 200 },
  { operation: 'downloadFindingAttachment', least: 'viewer', success: 200 },
  // It is that of the owner who made the records.
  { operation: 'deleteFindingAttachment', least: 'admin', success: 204 },
  // It is too old, for its author as well.
  { operation: 'editComment', least: 'member', success: 409, body: () => ({ comment: 'Seen again.' }) },
  {
    operation: 'separateFindings',
    least: 'member',
    success: 200,
    body: ({ merged_finding_id }) => ({ finding_ids: [merged_finding_id] }),
  },
  {
    operation: 'mergeFindings',
    least: 'member',
    success: 200,
    body: ({ merged_finding_id }) => ({ finding_ids: [merged_finding_id] }),
  },
  { operation: 'updateFindingStatus', least: 'member', success: 200, body: () => ({ status: 2 }) },
  { operation: 'updateFindingStatus', least: 'admin', success: 200, body: () => ({ status: 6, comment: 'accepted' }) },
  { operation: 'getRetestEvidence', least: 'viewer', success: 200 },
  { operation: 'startRetest', least: 'member', success: 202 },
  { operation: 'getRetest', least: 'viewer', success: 200 },
  { operation: 'getEventRetest', least: 'viewer', success: 200 },
  { operation: 'cancelRetest', least: 'member', success: 200 },
  { operation: 'startEventRetest', least: 'member', success: 202 },
  { operation: 'giveRetestVerdict', least: 'admin', success: 200, body: () => ({ result: 'inconclusive' }) },
  { operation: 'getFindingBaseline', least: 'viewer', success: 200 },
  // No retest has seen a new site.
  {
    operation: 'confirmFindingBaseline',
    least: 'admin',
    success: 409,
    body: () => ({ retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77' }),
  },
  {
    operation: 'confirmFindingRefusal',
    least: 'admin',
    success: 409,
    body: () => ({ retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77', reason: 'It is the fix.' }),
  },
  { operation: 'listEvidenceKeys', least: 'any', success: 200 },
  { operation: 'listChecks', least: 'any', success: 200 },
  { operation: 'getCheck', least: 'any', success: 200 },
  { operation: 'checkJob', least: 'viewer', success: 200, body: () => ({ url: 'https://unknown.example.com/' }) },
  { operation: 'launchJob', least: 'member', success: 201, body: () => ({ url: `http://${launchable}/` }) },
  { operation: 'listJobs', least: 'viewer', success: 200 },
  { operation: 'getJob', least: 'viewer', success: 200 },
  { operation: 'listPointsOfJob', least: 'viewer', success: 200 },
  { operation: 'listLeftOutOfJob', least: 'viewer', success: 200 },
  { operation: 'listWrittenByJob', least: 'viewer', success: 200 },
  { operation: 'getRequestsOfJob', least: 'viewer', success: 200 },
  { operation: 'getJobStatus', least: 'viewer', success: 200 },
  { operation: 'getJobEvidence', least: 'viewer', success: 409 },
  { operation: 'getJobSuccess', least: 'viewer', success: 200 },
  // The job has not finished.
  { operation: 'getJobReport', least: 'viewer', success: 409 },
  { operation: 'createJobReport', least: 'member', success: 409, body: () => ({}) },
  // The job has not finished.
  { operation: 'recordReference', least: 'member', success: 409, body: () => ({ reference: 'main' }) },
  { operation: 'cancelJob', least: 'member', success: 200 },
  { operation: 'listReports', least: 'viewer', success: 200 },
  { operation: 'getReport', least: 'viewer', success: 200 },
  { operation: 'downloadReport', least: 'viewer', success: 200 },
  { operation: 'createReport', least: 'member', success: 202, body: () => ({ options: { format: 'html' } }) },
  { operation: 'createOrganizationReport', least: 'member', success: 202, body: () => ({}) },
  { operation: 'importEventFindings', least: 'member', success: 202, body: () => importFile() },
  { operation: 'importFindings', least: 'member', success: 202, body: () => importFile() },
  { operation: 'listEventImports', least: 'viewer', success: 200 },
  { operation: 'listImports', least: 'viewer', success: 200 },
  { operation: 'getImportTemplate', least: 'any', success: 200 },
  { operation: 'getImport', least: 'viewer', success: 200 },
  { operation: 'listImportRows', least: 'viewer', success: 200 },
  // It has finished.
  { operation: 'cancelImport', least: 'member', success: 409 },
  { operation: 'listImportProposals', least: 'viewer', success: 200 },
  { operation: 'listFindingProposals', least: 'viewer', success: 200 },
  {
    operation: 'decideImportProposals',
    least: 'member',
    success: 200,
    body: () => ({ decision: 'decline', proposal_ids: [1] }),
  },
  { operation: 'undoImport', least: 'member', success: 202 },
  // It is no dry run, so there is no file.
  { operation: 'importFileOfDryRun', least: 'member', success: 409 },
  { operation: 'listFindingSightings', least: 'viewer', success: 200 },

  { operation: 'removeScopeAsset', least: 'admin', success: 200 },
  { operation: 'addScopeAsset', least: 'admin', success: 201, body: ({ asset_id }) => ({ asset_id, in_scope: true }) },
  { operation: 'changeEventStatus', least: 'admin', success: 200, body: () => ({ status: 'canceled' }) },
  { operation: 'deleteDomain', least: 'admin', success: 200 },
  { operation: 'deleteAsset', least: 'admin', success: 200 },
  { operation: 'rotateBeaconToken', least: 'admin', success: 200, body: () => ({}) },
  { operation: 'createBeaconRegistration', least: 'admin', success: 201 },
  { operation: 'createBeaconDeletion', least: 'admin', success: 201 },
  { operation: 'deleteBeacon', least: 'admin', success: 204 },
  { operation: 'deleteOrganization', least: 'integrator', success: 200 },
];

/**
 * Operations with credentials of another kind, without a role, one that answers with a status for each record, and those on
 * records of one user: test/e2e/finding-bulk.spec.ts and finding-selections.spec.ts.
 */
const withoutOneRole = new Set([
  'reportBeacon',
  'connectBeacon',
  'registerBeacon',
  'deleteOwnBeacon',
  'changeFindings',
  'getFindingSelection',
  'runFindingSelection',
  'undoFindingSelection',
]);

const ranks: readonly (Who | 'any')[] = ['any', 'viewer', 'member', 'admin', 'owner', 'integrator'];
const isAllowed = (who: Who, least: Who | 'any'): boolean => ranks.indexOf(who) >= ranks.indexOf(least);

interface Caller {
  readonly client: Client;
  readonly ids: RecordIds;
}

async function callerIn(who: Who, roleInOtherOrganization?: Role): Promise<Caller> {
  const { client, ids } = who === 'integrator' ? await integrator() : await member(who, roleInOtherOrganization);
  await make.asset(ids.organization_id, { value: `http://${launchable}/`, type: 'url' });
  const ownKey = await client.post('/v1/api-keys/', { label: 'own', scopes: ['read'] });
  return { client, ids: { ...ids, key_id: ownKey.body.id } };
}

async function integrator(): Promise<Caller> {
  const { client, integratorId } = await make.integrator({ machineEvents: true });
  return { client, ids: (await tenantWithRecords(make, integratorId)).ids };
}

/** A member of the organization of the records, optionally with a role in another organization. */
async function member(role: Role, roleInOtherOrganization?: Role): Promise<Caller> {
  const { ids } = await tenantWithRecords(make);
  const userId = await make.user();
  await make.membership(userId, ids.organization_id, role);
  if (roleInOtherOrganization !== undefined)
    await make.membership(userId, (await make.organization()).id, roleInOtherOrganization);
  return { client: (await make.person(userId)).client, ids };
}

function routeOf(operation: string): { method: string; path: string } {
  for (const [path, item] of Object.entries(currentContract().document.paths)) {
    for (const [method, found] of Object.entries(item)) {
      if ((found as { operationId: string }).operationId === operation) return { method: method.toUpperCase(), path };
    }
  }
  throw new Error(`${operation} is not an operation`);
}

it('the table of roles lists every operation', () => {
  const all = Object.values(currentContract().document.paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect([...new Set([...table.map(({ operation }) => operation), ...withoutOneRole])].sort()).toEqual(all.sort());
});

/** Sends every row of the table and returns the responses that do not match the role. */
async function wrongAnswersFor(who: Who, { client, ids }: Caller): Promise<string[]> {
  const wrong: string[] = [];
  for (const { operation, least, success, body, isForMembers } of table) {
    const { method, path } = routeOf(operation);
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(ids[name]));
    const filter = queryOf(operation, ids);
    const { status, text } = await client.send(method, filled + filter, body?.(ids));
    const isRefused = !isAllowed(who, least) || (who === 'integrator' && isForMembers === true);
    const expected = isRefused ? 403 : success;
    if (status !== expected) wrong.push(`${operation}: ${status} instead of ${expected}: ${text}`);
  }
  return wrong;
}

it.each(['viewer', 'member', 'admin', 'owner', 'integrator'] as const)(
  'the role %s is allowed exactly the operations in the table',
  async (who) => expect(await wrongAnswersFor(who, await callerIn(who))).toEqual([]),
);

describe('in a suspended organization', () => {
  /** They change nothing of the organization: they check or preview something, or concern another one. */
  const changesNothing = new Set(['checkJob', 'previewSchedule', 'createOrganization', 'deleteOrganization']);
  /** Those of an integrator are for all its organizations. */
  const ofOwnKeys = new Set(['createApiKey', 'rotateApiKey', 'narrowApiKey', 'revokeApiKey']);

  it.each(['owner', 'integrator'] as const)(
    'every change by the role %s is a 403 that says so, every read goes on, and it can be deleted',
    async (who) => {
      const { client, ids } = await callerIn(who);
      const suspend = (isSuspended: boolean) =>
        query('UPDATE organizations SET suspended_at = CASE WHEN $2 THEN now() END WHERE id = $1', [
          ids.organization_id,
          isSuspended,
        ]);
      const wrong: string[] = [];
      for (const { operation, least, success, body, isForMembers } of table) {
        if (!isAllowed(who, least) || (who === 'integrator' && isForMembers === true)) continue;
        const { method, path } = routeOf(operation);
        const filled = path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(ids[name]));
        const filter = queryOf(operation, ids);
        const send = () => client.send(method, filled + filter, body?.(ids));
        await suspend(true);
        const { status, text } = await send();
        await suspend(false);
        const isOpen =
          method === 'GET' || changesNothing.has(operation) || (who === 'integrator' && ofOwnKeys.has(operation));
        // What the domain refuses in any case changes nothing either.
        const isRight = isOpen || success >= 400 ? status === success : status === 403 && text.includes('is suspended');
        if (!isRight) wrong.push(`${operation}: ${status}: ${text}`);
        // Leaves what the next rows need.
        const afterwards = isOpen ? undefined : await send();
        if (afterwards !== undefined && afterwards.status !== success)
          wrong.push(`${operation} afterwards: ${afterwards.text}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

it('refuses a caller who has the role in no organization before it reads the request', async () => {
  const { client } = await callerIn('viewer');
  const wrong = { nonsense: true };
  for (const path of ['/v1/assets/', '/v1/jobs/launch', `/v1/findings/${unknownIds.finding_id}/status`]) {
    expect((await client.post(path, wrong)).body.description).toBe(
      'This needs the role member or above in an organization.',
    );
  }
});

it.each([
  ['viewer', 'member'],
  ['viewer', 'owner'],
  ['member', 'admin'],
  ['member', 'owner'],
  ['admin', 'owner'],
  ['owner', 'viewer'],
] as const)(
  "the role %s in the record's organization decides although the caller has the role %s in another",
  async (here, roleInOtherOrganization) =>
    expect(await wrongAnswersFor(here, await callerIn(here, roleInOtherOrganization))).toEqual([]),
);

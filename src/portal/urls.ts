import type { Severity } from '../kernel/severity';
import type { FindingChangeFilter, ListFindingsQuery } from '../modules/findings';

/** The addresses of the pages of an organization. */
export const homeUrl = (organizationId: number): string => `/o/${organizationId}`;
export const inboxUrl = (organizationId: number, isUnread = false): string =>
  `/o/${organizationId}/inbox${isUnread ? '?unread=true' : ''}`;
export const mentionsUrl = (organizationId: number): string => `/o/${organizationId}/mentions`;
export const paletteUrl = (organizationId: number): string => `/o/${organizationId}/palette`;
export const overviewUrl = (organizationId: number): string => `/o/${organizationId}/overview`;

export const assetsUrl = (
  organizationId: number,
  filter: { readonly label?: string; readonly owner?: string } = {},
): string => {
  const query = new URLSearchParams(Object.entries(filter)).toString();
  return `/o/${organizationId}/assets${query === '' ? '' : `?${query}`}`;
};
export const assetUrl = (organizationId: number, assetId: number): string => `${assetsUrl(organizationId)}/${assetId}`;
export const fullTestsUrl = (organizationId: number, assetId: number): string =>
  `${assetUrl(organizationId, assetId)}/full-tests`;
export const accountsUrl = (organizationId: number, assetId: number): string =>
  `${assetUrl(organizationId, assetId)}/accounts`;
export const accountUrl = (organizationId: number, assetId: number, accountId: number): string =>
  `${accountsUrl(organizationId, assetId)}/${accountId}`;
/** The form with the HAR of a sign-in is sent to this path. */
export const HAR_PATH = /^\/o\/\d+\/assets\/\d+\/accounts\/\d+\/har$/;
export const observeUrl = (organizationId: number, assetId: number): string =>
  `${assetUrl(organizationId, assetId)}/observe`;
export const observationUrl = (organizationId: number, assetId: number): string =>
  `${assetUrl(organizationId, assetId)}/observation`;
export const assetChangesUrl = (organizationId: number, assetId: number): string =>
  `${assetUrl(organizationId, assetId)}/changes`;

export const activityUrl = (organizationId: number, { type }: { readonly type?: string } = {}): string =>
  `/o/${organizationId}/activity${type === undefined ? '' : `?type=${type}`}`;

export const approvalsUrl = (organizationId: number, status?: string): string =>
  `/o/${organizationId}/approvals${status === undefined ? '' : `?status=${status}`}`;

export const auditUrl = (organizationId: number): string => `/o/${organizationId}/audit`;

export const beaconsUrl = (organizationId: number): string => `/o/${organizationId}/beacons`;
export const beaconUrl = (organizationId: number, beaconId: number): string =>
  `${beaconsUrl(organizationId)}/${beaconId}`;
export const discoveriesUrl = (organizationId: number, beaconId: number): string =>
  `${beaconUrl(organizationId, beaconId)}/discoveries`;

export const domainsUrl = (organizationId: number): string => `/o/${organizationId}/domains`;

export const eventsUrl = (organizationId: number): string => `/o/${organizationId}/events`;
export const eventUrl = (organizationId: number, slug: string): string => `${eventsUrl(organizationId)}/${slug}`;

export const importsUrl = (organizationId: number): string => `/o/${organizationId}/imports`;
export const importUrl = (organizationId: number, importId: number): string =>
  `${importsUrl(organizationId)}/${importId}`;
/** The form with the file of a scanner is sent to this path. */
export const IMPORTS_PATH = /^\/o\/\d+\/imports$/;

export const groupsUrl = (organizationId: number): string => `/o/${organizationId}/settings/groups`;
export const membersUrl = (organizationId: number): string => `/o/${organizationId}/settings/members`;
export const accessUrl = (organizationId: number): string => `/o/${organizationId}/settings/access`;
export const endChecklistUrl = (organizationId: number): string => `/o/${organizationId}/checklist/end`;
export const OWN_KEYS_URL = '/settings/api';
export const turnOnObservationUrl = (organizationId: number): string => `/o/${organizationId}/observation`;
export const organizationUrl = (organizationId: number): string => `/o/${organizationId}/settings/organization`;
export const singleSignOnUrl = (organizationId: number): string => `/o/${organizationId}/settings/single-sign-on`;
export const notificationsUrl = (organizationId: number): string => `/o/${organizationId}/settings/notifications`;
export const slaUrl = (organizationId: number): string => `/o/${organizationId}/settings/findings`;
export const templatesUrl = (organizationId: number): string => `${slaUrl(organizationId)}/templates`;
export const newTemplateUrl = (organizationId: number): string => `${templatesUrl(organizationId)}/new`;
export const templateUrl = (organizationId: number, templateId: number): string =>
  `${templatesUrl(organizationId)}/${templateId}`;

export const reportsUrl = (organizationId: number): string => `/o/${organizationId}/reports`;
export const newReportUrl = (organizationId: number, about: Readonly<Record<string, string>> = {}): string =>
  `${reportsUrl(organizationId)}/new?${new URLSearchParams(about)}`.replace(/\?$/, '');
export const reportUrl = (organizationId: number, reportId: number): string =>
  `${reportsUrl(organizationId)}/${reportId}`;

export const schedulesUrl = (organizationId: number): string => `/o/${organizationId}/schedules`;
export const newScheduleUrl = (organizationId: number): string => `${schedulesUrl(organizationId)}/new`;
export const scheduleUrl = (organizationId: number, scheduleId: number): string =>
  `${schedulesUrl(organizationId)}/${scheduleId}`;

export const destinationsUrl = (noun: 'channel' | 'webhook' | 'tracker', organizationId: number): string =>
  `/o/${organizationId}/${noun}s`;
export const destinationUrl = (noun: 'channel' | 'webhook' | 'tracker', organizationId: number, id: number): string =>
  `${destinationsUrl(noun, organizationId)}/${id}`;

export const scansUrl = (organizationId: number): string => `/o/${organizationId}/scans`;
export const scanUrl = (organizationId: number, uuid: string): string => `${scansUrl(organizationId)}/${uuid}`;

/** What the links of the list of findings keep or change. */
export const FINDINGS_PARAMETERS = [
  'status',
  'severity',
  'asset_id',
  'assignee',
  'label',
  'owner',
  'check',
  'title',
  'belief',
  'verification',
  'import',
  'overdue',
  'due_before',
  'cwe',
  'kev',
  'epss_min',
  'merged_into',
  'ticket',
  'open',
  'max_severity',
  'asset_label',
  'due_in',
  'ends_in',
  'retest',
  'change',
  'since',
  'until',
  'grouped',
  'q',
  'sort',
] as const;

/** The filters that only the portal has. */
interface PortalFilters {
  readonly open?: boolean;
  readonly max_severity?: Severity;
  readonly asset_label?: string;
  readonly due_in?: number;
  readonly ends_in?: number;
  readonly retest?: 'verdict' | 'undecided' | 'running';
  readonly change?: FindingChangeFilter['kind'];
  readonly since?: Date;
  readonly until?: Date;
  /** False for a row for each finding. */
  readonly grouped?: boolean;
}

export type FindingsParameters = Partial<
  Pick<ListFindingsQuery, Exclude<(typeof FINDINGS_PARAMETERS)[number], keyof PortalFilters>>
> &
  PortalFilters;

/** The parameters as a query string, in a fixed order. */
export function queryStringOf(parameters: FindingsParameters): string {
  const given = FINDINGS_PARAMETERS.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]];
  });
  return new URLSearchParams(given).toString();
}

/** The list from its first page. */
export const findingsUrl = (organizationId: number, parameters: FindingsParameters = {}): string =>
  findingsUrlOf(organizationId, queryStringOf(parameters));
export const findingsUrlOf = (organizationId: number, query: string): string =>
  `/o/${organizationId}/findings${query === '' ? '' : `?${query}`}`;
/** The shown list with one of its groups opened, at a page of its findings, or with none. */
export function openedUrl(shown: string, opened?: { readonly key: number; readonly part: number }): string {
  const [path = '', query] = shown.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['opened', 'part']) parameters.delete(name);
  if (opened !== undefined) parameters.set('opened', String(opened.key));
  if (opened !== undefined && opened.part > 1) parameters.set('part', String(opened.part));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
export const findingUrl = (organizationId: number, findingId: number): string =>
  `/o/${organizationId}/findings/${findingId}`;
/** What refused its last retest. */
export const refusalUrl = (organizationId: number, findingId: number): string =>
  `${findingUrl(organizationId, findingId)}/baseline/refusal`;
export const editFindingUrl = (organizationId: number, findingId: number): string =>
  `${findingUrl(organizationId, findingId)}/edit`;
/** The forms with files that are attached to a finding. */
export const ATTACHMENTS_PATH = /^\/o\/\d+\/findings\/(?:new|new\/preview|\d+\/attachments)$/;
export const attachmentsUrl = (organizationId: number, findingId: number): string =>
  `${findingUrl(organizationId, findingId)}/attachments`;
export const newFindingUrl = (organizationId: number, assetId?: number): string =>
  `/o/${organizationId}/findings/new${assetId === undefined ? '' : `?asset_id=${assetId}`}`;
export const bulkUrl = (organizationId: number): string => `/o/${organizationId}/findings/bulk`;
export const selectionUrl = (organizationId: number, selectionId: number): string =>
  `/o/${organizationId}/findings/selections/${selectionId}`;
export const claimsFormUrl = (organizationId: number): string => `/o/${organizationId}/findings/claims`;
export const columnsFormUrl = (organizationId: number): string => `/o/${organizationId}/findings/columns`;
export const findingsExportUrl = (organizationId: number, parameters: FindingsParameters, format: string): string =>
  `/o/${organizationId}/findings/export?${queryStringOf(parameters)}&format=${format}`;
export const viewsUrl = (organizationId: number): string => `/o/${organizationId}/findings/views`;

/** The folders of records whose pages have their ids. */
const FOLDERS: Readonly<Partial<Record<string, string>>> = {
  asset: 'assets',
  beacon: 'beacons',
  channel: 'channels',
  event: 'events',
  finding: 'findings',
  import: 'imports',
  job: 'scans',
  report: 'reports',
  schedule: 'schedules',
  tracker: 'trackers',
  webhook: 'webhooks',
};

/** Undefined if the kind has no page, or this is no id. */
export function recordUrl(organizationId: number, kind: string, id: string): string | undefined {
  const folder = FOLDERS[kind];
  return folder !== undefined && /^[\w-]+$/.test(id) ? `/o/${organizationId}/${folder}/${id}` : undefined;
}

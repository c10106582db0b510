import { useApi } from '../support/api';
import type { Answer } from '../support/client';
import { currentContract } from '../support/contract';
import { Factories, type Person } from '../support/factories';
import { type RecordIds, logoFile, tenantWithRecords } from '../support/records';

const api = useApi();
const make = new Factories(api);

interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly responses: Record<string, { readonly headers?: Record<string, { readonly $ref?: string }> }>;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Documented;
}

/** POSTs below a record with an ETag that have no If-Match. */
const unconditional: Record<string, string> = {
  commentFinding: 'adds to the history, and changes nothing of the finding',
  startRetest: 'adds a retest',
  createAccount: 'adds an account',
  signInAccount: 'adds a sign-in',
  resumeAccount: 'ends a stop; resuming it again changes nothing',
  giveRetestVerdict: 'ends a retest, which has no ETag; the second verdict is a 409',
  cancelRetest: 'ends a retest, which has no ETag; canceling it again changes nothing',
  startObservation: 'adds an observation',
  testChannel: 'sends a test, and changes nothing',
  testTracker: 'reads the tracker, and changes nothing of its settings',
  openTickets: 'adds tickets',
  openTicket: 'adds a ticket; the second one is a 409',
  retryTicket: 'tries a step again, and changes nothing that a person has set',
  rotateBeaconToken: 'replaces a token, which no read shows',
  createBeaconRegistration: 'adds a token, which no read shows',
  createBeaconDeletion: 'adds a token, which no read shows',
  startDiscovery: 'adds a discovery',
  cancelDiscovery: 'ends a discovery, which has no ETag; canceling it again changes nothing',
  addDiscoveredAssets: 'adds assets',
  verifyDomain: 'looks up a record, and decides nothing that another caller could overwrite',
  addScopeAsset: 'adds an asset to the scope',
  recordFinding: 'adds a finding',
  startEventRetest: 'adds a retest',
  createReport: 'adds a report',
  importEventFindings: 'adds an import',
  testWebhook: 'adds a delivery',
  redeliver: 'sends a message again, and changes nothing of the webhook',
  redeliverRange: 'sends messages again, and changes nothing of the webhook',
};

/** With If-Match, in another spec. */
const testedElsewhere: Record<string, string> = {
  confirmFindingRefusal: 'needs a refused retest: test/e2e/blocked-retests.spec.ts',
  confirmFindingBaseline: 'needs a retest of a changed site: test/e2e/confirmed-baselines.spec.ts',
};

const bodies: Record<string, () => unknown> = {
  updateFindingStatus: () => ({ status: 3 }),
  changeFinding: () => ({ labels: ['changed'] }),
  mergeFindings: () => ({ finding_ids: [ids.merged_finding_id] }),
  separateFindings: () => ({ finding_ids: [ids.merged_finding_id] }),
  changeSla: () => ({ critical: 3 }),
  changeAcceptance: () => ({ comment: true, until: false }),
  changeSignInRules: () => ({ second_factor: 'off', key_days: 90 }),
  changeAgentWrites: () => ({ mcp_write: true }),
  changeSecondApproval: () => ({ second_approval: false }),
  changeRefusalSetting: () => ({ refusals_count_as_fixed: true }),
  changeSecondLook: () => ({ hours: 12 }),
  changeMyMail: () => ({ done: true }),
  changeChannel: () => ({ name: 'renamed' }),
  changeTracker: () => ({ name: 'renamed' }),
  changeMailSettings: () => ({ titles: false }),
  changeObservationSettings: () => ({ enabled: false }),
  changeAssetObservation: () => ({ observe: false }),
  changeEventSecondLooks: () => ({ enabled: true }),
  changeWebhook: () => ({ name: 'renamed' }),
  rotateWebhookSecret: () => ({ overlap_hours: 1 }),
  changeAccount: () => ({ role: 'editor' }),
  changeAsset: () => ({ tier: 2 }),
  changeBeacon: () => ({ name: 'renamed' }),
  changeEvent: () => ({ dimension_type: 'branch office' }),
  replaceEventPicture: logoFile,
  changeEventStatus: () => ({ status: 'paused' }),
  replaceOrganizationLogo: logoFile,
};

const routes = (): Route[] =>
  Object.entries(currentContract().document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Documented>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

const withoutSlash = (path: string): string => path.replace(/\/$/, '');
const takes = ({ operation }: Route, name: string): boolean =>
  (operation.parameters ?? []).some(({ $ref }) => $ref === `#/components/parameters/${name}`);
const isPaged = ({ operation }: Route): boolean => (operation.parameters ?? []).some(({ name }) => name === 'per_page');

let owner: Person;
let ids: RecordIds;

const filled = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(ids[name]));
/** The longest path of a read that is the path of the change, or above it. */
const readOf = ({ path }: Route): string =>
  routes()
    .filter((read) => takes(read, 'IfNoneMatch') && `${withoutSlash(path)}/`.startsWith(`${withoutSlash(read.path)}/`))
    .map((read) => read.path)
    .sort((one, other) => other.length - one.length)[0] ?? '';
const read = (route: Route): Promise<Answer> => owner.client.get(filled(readOf(route)));
const change = ({ method, path, operation }: Route, tag: string): Promise<Answer> =>
  owner.client.send(method, filled(path), bodies[operation.operationId]?.(), { 'if-match': tag });

beforeAll(async () => {
  ({ owner, ids } = await tenantWithRecords(make));
});

it('every change of a record that can be read takes If-Match, with a documented 412', () => {
  const readable = new Set(
    routes()
      .filter((route) => route.method === 'GET' && !isPaged(route))
      .map(({ path }) => withoutSlash(path)),
  );
  const changes = routes().filter(
    ({ method, path }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && readable.has(withoutSlash(path)),
  );
  expect(changes.length).toBeGreaterThan(8);
  expect(changes.filter((route) => !takes(route, 'IfMatch')).map(({ operation }) => operation.operationId)).toEqual([]);
  for (const route of routes())
    expect([route.path, '412' in route.operation.responses]).toEqual([route.path, takes(route, 'IfMatch')]);
});

it('every POST below a record with an ETag takes If-Match, or is listed with a reason', () => {
  const below = routes().filter((route) => route.method === 'POST' && readOf(route) !== '' && !takes(route, 'IfMatch'));
  expect(below.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(unconditional).sort());
});

it('every read with an ETag belongs to a change with If-Match', () => {
  const changed = new Set(
    routes()
      .filter((route) => takes(route, 'IfMatch'))
      .map(readOf),
  );
  const tagged = routes().filter((route) => takes(route, 'IfNoneMatch'));
  expect(tagged.map(({ path }) => path).sort()).toEqual([...changed].sort());
  for (const { operation } of tagged) expect(Object.keys(operation.responses['200']?.headers ?? {})).toContain('ETag');
});

it('every operation with If-Match refuses an old and a weak ETag, and accepts the current one', async () => {
  const isDelete = ({ method }: Route): number => Number(method === 'DELETE');
  const length = ({ path }: Route): number => path.length;
  const conditional = routes()
    .filter((route) => takes(route, 'IfMatch'))
    .filter(({ operation }) => !(operation.operationId in testedElsewhere))
    // Parts before the records that contain them.
    .sort((one, other) => isDelete(one) - isDelete(other) || length(other) - length(one));
  expect(conditional.length).toBeGreaterThan(11);
  for (const route of conditional) {
    const name = route.operation.operationId;
    const before = (await read(route)).headers.get('etag') ?? '';
    expect([name, before]).toEqual([name, expect.stringMatching(/^"[\w-]{32,64}"$/)]);
    for (const tag of ['"old"', `W/${before}`]) {
      const refused = await change(route, tag);
      expect([name, refused.status, refused.body]).toEqual([
        name,
        412,
        {
          code: 412,
          name: 'Precondition Failed',
          description: expect.stringContaining('Read it again with GET /v1/'),
          success: false,
        },
      ]);
    }
    expect([name, (await read(route)).headers.get('etag')]).toEqual([name, before]);
    const changed = await change(route, before);
    expect([name, changed.status]).toEqual([name, expect.any(Number)]);
    expect([name, changed.status < 300, changed.text]).toEqual([name, true, changed.text]);
    const after = (await read(route)).headers.get('etag');
    expect([name, changed.headers.get('etag')]).toEqual([name, route.method === 'DELETE' ? null : after]);
  }
});

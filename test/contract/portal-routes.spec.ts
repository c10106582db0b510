import { RequestMethod } from '@nestjs/common';
import { changeOf, changesNothing, isOpen, needsOwnSession } from '../../src/portal/http/route-metadata';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { fillPath, portalRoutes, type Route } from '../support/portal-routes';
import { type RecordIds, recordsOf } from '../support/records';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const routes = (): Route[] => portalRoutes(portal);

/** For the records of the test: their job has not ended, and their report is not HTML. */
const OTHER_STATUSES = new Map([
  ['/o/:organization/scans/:uuid/report', 409],
  ['/o/:organization/reports/:report_id/preview', 404],
]);

/** The parameters with records that `Places` reads. A test below expects that it does. */
const READ_BEFORE_HANDLERS = new Set([
  'asset_id',
  'beacon_id',
  'event_slug',
  'finding_id',
  'import_id',
  'report_id',
  'uuid',
]);

/** Their services read these with the organization of the path. */
const READ_BY_SERVICES = new Set([
  'account_id',
  'approval_id',
  'attachment_id',
  'channel_id',
  'tracker_id',
  'comment_id',
  'check_id',
  'reference',
  'delivery_id',
  'discovery_uuid',
  'domain_id',
  'group_id',
  'invitation_id',
  'key_id',
  'schedule_id',
  'selection_id',
  'template_id',
  'user_id',
  'view_id',
  'webhook_id',
]);

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

const unreadIn = (path: string): string[] => {
  const [first, ...names] = namesIn(path);
  if (first !== 'organization') return [];
  return names.filter((name) => !READ_BEFORE_HANDLERS.has(name) && !READ_BY_SERVICES.has(name));
};

const idsFor = (records: RecordIds) => ({ ...records, organization: records.organization_id });

describe('the routes of the portal', () => {
  it('that change something name their audit entry, or need no session, and others say that they change nothing', () => {
    const changing = routes().filter(({ method }) => method !== RequestMethod.GET);
    expect(changing.length).toBeGreaterThan(5);
    const unnamed = changing.filter(({ handler }) => {
      const context = { getHandler: () => handler } as Parameters<typeof changeOf>[0];
      return changeOf(context) === undefined && !isOpen(context) && !changesNothing(context);
    });
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it('that change something leave one audit entry each, also if a viewer sends the form without fields', async () => {
    const tenant = await make.organization();
    const ids = {
      ...(await recordsOf(tenant.id, await tenant.as('owner'))),
      session_id: 2_147_483_647,
      passkey_id: 1,
      token: 'x',
    };
    const viewer = await tenant.as('viewer');
    const browser = await signedInAs(api, portal, viewer);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/settings/sessions')).text)?.[1] ?? '';
    const operationsOf = async (): Promise<string[]> => {
      const rows = await query<{ operation: string }>('SELECT operation FROM audit_logs WHERE actor_id = $1', [
        String(viewer.userId),
      ]);
      return rows.map(({ operation }) => operation).sort();
    };
    const expected = await operationsOf();
    for (const { method, path, handler } of routes()) {
      const change = changeOf({ getHandler: () => handler });
      if (method !== RequestMethod.POST || change === undefined || path === '/sign-out') continue;
      const known = new Map<string, string | number>(Object.entries({ ...ids, organization: tenant.id }));
      await browser.post(
        path.replace(/:(\w+)/g, (_, name: string) => String(known.get(name) ?? 1)),
        { csrf },
      );
      expected.push(change.operation);
    }
    expect(expected.length).toBeGreaterThan(100);
    await eventually(async () => expect(await operationsOf()).toEqual(expected.sort()));
  });

  it('that change what is the user’s elsewhere need a session that no provider alone has opened', () => {
    const own = routes().filter(({ method, path, handler }) => {
      const isOfOrganization = path.startsWith('/o/') || path.startsWith('/settings/api');
      return method !== RequestMethod.GET && !isOfOrganization && !isOpen({ getHandler: () => handler });
    });
    const unprotected = own.filter(
      ({ handler, controller }) => !needsOwnSession({ getHandler: () => handler, getClass: () => controller }),
    );
    expect(own.length).toBeGreaterThan(8);
    expect(unprotected.map(({ name }) => name)).toEqual(['SignInController.signOut']);
  });

  it('are only GET and POST, which links and forms send', () => {
    const others = routes().filter(({ method }) => method !== RequestMethod.GET && method !== RequestMethod.POST);
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it('name no record that is read neither before the handler nor by a service', () => {
    expect(routes().flatMap(({ path }) => unreadIn(path))).toEqual([]);
  });

  it('with a record that nothing reads are reported', () => {
    expect(unreadIn('/o/:organization/hooks/:hook_id/calls/:asset_id')).toEqual(['hook_id']);
  });

  describe('with ids of another organization', () => {
    let browser: Browser;
    let own: ReturnType<typeof idsFor>;
    let foreign: ReturnType<typeof idsFor>;
    /** Of an organization of the same person. */
    let second: ReturnType<typeof idsFor>;

    beforeAll(async () => {
      const [mine, other] = [await make.organization(), await make.organization()];
      const owner = await mine.as('owner');
      own = idsFor(await recordsOf(mine.id, owner));
      foreign = idsFor(await recordsOf(other.id, await other.as('owner')));
      const also = await make.organization();
      await make.membership(owner.userId, also.id, 'owner');
      second = idsFor(await recordsOf(also.id, await also.as('owner')));
      browser = await signedInAs(api, portal, owner);
    });

    /** Not the pages of links: their tokens are credentials, and belong to no organization. */
    const pages = (): Route[] =>
      routes().filter(({ method, path }) => method === RequestMethod.GET && path.replace(':token', '').includes(':'));

    it('are pages that exist for their own organization', async () => {
      const answers = [];
      for (const { path } of pages()) answers.push(`${await browser.statusOf(fillPath(path, own))} ${path}`);
      expect(answers).toEqual(pages().map(({ path }) => `${OTHER_STATUSES.get(path) ?? 200} ${path}`));
    });

    it('are pages that do not exist, for each id in the path alone and for all', async () => {
      const answers: string[] = [];
      for (const { path } of pages()) {
        const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name as keyof typeof own);
        const mixed = [foreign, ...names.map((name) => ({ ...own, [name]: foreign[name] }))];
        for (const ids of mixed) answers.push(`${await browser.statusOf(fillPath(path, ids))} ${path}`);
      }
      expect(answers.length).toBeGreaterThan(pages().length);
      expect(answers.filter((answer) => !answer.startsWith('404'))).toEqual([]);
    });

    it('do not exist, pages and forms alike, for a record of another organization of the same person', async () => {
      const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(`/o/${own.organization}`)).text)?.[1] ?? '';
      const ofRecords = routes().filter(({ path }) => namesIn(path).some((name) => READ_BEFORE_HANDLERS.has(name)));
      const answers: string[] = [];
      for (const { method, path } of ofRecords) {
        const mixed = fillPath(path, { ...second, organization: own.organization });
        const { status } =
          method === RequestMethod.GET ? await browser.get(mixed) : await browser.post(mixed, { csrf });
        answers.push(`${status} ${RequestMethod[method]} ${path}`);
      }
      expect(answers.length).toBeGreaterThan(50);
      expect(answers.filter((answer) => !answer.startsWith('404'))).toEqual([]);
    });
  });
});

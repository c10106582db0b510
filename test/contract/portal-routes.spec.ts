import { RequestMethod } from '@nestjs/common';
import { changeOf, isOpen } from '../../src/portal/http/route-metadata';
import { useApi } from '../support/api';
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

const idsFor = (records: RecordIds) => ({ ...records, organization: records.organization_id });

describe('the routes of the portal', () => {
  it('that change something name their audit entry, or need no session', () => {
    const changing = routes().filter(({ method }) => method !== RequestMethod.GET);
    expect(changing.length).toBeGreaterThan(5);
    const unnamed = changing.filter(({ handler }) => {
      const context = { getHandler: () => handler } as Parameters<typeof changeOf>[0];
      return changeOf(context) === undefined && !isOpen(context);
    });
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it('are only GET and POST, which links and forms send', () => {
    const others = routes().filter(({ method }) => method !== RequestMethod.GET && method !== RequestMethod.POST);
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  describe('with ids of another organization', () => {
    let browser: Browser;
    let own: ReturnType<typeof idsFor>;
    let foreign: ReturnType<typeof idsFor>;

    beforeAll(async () => {
      const [mine, other] = [await make.organization(), await make.organization()];
      const owner = await mine.as('owner');
      own = idsFor(await recordsOf(mine.id, owner));
      foreign = idsFor(await recordsOf(other.id, await other.as('owner')));
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
  });
});

import type { Role } from '../../src/kernel/role';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const browserOf = async (tenant: Tenant, role: Role): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The texts of links and buttons, in order. */
const choicesIn = (html: string): string[] =>
  [...html.matchAll(/<(a|button)\b[^>]*>([^]*?)<\/\1>/g)].map(([, , text = '']) =>
    text.replace(/<[^>]*>/g, ' ').trim(),
  );

const palette = async (browser: Browser, { id }: Pick<Tenant, 'id'>, parameters: Record<string, string> = {}) =>
  browser.get(`/o/${id}/palette?${new URLSearchParams(parameters)}`);

describe('the box of the search', () => {
  it('opens the finding with this id, of this organization alone, unless there are filters', async () => {
    const [tenant, foreign] = [await make.organization(), await make.organization()];
    const { id } = await make.finding(tenant.id, { title: 'No digits' });
    const { id: other } = await make.finding(foreign.id);
    const person = await tenant.as('viewer');
    await make.membership(person.userId, foreign.id, 'viewer');
    const browser = await signedInAs(api, portal, person);
    for (const text of [`${id}`, `%23${id}`, `+%23${id}+`]) {
      const { status, headers } = await browser.get(`/o/${tenant.id}/findings?q=${text}&status=`);
      expect([status, headers.get('location')]).toEqual([303, `/o/${tenant.id}/findings/${id}`]);
    }
    expect((await browser.get(`/o/${tenant.id}/findings?q=${id}&severity=low`)).status).toBe(200);
    for (const text of [`${other}`, `%23${other}`, '0', '2147483648', `${id}+zzz`])
      expect((await browser.get(`/o/${tenant.id}/findings?q=${text}`)).text).toContain('No finding matches');
  });
});

describe('the palette of commands', () => {
  it('is a dialog of every page, for an organization', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'viewer');
    for (const path of [`/o/${tenant.id}`, '/settings/security', `/o/${tenant.id}/nothing`])
      expect((await browser.get(path)).text).toContain(`hx-get="/o/${tenant.id}/palette"`);
  });

  it.each([
    ['viewer', [], ['Scan a URL', 'Schedules', 'Settings: Webhooks', 'Settings: Audit log']],
    ['member', ['Scan a URL', 'Schedules'], ['Settings: Webhooks', 'Settings: Audit log']],
    ['admin', ['Scan a URL', 'Schedules', 'Settings: Webhooks', 'Settings: Audit log'], []],
  ] as const)('leads a %s to the pages of the role', async (role, offered, others) => {
    const tenant = await make.organization();
    const choices = choicesIn((await palette(await browserOf(tenant, role), tenant)).text);
    expect(choices).toEqual(expect.arrayContaining(['Home', 'Findings', 'Settings: Members', ...offered]));
    expect(choices.filter((choice) => (others as readonly string[]).includes(choice))).toEqual([]);
  });

  it('finds findings, assets, pages and organizations of the user, and nothing of others', async () => {
    const [tenant, own, foreign] = [await make.organization(), await make.organization(), await make.organization()];
    const word = unique('Word').replace(/\W/g, '').toLowerCase();
    for (const { id } of [tenant, own, foreign])
      await query('UPDATE organizations SET name = $2, folded_name = $2 WHERE id = $1', [id, `${word} ${id}`]);
    const person = await tenant.as('member');
    await make.membership(person.userId, own.id, 'viewer');
    const value = `${word}.example.com`;
    const { id } = await make.finding(tenant.id, { title: `A <b> & ${word}` });
    await make.asset(tenant.id, { value });
    await make.finding(foreign.id, { title: `Foreign ${word}` });
    const browser = await signedInAs(api, portal, person);
    const { text } = await palette(browser, tenant, { q: ` ${word.toUpperCase()} ` });
    expect(choicesIn(text)).toEqual([
      expect.stringContaining(`#${id} A &lt;b> &amp; ${word}`),
      value,
      `${word} ${own.id}`,
      `All findings with “${word.toUpperCase()}”`,
    ]);
    expect(choicesIn((await palette(browser, tenant, { q: `#${id}` })).text)[0]).toContain(`#${id} A`);
    expect(choicesIn((await palette(browser, tenant, { q: 'audit' })).text)).not.toContain('Settings: Audit log');
    expect((await palette(browser, foreign, { q: word })).status).toBe(404);
    expect((await palette(browser, tenant, { q: 'x'.repeat(201) })).status).toBe(400);
  });

  it('offers what the person may do with the finding of the page', async () => {
    const [tenant, foreign] = [await make.organization(), await make.organization()];
    const { id } = await make.finding(tenant.id, {
      checkId: 'missing-nosniff',
      checkDefinition: { location: 'https://a.example/' },
    });
    const actionsOf = async (role: Role, path: string): Promise<string[]> =>
      choicesIn((await palette(await browserOf(tenant, role), tenant, { path })).text).filter((choice) =>
        /^(Assign|Retest|Accept|Change status)/.test(choice),
      );
    const path = `/o/${tenant.id}/findings/${id}`;
    expect(await actionsOf('viewer', path)).toEqual([]);
    const ofMember = await actionsOf('member', `${path}/sightings`);
    expect(ofMember).toEqual(expect.arrayContaining(['Assign to me', 'Retest', 'Change status: In progress']));
    expect(ofMember).not.toContain('Accept risk…');
    expect(await actionsOf('admin', path)).toContain('Accept risk…');
    const other = await make.finding(foreign.id);
    const ofBoth = await tenant.as('owner');
    await make.membership(ofBoth.userId, foreign.id, 'owner');
    const browser = await signedInAs(api, portal, ofBoth);
    for (const organization of [tenant.id, foreign.id]) {
      const { text } = await palette(browser, tenant, { path: `/o/${organization}/findings/${other.id}` });
      expect(text).not.toContain(`#${other.id}`);
    }
    expect(await actionsOf('owner', `/o/${tenant.id}/findings/2147483647`)).toEqual([]);
    await query('UPDATE findings SET merged_into = $2 WHERE id = $1', [id, (await make.finding(tenant.id)).id]);
    expect(await actionsOf('owner', path)).toEqual([]);
  });

  it('assigns the finding to the person, and refuses if another person was assigned meanwhile', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('member');
    const browser = await signedInAs(api, portal, person);
    const { id } = await make.finding(tenant.id);
    const path = `/o/${tenant.id}/findings/${id}`;
    const { text } = await palette(browser, tenant, { path, q: 'assign' });
    const form = /<form[^>]*action="([^"]*)"[^]*?<\/form>/.exec(text)?.[0] ?? '';
    const fields = Object.fromEntries(
      [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect((await browser.post(`${path}/assignee`, fields)).status).toBe(303);
    expect(await query('SELECT assignee_id AS "to" FROM findings WHERE id = $1', [id])).toEqual([
      { to: person.userId },
    ]);
    expect(choicesIn((await palette(browser, tenant, { path })).text)).not.toContain('Assign to me');
    expect((await browser.post(`${path}/assignee`, fields)).status).toBe(412);
  });
});

import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { tenantWithRecords } from '../support/records';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

describe('the activity of an organization', () => {
  it('tells each kind of change in a sentence that leads to the record', async () => {
    const { owner, ids } = await tenantWithRecords(make);
    const { finding_id: finding, organization_id: organization } = ids;
    await query(`UPDATE findings SET title = 'Open <b>bucket</b>' WHERE id = $1`, [finding]);
    for (const change of [
      `UPDATE findings SET status = 3, labels = '{shop}', severity = 5 WHERE id = ${finding}`,
      `UPDATE findings SET verification = 'confirmed', verified_at = now() WHERE id = ${finding}`,
      `UPDATE jobs SET status = 'FINISHED', gate = 'failed', finished = now() WHERE uuid = '${ids.uuid}'`,
      `UPDATE reports SET error = 'It is too large.' WHERE id = ${ids.report_id}`,
      `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind, port)
       VALUES (gen_random_uuid(), ${organization}, ${ids.asset_id}, now(), 'port_opened', 22)`,
      `DELETE FROM domains WHERE id = ${ids.domain_id}`,
    ])
      await query(change);
    const browser = await signedInAs(api, portal, owner);
    const path = `/o/${organization}/activity`;
    const { text } = await browser.get(path);
    const link = `<a href="/o/${organization}/findings/${finding}"><bdi>Open &lt;b>bucket&lt;/b></bdi></a>`;
    expect(text).toContain(
      `${link} has changed: labels, status from open to in progress, severity from high to critical.`,
    );
    expect(text).toContain(`${link} was confirmed by a test.`);
    expect(text).toMatch(
      new RegExp(
        `The scan of <a href="/o/${organization}/scans/${ids.uuid}"><bdi>[^<]+</bdi></a> finished, and its gate fails.`,
      ),
    );
    expect(text).toContain(`<bdi>Report ${ids.report_id}</bdi></a> could not be generated.`);
    expect(text).toContain('shows a change: port opened, port 22.');
    expect(text).toMatch(/The domain <bdi>[^<]+<\/bdi> was deleted\./);
    expect(text).toContain(`href="${path}"`);
    const scans = (await browser.get(`${path}?type=job`)).text;
    expect(scans).toContain('its gate fails');
    expect(scans).not.toContain('was confirmed by a test');
    expect((await browser.get(`${path}?type=`)).text).toContain('was confirmed by a test');
    expect(await browser.statusOf(`${path}?type=nothing`)).toBe(400);
  });

  it('has pages, and names who was assigned and which comment was written', async () => {
    const tenant = await make.organization();
    const [member, other] = [await tenant.as('member'), await tenant.as('member')];
    await query(`UPDATE users SET name = 'Akiko Ito' WHERE id = $1`, [other.userId]);
    const { id } = await make.finding(tenant.id);
    await member.client.patch(`/v1/findings/${id}/`, { assignee_id: other.userId });
    const { body } = await member.client.post(`/v1/findings/${id}/comments/`, { comment: 'Seen.' });
    for (let number = 0; number < 50; number++) await make.finding(tenant.id);
    const browser = await signedInAs(api, portal, member);
    const path = `/o/${tenant.id}/activity`;
    const first = (await browser.get(`${path}?type=finding`)).text;
    expect(first.match(/was recorded/g)).toHaveLength(50);
    const [, next = ''] = /<a href="([^"]*before=\d+)">Earlier/.exec(first) ?? [];
    const { text } = await browser.get(next.replaceAll('&amp;', '&'));
    expect(text.match(/was recorded/g)).toHaveLength(1);
    expect(text).toContain(`href="/o/${tenant.id}/findings/${id}#comment-${body.id}"`);
    expect(text).toContain('has changed: assigned to Akiko Ito.');
    expect(text).not.toContain('Earlier');
    expect(text).not.toContain('data-stream');
    expect(await browser.statusOf(`${path}?before=0`)).toBe(400);
  });

  it('is shown live, in the order of the feed, and only to those who may read the organization', async () => {
    const tenant = await make.organization();
    const path = `/o/${tenant.id}/activity`;
    const browser = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await browser.get(path)).text).toContain('Nothing has happened yet');
    const stream = await browser.events(`${path}/stream?type=finding`);
    await make.asset(tenant.id);
    const { title } = await make.finding(tenant.id);
    const sent = await stream.readUntil('was recorded');
    expect(sent).toContain(title);
    expect(sent).not.toContain('was added');
    await stream.cancel();
    expect((await browser.get(`${path}/live`)).text).toMatch(/^<div id="live">/);
    const stranger = await signedInAs(api, portal, await (await make.organization()).as('owner'));
    for (const part of ['', '/live', '/stream']) expect(await stranger.statusOf(path + part)).toBe(404);
  });
});

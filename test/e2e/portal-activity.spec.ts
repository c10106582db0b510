import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { tenantWithRecords } from '../support/records';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

describe('the activity of an organization', () => {
  it('describes each kind of change in a sentence that links to the record', async () => {
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
      `${link} has changed: labels from none to shop, status from new to in progress, severity from high to critical.`,
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

  it('says who did it, a person or the service, and shows no states of work', async () => {
    const tenant = await make.organization();
    const [ada, bob, cleo] = [await tenant.as('admin'), await tenant.as('owner'), await tenant.as('member')];
    for (const [person, name] of [
      [ada, 'Ada'],
      [bob, 'Bob'],
      [cleo, 'Cleo'],
    ] as const)
      await query('UPDATE users SET name = $2 WHERE id = $1', [person.userId, name]);
    const { body: asset } = await bob.client.post('/v1/assets/', {
      organization_id: tenant.id,
      asset_value: 'activity.example.com',
      asset_type: 'domain',
    });
    await ada.client.patch(`/v1/assets/${asset.id}/`, { owner: `user:${cleo.userId}`, tier: 1 });
    const { body: two } = await bob.client.post('/v1/assets/', {
      organization_id: tenant.id,
      asset_value: 'two.example.com',
      asset_type: 'domain',
    });
    for (const [person, tier] of [
      [ada, 1],
      [bob, 2],
    ] as const)
      await person.client.patch(`/v1/assets/${two.id}/`, { tier });
    const { id } = await make.finding(tenant.id, {
      asset: { id: asset.id, value: 'activity.example.com', tier: 1, beaconId: null },
    });
    await ada.client.patch(`/v1/findings/${id}/`, { labels: ['shop'] });
    await bob.client.post(`/v1/findings/${id}/status`, { status: 3 });
    await cleo.client.post(`/v1/findings/${id}/comments/`, { comment: 'Seen.' });
    const other = await make.finding(tenant.id, { title: 'The same' });
    await bob.client.post(`/v1/findings/${id}/merge`, { finding_ids: [other.id] });
    await bob.client.delete(`/v1/organizations/${tenant.id}/members/${cleo.userId}`);
    const browser = await signedInAs(api, portal, ada);
    const rows = async (): Promise<string[]> =>
      [...(await browser.get(`/o/${tenant.id}/activity`)).text.matchAll(/<tr>(<td[^]*?)<\/tr>/g)].map(
        ([, cells = '']) =>
          cells
            .split('</td>')
            .slice(1, 3)
            .map((cell) => cell.replaceAll(/<[^>]*>/g, ''))
            .join(': '),
      );
    const finding = String(
      (await query<{ title: string }>('SELECT title FROM findings WHERE id = $1', [id]))[0]?.title,
    );
    expect(await rows()).toEqual([
      'Bob: The same has changed: merged into another finding.',
      `Assay: The same was recorded, with medium severity.`,
      `Cleo: ${finding} has a new comment.`,
      `Bob: ${finding} has changed: status from new to in progress.`,
      `Ada: ${finding} has changed: labels from none to shop.`,
      `Assay: ${finding} was recorded, with medium severity.`,
      // Two people in one minute: nobody is named.
      ': two.example.com has changed: tier from 1 to 2.',
      ': two.example.com has changed: tier from none to 1.',
      'Bob: two.example.com was added.',
      'Ada: activity.example.com has changed: tier from none to 1.',
      'Bob: activity.example.com was added.',
    ]);
    const { ids } = await tenantWithRecords(make);
    const owner = await signedInAs(api, portal, await make.member(ids.organization_id, 'owner'));
    for (const status of ['PENDING', 'IN_PROGRESS', 'FINISHED'])
      await query('UPDATE jobs SET status = $2, finished = CASE $2 WHEN $3 THEN now() END WHERE uuid = $1', [
        ids.uuid,
        status,
        'FINISHED',
      ]);
    const { text } = await owner.get(`/o/${ids.organization_id}/activity?type=job`);
    expect(text.match(/The scan of/g)).toHaveLength(2);
    expect(text).toMatch(/finished\.[^]*was started\./);
    expect(text).not.toMatch(/waits for a worker|is running/);
  });

  it('names who launched and who canceled, whatever the operation is called, and the service for what tests show', async () => {
    const { owner, ids } = await tenantWithRecords(make);
    const organization = ids.organization_id;
    await query(`UPDATE users SET name = 'Olga' WHERE id = $1`, [owner.userId]);
    const other = await make.member(organization, 'admin');
    await query(`UPDATE users SET name = 'Carl' WHERE id = $1`, [other.userId]);
    for (const [userId, operation, secondsAgo] of [
      [owner.userId, 'job.launch', 2],
      [other.userId, 'job.cancel', 1],
    ] as const)
      await query(
        `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category, resource_type, resource_id, status)
         VALUES (audit_logs_first_id(now() - make_interval(secs => $5)), now(), $1, 'user', $2, $3, 'jobs', 'job', $4, 'success')`,
        [organization, String(userId), operation, ids.uuid, secondsAgo],
      );
    await query(`UPDATE jobs SET status = 'CANCELED', finished = now() WHERE uuid = $1`, [ids.uuid]);
    await query(`UPDATE findings SET verification = 'refuted', verified_at = now() WHERE id = $1`, [ids.finding_id]);
    const event = await make.event(organization);
    await query(
      `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority) SELECT $2, id, organization_id, severity, priority
       FROM findings WHERE id = $1`,
      [ids.finding_id, event.id],
    );
    const { text } = await (await signedInAs(api, portal, owner)).get(`/o/${organization}/activity`);
    const who = (sentence: RegExp): string | undefined =>
      text
        .match(/<tr>(<td[^]*?)<\/tr>/g)
        ?.find((row) => sentence.test(row))
        ?.split('</td>')[1]
        ?.replaceAll(/<[^>]*>/g, '');
    expect(who(/The scan of [^]* was canceled\./)).toBe('Carl');
    expect(who(/The scan of [^]* was started\./)).toBe('Olga');
    expect(who(/was refuted by a test/)).toBe('Assay');
    const linked = await query(`SELECT 1 FROM feed_entries WHERE type = 'finding.linked' AND organization_id = $1`, [
      organization,
    ]);
    expect(linked.length).toBeGreaterThan(0);
    expect(text).not.toContain('further event');
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

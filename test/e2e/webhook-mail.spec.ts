import { MailQueue } from '../../src/modules/identity/mail-queue';
import { Factories } from '../support/factories';
import { eventually } from '../support/eventually';
import { useMailingInstallation } from '../support/mailing-installation';
import { createWebhook } from '../support/webhooks';

const installation = useMailingInstallation('webhooks');

it('a mail notifies the admin who saved a webhook that it is paused, with a link and without its URL', async () => {
  const make = new Factories(installation.api);
  const tenant = await make.organization();
  const { client, userId } = await tenant.as('admin');
  await tenant.as('owner');
  const hook = await createWebhook(client, tenant.id, { name: 'Tickets', url: 'https://hooks.invalid/s3cret' });
  await installation.rows(`UPDATE webhooks SET failing_since = now() - interval '3 days' WHERE id = $1`, [hook.id]);
  const [user] = await installation.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  await client.post('/v1/assets/', { organization_id: tenant.id, asset_value: 'a.example.com', asset_type: 'domain' });
  const mail = await eventually(async () => {
    const [sent] = installation.mailServer.mails;
    if (sent === undefined) throw new Error('no mail');
    return sent;
  });
  expect(mail.to).toEqual([user?.email]);
  expect(mail.source).toContain('Subject: A webhook of Assay is paused');
  expect(mail.source).toContain(`/o/${tenant.id}/webhooks/${hook.id}`);
  expect(mail.source).not.toContain('s3cret');
  await installation.quiet();
  expect(installation.mailServer.mails).toHaveLength(1);
});

it('a mail does not reach an admin who has left before it is sent', async () => {
  const make = new Factories(installation.api);
  const tenant = await make.organization();
  const stays = await tenant.as('admin');
  const { userId } = await (await make.organization()).as('admin');
  const queue = installation.api.app.get(MailQueue, { strict: false });
  for (const [receiver, subject] of [
    [userId, 'To one who has left'],
    [stays.userId, 'To one who stays'],
  ] as const)
    await queue.add({ kind: 'message', userId: receiver, organizationId: tenant.id, subject, text: 'Hello' });
  await installation.quiet();
  const subjects = installation.mailServer.mails.map(({ source }) => /^Subject: (To .*)$/m.exec(source)?.[1]);
  expect(subjects.filter((subject) => subject !== undefined)).toEqual(['To one who stays']);
});

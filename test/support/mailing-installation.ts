import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { createLog } from '../../src/platform/logging/log';
import { createPortal } from '../../src/portal/create-portal';
import { type RunningApi, type RunningWorker, startApi, startWorker, testConfig } from './api';
import { useContract } from './contract';
import { testDatabase } from './database';
import { eventually } from './eventually';
import { linkIn, type ReceivedMail, startMailServer } from './mail-server';

interface MailingInstallation {
  readonly api: RunningApi;
  readonly portal: { readonly url: string };
  readonly settings: Record<string, string>;
  readonly mailServer: Awaited<ReturnType<typeof startMailServer>>;
  rows<T extends object = Record<string, unknown>>(statement: string, values?: unknown[]): Promise<T[]>;
  sentTo(email: string): ReceivedMail[];
  /** The path of the link in the next mail to the address with this subject. */
  nextLink(email: string, subject: string): Promise<string>;
  /** Waits until no mail is to be sent. */
  quiet(): Promise<void>;
}

/** An installation of its own, without users, that sends mail. */
export function useMailingInstallation(suffix: string): MailingInstallation {
  let settings: Record<string, string> = {};
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;
  let api: RunningApi;
  let worker: RunningWorker;
  let app: NestExpressApplication;
  let database: Client;
  const portal = { url: '' };

  beforeAll(async () => {
    mailServer = await startMailServer();
    const { appUrl, ownerUrl } = await testDatabase(suffix);
    database = new Client({ connectionString: ownerUrl });
    await database.connect();
    settings = {
      DATABASE_URL: appUrl,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Assay <assay@example.com>',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    api = await startApi(settings);
    useContract(api.app);
    worker = await startWorker(settings);
    const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
    app = await createPortal(await testConfig(settings), log, api.app);
    await app.listen(0, '127.0.0.1');
    portal.url = await app.getUrl();
  });

  afterAll(async () => {
    await worker.stop();
    await app.close();
    await api.app.close();
    await database.end();
    await mailServer.close();
  });

  const taken = new Set<ReceivedMail>();
  const sentTo = (email: string): ReceivedMail[] => mailServer.mails.filter(({ to }) => to.includes(email));
  const rows = async <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
    (await database.query<T>(statement, values)).rows;

  return {
    portal,
    sentTo,
    rows,
    api: {
      get app() {
        return api.app;
      },
      get url() {
        return api.url;
      },
      get port() {
        return api.port;
      },
    },
    get settings() {
      return settings;
    },
    get mailServer() {
      return mailServer;
    },
    nextLink: async (email, subject) => {
      const mail = await eventually(() => {
        const next = sentTo(email).find((one) => !taken.has(one) && one.source.includes(`Subject: ${subject}`));
        if (next === undefined) throw new Error(`no mail "${subject}" to ${email}`);
        return Promise.resolve(next);
      });
      taken.add(mail);
      return new URL(linkIn(mail)).pathname;
    },
    quiet: () =>
      eventually(async () => {
        expect(await rows("SELECT 1 FROM work WHERE kind = 'mail.send' AND state IN ('waiting', 'running')")).toEqual(
          [],
        );
        expect(await rows('SELECT 1 FROM mails')).toEqual([]);
      }),
  };
}

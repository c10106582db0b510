import { Clock } from '../../src/kernel/clock';
import { DueMail } from '../../src/modules/notifications/work/due-mail';
import { ChannelWork } from '../../src/modules/notifications/work/channel-work';
import { NotificationPlanning } from '../../src/modules/notifications/work/notification-planning';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { everything } from '../../src/platform/api/scope';
import type { Claim } from '../../src/platform/work/claim';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { WorkRepository } from '../../src/platform/work/work.repository';
import type { RunningApi } from './api';
import { query } from './database';
import type { ReceivedMail } from './mail-server';

/** Runs the scheduled tasks and the work of notifications in this process, at a time that the test sets. */
export class NotificationTime {
  private now = Date.now();

  constructor(private readonly api: RunningApi) {}

  start(at: Date | string | number = Date.now()): void {
    this.now = new Date(at).getTime();
    jest.spyOn(this.api.app.get(Clock), 'now').mockImplementation(() => new Date(this.now));
  }

  set(at: Date | string | number): void {
    this.now = new Date(at).getTime();
  }

  advance(ms: number): void {
    this.now += ms;
  }

  plan(): Promise<void> {
    return this.api.app.get(NotificationPlanning, { strict: false }).run();
  }

  planChannels(): Promise<void> {
    return this.api.app.get(ChannelWork, { strict: false }).run();
  }

  /** As the scheduled task and the workers do with channels. Returns the errors of work that failed. */
  async runChannels(): Promise<string[]> {
    await this.planChannels();
    return this.work();
  }

  planDue(): Promise<void> {
    return this.api.app.get(DueMail, { strict: false }).run();
  }

  /** Plans what the feed has, and does all work that is due. Returns the errors of work that failed, which stays claimed. */
  async run(): Promise<string[]> {
    await this.plan();
    return this.work();
  }

  async work(): Promise<string[]> {
    const failures: string[] = [];
    for (const claim of await this.claim())
      await this.perform(claim).catch((error: unknown) => failures.push(String(error)));
    return failures;
  }

  /** As a worker does, whose earlier attempt may have been lost. */
  claim(): Promise<Claim[]> {
    return query<Claim>(
      `UPDATE work SET state = 'running', attempt = attempt + 1, lease_until = now() + interval '1 hour'
       WHERE kind LIKE 'notification.%' AND state IN ('waiting', 'running') AND run_at <= greatest($1, now())
       RETURNING id, kind, reference, organization_id AS "organizationId", attempt, failures`,
      [new Date(this.now)],
    );
  }

  async perform(claim: Claim): Promise<void> {
    const handler = this.api.app.get(WorkRegistry).handlerOf(claim.kind);
    const { audit, apply } = await handler.perform(claim, new AbortController().signal);
    await this.api.app.get(UnitOfWork).run(audit, everything('a test'), async () => {
      if (await this.api.app.get(WorkRepository, { strict: false }).finish(claim, 'done')) await apply();
    });
  }
}

export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  header(name: string): string | undefined;
}

/** The parts of a mail that Nodemailer has written. */
export function readMail({ source }: ReceivedMail): ReadMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string): string | undefined =>
    headers.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2);
  const boundary = /boundary="([^"]+)"/.exec(header('content-type') ?? '')?.[1];
  const body = rest.join('\r\n\r\n');
  const parts = boundary === undefined ? [`${head}\r\n\r\n${body}`] : body.split(`--${boundary}`).slice(1, -1);
  const partOf = (type: string): string => decoded(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '');
  return {
    subject: decodedWords(header('subject') ?? ''),
    text: partOf('text/plain'),
    html: partOf('text/html'),
    header,
  };
}

function decoded(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').replace(/\r\n$/, '');
  if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  return (/encoding: quoted-printable/i.test(head) ? decodedQuoted(body) : body).replaceAll('\r\n', '\n');
}

const decodedQuoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

const decodedWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) => decodedQuoted(word.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString());

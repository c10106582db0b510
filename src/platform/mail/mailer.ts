import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../config/load-config';

export interface MailText {
  /** Several recipients get one mail, and see each other's addresses. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;

/** Sends mail through the server in SMTP_URL. */
@Injectable()
export class Mailer {
  private readonly transport;

  constructor({ SMTP_URL: url, MAIL_FROM: from }: Config) {
    this.transport =
      url === undefined
        ? undefined
        : createTransport(
            {
              url,
              connectionTimeout: TIMEOUT_MS,
              greetingTimeout: TIMEOUT_MS,
              socketTimeout: TIMEOUT_MS,
              disableFileAccess: true,
              disableUrlAccess: true,
            },
            { from },
          );
  }

  get isEnabled(): boolean {
    return this.transport !== undefined;
  }

  async send({ to, subject, text, html, headers }: MailText): Promise<void> {
    if (this.transport === undefined) throw new Error('SMTP_URL is not set, so no mail can be sent');
    // Address objects, because a string is parsed and could name several recipients.
    const recipients = [to].flat().map((address) => ({ name: '', address }));
    const all = { 'Auto-Submitted': 'auto-generated', ...headers };
    try {
      await this.transport.sendMail({ to: recipients, subject, text, html, headers: all });
    } catch (error) {
      throw withoutAddresses(error);
    }
  }
}

/** The answers of mail servers often repeat the address, which must be neither in logs nor in the row of the work. */
function withoutAddresses(error: unknown): Error {
  const { code = 'unknown error', responseCode } = error as { code?: string; responseCode?: number };
  return new Error(`the mail server did not accept a mail: ${[code, responseCode].filter(Boolean).join(' ')}`);
}

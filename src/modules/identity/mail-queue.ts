import { Injectable } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, secretKeyOf, seal, unseal } from '../../platform/config/secret-key';
import { Mailer } from '../../platform/mail/mailer';
import { Work } from '../../platform/work/work';
import type { EndedCredentials } from './domain/ended-credentials';
import { MailsRepository } from './data/mails.repository';

export const MAIL_KIND = 'mail.send';

export interface MessageText {
  readonly subject: string;
  readonly text: string;
}

export type MailDraft =
  | {
      readonly kind: 'invitation';
      readonly to: string;
      readonly organization: string;
      readonly role: Role;
      readonly invitedBy: string;
      readonly link: string;
      readonly expires: string;
    }
  | ({ readonly kind: 'credentials_ended'; readonly userId: number } & EndedCredentials)
  /** To a member of an organization, who gets it only while it is one. */
  | ({ readonly kind: 'message'; readonly userId: number; readonly organizationId: number } & MessageText)
  /** To the user about their sign-in. */
  | ({ readonly kind: 'notice'; readonly userId: number } & MessageText)
  /** The worker creates the link, and sends nothing if there is no such user. */
  | { readonly kind: 'password_reset'; readonly foldedEmail: string };

const NAME = 'waiting mail';
const REMEDY = 'delete the rows of the table mails';

/** How the drafts of all mails are encrypted. */
export const sealedMail = { nameOf: () => NAME, remedy: REMEDY };

/** Mail that workers send. It is encrypted, because a link in it is a credential. */
@Injectable()
export class MailQueue {
  constructor(
    private readonly mails: MailsRepository,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly config: Config,
  ) {}

  get isEnabled(): boolean {
    return this.mailer.isEnabled;
  }

  /** Part of the current transaction. Does nothing if the service sends no mail. */
  async add(draft: MailDraft): Promise<void> {
    if (!this.isEnabled) return;
    const plain = Buffer.from(JSON.stringify(draft));
    const id = await this.mails.save(seal(plain, NAME, secretKeyOf(this.config)));
    await this.work.enqueue({ kind: MAIL_KIND, reference: String(id) });
  }

  async find(id: number): Promise<MailDraft | undefined> {
    const mail = await this.mails.find(id);
    if (mail === undefined) return undefined;
    return JSON.parse(unseal(mail.sealed, NAME, decryptionKeysOf(this.config), REMEDY).toString()) as MailDraft;
  }

  remove(id: number): Promise<void> {
    return this.mails.remove(id);
  }
}

import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import type { Addressee } from './data/personal-notices.repository';
import { isMailKind } from './domain/mail-kinds';

const TOKEN = /^(\d{1,10})\.(\d{1,10})\.([a-z_]{1,20})\.([\w-]{43})$/;

/** Of the links in mails that turn one kind of mail off. They do not expire, because mail is kept. */
@Injectable()
export class UnsubscribeTokens {
  private readonly signer: Signer;

  constructor(config: Config) {
    this.signer = new Signer(config, 'unsubscribe');
  }

  create({ organizationId, userId, kind }: Addressee): string {
    const text = `${organizationId}.${userId}.${kind}`;
    return `${text}.${this.signer.sign(text)}`;
  }

  /** Undefined if the service has not signed it. */
  read(token: string): Addressee | undefined {
    const [, organizationId = '', userId = '', kind = '', signature = ''] = TOKEN.exec(token) ?? [];
    if (!isMailKind(kind) || !this.signer.hasSigned(`${organizationId}.${userId}.${kind}`, signature)) return undefined;
    return { organizationId: Number(organizationId), userId: Number(userId), kind };
  }
}

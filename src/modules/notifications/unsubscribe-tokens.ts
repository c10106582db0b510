import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import { type AccessPath, AccessPaths } from '../identity';
import type { Addressee } from './data/personal-notices.repository';
import { isMailKind } from './domain/mail-kinds';

const TOKEN = /^(\d{1,10})\.(\d{1,10})\.([a-z_]{1,20})\.([\w-]{43})$/;

const NO_SIGN_IN = 'they turn one kind of mail off, and show nothing';

const linksInMail: AccessPath = {
  name: 'links in mail',
  tables: [],
  proved: NO_SIGN_IN,
  withdrawn: NO_SIGN_IN,
  new_password: NO_SIGN_IN,
  left: NO_SIGN_IN,
  signed_out: NO_SIGN_IN,
};

/** Of the links in mails that turn one kind of mail off. They do not expire, because mail is kept. */
@Injectable()
export class UnsubscribeTokens {
  private readonly signer: Signer;

  constructor(config: Config, paths: AccessPaths) {
    this.signer = new Signer(config, 'unsubscribe');
    paths.register(linksInMail);
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

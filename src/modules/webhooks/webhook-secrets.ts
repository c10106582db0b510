import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { Config } from '../../platform/config/load-config';
import { sealJson, unsealJson } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import type { Webhook } from './data/webhook.entity';
import { WebhooksRepository } from './data/webhooks.repository';
import type { SigningSecret } from './domain/signing';
import { secretsUnavailable } from './domain/webhook.errors';

/** The current one, and during a rotation the previous one. */
export interface WebhookSecretPair {
  readonly current: SigningSecret;
  readonly previous?: SigningSecret;
}

const NAME = 'the secret of a webhook';
const REMEDY = 'delete the webhooks and create them again';
const sealedSecret = { nameOf: () => NAME, remedy: REMEDY };

/** The secrets of webhooks, which SECRET_KEY encrypts. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly config: Config,
  ) {}

  seal(secrets: WebhookSecretPair): Buffer {
    return orThrow(sealJson(secrets, NAME, this.config), secretsUnavailable);
  }

  read({ sealed }: Pick<Webhook, 'sealed'>): WebhookSecretPair {
    return unsealJson(sealed, NAME, this.config, REMEDY) as WebhookSecretPair;
  }

  /** With which a message is signed. */
  inUse(webhook: Pick<Webhook, 'sealed' | 'previousUntil'>, now: Date): SigningSecret[] {
    const { current, previous } = this.read(webhook);
    const isOverlap = webhook.previousUntil !== null && webhook.previousUntil > now;
    return previous === undefined || !isOverlap ? [current] : [current, previous];
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.webhooks, sealedSecret, this.config, options);
  }
}

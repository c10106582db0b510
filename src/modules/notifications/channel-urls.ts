import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, findSecretKey, seal, unseal } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import type { Channel } from './data/channel.entity';
import { ChannelsRepository } from './data/channels.repository';

const NAME = 'the URL of a channel';
const REMEDY = 'delete the channels and create them again';

/** The URLs of channels are credentials: anyone who has one can post. SECRET_KEY encrypts them. */
@Injectable()
export class ChannelUrls {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly config: Config,
  ) {}

  seal(url: string): Buffer {
    const key = findSecretKey(this.config);
    if (key === undefined)
      throw unprocessable('The service cannot keep URLs of channels: its operator must set SECRET_KEY.');
    return seal(Buffer.from(url), NAME, key);
  }

  read({ sealed }: Pick<Channel, 'sealed'>): string {
    if (sealed === null) throw new Error('a channel for mail has no URL');
    return unseal(sealed, NAME, decryptionKeysOf(this.config), REMEDY).toString();
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.channels, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }
}

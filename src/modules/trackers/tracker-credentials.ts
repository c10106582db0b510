import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { Config } from '../../platform/config/load-config';
import { sealJson, unsealJson } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import type { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import { secretsUnavailable, tokenMissing } from './domain/tracker.errors';
import type { TrackerLogin } from './protocols/protocol';

const NAME = 'the credentials of a tracker';
const REMEDY = 'type the credentials of all trackers again';

/** With the login also the secret with which a tracker signs what it says to us. */
export interface TrackerSecrets extends TrackerLogin {
  readonly hookSecret: string;
}

/** The credentials of trackers, which SECRET_KEY encrypts. */
@Injectable()
export class TrackerCredentials {
  constructor(
    private readonly trackers: TrackersRepository,
    private readonly config: Config,
  ) {}

  seal(secrets: TrackerSecrets): Buffer {
    return orThrow(sealJson(secrets, NAME, this.config), secretsUnavailable);
  }

  read({ sealed }: Pick<Tracker, 'sealed'>): TrackerSecrets {
    if (sealed === null) throw tokenMissing();
    return unsealJson(sealed, NAME, this.config, REMEDY) as TrackerSecrets;
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.trackers, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { KeysRepository } from './data/keys.repository';
import { SessionsRepository } from './data/sessions.repository';
import { callingKeyRevoked, sessionEnded } from './domain/identity.errors';

/** The key or session of a request. What it creates would outlive it, so it must not have ended meanwhile. */
@Injectable()
export class CallingCredentials {
  constructor(
    private readonly keys: KeysRepository,
    private readonly sessions: SessionsRepository,
  ) {}

  /** Locks the user, so that what ends the credential waits for the transaction, and then ends what it has created. */
  async lock({ facts: { userId, key, signIn } }: Caller): Promise<void> {
    const exists = await this.sessions.lockUserOf(signIn?.sessionId, userId);
    if (key === null && !exists) throw sessionEnded();
    if (!exists || (key !== null && (await this.keys.isRevoked(key.id)))) throw callingKeyRevoked();
  }
}

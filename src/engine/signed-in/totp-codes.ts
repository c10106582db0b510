import { setTimeout as delay } from 'node:timers/promises';
import { bytesOfBase32, stepAt, totpCode } from '../../kernel/totp';
import type { Account } from './account';

/** The codes of one account. Applications take each only once. */
export class TotpCodes {
  private used = -1;

  private constructor(
    private readonly seed: Buffer,
    private readonly digits: number | undefined,
  ) {}

  /** Null without a seed. */
  static of({ recipe, secrets }: Account): TotpCodes | null {
    const seed = bytesOfBase32(secrets.totpSeed ?? '');
    return seed === null ? null : new TotpCodes(seed, recipe.totp?.digits);
  }

  now(): string {
    return totpCode(this.seed, stepAt(new Date()), this.digits);
  }

  /** A code that was not used before: it waits for the next one if necessary. */
  async unused(signal: AbortSignal): Promise<string> {
    while (stepAt(new Date()) <= this.used) await delay(500, undefined, { signal });
    this.used = stepAt(new Date());
    return totpCode(this.seed, this.used, this.digits);
  }
}

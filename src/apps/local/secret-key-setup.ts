import { StartRefused } from '../postgres/start-refused';
import type { LocalOptions } from './options';
import { SecretKey } from './secret-key';
import { describeExit } from './service';
import type { Services } from './services';
import type { StartOutput } from './start-output';

/** Stores the secret key of the embedded database, and retires the signing key that another one has encrypted. */
export class SecretKeySetup {
  constructor(
    private readonly options: LocalOptions,
    private readonly keyRetirer: string,
    private readonly services: Services,
    private readonly output: StartOutput,
  ) {}

  /**
   * Not for external databases, because their other workers may share another key. The signing key is retired before the new
   * secret key is stored, so that an interrupted start repeats it.
   */
  async keep(isNew: boolean, environment: NodeJS.ProcessEnv): Promise<void> {
    const key = new SecretKey(this.options.dataDir, this.options.secretKey);
    if (!isNew && key.hasChanged) await this.retireSigningKey(environment);
    key.store();
  }

  private async retireSigningKey(environment: NodeJS.ProcessEnv): Promise<void> {
    this.output.step('Retiring the signing key, because SECRET_KEY has changed');
    const exit = await this.services.run(this.keyRetirer, { ...environment, SECRET_KEY_FILE: '' });
    if (exit.code === 0) return;
    throw new StartRefused(`The old signing key could not be retired: the program exited ${describeExit(exit)}.`);
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalIp } from '../../kernel/cidr';
import { egressEntryText } from '../../kernel/egress-entry';
import type { Demo } from './demo-file';
import type { LocalOptions } from './options';
import { type ResolvedTarget, resolveOwnTargets } from './own-targets';
import { StartRefused } from '../postgres/start-refused';
import { describeExit } from './service';
import type { Services } from './services';
import { targetCommands, type TargetsOwner } from './target-commands';

const CONNECT_MS = 1_000;

/** Makes the applications of `--target` assets of an organization, and allows exactly their addresses and ports to it. */
export class OwnTargetsSetup {
  private targets: readonly ResolvedTarget[] = [];
  private owner: TargetsOwner | undefined;
  private readonly notListening = new Set<string>();

  constructor(
    private readonly options: LocalOptions,
    private readonly program: string,
    private readonly services: Services,
  ) {}

  get ports(): number[] {
    return this.targets.map(({ port }) => port);
  }

  get isEmpty(): boolean {
    return this.targets.length === 0;
  }

  /** Before anything is started, because it refuses targets. */
  async resolve(): Promise<void> {
    const { ownTargets } = this.options;
    if (ownTargets) this.targets = await resolveOwnTargets(ownTargets.targets, ownTargets.listeners);
  }

  /** Adds the assets, and returns the environment in which the API and the worker may test them. */
  async add(environment: NodeJS.ProcessEnv, demo: Demo | undefined): Promise<NodeJS.ProcessEnv> {
    if (this.isEmpty) return environment;
    const owner = await this.addAssets(environment, demo);
    this.owner = owner;
    const entries = await Promise.all(this.targets.map((target) => this.entriesOf(target, owner.id)));
    return { ...environment, EGRESS_ALLOW: [environment['EGRESS_ALLOW'], ...entries.flat()].filter(Boolean).join(',') };
  }

  /** The text for the banner; empty without targets. */
  commands(demo: Demo | undefined): string {
    const { owner, targets, notListening, options } = this;
    if (owner === undefined) return '';
    const users = demo?.organizations.find(({ id }) => id === owner.id)?.users;
    const user = users?.find(({ role }) => role === 'member');
    return targetCommands({ urls: targets.map(({ url }) => url), notListening, owner, user, baseUrl: options.baseUrl });
  }

  private async addAssets(environment: NodeJS.ProcessEnv, demo: Demo | undefined): Promise<TargetsOwner> {
    const folder = mkdtempSync(join(tmpdir(), 'assay-targets-'));
    const file = join(folder, 'owner.json');
    try {
      const exit = await this.services.run(this.program, {
        ...environment,
        OWN_TARGETS: JSON.stringify(this.targets.map(({ url }) => url)),
        OWNER_ID: String(demo?.organizations[0]?.id ?? ''),
        OWNER_FILE: file,
      });
      if (exit.code !== 0)
        throw new StartRefused(`The targets could not be added: the program exited ${describeExit(exit)}.`);
      const owner: TargetsOwner | null = JSON.parse(readFileSync(file, 'utf8'));
      if (owner !== null) return owner;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    throw new StartRefused(
      'The database has no organization that --target could add an asset to. Create one with the same DATABASE_URL: ' +
        'npm run cli -- create-organization "My company". Or add the demo data: npm start -- --demo --target ...',
    );
  }

  /** A name stands for those of its addresses where the application listens, or for all if it does not run yet. */
  private async entriesOf(target: ResolvedTarget, organizationId: number): Promise<string[]> {
    const { url, host, port, addresses } = target;
    const answers = await Promise.all(addresses.map((address) => accepts(address, port)));
    const listening = addresses.filter((_address, at) => answers[at]);
    if (listening.length === 0) this.notListening.add(url);
    const name = canonicalIp(host) === null ? host : undefined;
    return (listening.length === 0 ? addresses : listening).map((address) =>
      egressEntryText({ address, port, organizationId, name }),
    );
  }
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../../src/engine/testing/certificate';
import { describeUnless } from '../../../src/engine/testing/describe-unless';
import { binaryOf } from '../../../src/engine/testing/real-server';
import { eventually } from '../eventually';
import { asNobody, OBSERVED_SERVERS, type ServerPlan } from './observed-servers';

const ip = (...args: string[]): string => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

const isInstalled = ({ program }: ServerPlan): boolean =>
  binaryOf(program.split('/').at(-1) ?? '') !== null || program.startsWith('/');

/** Why the network cannot be built here; undefined where it can. */
function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may create network namespaces';
  const missing = ['ip', 'nmap', 'tcpdump', 'setpriv'].filter((program) => binaryOf(program) === null);
  return missing.length > 0 ? `${missing.join(', ')} must be installed` : undefined;
}

export function describeWithObservedNetwork(name: string, tests: () => void): void {
  describeUnless(obstacle(), name, tests);
}

/** Real servers in a namespace that is reached through a link on which packets are counted. */
export class ObservedNetwork {
  readonly address = '10.96.0.2';
  readonly link = 'assay-seen';
  readonly plans = OBSERVED_SERVERS.filter(isInstalled);
  private readonly name = 'assay-observed';
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-observed-'));

  async start(): Promise<void> {
    const { name, link, address, folder } = this;
    chmodSync(folder, 0o755);
    const pair = certificate({ names: ['observed.example.com'] });
    writeFileSync(join(folder, 'cert.pem'), pair.cert);
    writeFileSync(join(folder, 'key.pem'), pair.key);
    ip('netns', 'add', name);
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'lan', 'netns', name);
    ip('address', 'add', '10.96.0.1/24', 'dev', link);
    ip('link', 'set', link, 'up');
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'lan');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'set', 'lan', 'up');
    ip('netns', 'exec', name, 'sh', '-c', 'echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start');
    this.plans.forEach((plan, at) => this.launch(plan, at));
    for (const { ports, program } of this.plans) for (const { port } of ports) await this.awaitPort(port, program);
  }

  stop(): void {
    for (const pid of ip('netns', 'pids', this.name).split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
    ip('netns', 'delete', this.name);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private launch(plan: ServerPlan, at: number): ChildProcess {
    const folder = join(this.folder, `${at}`);
    mkdirSync(folder);
    chmodSync(folder, plan.asRoot === true ? 0o755 : 0o777);
    const command = plan.command(folder, this.address);
    const log = openSync(join(this.folder, `${at}.log`), 'w');
    return spawn('ip', ['netns', 'exec', this.name, ...(plan.asRoot === true ? command : asNobody(command))], {
      stdio: ['ignore', log, log],
      cwd: folder,
    });
  }

  private awaitPort(port: number, program: string): Promise<void> {
    return eventually(
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, this.address);
          socket.once('error', () => reject(new Error(`${program} does not listen on port ${port}`)));
          socket.once('connect', () => {
            socket.destroy();
            resolve();
          });
        }),
      120_000,
    );
  }
}

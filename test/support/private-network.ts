import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryOf } from '../../src/engine/testing/real-server';
import { eventually } from './eventually';

const NEEDED = ['ip', 'nginx', 'redis-server', 'dnsmasq'] as const;

/** Why private networks cannot be built here; undefined where they can. */
const obstacle = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root may create network namespaces';
  const missing = NEEDED.filter((program) => binaryOf(program) === null);
  if (missing.length > 0) return `${missing.join(', ')} must be installed`;
  try {
    execFileSync('ip', ['netns', 'add', 'assay-probe'], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'delete', 'assay-probe'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine does not allow network namespaces';
  }
};

/** `describe`, or `describe.skip` with the reason. */
export function describeWithPrivateNetwork(name: string, tests: () => void): void {
  const reason = obstacle();
  if (reason === undefined) describe(name, tests);
  else describe.skip(`${name}: ${reason}`, tests);
}

/** The addresses of the targets. The agent reaches those in `outside`, too, but its beacon may not. */
export const PRIVATE = { site: '10.77.0.5', redis: '10.77.0.6', tls: '10.77.0.7', dns: '10.77.0.53' } as const;
export const OUTSIDE = '10.78.0.5';
const CIDRS = { inside: '10.77.0', outside: '10.78.0' } as const;

/**
 * Two namespaces: the agent's, with an uplink to this machine, and the targets' behind it. This machine has no route to the
 * targets.
 */
export class PrivateNetwork {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-private-'));
  /** The address of this machine, as the agent sees it. */
  readonly serviceAddress: string;
  private readonly agents: string;
  private readonly targets: string;
  private readonly uplink: string;
  private readonly processes = new Map<string, ChildProcess>();

  private constructor(number: number) {
    this.agents = `assay-agents-${number}`;
    this.targets = `assay-targets-${number}`;
    this.uplink = `asy${number}`;
    this.serviceAddress = `10.99.${number}.1`;
  }

  /** Jest workers run at the same time, so each has networks of its own. */
  static create(): PrivateNetwork {
    const network = new PrivateNetwork(100 + Number(process.env['JEST_WORKER_ID'] ?? 0));
    network.removeNamespaces();
    network.build();
    return network;
  }

  /** Starts a program in the network of the agent or of the targets; a second one of this name replaces the first. */
  async start(
    where: 'agents' | 'targets',
    name: string,
    command: readonly string[],
    env = process.env,
  ): Promise<ChildProcess> {
    await this.stop(name);
    // A pipe that nobody reads would stop the program when it is full.
    const child = spawn('ip', ['netns', 'exec', this[where], ...command], { stdio: 'ignore', env });
    this.processes.set(name, child);
    return child;
  }

  async stop(name: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.processes.get(name);
    this.processes.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** A site with these directives of nginx, at port 80. */
  async serveSite(address: string, locations: string): Promise<void> {
    const name = `nginx ${address}`;
    const file = join(this.folder, `${address}.conf`);
    writeFileSync(file, nginxConfiguration(this.folder, address, locations));
    await this.start('targets', name, [binaryOf('nginx') ?? '', '-e', 'stderr', '-p', this.folder, '-c', file]);
    await this.awaitPort(address, 80);
  }

  async serveRedis(password: string | null): Promise<void> {
    const secret = password === null ? ['--protected-mode', 'no'] : ['--requirepass', password];
    const options = ['--bind', PRIVATE.redis, '--port', '6379', '--save', '', '--dir', this.folder, ...secret];
    await this.start('targets', 'redis', [binaryOf('redis-server') ?? '', ...options]);
    await this.awaitPort(PRIVATE.redis, 6379);
  }

  /** Answers only for these names. */
  async serveNames(names: Readonly<Record<string, string>>): Promise<void> {
    const records = Object.entries(names).map(([name, address]) => `--host-record=${name},${address}`);
    const options = ['--keep-in-foreground', '--no-resolv', '--no-hosts', '--bind-interfaces', '--pid-file='];
    await this.start('targets', 'dns', [
      binaryOf('dnsmasq') ?? '',
      ...options,
      `--listen-address=${PRIVATE.dns}`,
      ...records,
    ]);
  }

  /** Cuts the agent off from this machine, or connects it again. */
  setUplink(state: 'up' | 'down'): void {
    ip('link', 'set', this.uplink, state);
  }

  /** The requests that the site at this address got, as nginx logs them. */
  requestsTo(address: string): string[] {
    const log = join(this.folder, `${address}.log`);
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  }

  async remove(): Promise<void> {
    for (const name of this.processes.keys()) await this.stop(name);
    this.removeNamespaces();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async awaitPort(address: string, port: number): Promise<void> {
    await eventually(async () => {
      ip(
        'netns',
        'exec',
        this.targets,
        process.execPath,
        '-e',
        `
        const socket = require('net').connect(${port}, '${address}');
        socket.once('connect', () => process.exit(0));
        socket.once('error', () => process.exit(1));`,
      );
    });
  }

  private build(): void {
    const { agents, targets, uplink, serviceAddress } = this;
    for (const name of [agents, targets]) {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
    }
    ip('link', 'add', uplink, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', agents);
    ip('address', 'add', `${serviceAddress}/24`, 'dev', uplink);
    ip('link', 'set', uplink, 'up');
    ip('-n', agents, 'address', 'add', serviceAddress.replace(/1$/, '2/24'), 'dev', 'uplink');
    ip('-n', agents, 'link', 'set', 'uplink', 'up');
    ip('-n', agents, 'link', 'add', 'lan', 'type', 'veth', 'peer', 'name', 'lan', 'netns', targets);
    for (const network of Object.values(CIDRS)) {
      ip('-n', agents, 'address', 'add', `${network}.1/24`, 'dev', 'lan');
    }
    for (const address of [...Object.values(PRIVATE), OUTSIDE]) {
      ip('-n', targets, 'address', 'add', `${address}/24`, 'dev', 'lan');
    }
    ip('-n', agents, 'link', 'set', 'lan', 'up');
    ip('-n', targets, 'link', 'set', 'lan', 'up');
  }

  private removeNamespaces(): void {
    for (const name of [this.agents, this.targets]) {
      try {
        ip('netns', 'delete', name);
      } catch {
        // There was none.
      }
    }
  }
}

const ip = (...args: string[]): string => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

const nginxConfiguration = (folder: string, address: string, locations: string): string => `
pid ${folder}/${address}.pid;
daemon off;
master_process off;
events {}
http {
  access_log ${folder}/${address}.log;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  default_type text/html;
  server {
    listen ${address}:80;
    root ${folder}/www;
    ${locations}
  }
}`;

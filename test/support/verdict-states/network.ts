import { type ChildProcess, execFileSync, fork, type ForkOptions } from 'node:child_process';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { describeUnless } from '../../../src/engine/testing/describe-unless';
import { binaryOf } from '../../../src/engine/testing/real-server';
import { server } from '../database';

const ip = (...args: string[]): string => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

/** Why the network cannot be built here; undefined where it can. */
function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may create network namespaces';
  const missing = ['ip', 'nginx'].filter((program) => binaryOf(program) === null);
  if (missing.length > 0) return `${missing.join(', ')} must be installed`;
  if (!new URL(server().app.replace('@/', '@localhost/')).searchParams.has('host'))
    return 'the database must be reachable through a Unix socket';
  try {
    ip('netns', 'add', 'assay-probe');
    ip('netns', 'delete', 'assay-probe');
    return undefined;
  } catch {
    return 'this machine does not allow network namespaces';
  }
}

/** `describe`, or `describe.skip` with the reason. */
export function describeWithStateNetwork(name: string, tests: () => void): void {
  describeUnless(obstacle(), name, tests);
}

/** Public addresses that only exist inside the namespace. */
const V4 = '11.88';
const V6 = '2a0c:88::';

interface Opened {
  readonly id: number;
  readonly error?: string;
}

/**
 * A network namespace without an uplink, in which two blocks of public addresses are local. The worker runs inside. The
 * targets answer from this process: their sockets are opened inside and handed over, so real servers can listen on loopback here.
 */
export class StateNetwork {
  private opener: ChildProcess | undefined;
  private lastId = 0;
  private readonly waiting = new Map<number, (opened: Opened, socket: Server | Socket) => void>();
  private hosts = 0;

  private constructor(private readonly name: string) {}

  static async create(): Promise<StateNetwork> {
    const network = new StateNetwork(`assay-states-${process.pid}`);
    network.build();
    const opener = fork(join(__dirname, 'socket-opener.cjs'), network.inside);
    network.opener = opener;
    await once(opener, 'message');
    opener.on('message', (opened: Opened, socket: Server | Socket) => {
      network.waiting.get(opened.id)?.(opened, socket);
      network.waiting.delete(opened.id);
    });
    return network;
  }

  /** Lets `fork` start a program in the namespace. */
  get inside(): ForkOptions {
    return { execPath: binaryOf('ip') ?? 'ip', execArgv: ['netns', 'exec', this.name, process.execPath] };
  }

  /** An address that no target has yet. */
  nextAddress(): string {
    this.hosts += 1;
    return `${V4}.${16 + (this.hosts >> 8)}.${this.hosts & 0xff}`;
  }

  /** The IPv6 address with the same number. */
  version6Of(address: string): string {
    return `${V6}${address
      .split('.')
      .slice(2)
      .map((part) => Number(part).toString(16))
      .join(':')}`;
  }

  /** A server that the caller closes. */
  listen(address: string, port: number): Promise<Server> {
    return this.open<Server>('tcp', address, port);
  }

  bind(address: string, port: number): Promise<Socket> {
    return this.open<Socket>('udp', address, port);
  }

  remove(): void {
    this.opener?.disconnect();
    ip('netns', 'delete', this.name);
  }

  private async open<T extends Server | Socket>(kind: 'tcp' | 'udp', address: string, port: number): Promise<T> {
    const { opener } = this;
    if (opener === undefined) throw new Error('the network was not built');
    this.lastId += 1;
    const id = this.lastId;
    const opened = new Promise<T>((resolve, reject) => {
      this.waiting.set(id, ({ error }, socket) =>
        error === undefined ? resolve(socket as T) : reject(new Error(error)),
      );
    });
    opener.send({ id, kind, address, port });
    return opened;
  }

  private build(): void {
    const { name } = this;
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'address', 'add', `${V4}.0.1/16`, 'dev', 'lo');
    ip('-n', name, 'address', 'add', `${V6}1/128`, 'dev', 'lo');
    ip('-n', name, '-6', 'route', 'add', 'local', `${V6}/48`, 'dev', 'lo');
    ip('netns', 'exec', name, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind');
  }
}

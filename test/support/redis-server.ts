import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { binaryOf, freePort } from '../../src/engine/testing/real-server';
import { eventually } from './eventually';

/** What Redis answers AUTH and QUIT with, when it likes them. */
const ok = '+OK\r\n';

const binary = binaryOf('redis-server');

/** For titles and for `describe`: without a Redis on the PATH its tests are skipped, and the last lines of a run say so. */
export const redisIsInstalled = binary !== null;
export const withRedis = redisIsInstalled ? describe : describe.skip;

/** A real Redis on a port that stays its own, to take away, hang, empty and bring back. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private password: string | undefined,
  ) {
    process.once('exit', () => this.child?.kill('SIGKILL'));
  }

  static async start({ password }: { password?: string } = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://${this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`}127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const quiet = ['--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
    const protection = this.password === undefined ? [] : ['--requirepass', this.password];
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', ...quiet, ...protection];
    this.child = spawn(binary ?? 'redis-server', args, { stdio: 'ignore' });
    await eventually(async () => void (await this.command('PING')));
  }

  /** Whatever state it is in: one that is paused would not hear a request to end. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Connections stay and are taken, and nobody answers. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async flush(): Promise<void> {
    await this.command('FLUSHALL');
  }

  /** For everybody who connects from now on, and nobody stays connected. */
  async changePassword(password: string): Promise<void> {
    await this.command(`CONFIG SET requirepass ${password}`);
    this.password = password;
    for (const type of ['normal', 'pubsub']) await this.command(`CLIENT KILL TYPE ${type}`);
  }

  async subscribers(channel: string): Promise<number> {
    return Number((await this.command(`PUBSUB NUMSUB ${channel}`)).split(':').pop());
  }

  /** How many connections others have to it. */
  async connections(): Promise<number> {
    const clients = await this.command('CLIENT LIST');
    return clients.split('\n').filter((line) => line.startsWith('id=')).length - 1;
  }

  async keys(): Promise<string[]> {
    const listed = await this.command('KEYS *');
    return listed.split('\r\n').filter((line) => line !== '' && !/^[*$]\d+$/.test(line));
  }

  /** One command on a connection of its own; fails unless it is answered well. */
  private async command(line: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    const auth = this.password === undefined ? '' : `AUTH ${this.password}\r\n`;
    // Redis answers in order and closes after QUIT: what came until then is the whole answer.
    socket.write(`${auth}${line}\r\nQUIT\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const said = answer.slice(auth === '' ? 0 : ok.length, -ok.length);
    if (said === '' || said.startsWith('-')) throw new Error(`Redis answers ${line} with ${said}`);
    return said;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { binaryOf, freePort } from '../../src/engine/testing/real-server';
import { eventually } from './eventually';

/** The reply to a successful AUTH or QUIT. */
const ok = '+OK\r\n';

const binary = binaryOf('redis-server');

/**
 * Tests that need Redis are skipped if redis-server is not installed. The last line of the test run names missing programs.
 */
export const redisIsInstalled = binary !== null;
export const describeWithRedis = redisIsInstalled ? describe : describe.skip;

/** A Redis server that can be stopped, paused, emptied and started again on the same port. */
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
    if (binary === null) throw new Error('redis-server is not installed. Skip this test with describeWithRedis.');
    const options = ['--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
    const protection = this.password === undefined ? [] : ['--requirepass', this.password];
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', ...options, ...protection];
    this.child = spawn(binary, args, { stdio: 'ignore' });
    await eventually(async () => void (await this.command('PING')));
  }

  /** By SIGKILL, because a paused process does not handle SIGTERM. */
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

  /** Connections are accepted and kept, but get no answers. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async flush(): Promise<void> {
    await this.command('FLUSHALL');
  }

  /** Changes the password and closes all connections. */
  async changePassword(password: string): Promise<void> {
    await this.command(`CONFIG SET requirepass ${password}`);
    this.password = password;
    for (const type of ['normal', 'pubsub']) await this.command(`CLIENT KILL TYPE ${type}`);
  }

  /** Changes settings or users. */
  async configure(command: string): Promise<void> {
    await this.command(command);
  }

  async subscribers(channel: string): Promise<number> {
    return Number((await this.command(`PUBSUB NUMSUB ${channel}`)).split(':').pop());
  }

  /** The number of connections, without the one that asks. */
  async connections(): Promise<number> {
    const clients = await this.command('CLIENT LIST');
    return clients.split('\n').filter((line) => line.startsWith('id=')).length - 1;
  }

  async keys(): Promise<string[]> {
    const listed = await this.command('KEYS *');
    return listed.split('\r\n').filter((line) => line !== '' && !/^[*$]\d+$/.test(line));
  }

  /** Sends one command on a new connection; throws when Redis replies with an error. */
  private async command(line: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    const auth = this.password === undefined ? '' : `AUTH ${this.password}\r\n`;
    // Redis replies in order and closes the connection after QUIT.
    socket.write(`${auth}${line}\r\nQUIT\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const reply = answer.slice(auth === '' ? 0 : ok.length, -ok.length);
    if (reply === '' || reply.startsWith('-')) throw new Error(`Redis replied to ${line} with ${reply}`);
    return reply;
  }
}

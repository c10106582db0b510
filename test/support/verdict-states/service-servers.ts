import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryOf, freePort, RealServer } from '../../../src/engine/testing/real-server';

/** How a program is started at a port, with files in this folder. */
type Launch = (port: number, folder: string) => readonly string[];

interface Program {
  readonly binary: string;
  readonly args: Launch;
}

const redis = (...options: string[]): Program => ({
  binary: 'redis-server',
  args: (port, folder) => ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...options],
});

const OPEN = ['--protected-mode', 'no'] as const;
/** Clients without a login are a user with these rights. */
const rights = (...rules: string[]): Program => redis(...OPEN, '--user', 'default', 'on', 'nopass', ...rules);

const memcached = (...options: string[]): Program => ({
  binary: 'memcached',
  args: (port) => ['-p', `${port}`, '-l', '127.0.0.1', '-u', 'nobody', '-m', '16', ...options],
});

const ftp = (...lines: string[]): Program => ({
  binary: 'vsftpd',
  args: (port, folder) => {
    const root = join(folder, 'ftp');
    mkdirSync(root, { recursive: true });
    const file = join(folder, `ftp-${port}.conf`);
    const users = join(folder, 'ftp-users');
    writeFileSync(users, 'anonymous\n');
    const common = [
      'listen=YES',
      'background=NO',
      'listen_address=127.0.0.1',
      `listen_port=${port}`,
      'run_as_launching_user=YES',
      'seccomp_sandbox=NO',
      'xferlog_enable=NO',
      'delay_failed_login=0',
      'max_per_ip=0',
      `anon_root=${root}`,
      `secure_chroot_dir=${root}`,
      `userlist_file=${users}`,
    ];
    writeFileSync(file, `${[...common, ...lines].join('\n')}\n`, { mode: 0o600 });
    return [file];
  },
});

/** Real servers, by what is set in them. */
const PROGRAMS = {
  redisOpen: redis(...OPEN),
  redisPassword: redis('--requirepass', 'ninety volumes'),
  redisOff: redis('--user', 'default', 'off'),
  redisRenamed: redis(
    ...OPEN,
    '--rename-command',
    'PING',
    '',
    '--rename-command',
    'INFO',
    '',
    '--rename-command',
    'CONFIG',
    '',
  ),
  redisMaster: redis(...OPEN, '--replica-serve-stale-data', 'no', '--replicaof', '127.0.0.1', '1'),
  redisWrites: rights('~*', '&*', '-@all', '+@write'),
  redisStreams: rights('~*', '&*', '-@all', '+xadd', '+publish'),
  redisConfig: rights('~*', '&*', '-@all', '+config|set'),
  redisReads: rights('~*', '&*', '-@all', '+mget', '+lrange', '+hgetall', '+keys'),
  redisKeys: rights('~public:*', '&*', '+@all'),
  redisScripts: rights('~*', '&*', '-@all', '+eval', '+function'),
  redisModest: rights('~*', '&*', '+@all', '-@admin', '-@dangerous', '-ping', '-info', '-dbsize', '-eval', '-scan'),
  redisNothing: rights('~*', '&*', '-@all', '+hello', '+reset'),
  memcachedOpen: memcached(),
  memcachedText: memcached('-B', 'ascii'),
  memcachedUsers: {
    binary: 'memcached',
    args: (port, folder) => {
      const file = join(folder, 'memcached-users');
      writeFileSync(file, 'library:ninety-volumes\n', { mode: 0o644 });
      return ['-p', `${port}`, '-l', '127.0.0.1', '-u', 'root', '-m', '16', '-Y', file];
    },
  },
  ftpOpen: ftp('anonymous_enable=YES'),
  ftpShut: ftp('anonymous_enable=NO', 'local_enable=YES'),
  ftpWithoutLists: ftp('anonymous_enable=YES', 'cmds_denied=LIST,NLST,RETR'),
  ftpWithoutPassword: ftp('anonymous_enable=YES', 'no_anon_password=YES', 'cmds_denied=LIST'),
  ftpAlias: ftp('anonymous_enable=YES', 'userlist_enable=YES', 'userlist_deny=YES'),
} as const satisfies Record<string, Program>;
export type ServiceServer = keyof typeof PROGRAMS;

/** Real servers on loopback, as far as their programs are installed. */
export class ServiceServers {
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-services-'));
  private readonly running = new Map<ServiceServer, RealServer>();

  static async start(): Promise<ServiceServers> {
    const servers = new ServiceServers();
    for (const [name, { binary, args }] of Object.entries<Program>(PROGRAMS)) {
      const path = binaryOf(binary);
      if (path === null) continue;
      const port = await freePort();
      servers.running.set(name as ServiceServer, await RealServer.start(path, port, args(port, servers.folder)));
    }
    return servers;
  }

  portOf(server: ServiceServer): number {
    const found = this.running.get(server);
    if (found === undefined) throw new Error(`${server} does not run`);
    return found.port;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((server) => server.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { assess } from '../assess';
import { ProbeSession } from '../probe-session';
import { parseTarget } from '../target';
import { binaryOf, freePort, RealServer } from '../testing/real-server';
import type { Service } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { Transport } from '../transport/transport';
import { openRedis } from './open-redis';

const answering =
  (replies: Readonly<Record<string, string>>, otherwise: string): Service =>
  (socket) =>
    void socket.on('data', (data) => socket.write(replies[data.toString().trim()] ?? otherwise));

const INFO = '# Server\r\nredis_version:7.2.4\r\n';

const NOPERM = '-NOPERM User default has no permissions to run this command\r\n';

truthTable(openRedis, {
  vulnerable: answering(
    { PING: '+PONG\r\n', 'INFO server': `$${INFO.length}\r\n${INFO}\r\n` },
    '-ERR unknown command\r\n',
  ),
  fixed: answering({}, '-NOAUTH Authentication required.\r\n'),
  alsoVulnerable: {
    'it does not say what it is': answering({ PING: '+PONG\r\n' }, "-ERR unknown command 'INFO'\r\n"),
    'only PING is forbidden': answering({ PING: NOPERM, DBSIZE: ':7\r\n' }, '-ERR unknown command\r\n'),
    'only GET is allowed': answering({ 'GET assay': '$-1\r\n' }, NOPERM),
  },
  alsoFixed: {
    'it is in protected mode': (socket) => void socket.end('-DENIED Redis is running in protected mode.\r\n'),
  },
  lookalikes: {
    'its default user may not run these commands': answering({}, NOPERM),
    'only some keys are forbidden': answering({ 'GET assay': '-NOPERM No permissions to access a key\r\n' }, NOPERM),
    'it is renamed and forbidden': answering({ PING: NOPERM }, '-ERR unknown command\r\n'),
    'it has too many clients': answering({}, '-ERR max number of clients reached\r\n'),
  },
});

const binary = binaryOf('redis-server');

(binary === null ? describe.skip : describe)('open-redis on a real server', () => {
  it.each([
    ['vulnerable', ['--protected-mode', 'no']],
    ['not_vulnerable', ['--requirepass', 'hush']],
    ['vulnerable', ['--protected-mode', 'no', '--user', ...'default on nopass ~* +@all -ping'.split(' ')]],
    ['inconclusive', ['--protected-mode', 'no', '--user', ...'default on nopass ~* -@all'.split(' ')]],
    ['inconclusive', ['--protected-mode', 'no', '--user', ...'default on nopass ~* -@all +xadd +publish'.split(' ')]],
    ['inconclusive', ['--protected-mode', 'no', '--user', ...'default on nopass ~* -@all +config|set'.split(' ')]],
    ['vulnerable', ['--protected-mode', 'no', '--user', ...'default on nopass ~* -@all +config +eval'.split(' ')]],
    ['inconclusive', ['--protected-mode', 'no', '--user', ...'default on nopass ~cache:* -@all +get +set'.split(' ')]],
  ])('is %s with %s', async (state, options) => {
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
    const server = await RealServer.start(binary ?? '', port, args);
    try {
      const egressAllow = [{ address: '127.0.0.1', port }];
      const transport = new Transport({ userAgent: 'engine-tests', egressAllow });
      const session = new ProbeSession(transport, { signal: new AbortController().signal });
      const { observation } = await assess(openRedis, parseTarget(`tcp://127.0.0.1:${port}`), session);
      expect(observation).toMatchObject({ state });
    } finally {
      await server.stop();
    }
  });
});

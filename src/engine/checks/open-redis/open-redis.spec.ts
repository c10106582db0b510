import type { Service } from '../../testing/target-server';
import { truthTable } from '../../testing/truth-table';
import { openRedis } from './open-redis';

const answering =
  (replies: Readonly<Record<string, string>>, otherwise: string): Service =>
  (socket) =>
    void socket.on('data', (data) => socket.write(replies[data.toString().trim()] ?? otherwise));

const INFO = '# Server\r\nredis_version:7.2.4\r\n';

truthTable(openRedis, {
  weak: answering({ PING: '+PONG\r\n', 'INFO server': `$${INFO.length}\r\n${INFO}\r\n` }, '-ERR unknown command\r\n'),
  mended: answering({}, '-NOAUTH Authentication required.\r\n'),
  alsoWeak: { 'it does not say what it is': answering({ PING: '+PONG\r\n' }, "-ERR unknown command 'INFO'\r\n") },
  alsoMended: { 'it is in protected mode': answering({}, '-DENIED Redis is running in protected mode.\r\n') },
  lookalikes: { 'it has too many clients': answering({}, '-ERR max number of clients reached\r\n') },
});

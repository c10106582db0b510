import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { onRealServer } from '../testing/on-real-server';
import { openMemcached } from './open-memcached';

/** Answers a binary command in one way, and text in another. */
const answering =
  (binary: Buffer | string, text: string): Service =>
  (socket) =>
    void socket.on('data', (data) => socket.write(data[0] === 0x80 ? asAnswerTo(data, binary) : text));

/** Puts the code of the command into the response, unless the response is for another command. */
function asAnswerTo(command: Buffer, answer: Buffer | string): Buffer | string {
  if (typeof answer === 'string' || answer[1] !== 0x0a) return answer;
  const copy = Buffer.from(answer);
  copy[1] = command[1] ?? 0;
  return copy;
}

function frame(status: number, body = '', opcode = 0x0a): Buffer {
  const head = Buffer.alloc(24);
  head.set([0x81, opcode]);
  head.writeUInt16BE(status, 6);
  head.writeUInt32BE(body.length, 8);
  return Buffer.concat([head, Buffer.from(body)]);
}

const VERSION = 'VERSION 1.6.18\r\n';
const REFUSAL = 'CLIENT_ERROR unauthenticated\r\n';

truthTable(openMemcached, {
  vulnerable: answering(frame(0), VERSION),
  fixed: answering(REFUSAL, REFUSAL),
  alsoVulnerable: {
    'it takes text only': answering('ERROR\r\n', VERSION),
    'only the command that does nothing is refused': (socket) =>
      void socket.on('data', (data) => socket.write(data[1] === 0 ? frame(1, '', 0) : frame(0x20, 'Auth failure.'))),
    'only its version is refused': (socket) =>
      void socket.on('data', (data) => socket.write(data.toString().startsWith('get ') ? 'END\r\n' : REFUSAL)),
  },
  alsoFixed: {
    'it demands SASL': answering(frame(0x20, 'Auth failure.'), REFUSAL),
    'it demands a login in text only': answering('ERROR\r\n', REFUSAL),
  },
  lookalikes: {
    'it has no memory left': answering(frame(0x82, 'Out of memory'), 'SERVER_ERROR out of memory\r\n'),
    'it answers another command': answering(frame(0, '', 0x0b), 'ERROR\r\n'),
    'it has too many connections': (socket) => void socket.end('ERROR Too many open connections\r\n'),
    'it claims to be no version': answering('ERROR\r\n', 'VERSION \r\n'),
    'its answer is shorter than it says': (socket) =>
      void socket.once('data', () => socket.end(frame(0x20, 'Auth failure.').subarray(0, 30))),
  },
});

const common = (port: number): string[] => ['-l', '127.0.0.1', '-p', `${port}`, '-U', '0', '-u', userInfo().username];

onRealServer(openMemcached, 'memcached', {
  'as it is installed': { state: 'vulnerable', args: common },
  'with text only': { state: 'vulnerable', args: (port) => [...common(port), '-B', 'ascii'] },
  'with the binary protocol only': { state: 'vulnerable', args: (port) => [...common(port), '-B', 'binary'] },
  'with a file of users': {
    state: 'not_vulnerable',
    args: async (port, folder) => {
      const file = join(folder, 'users');
      await writeFile(file, 'app:hush\n');
      return [...common(port), '-Y', file];
    },
  },
});

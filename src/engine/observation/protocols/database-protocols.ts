import { isMongoHello, isWholeMongoMessage, mongoAnswer, mongoCommand } from '../../protocols/services/mongo-message';
import { hex, isLike, latin, type Protocol, saying, turn, uint16 } from './protocol';

const MYSQL_TLS = 0x0800;
/** The offset of the body of a packet, after its length and number. */
const MYSQL_BODY = 4;
const MYSQL_GREETING = 0x0a;
const MYSQL_ERROR = 0xff;
const MYSQL_REFUSAL = /^(?:#[0-9A-Z]{5})?([\x20-\x7e]{8,300})$/;

/** The version in a greeting, or why the server refuses us; otherwise null. */
function mysqlText(packet: Buffer): string | null {
  if (packet.length < MYSQL_BODY + 3 || packet.length !== MYSQL_BODY + packet.readUIntLE(0, 3)) return null;
  if ((packet[3] ?? 0) > 1) return null;
  const kind = packet[MYSQL_BODY];
  if (kind === MYSQL_ERROR) {
    const [, refusal] = MYSQL_REFUSAL.exec(latin(packet.subarray(MYSQL_BODY + 3))) ?? [];
    return refusal !== undefined && /\b(?:MySQL|MariaDB)\b|Too many connections/.test(refusal) ? refusal : null;
  }
  // The version ends with a zero byte, and there is another one after 12 bytes.
  const end = packet.indexOf(0, MYSQL_BODY + 1);
  const version = latin(packet.subarray(MYSQL_BODY + 1, end));
  return kind === MYSQL_GREETING && packet[end + 13] === 0 && /^[\x20-\x7e]{1,100}$/.test(version) ? version : null;
}

/** The capabilities of the client, of which it only requests TLS. It contains no user name. */
const MYSQL_START_TLS = hex(`20000001 008a0000 00000001 21 ${'00'.repeat(23)}`);

const mysql: Protocol = {
  service: 'mysql',
  ports: [3306, 3307],
  greets: (greeting) => mysqlText(greeting) !== null,
  read(heard) {
    const text = mysqlText(turn(heard, 0));
    return text === null ? null : [text];
  },
  startTls: {
    isOffered(heard) {
      const packet = turn(heard, 0);
      const capabilities = packet.indexOf(0, MYSQL_BODY + 1) + 14;
      return (
        packet[MYSQL_BODY] === 0x0a &&
        (packet.length > capabilities + 1 ? packet.readUInt16LE(capabilities) & MYSQL_TLS : 0) !== 0
      );
    },
    command: MYSQL_START_TLS,
  },
};

const PG_TLS = hex('00000008 04d2162f');
/** A version that does not exist: no user is named, and the server answers that it does not support it. */
const PG_UNKNOWN_VERSION = hex('00000008 00ff0000');

const postgresql: Protocol = {
  service: 'postgresql',
  ports: [5432, 5433],
  hello: (heard) =>
    heard.length === 0 ? PG_TLS : latin(heard[0]) === 'N' && heard.length === 1 ? PG_UNKNOWN_VERSION : null,
  isWhole: (answer) => /^[SN]$/.test(latin(answer)),
  // Without TLS, an error of a class that all versions have; with TLS, the handshake follows.
  read: ([first, error]) =>
    latin(first) === 'S'
      ? []
      : /^E[^]{4}SFATAL\0(?:VFATAL\0)?C[0-9A-Z]{5}\0M/.test(latin(error))
        ? [latin(error)]
        : null,
  startTls: { isOffered: (heard) => latin(heard[0]) === 'S', isProof: true, asks: PG_UNKNOWN_VERSION },
};

const TDS_PRELOGIN = hex(
  '1201002f00000100 00001a0006 0100200001 0200210001 0300220004 0400260001 ff 110000000000 00 00 00000000 00',
);

const mssql: Protocol = {
  service: 'ms-sql-s',
  ports: [1433],
  hello: saying(0, () => TDS_PRELOGIN),
  isWhole: (answer) => answer.length >= 8 && answer.length >= uint16(answer, 2),
  read(heard) {
    const answer = turn(heard, 0);
    const at = 8 + uint16(answer, 9);
    // A response whose first option is the version.
    if (!isLike(answer, '0401') || uint16(answer, 2) !== answer.length || answer[8] !== 0) return null;
    if (uint16(answer, 11) !== 6 || answer.length < at + 6) return null;
    return [`${answer[at]}.${answer[at + 1]}.${uint16(answer, at + 2)}`];
  },
};

const mongodb: Protocol = {
  service: 'mongodb',
  ports: [27_017, 27_018, 27_019],
  hello: saying(
    0,
    (nonce) => mongoCommand(nonce.readInt32LE(0) >>> 1, 'hello'),
    (nonce) => mongoCommand(nonce.readInt32LE(4) >>> 1, 'buildInfo'),
  ),
  isWhole: isWholeMongoMessage,
  read(heard, nonce) {
    if (!isMongoHello(mongoAnswer(nonce.readInt32LE(0) >>> 1, turn(heard, 0)))) return null;
    const version = mongoAnswer(nonce.readInt32LE(4) >>> 1, turn(heard, 1))?.get('version');
    return typeof version === 'string' && /^[\w.-]{1,60}$/.test(version) ? [`version: ${version}`] : [];
  },
};

export const DATABASE_PROTOCOLS: readonly Protocol[] = [mysql, postgresql, mssql, mongodb];

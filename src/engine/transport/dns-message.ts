import { type Answer, decode, type DecodedPacket, encode, type OptAnswer } from 'dns-packet';
import type { DnsType } from './resolver';

export interface DnsQuestion {
  readonly name: string;
  readonly type: DnsType;
}

/** The reply of a name server. Its records are lines of a zone file, as in `DnsAnswer`. */
export interface DnsReply {
  readonly state: 'found' | 'none' | 'servfail';
  readonly isAuthoritative: boolean;
  readonly records: readonly string[];
  /** The target of the name, if it is an alias and the question was for another type. */
  readonly alias: string | null;
  /** The name servers in a referral. */
  readonly referredTo: readonly string[];
}

/** `repeat over TCP` if the reply is truncated, or if the server does not know the size option of the question. */
export type ReadMessage = DnsReply | 'repeat over TCP' | 'not the reply';

const HEADER_BYTES = 12;
const NO_ERROR = 0;
const FORMAT_ERROR = 1;
const NO_SUCH_NAME = 3;
/** Limits for a message that is decoded, and for the records of an answer. */
const MOST_RECORDS_IN_MESSAGE = 500;
const MOST_RECORDS = 100;
/** Larger packets are often lost. */
const UDP_BYTES = 1232;

/** Allows a server to send replies of more than 512 bytes over UDP. */
const SIZE_OPTION: OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** Without recursion, because the question is what the server itself knows. */
export function dnsQuery({ name, type }: DnsQuestion, id: number, overTcp: boolean): Buffer {
  const questions = [{ name, type, class: 'IN' as const }];
  return encode({ id, type: 'query', flags: 0, questions, additionals: overTcp ? [] : [SIZE_OPTION] });
}

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const TEXTS: { readonly [type: string]: (record: Answer) => string | null } = {
  SOA: (record) => (record.type === 'SOA' ? `${record.data.mname} ${record.data.rname} ${record.data.serial}` : null),
  MX: (record) =>
    record.type === 'MX' ? `${record.data.preference} ${record.data.exchange.replace(/\.$/, '')}` : null,
  TXT: (record) => (record.type === 'TXT' ? [record.data].flat().join('') : null),
  CAA: (record) => (record.type === 'CAA' ? `${record.data.flags} ${record.data.tag} ${record.data.value}` : null),
};

const textOf = (record: Answer): string | null =>
  TEXTS[record.type]?.(record) ?? ('data' in record && typeof record.data === 'string' ? record.data : null);

/** The texts of the records of a name. A server may also send records of other names, which are ignored. */
const textsOf = (records: readonly Answer[], name: string, type: DnsType): string[] =>
  records
    .filter((record) => record.type === type && 'class' in record && record.class === 'IN')
    .filter((record) => normalized(record.name) === name)
    .slice(0, MOST_RECORDS)
    .flatMap((record) => textOf(record) ?? []);

const FAILED: DnsReply = { state: 'servfail', isAuthoritative: false, records: [], alias: null, referredTo: [] };

const recordsIn = (message: Buffer): number =>
  message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);

/**
 * Null if it is not a valid message. The library throws errors of several kinds, and reads beyond the end of a truncated record.
 */
function decoded(message: Buffer): DecodedPacket | null {
  try {
    const packet = decode(message);
    return decode.bytes <= message.length ? packet : null;
  } catch {
    return null;
  }
}

function isReplyTo({ questions = [] }: DecodedPacket, { name, type }: DnsQuestion): boolean {
  const [asked, ...others] = questions;
  return others.length === 0 && asked?.type === type && asked.class === 'IN' && normalized(asked.name) === name;
}

/** Reads a message from a name server, which may contain anything. */
export function readDnsMessage(message: Buffer, question: DnsQuestion, id: number, overTcp: boolean): ReadMessage {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== id) return 'not the reply';
  const flags = message.readUInt16BE(2);
  if (flags >> 15 !== 1) return 'not the reply';
  const code = flags & 0xf;
  if (!overTcp && ((flags & 0x0200) !== 0 || code === FORMAT_ERROR)) return 'repeat over TCP';
  const packet = recordsIn(message) > MOST_RECORDS_IN_MESSAGE ? null : decoded(message);
  if (packet === null) return FAILED;
  const name = normalized(question.name);
  if (!isReplyTo(packet, { ...question, name })) return 'not the reply';
  const { answers = [], authorities = [] } = packet;
  const [alias = null] = question.type === 'CNAME' ? [] : textsOf(answers, name, 'CNAME');
  // The code refers to the end of the alias chain.
  if (code !== NO_ERROR && code !== NO_SUCH_NAME && alias === null) return FAILED;
  const records = code === NO_ERROR ? textsOf(answers, name, question.type) : [];
  return {
    state: records.length > 0 ? 'found' : 'none',
    isAuthoritative: (flags & 0x0400) !== 0,
    records,
    alias: alias === null ? null : normalized(alias),
    referredTo: textsOf([...answers, ...authorities], name, 'NS').map(normalized),
  };
}

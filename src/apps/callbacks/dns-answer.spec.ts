import { randomBytes } from 'node:crypto';
import { decode, encode, type RecordType } from 'dns-packet';
import { dnsAnswer, type Zone } from './dns-answer';

const zone: Zone = {
  domain: 'calls.example.com',
  addresses: [Buffer.from([192, 0, 2, 7]), Buffer.from('20010db8000000000000000000000007', 'hex')],
  has: (name) => name === 'known.calls.example.com',
};

const query = (name: string, type: RecordType, more = {}): Buffer =>
  encode({ type: 'query', id: 77, flags: 0x100, questions: [{ name, type }], ...more });

function ask(name: string, type: RecordType): ReturnType<typeof decode> & { rcode?: string } {
  const answered = dnsAnswer(query(name, type), zone);
  if (answered === null) throw new Error('no answer');
  return decode(answered.message);
}

const dataOf = (name: string, type: RecordType): unknown[] =>
  (ask(name, type).answers ?? []).map((one) => ('data' in one ? one.data : null));

describe('the name server', () => {
  it('answers for its zone with authority, and offers no recursion', () => {
    expect(ask('known.calls.example.com', 'A')).toMatchObject({
      id: 77,
      rcode: 'NOERROR',
      flag_aa: true,
      flag_ra: false,
      flag_rd: true,
      answers: [{ name: 'known.calls.example.com', type: 'A', ttl: 1, data: '192.0.2.7' }],
    });
    expect(dataOf('known.calls.example.com', 'AAAA')).toEqual(['2001:db8::7']);
    expect(dataOf('ns.calls.example.com', 'A')).toEqual(['192.0.2.7']);
    expect(dataOf('calls.example.com', 'NS')).toEqual(['ns.calls.example.com']);
    expect(dataOf('calls.example.com', 'SOA')).toMatchObject([{ mname: 'ns.calls.example.com', minimum: 1 }]);
  });

  it('keeps the case of the question, which resolvers compare', () => {
    expect(ask('KnOwN.calls.EXAMPLE.com', 'A').questions).toMatchObject([{ name: 'KnOwN.calls.EXAMPLE.com' }]);
  });

  it.each<[string, RecordType, string]>([
    ['known.calls.example.com', 'TXT', 'NOERROR'],
    ['unknown.calls.example.com', 'A', 'NXDOMAIN'],
    ['example.com', 'A', 'REFUSED'],
    ['notcalls.example.com', 'NS', 'REFUSED'],
  ])('has no record for %s %s: %s', (name, type, rcode) => {
    expect(ask(name, type)).toMatchObject({ rcode, answers: [], flag_aa: name.endsWith('.calls.example.com') });
  });

  it('answers at most 90 bytes more than it was asked, whatever is asked', () => {
    for (const name of ['known.calls.example.com', 'calls.example.com', 'other.example.com'])
      for (const type of ['A', 'AAAA', 'NS', 'SOA', 'TXT', 'ANY', 'DNSKEY'] as RecordType[]) {
        const asked = query(name, type);
        expect((dnsAnswer(asked, zone)?.message.length ?? 0) - asked.length).toBeLessThanOrEqual(90);
      }
  });

  it('does not answer responses, other operations, several questions, other classes and compressed names', () => {
    const usual = query('known.calls.example.com', 'A');
    const changed = (at: number, ...bytes: number[]): Buffer => {
      const message = Buffer.from(usual);
      bytes.forEach((byte, offset) => message.writeUInt8(byte, at + offset));
      return message;
    };
    const refused = [
      changed(2, 0x81),
      changed(2, 0x29),
      changed(4, 0, 2),
      changed(4, 0, 0),
      changed(12, 0xc0),
      changed(usual.length - 1, 3),
      usual.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.concat([usual, Buffer.alloc(600)]),
    ];
    for (const message of refused) expect(dnsAnswer(message, zone)).toBeNull();
  });

  it('survives 20,000 messages of random bytes and of changed questions', () => {
    const usual = query('known.calls.example.com', 'A');
    for (let turn = 0; turn < 20_000; turn += 1) {
      const noise = randomBytes(turn % 90);
      const changed = Buffer.from(usual);
      for (const byte of noise.subarray(0, 3)) changed.writeUInt8(noise[0] ?? 0, byte % changed.length);
      for (const message of [noise, changed, changed.subarray(0, turn % changed.length)]) {
        const answered = dnsAnswer(message, zone);
        if (answered === null) continue;
        expect(answered.message.length).toBeLessThanOrEqual(message.length + 90);
        expect(() => decode(answered.message)).not.toThrow();
      }
    }
  });
});

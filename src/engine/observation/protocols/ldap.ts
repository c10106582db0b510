import { latin, type Protocol, saying, turn } from './protocol';

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};

const text = (content: string, tag = 0x04): Buffer => element(tag, Buffer.from(content));

const START_TLS = '1.3.6.1.4.1.1466.20037';
const ATTRIBUTES = ['supportedLDAPVersion', 'supportedExtension', 'vendorName', 'vendorVersion'];

/** The message id: two bytes of the nonce, as a positive number. */
const idOf = (nonce: Buffer): Buffer => element(0x02, Buffer.from([0x40 | ((nonce[0] ?? 0) & 0x3f), nonce[1] ?? 0]));

/** A search for the server's information about itself, which needs no login. */
const search = (nonce: Buffer): Buffer =>
  element(
    0x30,
    idOf(nonce),
    element(
      0x63,
      text(''),
      Buffer.from([0x0a, 1, 0, 0x0a, 1, 0, 0x02, 1, 0, 0x02, 1, 5, 0x01, 1, 0]),
      text('objectClass', 0x87),
      element(0x30, ...ATTRIBUTES.map((name) => text(name))),
    ),
  );

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** The consecutive elements, up to the first incomplete one. */
function elementsOf(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 2 <= bytes.length && found.length < 1_000;) {
    const short = bytes[at + 1] ?? 0;
    const more = short > 0x80 ? Math.min(short - 0x80, 5) : 0;
    const from = at + 2 + more;
    if (from > bytes.length || more > 4 || short === 0x80) break;
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more);
    if (from + length > bytes.length) break;
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}

const ENTRY = 0x64;
const DONE = 0x65;
const EXTENDED = 0x78;

/** The content of each message with this id; null if there is another message. */
function answersTo(id: Buffer, bytes: Buffer): Element[] | null {
  const messages = elementsOf(bytes).map(({ tag, content }) => {
    const [number, operation] = tag === 0x30 ? elementsOf(content) : [];
    const isAnswer = number !== undefined && element(number.tag, number.content).equals(id);
    return isAnswer ? operation : undefined;
  });
  return messages.every((operation) => operation !== undefined) ? messages : null;
}

/** The values of an attribute. */
function valuesOf(entry: Buffer, name: string): string[] {
  const [, attributes] = elementsOf(entry);
  for (const { content } of attributes === undefined ? [] : elementsOf(attributes.content)) {
    const [type, values] = elementsOf(content);
    if (latin(type?.content).toLowerCase() === name.toLowerCase() && values !== undefined)
      return elementsOf(values.content).map((value) => latin(value.content).slice(0, 200));
  }
  return [];
}

const isSuccess = (content: Buffer): boolean => content.subarray(0, 3).equals(Buffer.from([0x0a, 1, 0]));

export const ldap: Protocol = {
  service: 'ldap',
  overTls: 'ldaps',
  ports: [389, 636, 3268, 3269],
  hello: saying(0, search),
  isWhole: (answer) => elementsOf(answer).some(({ content }) => elementsOf(content)[1]?.tag === DONE),
  read(heard, nonce) {
    const answers = answersTo(idOf(nonce), turn(heard, 0)) ?? [];
    if (answers.at(-1)?.tag !== DONE) return null;
    const stated = answers.flatMap(({ tag, content }) =>
      tag === ENTRY ? [...valuesOf(content, 'vendorName'), ...valuesOf(content, 'vendorVersion')] : [],
    );
    return stated.length > 0 ? [stated.join(' ')] : [];
  },
  startTls: {
    isOffered: (heard) => turn(heard, 0).includes(START_TLS),
    command: element(0x30, Buffer.from([0x02, 1, 2]), element(0x77, text(START_TLS, 0x80))),
    isAccepted: (answer) => {
      const [, operation] = elementsOf(elementsOf(answer)[0]?.content ?? Buffer.alloc(0));
      return operation?.tag === EXTENDED && isSuccess(operation.content);
    },
  },
};

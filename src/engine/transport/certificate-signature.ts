/** How a certificate is signed: the registered number of the algorithm, and its hash if that is known. */
export interface CertificateSignature {
  readonly algorithm: string;
  readonly hash: string | null;
}

interface Item {
  readonly tag: number;
  readonly value: Buffer;
  /** The bytes after the item. */
  readonly rest: Buffer;
}

/** One DER item (tag, length, value); null if the bytes are invalid. */
function itemIn(bytes: Buffer): Item | null {
  const [tag, short] = bytes;
  if (tag === undefined || short === undefined) return null;
  const more = short < 0x80 ? 0 : short & 0x7f;
  if (more > 3 || bytes.length < 2 + more || short === 0x80) return null;
  const length = more === 0 ? short : bytes.readUIntBE(2, more);
  const start = 2 + more;
  if (bytes.length < start + length) return null;
  return { tag, value: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

const SEQUENCE = 0x30;
const OBJECT_ID = 0x06;
const FIRST_PARAMETER = 0xa0;

/** The object identifier as text: `1.2.840.113549.1.1.11`. */
function dotted(bytes: Buffer): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

/** An algorithm identifier and its parameters. */
function algorithmIn(item: Item | null): { readonly id: string; readonly parameters: Item | null } | null {
  const id = item?.tag === SEQUENCE ? itemIn(item.value) : null;
  return id?.tag === OBJECT_ID ? { id: dotted(id.value), parameters: itemIn(id.rest) } : null;
}

const RSA = '1.2.840.113549.1.1';
const PSS = `${RSA}.10`;

const HASHES: Readonly<Record<string, string>> = {
  [`${RSA}.2`]: 'MD2',
  [`${RSA}.3`]: 'MD4',
  [`${RSA}.4`]: 'MD5',
  [`${RSA}.5`]: 'SHA-1',
  [`${RSA}.11`]: 'SHA-256',
  [`${RSA}.12`]: 'SHA-384',
  [`${RSA}.13`]: 'SHA-512',
  [`${RSA}.14`]: 'SHA-224',
  '1.3.14.3.2.3': 'MD5',
  '1.3.14.3.2.29': 'SHA-1',
  '1.3.14.3.2.27': 'SHA-1',
  '1.2.840.10040.4.3': 'SHA-1',
  '1.2.840.10045.4.1': 'SHA-1',
  '1.2.840.10045.4.3.1': 'SHA-224',
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
  // Hashes for PSS, which names its hash separately.
  '1.2.840.113549.2.5': 'MD5',
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};

/** PSS names its hash in the first parameter. The default is SHA-1. */
function hashOfPss(parameters: Item | null): string | null {
  const first = parameters === null ? null : itemIn(parameters.value);
  if (first?.tag !== FIRST_PARAMETER) return 'SHA-1';
  const hash = algorithmIn(itemIn(first.value));
  return hash === null ? null : (HASHES[hash.id] ?? null);
}

/** Parsed from the certificate, because Node does not expose it; null if it cannot be parsed. */
export function signatureOf(certificate: Buffer): CertificateSignature | null {
  const whole = itemIn(certificate);
  const content = whole?.tag === SEQUENCE ? itemIn(whole.value) : null;
  const algorithm = content?.tag === SEQUENCE ? algorithmIn(itemIn(content.rest)) : null;
  if (algorithm === null) return null;
  const { id, parameters } = algorithm;
  return { algorithm: id, hash: id === PSS ? hashOfPss(parameters) : (HASHES[id] ?? null) };
}

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

interface Credential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** How an answer differs from that of an honest browser and authenticator. */
interface Differences {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string;
  readonly counter?: number;
  readonly idBytes?: number;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** An authenticator and its browser, which answer as tests tell them to. */
export class SoftwareAuthenticator {
  private readonly credentials: Credential[] = [];

  constructor(private readonly origin: string) {}

  /** The JSON that a browser sends after it has created a passkey. */
  create({ challenge, rp, user }: CreationOptions, differences: Differences = {}): string {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const rawId = randomBytes(differences.idBytes ?? 32);
    const credential = { id: rawId.toString('base64url'), rpId: rp.id, userHandle: user.id, privateKey, counter: 0 };
    this.credentials.push(credential);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(rawId.length);
    const data = Buffer.concat([this.dataOf(credential, differences, HAS_KEY), Buffer.alloc(16), length, rawId, key]);
    const attestationObject = cbor(
      new Map<string, string | Buffer | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    );
    return answer(credential, {
      clientDataJSON: this.clientData('webauthn.create', challenge, differences).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The JSON that a browser sends after a passkey has signed. */
  get({ challenge, rpId, allowCredentials = [] }: RequestOptions, differences: Differences = {}): string {
    const credential = this.credentials.find(
      ({ id, ...one }) =>
        one.rpId === rpId && (allowCredentials.length === 0 || allowCredentials.some((allowed) => allowed.id === id)),
    );
    if (credential === undefined) throw new Error('the authenticator has no such passkey');
    credential.counter = differences.counter ?? credential.counter + 1;
    const data = this.dataOf(credential, differences, 0);
    const clientData = this.clientData('webauthn.get', challenge, differences);
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(credential.privateKey);
    return answer(credential, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: differences.userHandle ?? credential.userHandle,
    });
  }

  private dataOf({ rpId, counter }: Credential, { isVerified = true, ...other }: Differences, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(Buffer.from(other.rpId ?? rpId)),
      Buffer.from([PRESENT | flags | (isVerified ? VERIFIED : 0)]),
      count,
    ]);
  }

  private clientData(type: string, challenge: string, { origin = this.origin, ...other }: Differences): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other.challenge ?? challenge, origin, crossOrigin: false }));
  }
}

const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

const answer = ({ id }: Credential, response: object): string =>
  JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });

type Encodable = number | string | Buffer | ReadonlyMap<number | string, Encodable>;

function cbor(value: Encodable): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

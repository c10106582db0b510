import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { keyIdOf, type SigningKey } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, reseal, seal, secretKeyOf, unseal } from '../../platform/config/secret-key';
import type { EvidenceKey, SigningKeyRow } from './data/signing-key.entity';
import { SigningKeysRepository } from './data/signing-keys.repository';

const REMEDY = 'run `npm run cli -- retire-signing-key`, so that the next evidence is signed with a new key';

const scope = everything('signing keys belong to the service and to no organization');

@Injectable()
export class SigningKeysService {
  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  list(): Promise<EvidenceKey[]> {
    return this.keys.listPublic();
  }

  /** The key to sign with, created at the first call. */
  async current(): Promise<SigningKey> {
    const known = await this.find();
    if (known !== undefined) return known;
    await this.create(secretKeyOf(this.config));
    return this.current();
  }

  /** Throws when SECRET_KEY is missing or does not decrypt the current key: nothing could be signed. */
  async checkReadable(): Promise<void> {
    await this.find();
  }

  /** The next signature uses a new key. Runs in the operator's unit of work. */
  async retireCurrent(): Promise<string | undefined> {
    const id = await this.keys.retireCurrent();
    this.unitOfWork.note({ resourceId: id });
    return id;
  }

  /**
   * Encrypts the private keys with the current SECRET_KEY, or only counts them. A retired key that cannot be decrypted stays as it
   * is: it is retired because its SECRET_KEY is lost, and nothing needs it.
   */
  async reencrypt({ countOnly }: { countOnly: boolean }): Promise<number> {
    const secrets = decryptionKeysOf(this.config);
    let count = 0;
    for (const row of await this.keys.listAll()) {
      const sealed = resealUnlessLost(row, secrets);
      if (sealed === undefined) continue;
      if (!countOnly) await this.keys.replacePrivateKey(row.id, sealed);
      count++;
    }
    return count;
  }

  /** Undefined before the first signature, and while a retired key has no successor. */
  async find(): Promise<SigningKey | undefined> {
    const secrets = decryptionKeysOf(this.config);
    const row = await this.keys.findCurrent();
    if (row === undefined) return undefined;
    const der = unseal(row.privateKey, nameOf(row.id), secrets, REMEDY);
    return { id: row.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  private async create(secret: Buffer): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const id = keyIdOf(publicKey);
    const sealed = seal(privateKey.export({ format: 'der', type: 'pkcs8' }), nameOf(id), secret);
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const description = {
      actor: system,
      operation: 'signing_key.create',
      resourceType: 'signing_key',
      resourceId: id,
      organizationId: null,
    } as const;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      return (await this.keys.add({ id, publicKey: pem, privateKey: sealed })) || undefined;
    });
  }
}

/** Authenticated with the ciphertext. */
const nameOf = (id: string): string => `signing key ${id}`;

function resealUnlessLost(
  { id, privateKey, retired }: SigningKeyRow,
  secrets: ReturnType<typeof decryptionKeysOf>,
): Buffer | undefined {
  try {
    return reseal(privateKey, nameOf(id), secrets, REMEDY);
  } catch (error) {
    if (retired === null) throw error;
    return undefined;
  }
}

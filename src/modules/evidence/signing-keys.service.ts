import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { keyIdOf, type SigningKey } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { seal, secretKeyOf, unseal } from '../../platform/config/secret-key';
import type { EvidenceKey } from './data/signing-key.entity';
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

  private async find(): Promise<SigningKey | undefined> {
    const secret = secretKeyOf(this.config);
    const row = await this.keys.findCurrent();
    if (row === undefined) return undefined;
    const der = unseal(row.privateKey, `signing key ${row.id}`, secret, REMEDY);
    return { id: row.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  private async create(secret: Buffer): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const id = keyIdOf(publicKey);
    const sealed = seal(privateKey.export({ format: 'der', type: 'pkcs8' }), `signing key ${id}`, secret);
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

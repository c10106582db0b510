import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { keyIdOf, type SigningKey } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import type { EvidenceKey } from './data/signing-key.entity';
import { SigningKeysRepository } from './data/signing-keys.repository';
import { seal, signingSecret, unseal } from './signing-secret';

const scope = everything('the signing keys are the service’s own');

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

  /** The key to sign with; made when it is first asked for. */
  async current(): Promise<SigningKey> {
    const known = await this.known();
    if (known !== undefined) return known;
    await this.make(signingSecret(this.config));
    return this.current();
  }

  /** Refuses to go on with a SECRET_KEY that is missing, or that is not the one of before: nothing could be signed. */
  async checkReadable(): Promise<void> {
    await this.known();
  }

  /** The next signature is made with a new key. Part of the operator's unit of work. */
  async retireCurrent(): Promise<string | undefined> {
    const id = await this.keys.retireCurrent();
    this.unitOfWork.note({ resourceId: id });
    return id;
  }

  private async known(): Promise<SigningKey | undefined> {
    const secret = signingSecret(this.config);
    const row = await this.keys.findCurrent();
    if (row === undefined) return undefined;
    const der = unseal(row.privateKey, `signing key ${row.id}`, secret);
    return { id: row.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  private async make(secret: Buffer): Promise<void> {
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

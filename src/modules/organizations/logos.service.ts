import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { LogosRepository } from './data/logos.repository';
import type { OrganizationLogo } from './data/organization-logo.entity';
import { type LogoMediaType, readLogoImage } from './domain/logo-image';
import { logoNotFound } from './domain/organization.errors';
import { OrganizationsService } from './organizations.service';

@Injectable()
export class LogosService {
  constructor(
    private readonly logos: LogosRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  find(scope: Scope, organizationId: number): Promise<OrganizationLogo | undefined> {
    return this.logos.findOne(scope, organizationId);
  }

  async get(scope: Scope, organizationId: number): Promise<OrganizationLogo> {
    await this.organizations.get(scope, organizationId);
    return orThrow(await this.logos.findOne(scope, organizationId), logoNotFound);
  }

  /** Reports that are generated from now on have this logo. */
  async replace(caller: Caller, organizationId: number, mediaType: string, content: Buffer): Promise<void> {
    const image = await readLogoImage(mediaType as LogoMediaType, content);
    await this.lockFor(caller, organizationId);
    const sha256 = createHash('sha256').update(content).digest();
    await this.logos.replaceOfLocked({ ...image, organizationId, sha256, content });
    const { width, height } = image;
    this.unitOfWork.note({
      metadata: { media_type: mediaType, width, height, size: content.length, sha256: sha256.toString('hex') },
    });
  }

  async remove(caller: Caller, organizationId: number): Promise<void> {
    await this.lockFor(caller, organizationId);
    if (!(await this.logos.removeOfLocked(organizationId))) throw logoNotFound();
  }

  private async lockFor(caller: Caller, organizationId: number): Promise<void> {
    await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
  }
}

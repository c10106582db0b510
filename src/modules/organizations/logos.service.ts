import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { factsOfPicture, readPicture } from '../../kernel/picture';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { LogosRepository } from './data/logos.repository';
import type { OrganizationLogo } from './data/organization-logo.entity';
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
    const picture = await readPicture(mediaType, content, caller.tenant);
    await this.lockFor(caller, organizationId);
    await this.logos.replaceOfLocked({ ...picture, organizationId });
    this.unitOfWork.note({ metadata: factsOfPicture(picture) });
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

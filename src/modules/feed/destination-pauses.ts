import { Injectable } from '@nestjs/common';
import { isAtLeast } from '../../kernel/role';
import { system } from '../../platform/api/caller';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { Callers, MemberMail } from '../identity';
import type { Destination, DestinationReference } from './data/destination';
import type { DestinationsRepository } from './data/destinations.repository';
import type { DestinationKind } from './domain/destinations';

/** What the service itself changes in a destination. */
export const pauseOf = ({ noun }: DestinationKind, { id, organizationId }: DestinationReference): AuditDescription => ({
  actor: system,
  operation: `${noun}.pause`,
  resourceType: noun,
  resourceId: String(id),
  organizationId,
});

/** Pauses destinations, and notifies the admins who answer for them. */
@Injectable()
export class DestinationPauses {
  constructor(
    private readonly mail: MemberMail,
    private readonly callers: Callers,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Nothing is sent in the name of a user who may no longer decide about it. */
  async hasMaker({ makerId, organizationId }: Destination): Promise<boolean> {
    const role = await this.callers.roleIn(makerId, organizationId);
    return role !== undefined && isAtLeast(role, 'admin');
  }

  /** Part of a unit of work that `pauseOf` describes. The caller has locked the destination. */
  async pause<D extends Destination>(
    destinations: DestinationsRepository<D>,
    destination: D,
    reason: NonNullable<D['pauseReason']>,
  ): Promise<void> {
    const { id, organizationId, makerId } = destination;
    const { noun, pauses, meanwhile } = destinations.kind;
    const name = destination.name.replaceAll(/\s+/g, ' ');
    await destinations.change(destination, { state: 'paused', pauseReason: reason } as Partial<D>);
    this.unitOfWork.note({ metadata: { name, reason } });
    const link = `${portalUrl(this.config)}/o/${organizationId}/${noun}s/${id}`;
    await this.mail.addToAdmins(organizationId, makerId, {
      subject: `A ${noun} of Assay is paused`,
      text: [
        `The ${noun} "${name}" is paused. ${pauses[reason]}`,
        ...(meanwhile === undefined ? [] : [meanwhile]),
        `${link}\n`,
      ].join('\n\n'),
    });
  }
}

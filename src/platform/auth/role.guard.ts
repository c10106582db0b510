import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type DomainError, forbidden } from '../../kernel/domain-error';
import type { Role } from '../../kernel/role';
import { UnitOfWork } from '../audit/unit-of-work';
import type { ApiRequest } from '../api/api-request';
import { auditDescription } from '../http/audit-description';
import { type OperationMetadata, type CallerKind, operationMetadata } from '../api/operation-metadata';
import type { Caller, KeyScope } from '../api/caller';

/**
 * Refuses what no organization of the caller can give it, before anything is read: the key's scope, then the role. What
 * depends on the record's own organization is refused by the service that knows the record.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationMetadata(context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller } = request;
    if (typeof operation !== 'object' || caller === undefined) return true;
    const refusal = scopeRefusal(caller, operation) ?? roleRefusal(caller, operation);
    if (refusal === undefined) return true;
    // The interceptor never sees what a guard refuses, so the guard writes the entry itself.
    if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), caller.scope, refusal);
    throw refusal;
  }
}

type Demand = readonly [isMet: (caller: Caller) => boolean, sentence: string];

const isIntegrator: Demand = [({ integrator }) => integrator !== null, 'Only integrators may do this.'];
const isUnlimited: Demand = [
  ({ key }) => key.organizationId === null,
  'This API key is limited to one organization, and this concerns all of them.',
];

const scopesThatAllow = (operation: OperationMetadata): readonly KeyScope[] => {
  const byMethod: readonly KeyScope[] = operation.method === 'GET' ? ['read', 'write'] : ['write'];
  return operation.scope === 'ci' ? [...byMethod, 'ci'] : byMethod;
};

function scopeRefusal(caller: Caller, operation: OperationMetadata): DomainError | undefined {
  const allowing = scopesThatAllow(operation);
  if (allowing.some((scope) => caller.key.scopes.includes(scope))) return undefined;
  return forbidden(`This API key may not do that: it needs the scope ${allowing.join(' or ')}.`);
}

/** What each standing asks of a caller, one sentence for each thing that may be missing. */
const demands: Record<CallerKind, readonly Demand[]> = {
  any: [],
  integrator: [isIntegrator],
  whole_integrator: [isIntegrator, isUnlimited],
  machine_events: [
    isIntegrator,
    isUnlimited,
    [
      ({ integrator }) => integrator?.machineEvents === true,
      'Only integrators with machine events in their subscription may do this.',
    ],
  ],
};

function roleRefusal(caller: Caller, { role }: OperationMetadata): DomainError | undefined {
  if (role in demands) {
    const unmet = demands[role as CallerKind].find(([isMet]) => !isMet(caller));
    return unmet && forbidden(unmet[1]);
  }
  return caller.hasRoleAnywhere(role as Role)
    ? undefined
    : forbidden(`This needs the role ${role} or above in an organization.`);
}

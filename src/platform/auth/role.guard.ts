import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type DomainError, forbidden } from '../../kernel/domain-error';
import type { Role } from '../../kernel/role';
import { UnitOfWork } from '../audit/unit-of-work';
import type { ApiRequest } from '../api/api-request';
import { auditDescription } from '../http/audit-description';
import { type OperationMetadata, type CallerKind, operationMetadata } from '../api/operation-metadata';
import type { Caller, KeyScope } from '../api/caller';
import { Authenticator, type KeyUse } from './authenticator';

/**
 * Checks the scope of the key and the role before anything is read. The role in the organization of the record is checked by
 * the service that reads the record.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly authenticator: Authenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationMetadata(context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller } = request;
    if (typeof operation !== 'object' || caller === undefined) return true;
    const refusal = scopeRefusal(caller, operation) ?? roleRefusal(caller, operation);
    if (refusal === undefined) {
      this.authenticator.recordUse(caller.key.id, useOf(operation));
      return true;
    }
    // Interceptors do not run after a guard has thrown, so the guard writes the audit entry.
    if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), caller.scope, refusal);
    throw refusal;
  }
}

const useOf = ({ method, scope }: OperationMetadata): KeyUse =>
  method === 'GET' ? (scope === 'ci' ? 'poll' : 'read') : scope === 'ci' ? 'ci' : 'write';

type Condition = readonly [isMet: (caller: Caller) => boolean, sentence: string];

const isIntegrator: Condition = [({ integrator }) => integrator !== null, 'Only integrators may call this operation.'];
const isUnlimited: Condition = [
  ({ key }) => key.organizationId === null,
  'This API key is limited to one organization, and this operation concerns all organizations. Use a key without this limit.',
];

const scopesThatAllow = (operation: OperationMetadata): readonly KeyScope[] => {
  const byMethod: readonly KeyScope[] = operation.method === 'GET' ? ['read', 'write'] : ['write'];
  return operation.scope === 'ci' ? [...byMethod, 'ci'] : byMethod;
};

function scopeRefusal(caller: Caller, operation: OperationMetadata): DomainError | undefined {
  const allowing = scopesThatAllow(operation);
  if (allowing.some((scope) => caller.key.scopes.includes(scope))) return undefined;
  return forbidden(`This operation needs an API key with the scope ${allowing.join(' or ')}.`);
}

/** The conditions of each kind of caller, with the error message if one is not met. */
const CONDITIONS: Record<CallerKind, readonly Condition[]> = {
  any: [],
  integrator: [isIntegrator],
  whole_integrator: [isIntegrator, isUnlimited],
  machine_events: [
    isIntegrator,
    isUnlimited,
    [
      ({ integrator }) => integrator?.machineEvents === true,
      'Only integrators with machine events in their subscription may call this operation.',
    ],
  ],
};

function roleRefusal(caller: Caller, { role }: OperationMetadata): DomainError | undefined {
  if (role in CONDITIONS) {
    const unmet = CONDITIONS[role as CallerKind].find(([isMet]) => !isMet(caller));
    return unmet && forbidden(unmet[1]);
  }
  return caller.hasRoleAnywhere(role as Role)
    ? undefined
    : forbidden(`This needs the role ${role} or above in an organization.`);
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type DomainError, forbidden } from '../../kernel/domain-error';
import { UnitOfWork } from '../audit/unit-of-work';
import type { ApiRequest } from '../http/api-request';
import { auditDescription } from '../http/audit-description';
import { type OperationStory, storyOf } from '../http/operation';
import type { Caller, KeyScope } from './caller';

/**
 * Refuses what no organization of the caller can give it, before anything is read: the key's scope, then the role. What
 * depends on the record's own organization is refused by the service that knows the record.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const story = storyOf(context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller } = request;
    if (typeof story !== 'object' || caller === undefined) return true;
    const refusal = scopeRefusal(caller, story) ?? roleRefusal(caller, story);
    if (refusal === undefined) return true;
    // The interceptor never sees what a guard refuses, so the guard writes the entry itself.
    if (story.audit) await this.unitOfWork.refuse(auditDescription(story, request), caller.scope, refusal);
    throw refusal;
  }
}

const scopesThatAllow = (story: OperationStory): readonly KeyScope[] => {
  const byMethod: readonly KeyScope[] = story.method === 'GET' ? ['read', 'write'] : ['write'];
  return story.scope === 'ci' ? [...byMethod, 'ci'] : byMethod;
};

function scopeRefusal(caller: Caller, story: OperationStory): DomainError | undefined {
  const allowing = scopesThatAllow(story);
  if (allowing.some((scope) => caller.key.scopes.includes(scope))) return undefined;
  return forbidden(`This API key may not do that: it needs the scope ${allowing.join(' or ')}.`);
}

function roleRefusal(caller: Caller, { role }: OperationStory): DomainError | undefined {
  if (role === 'any') return undefined;
  if (role === 'integrator') return caller.integrator ? undefined : forbidden('Only integrators may do this.');
  return caller.mayBe(role) ? undefined : forbidden(`This needs the role ${role} or above in an organization.`);
}

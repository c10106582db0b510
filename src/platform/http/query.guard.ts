import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type DomainError, invalid } from '../../kernel/domain-error';
import type { ApiRequest } from '../api/api-request';
import { type OperationMetadata, operationMetadata } from '../api/operation-metadata';
import { Scope } from '../api/scope';
import { UnitOfWork } from '../audit/unit-of-work';
import { auditDescription } from './audit-description';
import { listOf, parsePosition } from './link-position';
import { fieldsOf, plainName, quoted } from './request-fields';
import { encodedQuery, refusalUnlessUtf8 } from './utf8-encoding';

/**
 * Refuses query parameters that the operation does not have: a filter with a typing error would otherwise return everything. And
 * refuses a position in another list, which would skip records. `RequestPipe` checks the values.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationMetadata(context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (typeof operation !== 'object' || !request.originalUrl.includes('?')) return true;
    const refusal =
      refusalUnlessUtf8(encodedQuery(request.originalUrl)) ??
      unknownParameters(request, operation) ??
      foreignPosition(request);
    if (refusal === undefined) return true;
    // Interceptors do not run after a guard has thrown, so the guard writes the audit entry.
    const scope = request.caller?.scope ?? Scope.organizations([]);
    if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), scope, refusal);
    throw refusal;
  }
}

function unknownParameters({ query }: ApiRequest, operation: OperationMetadata): DomainError | undefined {
  const known = operation.query === undefined ? new Set<string>() : fieldsOf(operation.query);
  const unknown = Object.keys(query).filter((name) => !known.has(plainName(name)));
  if (unknown.length === 0) return undefined;
  const remedy = known.size === 0 ? 'it has none' : `known parameters: ${[...known].join(', ')}`;
  const predicate = unknown.length === 1 ? 'is not a query parameter' : 'are not query parameters';
  return invalid(`${quoted(unknown)} ${predicate} of this operation; ${remedy}.`);
}

function foreignPosition({ query, originalUrl }: ApiRequest): DomainError | undefined {
  const foreign = ['after', 'before'].find((name) => {
    const text = query[name];
    const position = typeof text === 'string' ? parsePosition(text) : undefined;
    return position !== undefined && position.list !== listOf(originalUrl);
  });
  if (foreign === undefined) return undefined;
  return invalid(
    `${foreign} is a position in a list with other filters or another order. Omit it to start this list at its first page.`,
  );
}

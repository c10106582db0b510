import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, from, lastValueFrom } from 'rxjs';
import { OrganizationsService } from '../../modules/organizations';
import { requestMetadata } from '../../platform/api/api-request';
import { system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { NO_SUCH_ID, parseId } from '../../platform/http/path-id';
import { NO_SUCH_SLUG, parseSlug } from '../../platform/http/path-slug';
import { NO_SUCH_UUID, parseUuid } from '../../platform/http/path-uuid';
import { Fragment, Page } from '../frame/page';
import { render, renderPart } from '../frame/render';
import { plainView, viewOf } from '../frame/view';
import type { PortalRequest } from './portal-request';
import { type Change, changeOf } from './route-metadata';

/** Runs changes in a unit of work with their audit entry, and renders the pages that handlers return. */
@Injectable()
export class PortalInterceptor implements NestInterceptor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly organizations: OrganizationsService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.handle(context, next));
  }

  private async handle(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const request = context.switchToHttp().getRequest<PortalRequest>();
    const change = changeOf(context);
    const work = (): Promise<unknown> => lastValueFrom(next.handle());
    const result = await (change === undefined
      ? work()
      : this.unitOfWork.run(description(change, request), request.caller?.scope ?? Scope.organizations([]), work));
    if (!(result instanceof Page || result instanceof Fragment)) return result;
    context.switchToHttp().getResponse<{ type(type: string): void }>().type('html');
    if (result instanceof Fragment) return renderPart(result.body, plainView(request));
    return render(result, await viewOf(request, this.organizations));
  }
}

function description({ operation, resource, id }: Change, request: PortalRequest): AuditDescription {
  return {
    actor: request.caller?.actor ?? system,
    operation,
    resourceType: resource,
    resourceId: id === undefined ? undefined : pathId(request, id),
    metadata: { ...requestMetadata(request), session_id: request.portalSession?.id },
  };
}

function pathId(request: PortalRequest, name: string): string | undefined {
  const given = request.params[name];
  if (typeof given !== 'string') return undefined;
  const id = parseId(given);
  if (id !== NO_SUCH_ID) return String(id);
  return parseUuid(given) !== NO_SUCH_UUID || parseSlug(given) !== NO_SUCH_SLUG ? given : undefined;
}

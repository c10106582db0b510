import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, from, lastValueFrom } from 'rxjs';
import { InboxService } from '../../modules/notifications';
import { ownSignInNeeded } from '../../modules/identity';
import { OrganizationsService } from '../../modules/organizations';
import { requestMetadata } from '../../platform/api/api-request';
import { system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { NO_SUCH_ID, parseId } from '../../platform/http/path-id';
import { NO_SUCH_SLUG, parseSlug } from '../../platform/http/path-slug';
import { NO_SUCH_UUID, parseUuid } from '../../platform/http/path-uuid';
import { Fragment, Page, SEE_OTHER, SeeOther } from '../frame/page';
import { render, renderPart } from '../frame/render';
import type { PortalRequest } from './portal-request';
import { AfterCommit } from './after-commit';
import { Notices } from './notices';
import { type Change, changeOf, needsOwnSession } from './route-metadata';
import { plainView, viewOf } from './view-of';

const OK = 200;
/** What Nest sets for every POST. */
const CREATED = 201;

/** Runs changes in a unit of work with their audit entry, and renders the pages that handlers return. */
@Injectable()
export class PortalInterceptor implements NestInterceptor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly organizations: OrganizationsService,
    private readonly inbox: InboxService,
    private readonly notices: Notices,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.handle(context, next));
  }

  private async handle(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<PortalRequest>();
    const response = http.getResponse<Response>();
    const result = await this.answerOf(await this.resultOf(context, next, request), request);
    if (result instanceof SeeOther) {
      // The page with the refused form no longer exists, such as that of a canceled set-up.
      const notice = request.refusedForm?.reason ?? result.notice;
      if (notice !== undefined) this.notices.set(request, response, { text: notice, undo: result.undo });
      return response.redirect(SEE_OTHER, result.url);
    }
    if (!(result instanceof Page || result instanceof Fragment)) return result;
    if (response.statusCode === CREATED) response.status(OK);
    response.type('html');
    if (result instanceof Fragment) return renderPart(result.body, plainView(request));
    return render(result, {
      ...(await viewOf(request, this.organizations, this.inbox)),
      notice: this.notices.take(request, response),
    });
  }

  private async answerOf(result: unknown, request: PortalRequest): Promise<unknown> {
    if (!(result instanceof AfterCommit)) return result;
    return result.goOn((change, work) => this.unitOfWork.run(description(change, request), scopeOf(request), work));
  }

  private resultOf(context: ExecutionContext, next: CallHandler, request: PortalRequest): Promise<unknown> {
    const change = changeOf(context);
    const work = async (): Promise<unknown> => {
      if (request.caller?.isOfProvider && needsOwnSession(context)) throw ownSignInNeeded();
      return lastValueFrom(next.handle());
    };
    if (change === undefined) return work();
    return this.unitOfWork.run(description(change, request), scopeOf(request), work);
  }
}

const scopeOf = ({ caller }: PortalRequest): Scope => caller?.scope ?? Scope.organizations([]);

function description({ operation, resource, id }: Change, request: PortalRequest): AuditDescription {
  return {
    actor: request.caller?.actor ?? system,
    operation,
    resourceType: resource,
    resourceId: id === undefined ? undefined : pathId(request, id),
    metadata: { ...requestMetadata(request), session_id: request.portalSession?.id },
    trace: request.trace,
  };
}

function pathId(request: PortalRequest, name: string): string | undefined {
  const given = request.params[name];
  if (typeof given !== 'string') return undefined;
  const id = parseId(given);
  if (id !== NO_SUCH_ID) return String(id);
  return parseUuid(given) !== NO_SUCH_UUID || parseSlug(given) !== NO_SUCH_SLUG ? given : undefined;
}

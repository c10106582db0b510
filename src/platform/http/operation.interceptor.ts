import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, from, lastValueFrom, map } from 'rxjs';
import { invalid } from '../../kernel/domain-error';
import { UnitOfWork } from '../audit/unit-of-work';
import { Config } from '../config/load-config';
import { Scope } from '../auth/scope';
import type { ApiRequest, ApiResponse } from './api-request';
import { auditDescription } from './audit-description';
import { readJsonBody } from './json-body';
import { type OperationStory, storyOf } from './operation';
import { PagedBody, linkHeader } from './paged-body';

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * What every operation has around it: its body read, its unit of work with the audit entry when it changes something, and
 * the headers that its story promises. `next.handle()` runs inside the unit of work: one line earlier, and a change would
 * be committed without its entry.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const story = storyOf(context.getHandler());
    if (typeof story !== 'object') return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<ApiResponse>();
    request.routeTemplate = story.path;
    if (story.audit === undefined && !withBody.has(story.method)) {
      const answer = next.handle();
      return story.success.paged ? answer.pipe(map((body) => this.dressed(body, story, request, response))) : answer;
    }
    return from(this.handle(story, request, response, next));
  }

  private async handle(
    story: OperationStory,
    request: ApiRequest,
    response: ApiResponse,
    next: CallHandler,
  ): Promise<unknown> {
    const work = async (): Promise<unknown> => {
      if (withBody.has(story.method)) request.body = await this.bodyFor(story, request);
      return lastValueFrom(next.handle());
    };
    const scope = request.caller?.scope ?? Scope.organizations([]);
    const body =
      story.audit === undefined
        ? await work()
        : await this.unitOfWork.run(auditDescription(story, request), scope, work);
    return this.dressed(body, story, request, response);
  }

  private async bodyFor(story: OperationStory, request: ApiRequest): Promise<unknown> {
    const body = await readJsonBody(request);
    if (story.body !== undefined || body === undefined || body === null) return body;
    if (typeof body === 'object' && Object.keys(body).length === 0) return undefined;
    throw invalid('This operation takes no body.');
  }

  private dressed(body: unknown, { success }: OperationStory, request: ApiRequest, response: ApiResponse): unknown {
    if (success.location) {
      const path = success.location(body as never, request.params as Record<string, string>);
      response.setHeader('Location', this.config.BASE_PATH + path);
    }
    if (!(body instanceof PagedBody)) return body;
    const link = linkHeader(body, request.originalUrl, this.config.BASE_PATH);
    if (link !== undefined) response.setHeader('Link', link);
    return body.body;
  }
}

import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, from, lastValueFrom } from 'rxjs';
import { invalid } from '../../kernel/domain-error';
import { type Condition, UnitOfWork } from '../audit/unit-of-work';
import { Config } from '../config/load-config';
import { Scope } from '../api/scope';
import { type Claimed, Idempotency } from '../idempotency/idempotency';
import type { StoredResponse } from '../idempotency/idempotency.repository';
import type { Acknowledgement } from './acknowledgement';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { auditDescription } from './audit-description';
import { ConditionalChanges } from './conditional-changes';
import { readFileBody } from './file-body';
import { readJsonBody } from './json-body';
import { streamedBodyOf } from './streamed-body';
import { type OperationMetadata, isSafelyRetried, mayHaveBody, operationMetadata } from '../api/operation-metadata';

/**
 * For operations that change something or have a body: reads the body, runs the unit of work with its audit entry, stores the
 * response for retries and sets headers. `next.handle()` must run inside the unit of work, so that no change is committed
 * without its entry.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly conditionalChanges: ConditionalChanges,
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = operationMetadata(context.getHandler());
    if (typeof operation !== 'object') return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<ApiResponse>();
    return from(this.handle(operation, request, response, next));
  }

  private async handle(
    operation: OperationMetadata,
    request: ApiRequest,
    response: ApiResponse,
    next: CallHandler,
  ): Promise<unknown> {
    const { claimed, condition } = await this.prepare(operation, request);
    if (claimed?.response !== undefined) return replay(claimed.response, response);
    const claim = claimed?.claim;
    const kept = claim && this.idempotency.keep(claim);
    const work = async (): Promise<unknown> => {
      if (condition !== undefined) this.unitOfWork.setCondition(condition);
      const body = await this.setResponseHeaders(await lastValueFrom(next.handle()), operation, request, response);
      if (claim !== undefined)
        await this.idempotency.store(claim, {
          ...responseToStore(body, operation, response),
          organizationId: this.unitOfWork.organizationId,
        });
      return body;
    };
    try {
      if (operation.audit === undefined) return await work();
      // What was read of a stream is gone.
      const run = operation.upload === undefined ? 'runRepeatable' : 'run';
      return await this.unitOfWork[run](auditDescription(operation, request), scopeOf(request), work);
    } catch (error) {
      // Nothing was committed, so the request may be repeated.
      if (claim !== undefined) await this.idempotency.release(claim);
      throw error;
    } finally {
      clearInterval(kept);
    }
  }

  /** Reads the body and If-Match, and claims the Idempotency-Key. Errors are audited like those of the unit of work. */
  private async prepare(operation: OperationMetadata, request: ApiRequest): Promise<Prepared> {
    try {
      request.body = mayHaveBody(operation) ? await this.bodyFor(operation, request) : undefined;
      const condition = mayHaveBody(operation) ? this.conditionalChanges.conditionOf(operation, request) : undefined;
      const key = request.headers['idempotency-key'];
      if (!isSafelyRetried(operation) || key === undefined || request.caller === undefined) return { condition };
      const path = pathKey(request.path);
      const claimed = await this.idempotency.claim(
        { apiKeyId: request.caller.key.id, path, key: String(key) },
        queryOf(request.originalUrl),
        request.body,
        request.caller.scope,
      );
      return { claimed, condition };
    } catch (error) {
      if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), scopeOf(request), error);
      throw error;
    }
  }

  private async bodyFor(operation: OperationMetadata, request: ApiRequest): Promise<unknown> {
    if (operation.upload !== undefined) return streamedBodyOf(request, operation.upload);
    if (operation.file !== undefined) return readFileBody(request, operation.file);
    const body = await readJsonBody(request);
    if (operation.body !== undefined || body === undefined) return body;
    if (typeof body === 'object' && body !== null && Object.keys(body).length === 0) return undefined;
    throw invalid('This operation takes no body.');
  }

  private async setResponseHeaders(
    body: unknown,
    operation: OperationMetadata,
    request: ApiRequest,
    response: ApiResponse,
  ): Promise<unknown> {
    const { success } = operation;
    if (success.location) {
      const path = success.location(body as never, request.params as Record<string, string>);
      response.setHeader('Location', this.config.BASE_PATH + path);
    }
    if (operation.ifMatch !== undefined && operation.method !== 'DELETE') {
      const tag = await this.conditionalChanges.tagOf(operation, request);
      if (tag !== undefined) response.setHeader('ETag', tag);
    }
    if (isAcknowledgement(body)) response.responseStatus = body.code;
    return body;
  }
}

interface Prepared {
  readonly claimed?: Claimed;
  readonly condition: Condition | undefined;
}

/** Hashed, because the length of an index key is limited. */
const pathKey = (path: string): string => createHash('sha256').update(path.replace(/\/$/, '')).digest('base64url');

const queryOf = (url: string): string => url.slice(`${url}?`.indexOf('?'));

const scopeOf = (request: ApiRequest): Scope => request.caller?.scope ?? Scope.organizations([]);

/** An acknowledgement has its own status: 200 instead of 201 if the record already existed. */
const isAcknowledgement = (body: unknown): body is Acknowledgement =>
  typeof body === 'object' && body !== null && 'code' in body && 'success' in body;

/** The response that is stored for retries, without secrets: they are shown only once. */
function responseToStore(
  body: unknown,
  { success }: OperationMetadata,
  response: ApiResponse,
): Omit<StoredResponse, 'organizationId'> {
  const visible = { ...(body as Record<string, unknown>) };
  for (const secret of success.secrets ?? []) visible[secret] = null;
  return {
    status: response.responseStatus ?? success.status,
    location: response.getHeader('Location')?.toString() ?? null,
    etag: response.getHeader('ETag')?.toString() ?? null,
    body: body === undefined ? null : visible,
  };
}

function replay({ status, location, etag, body }: StoredResponse, response: ApiResponse): unknown {
  response.responseStatus = status;
  if (location !== null) response.setHeader('Location', location);
  if (etag !== null) response.setHeader('ETag', etag);
  response.setHeader('Idempotency-Replayed', 'true');
  return body;
}

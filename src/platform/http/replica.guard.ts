import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Replicas } from '../database/replicas';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Whether the answer to a request may be a moment old. A stream, and a part of a page that the script renews, show what has just
 * happened, and are not requested again.
 */
const mayBeLate = (request: Request): boolean =>
  READS.has(request.method) &&
  request.headers['hx-request'] === undefined &&
  request.accepts(['application/json', 'text/html', 'text/event-stream']) !== 'text/event-stream';

/** Behind the guard that authenticates, so that keys, sessions and roles were read on the primary. */
@Injectable()
export class ReplicaGuard implements CanActivate {
  constructor(private readonly replicas: Replicas) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (mayBeLate(context.switchToHttp().getRequest<Request>())) await this.replicas.chooseForRequest();
    return true;
  }
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { methodNotAllowed } from './route-errors';
import { AllowedMethods } from './routes';

/**
 * Refuses a method that a path does not take, although another route would take the path for one of its own:
 * `GET /v1/jobs/check` would be looked up as a job.
 */
@Injectable()
export class MethodGuard implements CanActivate {
  constructor(private readonly allowedMethods: AllowedMethods) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, path } = context.switchToHttp().getRequest<ApiRequest>();
    if (this.allowedMethods.permits(method, path)) return true;
    const allowed = this.allowedMethods.of(path).join(', ');
    context.switchToHttp().getResponse<ApiResponse>().setHeader('Allow', allowed);
    throw methodNotAllowed(method, allowed);
  }
}

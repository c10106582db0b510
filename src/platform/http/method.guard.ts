import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { methodNotAllowed } from './route-errors';
import { AllowedMethods } from './routes';

/** Rejects methods that a literal path does not have: otherwise `GET /v1/jobs/check` would match `/v1/jobs/{uuid}`. */
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

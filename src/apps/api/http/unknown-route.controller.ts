import { All, Controller, Req, Res } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../../../platform/http/api-request';
import { ClosedRoute } from '../../../platform/http/operation';
import { methodNotAllowed, routeNotFound } from '../../../platform/http/route-errors';
import { AllowedMethods } from '../../../platform/http/routes';

/**
 * Everything under /v1 that is no operation. The framework's guards never run for a path that it does not know; here they
 * do, so a stranger learns from a 401 only that credentials are needed, and not which paths there are.
 */
@Controller()
export class UnknownRouteController {
  constructor(private readonly allowedMethods: AllowedMethods) {}

  @ClosedRoute()
  @All(['v1', 'v1/*path'])
  refuse(@Req() request: ApiRequest, @Res({ passthrough: true }) response: ApiResponse): never {
    const allowed = this.allowedMethods.of(request.path);
    if (allowed.length === 0) throw routeNotFound();
    response.setHeader('Allow', allowed.join(', '));
    throw methodNotAllowed(request.method, allowed.join(', '));
  }
}

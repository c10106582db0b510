import { All, Controller, Req, Res } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../../../platform/api/api-request';
import { ClosedRoute } from '../../../platform/http/operation';
import { methodNotAllowed, routeNotFound } from '../../../platform/http/route-errors';
import { AllowedMethods } from '../../../platform/http/routes';

/**
 * Matches every path below /v1 that is not an operation. Nest runs no guards for unknown paths. With this controller it does, so
 * that clients without credentials get the same 401 for existing and unknown paths.
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

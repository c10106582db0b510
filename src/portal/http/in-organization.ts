import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { OrganizationClosed } from '../../modules/identity';
import { parseId } from '../../platform/http/path-id';
import { Places } from './places';
import type { PortalRequest } from './portal-request';

/**
 * Reads the organization and the records that the path names, inside the unit of work and before the body is read. Refuses
 * one that requires a factor that the session does not have: the scope of the caller does not contain it either.
 */
@Injectable()
export class PlaceInterceptor implements NestInterceptor {
  constructor(private readonly places: Places) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<PortalRequest>();
    const { caller, params, portalSession } = request;
    const closed = portalSession?.unmet.find(
      ({ organizationId, isClosed }) => isClosed && organizationId === parseId(String(params['organization'])),
    );
    if (closed !== undefined) throw new OrganizationClosed(closed);
    const isInOrganization = caller !== undefined && params['organization'] !== undefined;
    request.place = isInOrganization ? await this.places.read(caller, params) : undefined;
    return next.handle();
  }
}

/**
 * The caller, and the organization and the records that the path names: a `Place`. With the name of a path parameter also the id
 * in it, of a record that its service reads.
 */
export const InOrganization = createParamDecorator((name: string | undefined, context: ExecutionContext) => {
  const { place, params } = context.switchToHttp().getRequest<PortalRequest>();
  if (place === undefined) throw new Error('A handler asks for its organization, and its path names none.');
  return name === undefined ? place : { ...place, id: parseId(String(params[name])) };
});

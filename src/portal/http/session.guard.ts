import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { forbidden } from '../../kernel/domain-error';
import { SessionsService } from '../../modules/identity';
import { type AccessGuard, grantAccess } from '../../platform/api/standing-access';
import { Config } from '../../platform/config/load-config';
import { DatabaseContext } from '../../platform/database/database-context';
import { PAGE_FIELD } from '../frame/refused-form';
import { originOf } from './browser-session';
import { pageOfForm } from './form-again';
import { Places } from './places';
import type { PortalRequest } from './portal-request';
import { isFromAnywhere, isOpen } from './route-metadata';
import { csrfTokenOf, isSameText, sessionToken } from './session-cookie';
import { SignInRequired } from './sign-in-required';

const CSRF_FIELD = 'csrf';

/** Finds the session of a request, and refuses forms that another site has sent. */
@Injectable()
export class SessionGuard implements CanActivate, AccessGuard {
  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
    private readonly places: Places,
    private readonly database: DatabaseContext,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PortalRequest>();
    const token = sessionToken(request, this.config);
    const claimed = token === undefined ? undefined : this.database.claim('session', token);
    const signedIn = token === undefined ? undefined : await this.sessions.authenticate(token);
    if (token !== undefined && claimed !== undefined && signedIn !== undefined) {
      this.database.authenticated(claimed, signedIn.caller.tenant);
      request.caller = signedIn.caller;
      grantAccess(request, this);
      const { sessionId: id, hasUsedPasskey, unmet } = signedIn;
      request.portalSession = { id, csrfToken: csrfTokenOf(token), hasUsedPasskey, unmet };
    }
    if (request.method === 'POST' && !isFromAnywhere(context)) this.requireOwnForm(request);
    if (request.portalSession === undefined && !isOpen(context)) throw new SignInRequired(request.originalUrl);
    return true;
  }

  /** Also for what the path names: the organization or the record may have been deleted. */
  async askAgain(request: PortalRequest): Promise<void> {
    const { caller: begun, params } = request;
    const token = sessionToken(request, this.config);
    const signedIn = token === undefined ? undefined : await this.sessions.authenticate(token);
    if (signedIn === undefined || begun === undefined) throw new SignInRequired(request.originalUrl);
    const place = 'organization' in params ? await this.places.read(signedIn.caller, params) : undefined;
    signedIn.caller.requireAllOf(begun, place?.organizationId);
  }

  private requireOwnForm(request: PortalRequest): void {
    const origin = originOf(request, this.config);
    // Browsers send `Origin` with every form, and other sites cannot change it.
    if (request.get('origin') !== origin) throw foreignForm();
    request.formPage = pageOfForm(request, origin);
    const { [CSRF_FIELD]: given, [PAGE_FIELD]: _page, ...fields } = (request.body ?? {}) as Record<string, unknown>;
    const expected = request.portalSession?.csrfToken;
    request.body = fields;
    if (expected !== undefined && !isSameText(given, expected)) throw foreignForm();
  }
}

const foreignForm = () =>
  forbidden(
    'This form was not sent by a page of the portal, so nothing was changed. Load the page again and repeat it.',
  );

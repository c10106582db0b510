import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { NeedsApprovalError } from '../../modules/approvals';
import { OrganizationClosed } from '../../modules/identity';
import { InboxService } from '../../modules/notifications';
import { OrganizationsService } from '../../modules/organizations';
import { errorResponse } from '../../platform/http/error-response';
import { ErrorPage, type Remedy, titleOfError } from '../frame/error-page';
import { Page, SEE_OTHER } from '../frame/page';
import { render } from '../frame/render';
import type { View } from '../frame/view';
import { approvalsUrl } from '../urls';
import { Notices } from './notices';
import type { PortalRequest } from './portal-request';
import { refererOf, showFormAgain } from './form-again';
import { SignInRequired } from './sign-in-required';
import { plainView, viewOf } from './view-of';

/** Shows every error as a page that says what to do next. */
@Catch()
export class PortalErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('portal');

  constructor(
    private readonly organizations: OrganizationsService,
    private readonly inbox: InboxService,
    private readonly notices: Notices,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.answer(thrown, host.switchToHttp().getRequest<PortalRequest>(), host.switchToHttp().getResponse<Response>());
  }

  answer(thrown: unknown, request: PortalRequest, response: Response): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (thrown instanceof SignInRequired && request.get('hx-request') !== undefined) {
      // The live part of a page, whose session has ended: the browser loads the page again, which leads to the sign-in.
      response.status(401).setHeader('HX-Refresh', 'true').end();
      return;
    }
    if (thrown instanceof SignInRequired) {
      const page = request.method === 'GET' ? thrown.path : request.formPage;
      const next = page === undefined || page === '/' ? '' : `?next=${encodeURIComponent(page)}`;
      response.redirect(SEE_OTHER, `/sign-in${next}`);
      return;
    }
    if (thrown instanceof NeedsApprovalError) {
      const text = 'Nothing was changed yet: another admin must confirm it.';
      this.notices.set(request, response, { text });
      response.redirect(SEE_OTHER, approvalsUrl(thrown.change.organizationId, 'pending'));
      return;
    }
    const refusal = errorResponse(thrown, request, this.logger);
    const { refusedForm } = request;
    if (refusedForm === undefined && refusal.retryAfter !== undefined)
      response.setHeader('Retry-After', String(refusal.retryAfter));
    if (showFormAgain(request, response, refusal)) return;
    // The page of a refused form that cannot be shown again: the reason of the refusal matters.
    const status = refusedForm?.status ?? refusal.status;
    const page = new Page(
      titleOfError(status),
      <ErrorPage
        status={status}
        description={refusedForm?.reason ?? refusal.description}
        requestId={request.requestId}
        remedy={thrown instanceof OrganizationClosed ? remedyOf(thrown, request) : undefined}
        back={refererOf(request, ({ host }) => host === request.get('host'))}
      />,
    );
    this.viewOf(request, status)
      .then((view) =>
        response
          .status(status)
          .type('html')
          .send(render(page, { ...view, refusedForm: undefined })),
      )
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }

  /** With the frame of the organization, or of the first one of the user, unless reading it would fail again. */
  private async viewOf(request: PortalRequest, status: number): Promise<View> {
    if (status >= 500) return plainView(request);
    return viewOf(request, this.organizations, this.inbox)
      .catch(() => viewOf(request, this.organizations, this.inbox, '/'))
      .catch(() => plainView(request));
  }
}

const remedyOf = ({ unmet }: OrganizationClosed, { originalUrl }: PortalRequest): Remedy =>
  unmet.needsSignIn
    ? {
        href: `/sign-in?next=${encodeURIComponent(originalUrl)}`,
        label: `Sign in with a ${unmet.requirement === 'passkey' ? 'passkey' : 'second factor'}`,
      }
    : { href: '/settings/security', label: 'Set it up' };

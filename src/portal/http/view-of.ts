import type { InboxService } from '../../modules/notifications';
import { OrganizationsService } from '../../modules/organizations';
import { NO_SUCH_ID, parseId } from '../../platform/http/path-id';
import { dateFormat } from '../frame/date-format';
import type { View } from '../frame/view';
import type { PortalRequest } from './portal-request';
import { cookie } from './session-cookie';

const MAX_ORGANIZATIONS = 100;

/** For pages that read nothing, such as those of errors. */
export function plainView(request: PortalRequest): View {
  return {
    caller: request.caller,
    csrfToken: request.portalSession?.csrfToken,
    organization: undefined,
    organizations: [],
    unread: 0,
    timeZone: timeZoneOf(request),
    path: request.path,
    unmet: request.portalSession?.unmet ?? [],
    formPage: request.formPage,
    refusedForm: request.refusedForm,
  };
}

export async function viewOf(
  request: PortalRequest,
  service: OrganizationsService,
  inbox: InboxService,
  path = request.path,
): Promise<View> {
  const view = plainView(request);
  if (request.caller === undefined) return view;
  const { items } = await service.list(request.caller.scope, { page: 1, perPage: MAX_ORGANIZATIONS });
  const [, given = ''] = /^\/o\/([^/]*)/.exec(path) ?? [];
  const id = parseId(given);
  const organization =
    id === NO_SUCH_ID
      ? items[0]
      : (items.find((one) => one.id === id) ?? (await service.get(request.caller.scope, id)));
  const unread = organization === undefined ? 0 : await inbox.countUnreadOfVisible(request.caller, organization.id);
  return { ...view, organizations: items, organization, unread };
}

export function timeZoneOf(request: PortalRequest): string {
  const given = /^[A-Za-z0-9_%+-]{1,80}$/.exec(cookie(request, 'time-zone') ?? '')?.[0] ?? 'UTC';
  try {
    const timeZone = decodeURIComponent(given);
    return dateFormat({ timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

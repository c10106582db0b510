import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { NO_SUCH_ID, parseId } from '../../platform/http/path-id';
import type { PortalRequest, RefusedForm } from '../http/portal-request';
import { cookie } from '../http/session-cookie';
import { dateFormat } from './date-format';

export interface OrganizationLink {
  readonly id: number;
  readonly name: string;
}

/** What every page needs to know about its request. */
export interface View {
  readonly caller: Caller | undefined;
  readonly csrfToken: string | undefined;
  /** The organization in the path. */
  readonly organization: OrganizationLink | undefined;
  readonly organizations: readonly OrganizationLink[];
  /** From a cookie that a script sets; without scripts all times are in UTC. */
  readonly timeZone: string;
  readonly path: string;
  /** What the form did that led to this page. */
  readonly notice?: string;
  /** The page of its forms, if the browser has another URL because this answers a form. */
  readonly formPage: string | undefined;
  /** A form of this page that was refused. */
  readonly refusedForm: RefusedForm | undefined;
}

const MAX_ORGANIZATIONS = 100;

const ViewContext = createContext<View | null>(null);
export const ViewProvider = ViewContext.Provider;

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('A component was rendered outside of a page.');
  return view;
}

/** For pages that read nothing, such as those of errors. */
export function plainView(request: PortalRequest): View {
  return {
    caller: request.caller,
    csrfToken: request.portalSession?.csrfToken,
    organization: undefined,
    organizations: [],
    timeZone: timeZoneOf(request),
    path: request.path,
    formPage: request.formPage,
    refusedForm: request.refusedForm,
  };
}

export async function viewOf(request: PortalRequest, service: OrganizationsService): Promise<View> {
  const view = plainView(request);
  if (request.caller === undefined) return view;
  const { items } = await service.list(request.caller.scope, { page: 1, perPage: MAX_ORGANIZATIONS });
  const [, given = ''] = /^\/o\/([^/]*)/.exec(request.path) ?? [];
  const id = parseId(given);
  const organization =
    id === NO_SUCH_ID
      ? items[0]
      : (items.find((one) => one.id === id) ?? (await service.get(request.caller.scope, id)));
  return { ...view, organizations: items, organization };
}

function timeZoneOf(request: PortalRequest): string {
  const given = /^[A-Za-z0-9_%+-]{1,80}$/.exec(cookie(request, 'time-zone') ?? '')?.[0] ?? 'UTC';
  try {
    const timeZone = decodeURIComponent(given);
    return dateFormat({ timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

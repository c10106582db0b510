import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { UnmetRequirement } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import type { Notice } from './page';
import type { RefusedForm } from './refused-form';

export interface OrganizationLink {
  readonly id: number;
  readonly name: string;
  readonly suspendedAt?: Date | null;
}

/** What every page needs to know about its request. */
export interface View {
  readonly caller: Caller | undefined;
  readonly csrfToken: string | undefined;
  /** The organization in the path. */
  readonly organization: OrganizationLink | undefined;
  readonly organizations: readonly OrganizationLink[];
  /** How many entries of the user's inbox in it are unread. */
  readonly unread: number;
  /** From a cookie that a script sets; without scripts all times are in UTC. */
  readonly timeZone: string;
  readonly path: string;
  /** What organizations of the caller require and the session does not have. */
  readonly unmet: readonly UnmetRequirement[];
  /** The result of the form that led to this page. */
  readonly notice?: Notice;
  /** The page of its forms, if the browser has another URL because this answers a form. */
  readonly formPage: string | undefined;
  /** A form of this page that was refused. */
  readonly refusedForm: RefusedForm | undefined;
}

const ViewContext = createContext<View | null>(null);
export const ViewProvider = ViewContext.Provider;

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('A component was rendered outside of a page.');
  return view;
}

import type { ApiRequest } from '../../platform/api/api-request';

/** The session of a signed-in user. */
export interface PortalSession {
  readonly id: number;
  /** Each form repeats it, because other sites cannot read it. */
  readonly csrfToken: string;
}

export interface PortalRequest extends ApiRequest {
  portalSession?: PortalSession;
}

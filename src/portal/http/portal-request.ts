import type { ApiRequest } from '../../platform/api/api-request';
import type { Upload } from './uploads';

/** The session of a signed-in user. */
export interface PortalSession {
  readonly id: number;
  /** Each form repeats it, because other sites cannot read it. */
  readonly csrfToken: string;
}

export interface PortalRequest extends ApiRequest {
  portalSession?: PortalSession;
  /** The files of a form, by the names of their fields. */
  uploads?: ReadonlyMap<string, Upload>;
}

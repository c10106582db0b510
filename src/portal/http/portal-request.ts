import type { UnmetRequirement } from '../../modules/identity';
import type { ApiRequest } from '../../platform/api/api-request';
import type { StreamedBody } from '../../platform/http/streamed-body';
import type { RefusedForm } from '../frame/refused-form';
import type { Place } from './places';

/** The session of a signed-in user. */
export interface PortalSession {
  readonly id: number;
  /** Each form repeats it, because other sites cannot read it. */
  readonly csrfToken: string;
  readonly hasUsedPasskey: boolean;
  /** What organizations of the user require and the session does not have. */
  readonly unmet: readonly UnmetRequirement[];
}

/** A file of a form. */
export interface Upload {
  readonly mediaType: string;
  readonly content: Buffer;
}

/** A file of a form that is read while it arrives. */
export interface StreamedFile {
  readonly name: string;
  readonly body: StreamedBody;
}

export interface PortalRequest extends ApiRequest {
  portalSession?: PortalSession;
  /** The files of a form, by the names of their fields. */
  uploads?: ReadonlyMap<string, Upload>;
  /** Whether only the fields before the file of the form were read. */
  isFormStreamed?: boolean;
  streamedFiles?: AsyncIterable<StreamedFile>;
  /** The page with the form that was sent, on requests that sent one. */
  formPage?: string;
  /** On requests of an organization. */
  place?: Place | undefined;
  refusedForm?: RefusedForm;
}

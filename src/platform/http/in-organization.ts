import type { Caller } from '../api/caller';
import { callerOf } from './caller.decorator';
import { idSchema, parseId } from './path-id';
import { documentedParameter } from './path-parameter';
import { requestArgument } from './request-argument';

/** The caller, and the organization that the path names. */
export interface Place {
  readonly caller: Caller;
  readonly organizationId: number;
}

/** With the id of a record of the organization. */
export interface RecordPlace extends Place {
  readonly id: number;
}

const ORGANIZATION = 'organization_id';

const FromPath = requestArgument((request, name: string | undefined): Place | RecordPlace => {
  const place = { caller: callerOf(request), organizationId: parseId(request.params[ORGANIZATION]) };
  return name === undefined ? place : { ...place, id: parseId(request.params[name]) };
});

/** A `Place`; with the name of a path parameter a `RecordPlace`. */
export const InOrganization =
  (name?: string): ParameterDecorator =>
  (target, key, index) => {
    FromPath(name)(target, key, index);
    for (const one of name === undefined ? [ORGANIZATION] : [name, ORGANIZATION])
      documentedParameter(one, idSchema)(target, key, index);
  };

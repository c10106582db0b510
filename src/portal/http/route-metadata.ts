import { applyDecorators, type CustomDecorator, type ExecutionContext, Post, SetMetadata } from '@nestjs/common';
import type { ResourceType } from '../../platform/api/resource-type';

/** What a form of the portal changes, for the audit log. The service writes the rest of the entry. */
export interface Change {
  readonly operation: string;
  readonly resource: ResourceType;
  /** The path parameter with the id of the changed record. */
  readonly id?: string;
}

const OPEN = Symbol('open route');
const CHANGE = Symbol('change');
const CHANGES_NOTHING = Symbol('changes nothing');
const OWN_SESSION = Symbol('own session');
const FROM_ANYWHERE = Symbol('form from anywhere');

/** A page that needs no session. */
export const Open = (): CustomDecorator<symbol> => SetMetadata(OPEN, true);

/** A form that mail programs may send, because its path is the credential and a session gives it no more rights. */
export const FromAnywhere = (): CustomDecorator<symbol> => SetMetadata(FROM_ANYWHERE, true);

/** Runs the handler in a unit of work with this audit entry. Every form needs it, or `Open`. */
export const Changes = (change: Change): CustomDecorator<symbol> => SetMetadata(CHANGE, change);

/** The route of a form with `Changes`. */
export const PostChange = (path: string, change: Change): MethodDecorator =>
  applyDecorators(Post(path), Changes(change));

/** A form that shows what it would do, and changes nothing. */
export const ChangesNothing = (): CustomDecorator<symbol> => SetMetadata(CHANGES_NOTHING, true);

/** Also for all handlers of a class: sessions of providers may not change what belongs to the user elsewhere. */
export const OwnSession = (): CustomDecorator<symbol> => SetMetadata(OWN_SESSION, true);

export const needsOwnSession = (context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): boolean =>
  [context.getHandler(), context.getClass()].some((target) => Reflect.getMetadata(OWN_SESSION, target) === true);

export const isOpen = (context: Pick<ExecutionContext, 'getHandler'>): boolean =>
  Reflect.getMetadata(OPEN, context.getHandler()) === true;

export const changeOf = (context: Pick<ExecutionContext, 'getHandler'>): Change | undefined =>
  Reflect.getMetadata(CHANGE, context.getHandler()) as Change | undefined;

export const changesNothing = (context: Pick<ExecutionContext, 'getHandler'>): boolean =>
  Reflect.getMetadata(CHANGES_NOTHING, context.getHandler()) === true;

export const isFromAnywhere = (context: Pick<ExecutionContext, 'getHandler'>): boolean =>
  Reflect.getMetadata(FROM_ANYWHERE, context.getHandler()) === true;

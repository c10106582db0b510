import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { ApiRequest } from '../api/api-request';

type Take = (request: ApiRequest) => unknown;

const ARGUMENTS = Symbol('assay:arguments');

/** Creates a decorator for a parameter of a handler, which Nest and `argumentsOf` take from the request in the same way. */
export function requestArgument<Name>(take: (request: ApiRequest, name: Name) => unknown) {
  const FromRequest = createParamDecorator((name: Name, context: ExecutionContext) =>
    take(context.switchToHttp().getRequest<ApiRequest>(), name),
  );
  return (name: Name): ParameterDecorator =>
    (target, key, index) => {
      FromRequest(name)(target, key, index);
      if (key === undefined) return;
      const known = (Reflect.getOwnMetadata(ARGUMENTS, target, key) ?? []) as Take[];
      const takes = [...known];
      takes[index] = (request) => take(request, name);
      Reflect.defineMetadata(ARGUMENTS, takes, target, key);
    };
}

/** The arguments of a handler whose parameters are all created by `requestArgument`. */
export function argumentsOf(controller: object, method: string, request: ApiRequest): unknown[] {
  const takes = (Reflect.getMetadata(ARGUMENTS, controller, method) ?? []) as Take[];
  return takes.map((take) => take(request));
}

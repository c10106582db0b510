import { type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants';
import { type OperationMetadata, routerPath, operationMetadata } from '../api/operation-metadata';

type Prototype = Record<string, (...parameters: never[]) => unknown>;

interface RouteHandler {
  readonly name: string;
  /** The instance, once Nest has created it. */
  readonly controller: object;
  readonly method: string;
  readonly handler: Prototype[string];
}

/** The handler of an operation. */
export interface OperationHandler extends RouteHandler {
  readonly operation: OperationMetadata;
}

/** All route handlers, with their names. */
function handlers(modules: ModulesContainer): RouteHandler[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype, instance }) => {
    const { name, prototype } = metatype as Type<Prototype>;
    return new MetadataScanner()
      .getAllMethodNames(prototype)
      .map((method) => ({
        name: `${name}.${method}`,
        controller: instance,
        method,
        handler: prototype[method] as Prototype[string],
      }))
      .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler));
  });
}

/** All handlers of operations. */
export const operationHandlers = (modules: ModulesContainer): OperationHandler[] =>
  handlers(modules).flatMap((route) => {
    const operation = operationMetadata(route.handler);
    return typeof operation === 'object' ? [{ ...route, operation }] : [];
  });

/** All operations. Throws at startup if a route has no metadata, since its callers would be undefined. */
export function operationsOf(modules: ModulesContainer): OperationMetadata[] {
  const all = handlers(modules).map(({ name, handler }) => ({ name, operation: operationMetadata(handler) }));
  const undeclared = all.filter(({ operation }) => operation === undefined).map(({ name }) => name);
  if (undeclared.length > 0) throw new Error(`These routes do not declare an @Operation: ${undeclared.join(', ')}`);
  return operationHandlers(modules).map(({ operation }) => operation);
}

/**
 * The methods of each path, for the 405 response. A literal path has precedence for all methods: `/v1/jobs/check` never
 * matches `/v1/jobs/{uuid}`.
 */
export class AllowedMethods {
  private readonly literalPaths = new Map<string, string[]>();
  private readonly patterns: readonly { pattern: RegExp; method: string }[];

  constructor(operations: readonly Pick<OperationMetadata, 'method' | 'path'>[]) {
    const paths = operations.map(({ method, path }) => ({ method, path: routerPath(path) }));
    for (const { method, path } of paths.filter(({ path }) => !path.includes(':'))) {
      this.literalPaths.set(path, [...(this.literalPaths.get(path) ?? []), method]);
    }
    this.patterns = paths.map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
    }));
  }

  of(path: string): string[] {
    const plain = withoutSlash(path);
    const methods =
      this.literalPaths.get(plain) ??
      this.patterns.filter(({ pattern }) => pattern.test(plain)).map(({ method }) => method);
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  }

  /** False if the path is literal and does not have the method. */
  permits(method: string, path: string): boolean {
    return !this.literalPaths.has(withoutSlash(path)) || this.of(path).includes(method);
  }
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

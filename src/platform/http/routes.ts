import { type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants';
import { type OperationMetadata, routerPath, operationMetadata } from '../api/operation-metadata';

type Prototype = Record<string, (...parameters: never[]) => unknown>;

/** Every handler that the router knows, with what it says of itself. */
function handlers(modules: ModulesContainer): { name: string; handler: Prototype[string] }[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const { name, prototype } = metatype as Type<Prototype>;
    return Object.getOwnPropertyNames(prototype)
      .filter((method) => method !== 'constructor' && typeof prototype[method] === 'function')
      .map((method) => ({ name: `${name}.${method}`, handler: prototype[method] as Prototype[string] }))
      .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler));
  });
}

/** All operations. A route that tells no operation of itself stops the boot: nobody knows who may call it. */
export function operationsOf(modules: ModulesContainer): OperationMetadata[] {
  const all = handlers(modules).map(({ name, handler }) => ({ name, operation: operationMetadata(handler) }));
  const undeclared = all.filter(({ operation }) => operation === undefined).map(({ name }) => name);
  if (undeclared.length > 0) throw new Error(`These routes do not declare an @Operation: ${undeclared.join(', ')}`);
  return all.map(({ operation }) => operation).filter((operation) => typeof operation === 'object');
}

/**
 * Which methods a path takes, for the 405 that names them. A path that a route spells out is that route's: `/v1/jobs/check`
 * is no `/v1/jobs/{uuid}`, whatever the method.
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

  /** Whether the route that spells this path out, where there is one, takes the method. */
  permits(method: string, path: string): boolean {
    return !this.literalPaths.has(withoutSlash(path)) || this.of(path).includes(method);
  }
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

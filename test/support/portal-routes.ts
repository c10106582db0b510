import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

export interface Route {
  readonly name: string;
  readonly method: RequestMethod;
  readonly path: string;
  readonly handler: (...given: never[]) => unknown;
  readonly controller: Type;
}

const textOf = (metadata: unknown): string => (typeof metadata === 'string' ? metadata.replace(/^\//, '') : '');

const routesOf = (controller: Type): Route[] =>
  new MetadataScanner().getAllMethodNames(controller.prototype as object).flatMap((member): Route[] => {
    const handler = (controller.prototype as Record<string, Route['handler']>)[member];
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) return [];
    const paths = [Reflect.getMetadata(PATH_METADATA, controller), Reflect.getMetadata(PATH_METADATA, handler)];
    const path = `/${paths.map(textOf).filter(Boolean).join('/')}`;
    return [{ name: `${controller.name}.${member}`, method, path, handler, controller }];
  });

/** Of every controller that Nest has registered, so that a new page is tested without a change here. */
export const portalRoutes = ({ app }: { readonly app: NestExpressApplication }): Route[] =>
  [...app.get(ModulesContainer).values()]
    .flatMap((module) => [...module.controllers.values()])
    .flatMap(({ metatype }) => (metatype === null ? [] : routesOf(metatype as Type)));

/** The path with the ids of records. */
export const fillPath = (path: string, ids: object): string =>
  path.replace(/:(\w+)/g, (_match, name: string) => {
    const id = new Map<string, number | string>(Object.entries(ids)).get(name);
    if (id === undefined) throw new Error(`records have no ${name}: add it to test/support/records.ts`);
    return String(id);
  });

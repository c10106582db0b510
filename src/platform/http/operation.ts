import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, UseInterceptors } from '@nestjs/common';
import { OperationInterceptor } from './operation.interceptor';
import {
  type Method,
  type OperationMetadata,
  mayHaveBody,
  routerPath,
  setOperationMetadata,
} from '../api/operation-metadata';

const methods = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete } as const;

/** Declares a route: method and path for the router, the metadata for guards, interceptor, documentation and tests. */
export function Operation(
  route: `${Method} /${string}`,
  metadata: Omit<OperationMetadata, 'method' | 'path'>,
): MethodDecorator {
  const [method, path] = route.split(' ') as [Method, string];
  const whole: OperationMetadata = { ...metadata, method, path };
  // A plain read has nothing around it, and an interceptor that does nothing costs Nest more than all that a read does.
  const isPlainRead = whole.audit === undefined && !mayHaveBody(whole);
  return applyDecorators(
    setOperationMetadata(whole),
    methods[method](routerPath(path)),
    HttpCode(metadata.success.status),
    ...(isPlainRead ? [] : [UseInterceptors(OperationInterceptor)]),
  );
}

/** A route that is no operation of the API and open to everybody: health and documentation. */
export const OpenRoute = (): MethodDecorator => setOperationMetadata('open');

/** The catch-all: everything that is no route still asks for credentials first. */
export const ClosedRoute = (): MethodDecorator => setOperationMetadata('closed');

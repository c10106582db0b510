import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, UseInterceptors } from '@nestjs/common';
import { OperationInterceptor } from './operation.interceptor';
import {
  type Method,
  type OperationMetadata,
  mayHaveBody,
  routerPath,
  setOperationMetadata,
} from '../api/operation-metadata';

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete } as const;

/** Declares a route with its metadata, which guards, interceptor, documentation and tests read. */
export function Operation(
  route: `${Method} /${string}`,
  metadata: Omit<OperationMetadata, 'method' | 'path'>,
): MethodDecorator {
  const [method, path] = route.split(' ') as [Method, string];
  const whole: OperationMetadata = { ...metadata, method, path };
  // Plain reads need no interceptor, and an empty one would cost more time than the read itself.
  const isPlainRead = whole.audit === undefined && !mayHaveBody(whole);
  return applyDecorators(
    setOperationMetadata(whole),
    METHODS[method](routerPath(path)),
    HttpCode(metadata.success.status),
    ...(isPlainRead ? [] : [UseInterceptors(OperationInterceptor)]),
  );
}

/** A public route: health and documentation. */
export const OpenRoute = (): MethodDecorator => setOperationMetadata('open');

/** The catch-all route: unknown paths require credentials, too. */
export const ClosedRoute = (): MethodDecorator => setOperationMetadata('closed');

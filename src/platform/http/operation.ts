import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, UseInterceptors } from '@nestjs/common';
import { OperationInterceptor } from './operation.interceptor';
import {
  type ErrorStatus,
  type Method,
  type OperationMetadata,
  mayHaveBody,
  routerPath,
  setOperationMetadata,
} from '../api/operation-metadata';

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete } as const;

type Route = `${Method} /${string}`;

/** Without a `scope` a GET needs `read`, and everything else `write`. */
type StatedOperation = Omit<OperationMetadata, 'method' | 'path' | 'number' | 'scope' | 'errors' | 'success'> &
  Partial<Pick<OperationMetadata, 'number' | 'scope' | 'errors'>> & {
    /** The status is 200 by default. */
    readonly success: Omit<OperationMetadata['success'], 'status'> & Partial<OperationMetadata['success']>;
  };

/** What most operations answer with if they state no errors. */
const usualErrors = ({ body, query }: StatedOperation, path: string): ErrorStatus[] => [
  ...(body === undefined && query === undefined ? [] : [400 as const]),
  401,
  403,
  ...(path.includes('{') ? [404 as const] : []),
];

/** Declares a route with its metadata, which guards, interceptor, documentation and tests read. */
export function Operation(route: Route, metadata: StatedOperation): MethodDecorator {
  const [method, path] = route.split(' ') as [Method, string];
  const scope = method === 'GET' ? 'read' : 'write';
  const usual = { number: 'addition', scope, errors: usualErrors(metadata, path) } as const;
  const whole: OperationMetadata = {
    ...usual,
    ...metadata,
    success: { status: 200, ...metadata.success },
    method,
    path,
  };
  // Plain reads need no interceptor, and an empty one would cost more time than the read itself.
  const isPlainRead = whole.audit === undefined && !mayHaveBody(whole);
  return applyDecorators(
    setOperationMetadata(whole),
    METHODS[method](routerPath(path)),
    HttpCode(whole.success.status),
    ...(isPlainRead ? [] : [UseInterceptors(OperationInterceptor)]),
  );
}

/** Declares the routes of a tag, in a file of their own where their text is longer than the code of their controller. */
export const operationsTagged =
  (tag: string) =>
  (route: Route, metadata: Omit<StatedOperation, 'tag'>): MethodDecorator =>
    Operation(route, { ...metadata, tag });

/** A public route: health and documentation. */
export const OpenRoute = (): MethodDecorator => setOperationMetadata('open');

/** The catch-all route: unknown paths require credentials, too. */
export const ClosedRoute = (): MethodDecorator => setOperationMetadata('closed');

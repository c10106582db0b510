import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DomainError, invalid, preconditionFailed } from '../../kernel/domain-error';
import type { ApiRequest } from '../api/api-request';
import type { OperationMetadata } from '../api/operation-metadata';
import type { Condition } from '../audit/unit-of-work';
import { entityTag, parseIfMatch } from './entity-tag';
import { argumentsOf } from './request-argument';
import { type OperationHandler, operationHandlers } from './routes';

/** RFC 9110, 13.1: preconditions of changes that are not compared here. */
const UNSUPPORTED = [
  ['if-none-match', 'If-None-Match'],
  ['if-unmodified-since', 'If-Unmodified-Since'],
] as const;

/**
 * If-Match on changes, and the ETag of their responses. Both use the handler of the operation that reads the record, inside
 * the transaction of the change.
 */
@Injectable()
export class ConditionalChanges {
  private readonly reads = new Map<string, OperationHandler>();

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * The condition of a request with If-Match. Throws if the header is malformed, the operation has no condition, or the request
   * has another one that would have to prevent the change.
   */
  conditionOf(operation: OperationMetadata, request: ApiRequest): Condition | undefined {
    const unsupported = UNSUPPORTED.find(([name]) => request.headers[name] !== undefined);
    if (unsupported !== undefined)
      throw invalid(`Changes do not support ${unsupported[1]}. Send the request without this header.`);
    const header = request.headers['if-match'];
    if (header === undefined) return undefined;
    if (operation.ifMatch === undefined)
      throw invalid('This operation does not support If-Match. Send the request without this header.');
    const wanted = parseIfMatch(header);
    return async () => {
      const tag = await this.tagOf(operation, request);
      const isMatch = tag !== undefined && (wanted === '*' || wanted.includes(tag));
      if (!isMatch) throw doesNotMatch(tag, wanted, this.readOf(operation).operation.path);
    };
  }

  /** The ETag of the record that the operation changes, as its caller would read it now; undefined if there is none. */
  async tagOf(operation: OperationMetadata, request: ApiRequest): Promise<string | undefined> {
    const { controller, handler, method } = this.readOf(operation);
    try {
      return await entityTag(await handler.apply(controller, argumentsOf(controller, method, request) as never[]));
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  private readOf({ id, ifMatch = '' }: OperationMetadata): OperationHandler {
    if (this.reads.size === 0)
      for (const read of operationHandlers(this.modules)) this.reads.set(read.operation.id, read);
    const read = this.reads.get(ifMatch);
    if (read === undefined) throw new Error(`${id} refers to ${ifMatch}, which is not an operation`);
    return read;
  }
}

function doesNotMatch(tag: string | undefined, wanted: '*' | readonly string[], path: string): DomainError {
  if (tag === undefined)
    return preconditionFailed('The record of If-Match does not exist. Create it without If-Match.');
  const advice = `Read it again with GET ${path}, and repeat the change with the new ETag.`;
  return wanted !== '*' && wanted.every((one) => one.startsWith('W/'))
    ? preconditionFailed(
        `If-Match has a weak ETag (W/), which never matches: a gateway that compresses may have weakened it. ${advice}`,
      )
    : preconditionFailed(`The record has changed since you read it: its ETag is not in If-Match. ${advice}`);
}

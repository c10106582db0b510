import { MADE_UP } from '../kernel/made-up-path';
import type { Page } from './page';
import type { ProbeRequest } from './probe-request';
import type { SentRequest } from './sent-request';

/** A request of a check and its response. */
export interface AnsweredRequest {
  readonly key: string;
  readonly path: string;
  readonly request: ProbeRequest;
  readonly answer: Page;
}

/** The request as plain JSON; null if it cannot be sent again unchanged, or if it depends on earlier requests. */
export function sentRequest({ path, request }: AnsweredRequest): SentRequest | null {
  const { method, headers, body, cookies, name, submits } = request;
  if (cookies !== undefined || typeof body === 'object' || MADE_UP.test(path)) return null;
  return {
    path,
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(name !== undefined && { name }),
    ...(submits !== undefined && { submits }),
  };
}

import { DomainError } from '../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/** A page of 100 long texts may have tens of megabytes, which stay in memory until the client has read them. */
const MAX_RESPONSES = 6;
const MAX_PER_TENANT = 2;
/** Of the other responses to a tenant, which wait in memory as well. */
const MAX_WAITING_LENGTH = 33_554_432;

const sentence = (whose: string): string =>
  `Too many large responses ${whose} are being sent. Try again in a second, or request less at a time, such as smaller pages (per_page).`;

/** Who is counted for a response. */
export const tenantOf = ({ req }: ApiResponse): string => (req as ApiRequest).caller?.tenant ?? 'anonymous';

/** Limits the large responses that this process sends at a time, in total and for each tenant. */
export class LargeResponseLimit {
  private readonly counts = new Map<string, number>();
  private readonly waiting = new Map<string, number>();
  private count = 0;

  /** Reserves a slot. The returned function releases it. */
  begin(tenant: string): () => void {
    if ((this.counts.get(tenant) ?? 0) >= MAX_PER_TENANT)
      throw new DomainError('too_many_requests', sentence('to you'), 1);
    if (this.count >= MAX_RESPONSES) throw new DomainError('unavailable', sentence('to other callers'), 1);
    add(this.counts, tenant, 1);
    this.count += 1;
    return () => this.end(tenant);
  }

  /** Counts a response that is not large until the client has read it. The returned function ends that. */
  wait(tenant: string, length: number): () => void {
    if ((this.waiting.get(tenant) ?? 0) + length > MAX_WAITING_LENGTH)
      throw new DomainError('too_many_requests', sentence('to you'), 1);
    add(this.waiting, tenant, length);
    return () => add(this.waiting, tenant, -length);
  }

  private end(tenant: string): void {
    add(this.counts, tenant, -1);
    this.count -= 1;
  }
}

function add(counts: Map<string, number>, tenant: string, change: number): void {
  const sum = (counts.get(tenant) ?? 0) + change;
  if (sum === 0) counts.delete(tenant);
  else counts.set(tenant, sum);
}

import { DomainError } from '../../kernel/domain-error';

/** A page of 100 long texts may have tens of megabytes, which stay in memory until the client has read them. */
const MAX_RESPONSES = 6;
const MAX_PER_TENANT = 2;

const sentence = (whose: string): string =>
  `Too many large responses ${whose} are being sent. Try again in a second, or request smaller pages (per_page).`;

/** Limits the large responses that this process sends at a time, in total and for each tenant. */
export class LargeResponseLimit {
  private readonly counts = new Map<string, number>();
  private count = 0;

  /** Reserves a slot. The returned function releases it. */
  begin(tenant: string): () => void {
    const own = this.counts.get(tenant) ?? 0;
    if (own >= MAX_PER_TENANT) throw new DomainError('too_many_requests', sentence('to you'), 1);
    if (this.count >= MAX_RESPONSES) throw new DomainError('unavailable', sentence('to other callers'), 1);
    this.counts.set(tenant, own + 1);
    this.count += 1;
    return () => this.end(tenant);
  }

  private end(tenant: string): void {
    const left = (this.counts.get(tenant) ?? 1) - 1;
    if (left === 0) this.counts.delete(tenant);
    else this.counts.set(tenant, left);
    this.count -= 1;
  }
}

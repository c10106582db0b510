import { DomainError } from '../../kernel/domain-error';

/** A page of a hundred long texts may be tens of megabytes, and stays until its reader has taken it. */
const MAX_RESPONSES = 6;
const MAX_PER_TENANT = 2;

const sentence = (whose: string): string =>
  `Several very large answers ${whose} are on their way already. Read them, and try again in a second, or ask for smaller pages (per_page).`;

/** How many very large answers are under way in this process. One tenant alone cannot take the places of all others. */
export class LargeResponseLimit {
  private readonly counts = new Map<string, number>();
  private count = 0;

  /** Takes a place, which the function that is returned gives back. */
  begin(tenant: string): () => void {
    const own = this.counts.get(tenant) ?? 0;
    if (own >= MAX_PER_TENANT) throw new DomainError('too_many_requests', sentence('of yours'), 1);
    if (this.count >= MAX_RESPONSES) throw new DomainError('unavailable', sentence('of others'), 1);
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

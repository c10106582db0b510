import { DomainError } from '../../kernel/domain-error';

/** A page of a hundred long texts may be tens of megabytes, and stays until its reader has taken it. */
const MOST = 6;
const MOST_OF_TENANT = 2;

const sentence = (whose: string): string =>
  `Several very large answers ${whose} are on their way already. Read them, and try again in a second, or ask for smaller pages (per_page).`;

/** How many very large answers are under way in this process. One tenant alone cannot take the places of all others. */
export class LargeResponseLimit {
  private readonly underWay = new Map<string, number>();
  private count = 0;

  /** Takes a place, which the function that is returned gives back. */
  begin(tenant: string): () => void {
    const own = this.underWay.get(tenant) ?? 0;
    if (own >= MOST_OF_TENANT) throw new DomainError('too_many', sentence('of yours'), 1);
    if (this.count >= MOST) throw new DomainError('unavailable', sentence('of others'), 1);
    this.underWay.set(tenant, own + 1);
    this.count += 1;
    return () => this.end(tenant);
  }

  private end(tenant: string): void {
    const left = (this.underWay.get(tenant) ?? 1) - 1;
    if (left === 0) this.underWay.delete(tenant);
    else this.underWay.set(tenant, left);
    this.count -= 1;
  }
}

import { FairQueue } from './fair-queue';

const anyTenant = (): boolean => true;

function queueOf(...items: (readonly [tenant: string, item: string])[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [tenant, item] of items) queue.add(tenant, item);
  return queue;
}

function taken(queue: FairQueue<string>, mayRun: (tenant: string) => boolean): string[] {
  const all: string[] = [];
  for (let next = queue.take(mayRun); next !== undefined; next = queue.take(mayRun)) all.push(next.item);
  return all;
}

describe('FairQueue', () => {
  it('takes one item of each tenant in turn, the oldest of each first', () => {
    const queue = queueOf(['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1'], ['c', 'c1'], ['b', 'b2']);
    expect(taken(queue, anyTenant)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('gives a tenant that comes later its turn before the tenants that had one', () => {
    const queue = queueOf(['a', 'a1'], ['a', 'a2']);
    expect(queue.take(anyTenant)?.item).toBe('a1');
    queue.add('b', 'b1');
    queue.add('c', 'c1');
    expect(taken(queue, anyTenant)).toEqual(['a2', 'b1', 'c1']);
  });

  it('skips a tenant that may not run and keeps its place', () => {
    const queue = queueOf(['a', 'a1'], ['b', 'b1'], ['b', 'b2']);
    expect(queue.take((tenant) => tenant !== 'a')?.item).toBe('b1');
    expect(taken(queue, anyTenant)).toEqual(['a1', 'b2']);
  });

  it('counts the queued items in total and for each tenant', () => {
    const queue = queueOf(['a', 'a1'], ['a', 'a2'], ['b', 'b1']);
    queue.take(anyTenant);
    expect([queue.length, queue.lengthOf('a'), queue.lengthOf('b'), queue.lengthOf('c')]).toEqual([2, 1, 1, 0]);
    expect(taken(queue, () => false)).toEqual([]);
  });
});

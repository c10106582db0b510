import { FairSlots } from './fair-slots';

/** `started` lists the tenants of the starts in the order in which they got slots. */
function scenario(size: number) {
  const slots = new FairSlots(size);
  const started: string[] = [];
  const take = (tenant: string, times = 1): ((() => void) | undefined)[] =>
    Array.from({ length: times }, () => slots.take(tenant, () => started.push(tenant)));
  return { slots, started, take };
}

it('gives free slots to tenants in turn, however many of one tenant wait', () => {
  const { slots, started, take } = scenario(2);
  take('flood', 8);
  take('other', 2);
  take('third');
  started.length = 0;
  for (let turn = 0; turn < 6; turn++) slots.release('flood');
  expect(started).toEqual(['flood', 'other', 'third', 'flood', 'other', 'flood']);
});

it('does not give one tenant all slots, if there are at least four', () => {
  const { slots, started, take } = scenario(4);
  take('flood', 10);
  expect(started).toEqual(['flood', 'flood', 'flood']);
  take('other', 2);
  expect(started.slice(3)).toEqual(['other']);
  expect([slots.waiting, slots.waitingTenants]).toEqual([8, 2]);
});

it('gives a tenant with three slots all of them', () => {
  const { started, take } = scenario(3);
  take('alone', 4);
  expect(started).toHaveLength(3);
});

it('skips a tenant that has as many slots as it may, and does not forget it', () => {
  const { slots, started, take } = scenario(4);
  take('flood', 5);
  take('other');
  take('third');
  started.length = 0;
  slots.release('other');
  expect(started).toEqual(['third']);
  slots.release('flood');
  expect(started).toEqual(['third', 'flood']);
});

it('gives no slot to a request that has stopped waiting', () => {
  const { slots, started, take } = scenario(2);
  take('flood', 2);
  const [leave] = take('flood');
  take('other');
  leave?.();
  expect(slots.waiting).toBe(1);
  started.length = 0;
  slots.release('flood');
  slots.release('flood');
  expect(started).toEqual(['other']);
  leave?.();
  expect(slots.waiting).toBe(0);
});

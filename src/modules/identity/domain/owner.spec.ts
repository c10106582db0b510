import { isOwner, isOwnerFilter, ownerFilterOf, ownerOf, storedOwner } from './owner';

it.each(['user:7', 'group:2147483647'] as const)('%s is stored in one column, and read back', (owner) => {
  expect(isOwner(owner)).toBe(true);
  expect(isOwnerFilter(owner)).toBe(true);
  expect(ownerOf(storedOwner(owner))).toBe(owner);
});

it('no owner is stored in no column', () => {
  expect(storedOwner(null)).toEqual({ ownerUserId: null, ownerGroupId: null });
  expect(ownerOf(storedOwner(null))).toBeNull();
});

it.each(['', 'me', 'none', 'user', 'user:', 'user:0', 'user:07', 'user:2147483648', 'team:1', 'group:1 ', 7, null])(
  '%p is no owner',
  (value) => expect(isOwner(value)).toBe(false),
);

it('a filter may also name the caller or nobody, but no other words of the database', () => {
  expect(['me', 'none'].map((text) => [isOwnerFilter(text), ownerFilterOf(text, 12)])).toEqual([
    [true, 'me:12'],
    [true, 'none'],
  ]);
  expect(isOwnerFilter('me:12')).toBe(false);
});

import { tagsOf } from './markup';

it('at most 2,000 tags of a name are read, because several expressions search each of them', () => {
  const page = '<a href=/x>'.repeat(3_000) + '<img src=/y>';
  expect(tagsOf(page, 'a')).toHaveLength(2_000);
  expect(tagsOf(page, 'img')).toEqual(['<img src=/y']);
});

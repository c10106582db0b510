import { checkById, CHECKS } from './checks';
import { placementsOf, placeOf } from './check';
import { parseTarget } from './target';

const pathsOf = (id: string, path: string): string[] => {
  const check = checkById(id);
  if (check === null) throw new Error(`no check ${id}`);
  const target = parseTarget(`https://target.test${path}`);
  return [placeOf(check, target), ...placementsOf(check, target)].map((one) =>
    one.applicable ? one.place.path : one.reason,
  );
};

it.each([
  ['/', ['/', '/']],
  ['/index.html', ['/', '/']],
  ['/shop', ['/', '/', '/shop/']],
  ['/shop/', ['/shop/', '/', '/shop/']],
  ['/shop/page.php', ['/', '/', '/shop/']],
  ['/a/b', ['/', '/', '/a/b/']],
])('a finding of a file below %s belongs to the first folder, and a job tests the others', (path, folders) => {
  expect(pathsOf('exposed-git', path)).toEqual(folders);
  expect(pathsOf('exposed-metrics', path)).toEqual(['/', '/']);
});

it('no built-in check has an id that a template could have', () => {
  expect(CHECKS.filter(({ id }) => id.includes(':'))).toEqual([]);
});

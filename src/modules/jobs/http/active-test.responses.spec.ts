import { presentLeftOut, presentPoint } from './active-test.responses';

const presented = (path: string): string[] => [
  presentPoint({
    id: 1,
    point: { kind: 'query', name: 'q', request: { path } },
    isTested: true,
    testedAt: null,
  } as Parameters<typeof presentPoint>[0]).path,
  presentLeftOut({
    id: 1,
    path,
    source: 'link',
    leftOut: { method: 'GET', by: 'word', reason: 'pay', isAllowable: true, count: 1 },
  } as Parameters<typeof presentLeftOut>[0]).path,
];

it('a path of an active job is shown without secrets', () => {
  const path = '/x?token=[redacted]&q=1';
  expect(presented('/x?token=abc&q=1')).toEqual([path, path]);
});

it('a long path of an active job is cut before it is redacted', () => {
  const path = `/${'a'.repeat(2_047)}`;
  expect(presented(path)).toEqual([path, path]);
  expect(presented(`${path}a?token=abc`)).toEqual([`${path} […]`, `${path} […]`]);
});

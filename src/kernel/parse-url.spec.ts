import { parseUrl } from './parse-url';

it('knows what is no URL', () => {
  expect(parseUrl('http://[')).toBeNull();
  expect(parseUrl('/only/a/path')).toBeNull();
});

it('reads a reference as its base has it', () => {
  expect(parseUrl('../b?c', 'https://example.com/a/x')?.href).toBe('https://example.com/b?c');
});

it('keeps to what it has said, however often it is asked', () => {
  const answers = new Set<string | undefined>();
  for (let turn = 0; turn < 50_000; turn++) answers.add(parseUrl('http://bücher.example/é')?.href);
  expect([...answers]).toEqual(['http://xn--bcher-kva.example/%C3%A9']);
});

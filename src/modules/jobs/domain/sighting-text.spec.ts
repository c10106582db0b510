import { textOfSighting } from './sighting-text';

it('quotes what the target sent as code that nothing in it can end', () => {
  const detail = 'one\n\n# two ```\r\n[link](https://evil.example)\0\uD800';
  expect(textOfSighting('What it means.\n', { location: 'https://example.com/', detail })).toBe(
    [
      'What it means.',
      'Seen at',
      '    https://example.com/',
      'which showed',
      '    one # two ``` [link](https://evil.example)\uFFFD\uFFFD',
    ].join('\n\n'),
  );
});

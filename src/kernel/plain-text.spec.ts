import { isLine, isText, unsuitableCharacter, withVisibleControls } from './plain-text';

describe('a name of one line', () => {
  it.each(['Zoë’s shop', '日本語', 'שלום', '👩‍💻', 'a\u200Fb', 'a\u00A0b'])('may be %j', (text) =>
    expect(isLine(text)).toBe(true),
  );

  it.each([
    ['U+0000', 'a\0b'],
    ['U+000D', 'a\r\nb'],
    ['U+000A', 'a\nb'],
    ['U+0009', 'a\tb'],
    ['U+0085', 'a\u0085b'],
    ['U+2028', 'a\u2028b'],
    ['U+202A', 'a\u202Ab'],
    ['U+202E', 'a\u202Eb'],
    ['U+2066', 'a\u2066b'],
    ['U+2069', 'a\u2069b'],
    ['U+D800', 'a\uD800b'],
  ])('must not contain %s', (character, text) => {
    expect(isLine(text)).toBe(false);
    expect(unsuitableCharacter(text, 'line')).toBe(character);
  });
});

describe('a text of several lines', () => {
  it.each(['a\r\n\tb\nc', 'a\u202Eb'])('may be %j', (text) => expect(isText(text)).toBe(true));

  it.each([
    ['U+0000', 'a\0b'],
    ['U+001B', 'a\u001Bb'],
    ['U+009B', 'a\u009Bb'],
    ['U+DC00', 'a\uDC00b'],
  ])('must not contain %s', (character, text) => {
    expect(isText(text)).toBe(false);
    expect(unsuitableCharacter(text, 'text')).toBe(character);
  });

  it('shows where such characters are', () => {
    expect(withVisibleControls('a\0b\r\n\u001Bc\uD800')).toBe('a\uFFFDb\r\n\uFFFDc\uFFFD');
  });
});

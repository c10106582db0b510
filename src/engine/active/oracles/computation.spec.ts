import { showsDigits } from './computation';

const digits = '1234567890';

it.each([
  ['as they are', `<p>${digits}</p>`],
  ['behind 5 MB', `${'x'.repeat(5_000_000)}${digits}`],
  ['as numeric references', Array.from(digits, (digit) => `&#${digit.charCodeAt(0)};`).join('')],
  ['in part as numeric references', '&amp;12345&#x36;7890'],
])('shows digits that are written %s', (_how, text) => {
  expect(showsDigits(text, digits)).toBe(true);
});

it('looks for references to digits in the beginning of a page alone', () => {
  expect(showsDigits(`${'x'.repeat(100_000)}12345&#x36;7890`, digits)).toBe(false);
});

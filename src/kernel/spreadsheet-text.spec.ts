import { withoutInnerFormulas } from './spreadsheet-text';

it.each([
  ["x;=cmd|'/c calc'!A0;y", "x;'=cmd|'/c calc'!A0;y"],
  ['x; "=1+1', 'x; "\'=1+1'],
  ['x;+1;-1;@A1;\uFF1D1', "x;'+1;'-1;'@A1;'\uFF1D1"],
  ['x\t=1', "x\t'=1"],
  ['x\n=1\r\n @A1\n+1\n-cmd|x', "x\n'=1\r\n '@A1\n'+1\n'-cmd|x"],
  ['A list:\n- one\n- two\n\n---\n\na = b; c\n1 + 1', 'A list:\n- one\n- two\n\n---\n\na = b; c\n1 + 1'],
])('an apostrophe precedes what begins a cell with a formula, also after another separator: %j', (text, expected) => {
  expect(withoutInnerFormulas(text)).toBe(expected);
});

it('keeps values that are no texts', () => {
  expect([1, null].map(withoutInnerFormulas)).toEqual([1, null]);
});

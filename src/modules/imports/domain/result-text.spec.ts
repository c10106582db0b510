import * as fc from 'fast-check';
import { MarkdownRenderer } from '../../findings';
import { textOfResult } from './result-text';

const renderer = new MarkdownRenderer();
afterAll(() => renderer.onApplicationShutdown());

/** Pieces of markup, line breaks and words. */
const hostile = fc
  .array(
    fc.constantFrom(
      '\n',
      '\n\n',
      '\r\n',
      ' ',
      '    ',
      '\t',
      '- ',
      '+ ',
      '1. ',
      '2) ',
      '# ',
      '> ',
      '===',
      '---',
      '***',
      '```',
      '`',
      '*',
      '_',
      '**',
      '~~',
      '[x](javascript:alert(1))',
      '![x](y)',
      '<script>',
      '<b>',
      '</p>',
      '&amp;',
      '&',
      '"',
      "'",
      '\\',
      '|',
      '|-|',
      'https://e.example/a_b?x=1&y=2',
      'www.e.example',
      'a@b.example',
      '<https://e.example>',
      '[^1]',
      ':-:',
      ':',
      '-',
      '\u202e',
      'word',
      'é',
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(''));

it('the HTML of a result is what the renderer makes of its Markdown', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostile,
      hostile,
      hostile,
      fc.array(hostile, { maxLength: 3 }),
      async (description, evidence, remediation, references) => {
        const finding = {
          scanner: 'a_b',
          ruleId: '1. <x>',
          description,
          evidence,
          remediation,
          references,
          parameter: null,
          cves: [],
          moreCves: 0,
        };
        const { md, html } = textOfResult(finding, 'https://e.example/<x>');
        expect(html).toBe((await renderer.render(md, 'test')).html);
      },
    ),
    // A table of one column needs no bar.
    { numRuns: 200, examples: [['', '', '|-|\n:-:', []]] },
  );
});

it('the text of a result is bounded', () => {
  const long = '*'.repeat(1_000_000);
  const many = Array.from({ length: 1_000 }, () => long);
  const finding = {
    scanner: 'x',
    ruleId: 'y',
    description: long,
    evidence: long,
    remediation: long,
    references: many,
    parameter: long,
    cves: [],
    moreCves: 0,
  };
  expect(textOfResult(finding, long.slice(0, 4_000)).md.length).toBeLessThan(65_536);
});

import { ExpressionLimitExceeded } from './expressions/value';
import { parseXPath, queryMarkup } from './xpath';

const find = (page: string, path: string, attribute?: string): string[] =>
  queryMarkup(page, parseXPath(path), attribute);

const PAGE = `<!DOCTYPE html>
<!-- <input id="a" value="in a comment"> -->
<title>A & B</title><script>document.write("<input id='a' value='in a script'>")</script>
<div><p>one<p>two <b>bold</b></div>
<DIV class=" upload x">
  <form action=/f><input ID='a' value="1 &lt; 2 &#x41;&#66;"><input name=b value=unquoted disabled>
    <form><input id="c" value="3"></form>
</DIV>
<table><tr><td>r1c1<td>r1c2<tr><td>r2c1<td><ul><li>x<li>y</ul></table>`;

describe('an xpath', () => {
  it.each(['<', '<!---->', '</a>'])('is not evaluated on a page of more than 40,000 times %s', (mark) => {
    expect(find(mark.repeat(39_000), '//a')).toEqual([]);
    expect(() => find(mark.repeat(41_000), '//a')).toThrow('a page has more than 40000 tags');
  });

  it.each([
    ['//input[@id="a"]', 'value', ['1 < 2 AB']],
    ["//input[@id='a'][1]", 'value', ['1 < 2 AB']],
    ['//*[@id="c"]', 'value', ['3']],
    ['/html/body/div[2]/form/input', 'value', ['1 < 2 AB', 'unquoted', '3']],
    ['/html/body/div[2]/form/input[2]', 'value', ['unquoted']],
    ['//input[@disabled]', 'name', ['b']],
    ['//div[contains(@class, "upload")]//input[@name="b"]', 'value', ['unquoted']],
    ['//div[@class=" upload x"]', 'class', [' upload x']],
    ['/html/head/title', undefined, ['A & B']],
    ['/html/body/div[1]/p', undefined, ['one', 'two bold']],
    ['/html/body/table/tbody/tr[2]/td[1]', undefined, ['r2c1']],
    ['//tr[1]/td', undefined, ['r1c1', 'r1c2']],
    ['//li[2]', undefined, ['y']],
    ['//input[@id="absent"]', 'value', []],
    ['//input[@id="c"]', 'absent', ['']],
  ])('%s finds %s of %j', (path, attribute, found) => {
    expect(find(PAGE, path, attribute)).toEqual(found);
  });

  it('reads XML with the case of its names', () => {
    const xml = '<?xml version="1.0"?><Config><db><host>a</host><br>x</br><Host><![CDATA[<b>]]></Host></db></Config>';
    expect(find(xml, '/Config/db/host')).toEqual(['a']);
    expect(find(xml, '/Config/db/Host')).toEqual(['<b>']);
    expect(find(xml, '//br')).toEqual(['x']);
    expect(find(xml, '/config')).toEqual([]);
  });

  it.each([
    '',
    'a',
    '//a/text()',
    '//a[not(@b)]',
    '//a[@b="c" and @d]',
    '//a[matches(@b, "c")]',
    '//a/..',
    '//a[0]',
    '//a | //b',
    '//a/',
    `//a${'/b'.repeat(60)}`,
  ])('is refused if it is more than a path: %j', (path) => {
    expect(() => parseXPath(path)).toThrow('is not supported; only paths such as');
  });

  it.each([
    ['ends in a comment', '<p>a</p><!-- <p>b</p>', ['a']],
    ['ends in a tag', '<p>a</p><p b="<p>', ['a', '']],
    ['ends in a script', '<p>a</p><script><p>b</p>', ['a']],
    ['has a stray bracket', '<p>a < b <3</p></q>', ['a < b <3']],
    ['has no tags', 'text', []],
    ['is empty', '', []],
    ['has an invalid character reference', '<p>&#x110000;&#9999999;</p>', ['&#x110000;&#9999999;']],
  ])('reads a page that %s', (_what, page, found) => {
    expect(find(page, '//p')).toEqual(found);
  });

  it.each([
    ['long', 'a'.repeat(300_001)],
    ['full of elements', '<br>'.repeat(10_001)],
    ['deep', '<div>'.repeat(300)],
    ['to be searched many times', `<div>${'<div>'.repeat(150)}${'<br>'.repeat(9_500)}`],
    ['repetitive', `${'<b>'.repeat(100)}${'a'.repeat(100_000)}`],
  ])('is unknown for a page that is too %s', (_what, page) => {
    expect(() => find(page, page.includes('<b>') ? '//b' : `//div${'//*'.repeat(20)}//br`)).toThrow(
      ExpressionLimitExceeded,
    );
  });
});

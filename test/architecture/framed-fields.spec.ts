import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const portal = join(__dirname, '../../src/portal');
const FRAME = 'frame/form.tsx';

const REMEDY =
  'use Field, Select or TextArea of src/portal/frame/form.tsx, which keep what was typed when a form is refused';

type Element = ts.JsxOpeningElement | ts.JsxSelfClosingElement;

const attributeOf = (element: Element, name: string): string | undefined =>
  element.attributes.properties
    .filter(ts.isJsxAttribute)
    .find((attribute) => attribute.name.getText() === name)
    ?.initializer?.getText()
    .replace(/^["']|["']$/g, '');

/** Browsers do not send a file again, hidden fields are not typed, and the frame fills the checkboxes of lists. */
const isTyped = (element: Element): boolean =>
  element.tagName.getText() !== 'input' || !/^(?:hidden|checkbox|file)$/.test(attributeOf(element, 'type') ?? '');

/** A search, which changes nothing: its page shows its fields again. */
const isInSearch = (node: ts.Node): boolean => {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent)
    if (ts.isJsxElement(at) && /^(?:form|FilterForm)$/.test(at.openingElement.tagName.getText())) return true;
  return false;
};

/** The raw fields of a page, and forms that change something without the frame. */
function problemsOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    node.forEachChild(visit);
    if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return;
    const tag = node.tagName.getText();
    const isRawForm = tag === 'form' && attributeOf(node, 'method') === 'post';
    const isRawField = /^(?:input|select|textarea)$/.test(tag) && isTyped(node) && !isInSearch(node);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (isRawForm || isRawField) problems.push(`${path}:${line}: <${tag}>: ${REMEDY}`);
  };
  visit(source);
  return problems;
}

const pages = readdirSync(portal, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));

it('every field of a form that changes something is a field of the frame', () => {
  expect(pages.length).toBeGreaterThan(50);
  const others = pages.filter((path) => path !== FRAME);
  expect(others.flatMap((path) => problemsOf(path, readFileSync(join(portal, path), 'utf8')))).toEqual([]);
});

it.each([
  ['a raw select', '<Form action="/x"><select name="status" /></Form>'],
  ['a raw field of a component', '<input name="url" type="url" />'],
  ['a raw text area', '<Form action="/x"><label>Comment <textarea name="comment">x</textarea></label></Form>'],
  ['a raw form', '<form method="post"></form>'],
])('%s is reported with its place', (_what, jsx) => {
  expect(problemsOf('page.tsx', `const Page = () =>\n  ${jsx};`)).toEqual([
    expect.stringMatching(/^page\.tsx:2: <\w+>: use /),
  ]);
});

it('fields of a search, hidden fields, checkboxes and files are not reported', () => {
  const search = '<form action="/x"><label><select name="sort" /><input name="q" /></label></form>';
  const others =
    '<Form><input type="hidden" name="a" /><input type="checkbox" name="b" /><input type="file" name="c" /></Form>';
  expect(problemsOf('page.tsx', `const a = ${search}; const b = ${others};`)).toEqual([]);
});

import * as fc from 'fast-check';
import { Markup, markup } from './markup';

describe('markup', () => {
  it('escapes values for text and for attributes', () => {
    expect(String(markup`<p title="${`"a' & b`}">${'<script>'}</p>`)).toBe(
      '<p title="&quot;a&#39; &amp; b">&lt;script&gt;</p>',
    );
  });

  it('keeps nested markup, joins lists, and omits null, undefined and false', () => {
    expect(
      String(markup`<ul>${['a', '<b>'].map((item) => markup`<li>${item}</li>`)}${null}${undefined}${false}${0}</ul>`),
    ).toBe('<ul><li>a</li><li>&lt;b&gt;</li>0</ul>');
  });

  it('escapes every text, so that none becomes markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = String(markup`${text}`);
        expect(written).not.toMatch(/[<>"']/);
        expect(written.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });

  it('replaces characters that XML forbids with U+FFFD', () => {
    expect(String(markup`${'a\u0000\u001b\ud800\ufffe\tb\n'}`)).toBe('a\ufffd\ufffd\ufffd\ufffd\tb\n');
  });

  it('does not escape trusted markup', () => {
    expect(String(markup`${Markup.trusted('<em>x</em>')}`)).toBe('<em>x</em>');
  });
});

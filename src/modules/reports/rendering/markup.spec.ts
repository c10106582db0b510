import * as fc from 'fast-check';
import { Markup, markup } from './markup';

describe('markup', () => {
  it('escapes values for text and for attributes', () => {
    expect(String(markup`<p title="${`"a' & b`}">${'<script>'}</p>`)).toBe(
      '<p title="&quot;a&#39; &amp; b">&lt;script&gt;</p>',
    );
  });

  it('keeps markup within markup, takes lists, and leaves out what is not there', () => {
    expect(
      String(markup`<ul>${['a', '<b>'].map((item) => markup`<li>${item}</li>`)}${null}${undefined}${false}${0}</ul>`),
    ).toBe('<ul><li>a</li><li>&lt;b&gt;</li>0</ul>');
  });

  it('lets no text become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = String(markup`${text}`);
        expect(written).not.toMatch(/[<>"']/);
        expect(written.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });

  it('shows what no document may hold as a replacement character', () => {
    expect(String(markup`${'a\u0000\u001b\ud800\ufffe\tb\n'}`)).toBe('a\ufffd\ufffd\ufffd\ufffd\tb\n');
  });

  it('takes what is trusted as it is', () => {
    expect(String(markup`${Markup.trusted('<em>x</em>')}`)).toBe('<em>x</em>');
  });
});

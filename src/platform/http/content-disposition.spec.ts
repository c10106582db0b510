import * as fc from 'fast-check';
import { contentDisposition, uploadedName } from './content-disposition';

describe('contentDisposition', () => {
  it.each([
    ['Winter pentest, report 3.pdf', 'Winter-pentest-report-3.pdf', 'Winter%20pentest%2C%20report%203.pdf'],
    ['اختبار report 3.pdf', 'report-3.pdf', '%D8%A7%D8%AE%D8%AA%D8%A8%D8%A7%D8%B1%20report%203.pdf'],
    ['../../etc/passwd report 3.csv', 'etc-passwd-report-3.csv', '..%20..%20etc%20passwd%20report%203.csv'],
    ['a"; filename="b.exe\r\nX: y.csv', 'a-filename-b.exe-X-y.csv', 'a%20%3B%20filename%3D%20b.exe%20X%20y.csv'],
    ['gnp\u202efdp.exe', 'gnp-fdp.exe', 'gnp%20fdp.exe'],
    ["it's (100%).json", 'it-s-100.json', 'it%27s%20%28100%20%29.json'],
  ])('sanitizes %j', (name, plain, full) => {
    expect(contentDisposition(name)).toBe(`attachment; filename=${plain}; filename*=UTF-8''${full}`);
  });

  it('is one ASCII header for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(contentDisposition(`${name} 1.pdf`)).toMatch(
          /^attachment; filename="?[\w.-]+\.pdf"?(?:; filename\*=UTF-8''(?:[\w.~!-]|%[0-9A-F]{2})+\.pdf)?$/,
        );
      }),
    );
  });
});

describe('uploadedName', () => {
  it.each([
    ['C:\\fakepath\\shot.png', 'shot.png'],
    ['../../etc/passwd', 'passwd'],
    ['gnp\u202efdp.exe\u2069', 'gnp fdp.exe'],
    ['a\r\nb\u0000.txt', 'a b.txt'],
    ['', 'file'],
    ['\\..', 'file'],
  ])('of %j is %j', (path, name) => {
    expect(uploadedName(path)).toBe(name);
  });

  it('keeps the extension of a long name, and not a long extension', () => {
    expect(uploadedName(`${'x'.repeat(5_000)}.png`)).toBe(`${'x'.repeat(120)}.png`);
    expect(uploadedName(`a.${'x'.repeat(5_000)}`)).toHaveLength(41);
  });
});

import { requireAttachmentUrl } from './attachment-url';

describe('the URL of an attachment', () => {
  it.each([
    'https://example.com',
    'https://example.com/scope.pdf?version=2#page=3',
    'HTTPS://example.com:8443/a@b',
    'https://[2001:db8::1]/x',
    `https://example.com/${'x'.repeat(2028)}`,
  ])('is %j', (url) => {
    expect(requireAttachmentUrl(url)).toBe(url);
  });

  it.each([
    '',
    'example.com/scope.pdf',
    'http://example.com/scope.pdf',
    'javascript:alert(1)',
    'https://',
    'https:example.com',
    'https:///example.com',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com\\@evil.example/',
    'https://exa mple.com/',
    'https://example.com/a\nb',
    ' https://example.com/',
    'https://example.com:99999/',
    `https://example.com/${'x'.repeat(2029)}`,
  ])('is not %j', (url) => {
    expect(() => requireAttachmentUrl(url)).toThrow(/^attachment_url must be an https URL/);
  });
});

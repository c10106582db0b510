import { hostOf, formatUrlHost, portOf, requireWebUrl } from './web-url';

const refusal = (text: string, schemes?: string[]): string => {
  try {
    return `${requireWebUrl(text, 'where', schemes).href} is accepted`;
  } catch (error) {
    return String(error);
  }
};

describe('requireWebUrl', () => {
  it.each([
    [`https://example.com/${'x'.repeat(2029)}`, 'it is longer than 2048 characters'],
    ['https://exam\nple.com/', 'it has a space, a backslash or a control character'],
    ['https://example.com\\@evil.example/', 'it has a space, a backslash or a control character'],
    ['https://example.com/\u0000', 'it has a space, a backslash or a control character'],
    ['ftp://example.com/', 'it does not begin with http or https, :// and a host'],
    ['https:example.com', 'it does not begin with http or https, :// and a host'],
    ['https://?x', 'it does not begin with http or https, :// and a host'],
    ['https://user:secret@example.com/', 'it has user information'],
    ['https://@example.com/', 'it has user information'],
    ['https://example.com:99999/', 'its host or port is not valid'],
    ['https://[::1/', 'its host or port is not valid'],
  ])('rejects %j and says why', (text, why) => {
    expect(refusal(text)).toContain(`where must be an http or https URL, such as https://example.com/: ${why}.`);
  });

  it('accepts only the given schemes', () => {
    expect(refusal('http://example.com/', ['https'])).toContain('where must be an https URL');
    expect(requireWebUrl('HTTPS://Example.com/a@b?c#d', 'where', ['https']).href).toBe('https://example.com/a@b?c#d');
  });

  it.each([
    ['https://Example.com./', 'example.com', 443],
    ['http://0x7f.1:8080/', '127.0.0.1', 8080],
    ['http://[::ffff:7f00:1]/', '127.0.0.1', 80],
    ['https://[2001:db8:0::1]/', '2001:db8::1', 443],
  ])('returns the canonical host and the port of %s', (text, host, port) => {
    const url = requireWebUrl(text, 'where');
    expect([hostOf(url), portOf(url)]).toEqual([host, port]);
    expect(new URL(`http://${formatUrlHost(host)}/`).hostname).toBe(formatUrlHost(host));
  });
});

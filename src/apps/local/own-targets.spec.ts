import { parseOwnTargets, resolveOwnTargets } from './own-targets';

describe('the URLs of --target', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', '127.0.0.1', 8080],
    ['https://LOCALHOST.', 'https://localhost/', 'localhost', 443],
    ['http://[::1]:3001/app', 'http://[::1]:3001/app', '::1', 3001],
    ["http://app.test/it's", 'http://app.test/it%27s', 'app.test', 80],
  ])('%s is read', (text, url, host, port) => {
    expect(parseOwnTargets([text])).toEqual([{ url, host, port }]);
  });

  it('count once if they are equal', () => {
    const texts = ['http://localhost:80', 'http://localhost/', 'http://localhost:81'];
    expect(parseOwnTargets(texts).map(({ url }) => url)).toEqual(['http://localhost/', 'http://localhost:81/']);
  });

  it.each([
    'localhost:8080',
    'ftp://localhost',
    'http://',
    'http://user@localhost',
    'http://localhost:0',
    'http://localhost:65536',
    'http://localhost/?a=b',
    'http://localhost/#top',
    'http://local host/',
    '',
  ])('"%s" is refused with an example', (text) => {
    expect(() => parseOwnTargets([text])).toThrow(/^--target ".*" .*such as --target http:\/\/127\.0\.0\.1:8080$/);
  });
});

describe('the addresses of --target', () => {
  const listeners = [
    { name: 'the API', host: '127.0.0.1', port: 3000 },
    { name: 'Redis', host: 'localhost', port: 6379 },
    { name: 'the portal', host: '0.0.0.0', port: 3001 },
  ];
  const resolve = (text: string) => resolveOwnTargets(parseOwnTargets([text]), listeners);

  it('are those of the operating system, also for localhost', async () => {
    const [target] = await resolve('http://localhost:8080');
    expect(target?.addresses).toContain('127.0.0.1');
    expect((await resolve('http://[::1]:3000'))[0]?.addresses).toEqual(['::1']);
    expect((await resolve('http://10.0.0.5:3000'))[0]?.addresses).toEqual(['10.0.0.5']);
  });

  it.each([
    ['http://127.0.0.1:3000', 'it is the API of Assay itself'],
    ['http://localhost:3000/x', 'it is the API of Assay itself'],
    ['http://127.0.0.1:6379', 'it is Redis of Assay itself'],
    ['http://127.9.9.9:3001', 'it is the portal of Assay itself'],
    ['http://[::1]:3001', 'it is the portal of Assay itself'],
    [
      'http://192.88.100.1',
      'has the public address 192.88.100.1, and a target on the internet needs a verified domain',
    ],
    ['http://169.254.169.254', 'is not an address of this machine or of a private network'],
    ['http://100.100.100.200', 'is not an address of this machine or of a private network'],
    ['http://0.0.0.0:8080', 'is not an address of this machine or of a private network'],
    ['http://nowhere.invalid', 'this machine finds no address for nowhere.invalid'],
  ])('%s is refused', async (url, reason) => {
    await expect(resolve(url)).rejects.toThrow(reason);
  });
});

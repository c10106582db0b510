import { cpuMs } from '../../testing/cpu';
import { technologiesOf } from './technologies-of';
import { answer, cookie, generator, greeting, header, page, poweredBy, script, server } from './testing/statements';

describe('technologiesOf on what resembles a technology', () => {
  it.each([
    ['a server with a similar name', server('nginx-like/1.0')],
    ['a word in another product', server('NotApache/2.0')],
    ['an article about a server', page('<p>Install nginx/1.22.1, then Apache Tomcat/10.1 and PHP/8.2.</p>')],
    ['escaped markup', page('<pre>&lt;center&gt;nginx/1.22.1&lt;/center&gt;</pre>')],
    ['a page that only says that it works', page('<html><body><h1>It works!</h1></body></html>')],
    ['a title with more words', page('<title>Grafana alternatives compared</title>')],
    ['a generator that nobody knows', generator('My Generator 1.0')],
    ['an article with generators', page('<p>&lt;meta name="generator" content="WordPress 6.1"&gt;</p>')],
    ['a generator in a comment', page('<!-- <meta name="generator" content="WordPress 6.1"> -->')],
    ['a script with a similar name', script('/js/jquery.cookie.js')],
    ['a plugin with a version', script('/js/jquery.form-4.3.0.js')],
    ['a module in a folder of another name', script('/not-vue/3.3.4/main.js')],
    ['a cookie with a similar name', cookie('MYPHPSESSID')],
    ['a cookie with a known value', header('Set-Cookie', 'a=PHPSESSID=1')],
    ['a header with a similar name', header('X-Powered-By-Us', 'PHP/8.2')],
    ['an empty header', server('')],
    ['a greeting of another service', greeting('smtp', '220 (vsFTPd 3.0.3)')],
    ['a service that nobody knows', greeting('gopher', 'SSH-2.0-OpenSSH_9.2p1')],
    ['a greeting that mentions a product', greeting('smtp', '220 mail.example.com ESMTP not Postfix')],
    ['an FTP greeting that mentions a product', greeting('ftp', '220 We replaced ProFTPD')],
    ['an SSH server that claims to be nothing', greeting('ssh', 'SSH-2.0-server')],
    ['a database that is like MySQL', greeting('mysql', '5.7.25-TiDB-v7.1.0')],
    ['an error of what speaks the protocol of PostgreSQL', greeting('postgresql', 'Munknown version\0Fconn.go\0')],
    ['a favicon that nobody knows', answer([], '', 7)],
  ])('reports nothing for %s', (_what, statement) => {
    expect(technologiesOf([statement])).toEqual([]);
  });
});

describe('technologiesOf', () => {
  const seen = (...statements: Parameters<typeof technologiesOf>[0]) =>
    technologiesOf(statements).map(({ name, version }) => `${name} ${version}`.trim());

  it('keeps the most precise version of several statements, and says which response showed it', () => {
    const error = page('<hr><center>nginx/1.22.1</center>');
    expect(technologiesOf([server('nginx'), server('nginx/1.22'), error])).toEqual([
      {
        name: 'nginx',
        vendor: 'F5',
        version: '1.22.1',
        os: '',
        cpe: 'cpe:2.3:a:f5:nginx:1.22.1:*:*:*:*:*:*:*',
        source: 'page https://www.example.com/',
      },
    ]);
  });

  it('treats the welcome page of one server on another as a file, and an error page as that of the server', () => {
    const welcome = '<h1>Welcome to nginx!</h1>';
    const at = (name: string): [string, string][] => [['Server', name]];
    expect(seen(answer(at('lighttpd/1.4.69'), welcome))).toEqual(['lighttpd 1.4.69']);
    expect(seen(answer(at('nginx/1.22.1'), welcome))).toEqual(['nginx 1.22.1']);
    expect(seen(answer([], welcome))).toEqual(['nginx']);
    expect(seen(answer(at('cloudflare'), welcome))).toContain('nginx');
    const backend = '<center>nginx/1.22.1</center>';
    expect(seen({ ...answer(at('lighttpd/1.4.69'), backend), status: 502 })).toContain('nginx 1.22.1');
  });

  it('keeps different versions, which stand on different ports', () => {
    expect(seen(server('nginx/1.22.1'), server('nginx/1.18.0'), server('nginx'))).toEqual([
      'nginx 1.18.0',
      'nginx 1.22.1',
    ]);
    expect(seen(server('nginx/1.2'), server('nginx/1.22'))).toEqual(['nginx 1.2', 'nginx 1.22']);
  });

  it('keeps the system that another statement of the same version names', () => {
    const [apache] = technologiesOf([server('Apache/2.4.57'), server('Apache/2.4.57 (Debian)')]);
    expect(apache).toMatchObject({
      version: '2.4.57',
      os: 'Debian',
      source: 'server header of https://www.example.com/',
    });
  });

  it('reads several technologies in one header', () => {
    expect(seen(server('Apache/2.4.57 (Debian) PHP/8.2.7 OpenSSL/3.0.9 mod_wsgi/4.9.4 Python/3.11'))).toEqual([
      'Apache HTTP Server 2.4.57',
      'OpenSSL 3.0.9',
      'PHP 8.2.7',
      'Python 3.11',
      'mod_wsgi 4.9.4',
    ]);
  });

  it.each([
    [server('nginx'), 'cpe:2.3:a:f5:nginx:*:*:*:*:*:*:*:*'],
    [greeting('ssh', 'SSH-2.0-OpenSSH_9.2p1'), 'cpe:2.3:a:openbsd:openssh:9.2:p1:*:*:*:*:*:*'],
    [generator('Joomla! 1.5'), String.raw`cpe:2.3:a:joomla:joomla\!:1.5:*:*:*:*:*:*:*`],
    [cookie('SVPNCOOKIE'), 'cpe:2.3:o:fortinet:fortios:*:*:*:*:*:*:*:*'],
    [server('cloudflare'), ''],
  ])('gives the CPE name of %j', (statement, cpe) => {
    expect(technologiesOf([statement]).map((one) => one.cpe)).toEqual([cpe]);
  });

  it('names the cookie, the script and the generator that showed it', () => {
    const sources = technologiesOf([cookie('PHPSESSID'), script('/jquery-3.6.0.js'), generator('Hugo 0.111.3')]);
    expect(sources.map(({ source }) => source)).toEqual([
      'generator of https://www.example.com/',
      'cookie PHPSESSID of https://www.example.com/',
      '/jquery-3.6.0.js in https://www.example.com/',
    ]);
  });

  it('reads the beginning and the end of a long page, and nothing between', () => {
    const [mark, filler] = ['<hr><center>nginx/1.22.1</center>', ' '.repeat(2_000_000)];
    expect(seen(page(mark + filler))).toEqual(['nginx 1.22.1']);
    expect(seen(page(filler + mark))).toEqual(['nginx 1.22.1']);
    expect(seen(page(filler + mark + filler))).toEqual([]);
  });

  it('does not repeat a version that is longer than versions are', () => {
    const [nginx] = technologiesOf([server(`nginx/1.${'2'.repeat(400)}`)]);
    expect(nginx?.version).toHaveLength(40);
  });
});

describe('the time that a hostile response takes', () => {
  const filled = (piece: string): string => piece.repeat(Math.ceil(5_000_000 / piece.length));

  it.each([
    ['one letter', filled('a')],
    ['opened tags', filled('<script ')],
    ['opened comments', filled('<!--')],
    ['addresses full of slashes', filled(`<script src="${'/jquery/'.repeat(40)}">`)],
    ['addresses full of digits', filled(`<script src="/vue-${'1.'.repeat(140)}">`)],
    ['generators', filled('<meta name="generator" content="WordPress 1.1.1.1.1.1.1.1.1.1.1.1.1.1">')],
    ['marks without an end', filled('<center>nginx/1<address>Apache/2.4 (x Server at You Know, for Search "number" ')],
    ['spaces', filled(' ')],
    ['digits and dots', filled('1.')],
  ])('is short for %s', (_what, body) => {
    technologiesOf([page(body)]);
    const ms = Math.min(...[1, 2, 3].map(() => cpuMs(() => technologiesOf([page(body)]))));
    expect(ms).toBeLessThan(200);
  });

  it('is short for headers and greetings', () => {
    const values = ['nginx/1.', 'PHP/', 'Phusion Passenger(R) ', ' ', '1.'].map((piece) => piece.repeat(100_000));
    const headers = Array.from({ length: 2_000 }, (_none, at) => ['Server', values[at % values.length] ?? ''] as const);
    const texts = values.map((value) => `* OK ${value}`);
    const statements = [
      answer(headers),
      ...['imap', 'ssh', 'mysql'].flatMap((one) => texts.map((text) => greeting(one, text))),
    ];
    technologiesOf(statements);
    expect(cpuMs(() => technologiesOf(statements))).toBeLessThan(500);
  });

  it('accepts bytes that are no text', () => {
    const bytes = String.fromCodePoint(...Array.from({ length: 2_000 }, (_none, at) => at % 256));
    expect(technologiesOf([page(bytes), greeting('mysql', bytes), poweredBy(bytes), cookie(bytes)])).toEqual([]);
  });
});

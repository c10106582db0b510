import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type Server } from 'node:tls';
import { certificate } from '../testing/certificate';
import { HostileServer, transportTo } from '../testing/hostile-server';
import { SERVICE_ANSWERS } from '../testing/service-answers';
import { DEFAULT_LIMITS } from '../transport/limits';
import { PortLook } from './port-look';
import type { Waits } from './waits';

/** Long waits for servers that answer, which may be slow on a busy machine. */
const WAITS: Waits = {
  greeting: { likely: 1_000, unlikely: 100, unknown: 150, late: 3_000 },
  quiet: 200,
  hello: 1_000,
  tls: 1_000,
  http: 600,
  port: 20_000,
};

/** Short waits for servers that send nothing, or the wrong thing. */
const SHORT: Waits = {
  greeting: { likely: 40, unlikely: 20, unknown: 30, late: 100 },
  quiet: 15,
  hello: 30,
  tls: 60,
  http: 60,
  port: 8_000,
};

const signal = new AbortController().signal;

/** What a look shows of a server, which it takes to be at this port. */
async function lookAt(server: HostileServer | { port: number }, port: number, waits = WAITS): Promise<PortLook> {
  const look = new PortLook({ host: '127.0.0.1', port }, [['User-Agent', 'Assay']], waits);
  // The limit of a deployment, because a look reads more of a page than other tests allow.
  const transport = transportTo(server.port, { limits: { bytes: DEFAULT_LIMITS.bytes } });
  for (let connections = 0; !look.isDone && connections < 60; connections += 1)
    await transport.converse({ host: '127.0.0.1', port: server.port }, { signal }, (line) => look.talk(line));
  return look;
}

const servers: HostileServer[] = [];
let server: HostileServer | null = null;

afterEach(() => Promise.all(servers.splice(0).map((one) => one.stop())));

async function shownBy(behave: (socket: Socket) => void, port: number, waits = WAITS): Promise<PortLook> {
  const started = await new HostileServer(behave).start();
  server = started;
  servers.push(started);
  return lookAt(started, port, waits);
}

/** The services that it is recognized as at these ports. */
async function namesOf(behave: (socket: Socket) => void, ports: readonly number[], waits = WAITS) {
  return Promise.all(ports.map(async (port) => [port, (await shownBy(behave, port, waits)).seen.service] as const));
}

const SILENT_PORTS = [4_000, 80, 443, 5432, 6379, 11_211, 1883, 5672] as const;
const GREETING_PORTS = [4_000, 21, 22, 25, 110, 143, 3306] as const;

const answeringAll =
  (text: string | Buffer) =>
  (socket: Socket): void =>
    void socket.on('data', () => socket.write(text));

const withName = (ports: readonly number[], name: string | null) => ports.map((port) => [port, name]);

describe('a look at a port', () => {
  it.each(SILENT_PORTS)('names no service that closes at once, at port %d', async (port) => {
    const { seen } = await shownBy((socket) => socket.destroy(), port, SHORT);
    expect(seen).toMatchObject({ service: null, security: null });
    expect(server?.connections).toBeLessThan(4);
  });

  it.each([...SILENT_PORTS, ...GREETING_PORTS])(
    'names no service that repeats what it hears, at port %d',
    async (port) => {
      const { seen } = await shownBy((socket) => socket.pipe(socket), port, SHORT);
      expect(seen.service).toBeNull();
    },
  );

  it.each([
    '220 ready\r\n',
    '250 ready\r\n',
    '+OK ready\r\n',
    '* OK ready\r\n',
    '200 ready\r\n',
    '-ERR unknown command\r\n',
    '-NOAUTH Authentication required.\r\n',
    '+OK\r\n',
    'VERSION 1.6.18\r\n',
    'ERROR\r\n',
    'S',
    'N',
    'E\0\0\0\x40SFATAL\0VFATAL\0C0A000\0Mno\0\0',
    'SSH-2.0-OpenSSH_9.2p1\r\n',
    'hello\n',
    '\0\0\0\0',
  ])('names no service that answers everything with %j', async (text) => {
    const ports = [4_000, 21, 5432, 6379];
    expect(await namesOf(answeringAll(Buffer.from(text, 'latin1')), ports, SHORT)).toEqual(withName(ports, null));
  });

  it.each([
    ['of MQTT', ' \x02\0\x05'],
    ['of AMQP', 'AMQP\0\x01\0\0'],
    ['of a remote desktop', '\x03\0\0\x0b\x06\xd0\0\0\x12\x34\0'],
  ])('names no service that answers every hello with an answer %s', async (_what, text) => {
    const names = await namesOf(answeringAll(Buffer.from(text, 'latin1')), [4_000, 80, 6379], SHORT);
    expect(names).toEqual(withName([4_000, 80, 6379], null));
  });

  it.each(['220 ready\r\n', '+OK ready\r\n', '* OK ready\r\n', '200 ready\r\n', 'SSH-2.0-OpenSSH_9.2p1\r\n'])(
    'names no service that greets and answers with %j alike',
    async (text) => {
      const { seen } = await shownBy(
        (socket) => {
          socket.write(text);
          answeringAll(text)(socket);
        },
        4_000,
        SHORT,
      );
      expect(seen.service).toBeNull();
    },
  );

  it('names no service that sends garbage', async () => {
    const rounds = Array.from({ length: 14 }, (_one, round) => ({ round, garbage: randomBytes(1 + round * 40) }));
    const names = await Promise.all(
      rounds.map(({ round, garbage }) => {
        const greet = (socket: Socket): void => void socket.write(garbage);
        const ports = GREETING_PORTS.slice(round % GREETING_PORTS.length).slice(0, 1);
        return namesOf(round % 2 === 0 ? greet : answeringAll(garbage), ports, SHORT);
      }),
    );
    expect(names.flat().filter(([, name]) => name !== null)).toEqual([]);
  });

  it.each([22, 80, 4_000])(
    'names no service that sends a byte now and then at port %d, and closes the connection in time',
    async (port) => {
      const before = performance.now();
      const { seen } = await shownBy((socket) => {
        const drip = setInterval(() => socket.write('x'), 10);
        socket.once('close', () => clearInterval(drip));
      }, port);
      expect(seen.service).toBeNull();
      expect(performance.now() - before).toBeLessThan(10_000);
    },
  );

  it('closes the connection to a silent port in time', async () => {
    const before = performance.now();
    const look = await shownBy(() => {}, 4_000, { ...SHORT, port: 300 });
    expect([look.seen.service, look.isMute]).toEqual([null, true]);
    expect(performance.now() - before).toBeLessThan(7_000);
  });

  it('reads little of a greeting of ten megabytes', async () => {
    const look = await shownBy((socket) => socket.write(Buffer.alloc(10_000_000, 'SSH-2.0-')), 22);
    expect(look.seen.service).toBeNull();
    expect(look.statements).toEqual([]);
  });

  it.each(
    SERVICE_ANSWERS.filter(({ service }) =>
      ['ssh', 'ftp', 'smtp', 'pop3', 'rsync', 'rfb', 'svn'].includes(service),
    ).map((one) => [one.service, one] as const),
  )('names %s by its greeting at the port of any other service', async (service, { heard }) => {
    const ports = [80, 22, 25, 6379, 4_000];
    const play = (socket: Socket): void => {
      const [greeting = '', ...answers] = heard;
      socket.write(Buffer.from(greeting, 'latin1'));
      const left = answers.values();
      socket.on('data', () => socket.write(Buffer.from(left.next().value ?? '500 no\r\n', 'latin1')));
    };
    expect(await namesOf(play, ports)).toEqual(withName(ports, service));
  });

  it('waits for a greeting that comes late', async () => {
    const look = await shownBy((socket) => {
      setTimeout(() => socket.write('220 mail.example.com ESMTP\r\n'), 400);
      socket.on('data', (data) => {
        if (String(data).startsWith('EHLO')) socket.write('250 mail.example.com\r\n');
      });
    }, 4_000);
    expect(look.seen.service).toBe('smtp');
  });

  it('tries FTP after SMTP where the greeting may be of both', async () => {
    const { seen } = await shownBy((socket) => {
      socket.write('220 welcome\r\n');
      socket.on('data', (data) => socket.write(`500 ${String(data).slice(0, 4)} is unknown\r\n`));
    }, 25);
    expect(seen.service).toBe('ftp');
  });
});

describe('a look at a port with TLS', () => {
  const pair = certificate({ names: ['127.0.0.1', 'www.example.com'] });
  let tls: Server | null = null;

  afterEach(() => tls?.close());

  async function secured(behave: (socket: TLSSocket) => void): Promise<{ port: number }> {
    tls = createTlsServer({ cert: pair.cert, key: pair.key }, behave);
    tls.on('tlsClientError', () => {});
    const running = tls;
    await new Promise<void>((resolve) => {
      running.listen(0, '127.0.0.1', resolve);
    });
    const address = running.address();
    return { port: typeof address === 'object' && address !== null ? address.port : 0 };
  }

  const web = (socket: TLSSocket): void => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nServer: test\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi'),
    );
  };

  it.each([443, 80, 22, 4_000])('finds HTTPS with its certificate at port %d', async (port) => {
    const look = await lookAt(await secured(web), port);
    expect(look.seen).toMatchObject({ service: 'https', security: 'tls' });
    expect(look.seen.certificate?.names).toContain('www.example.com');
    expect(look.statements.map((one) => one.kind)).toEqual(['http', 'http', 'http']);
  });

  it('names nothing where TLS is spoken and nothing below it, and shows the certificate', async () => {
    const { seen } = await lookAt(await secured((socket) => socket.on('error', () => {})), 4_000, {
      ...WAITS,
      port: 1_000,
    });
    expect(seen).toMatchObject({ service: null, security: 'tls', certificate: { key: { type: 'ec prime256v1' } } });
  });

  it('finds IMAP below TLS', async () => {
    const { seen } = await lookAt(
      await secured((socket) => {
        socket.on('error', () => {});
        socket.write('* OK ready\r\n');
        socket.on('data', (data) => {
          const [tag = ''] = String(data).split(' ');
          socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`);
        });
      }),
      993,
    );
    expect(seen).toMatchObject({ service: 'imaps', security: 'tls' });
  });

  it('finds the certificate behind STARTTLS', async () => {
    const started = await new HostileServer((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n');
      socket.on('data', (data) => {
        if (String(data).startsWith('EHLO')) socket.write('250-mail\r\n250 STARTTLS\r\n');
        if (!String(data).startsWith('STARTTLS')) return;
        socket.removeAllListeners('data');
        socket.write('220 go ahead\r\n');
        new TLSSocket(socket, { isServer: true, cert: pair.cert, key: pair.key }).on('error', () => {});
      });
    }).start();
    servers.push(started);
    const { seen } = await lookAt(started, 25);
    expect(seen).toMatchObject({ service: 'smtp', security: 'starttls' });
    expect(seen.certificate?.names).toContain('www.example.com');
  });

  it('recognizes over TLS which database speaks the protocol of PostgreSQL', async () => {
    const error = 'E\0\0\0\x85SFATAL\0VFATAL\0C0A000\0Munsupported\0Fpostmaster.c\0L2222\0\0';
    const started = await new HostileServer((socket) => {
      socket.once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, cert: pair.cert, key: pair.key });
        secure.on('error', () => {}).once('data', () => secure.end(error, 'latin1'));
      });
    }).start();
    servers.push(started);
    const { seen, statements } = await lookAt(started, 5432);
    expect(seen).toMatchObject({ service: 'postgresql', security: 'starttls' });
    expect(statements).toEqual([expect.objectContaining({ service: 'postgresql', text: error })]);
  });

  it('says that a server without the TLS that it offers is not secured', async () => {
    const { seen } = await shownBy((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n');
      socket.on('data', (data) =>
        socket.write(String(data).startsWith('EHLO') ? '250 STARTTLS\r\n' : '220 go ahead\r\n'),
      );
    }, 25);
    expect(seen).toEqual({ service: 'smtp', security: null, certificate: null });
  });
});

describe('a look at a port with HTTP', () => {
  const json = (headers: string, body: string, status = '200 OK'): string =>
    `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

  /** By path. */
  const site =
    (answers: Readonly<Record<string, string>>) =>
    (socket: Socket): void =>
      void socket.on('data', (data) => {
        const [, path = ''] = String(data).split(' ');
        socket.write(answers[path] ?? json('', 'no', '404 Not Found'));
      });

  const GO_404 = json('', '404 page not found\n', '404 Not Found');

  it.each([
    ['http', { '/': json('Server: nginx/1.24.0\r\n', '<title>Hello</title>') }],
    [
      'docker',
      {
        '/': json(
          'Server: Docker/27.3.1 (linux)\r\nApi-Version: 1.47\r\nOstype: linux\r\n',
          '{"message":"page not found"}',
          '404 Not Found',
        ),
      },
    ],
    [
      'kubernetes',
      {
        '/': json(
          'Audit-Id: 41f7\r\n',
          '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}',
          '403 Forbidden',
        ),
      },
    ],
    [
      'elasticsearch',
      {
        '/': json(
          'X-elastic-product: Elasticsearch\r\n',
          '{"name":"n","version":{"number":"8.15.0"},"tagline":"You Know, for Search"}',
        ),
      },
    ],
    ['etcd-client', { '/': GO_404, '/version': json('', '{"etcdserver":"3.4.23","etcdcluster":"3.4.0"}') }],
    [
      'prometheus',
      {
        '/': json('Location: /graph\r\n', '', '302 Found'),
        '/api/v1/status/buildinfo': json('', '{"status":"success","data":{"version":"2.42.0","goVersion":"go1.19.8"}}'),
      },
    ],
    ['http', { '/': GO_404, '/version': json('', '{"version":"1.0"}') }],
    ['http', { '/': json('Location: /graph\r\n', '', '302 Found') }],
    ['http', { '/': json('', '{"kind":"Status","apiVersion":"v1"}') }],
  ] as [string, Record<string, string>][])('finds %s', async (service, answers) => {
    expect(await namesOf(site(answers), [4_000, 80])).toEqual(withName([4_000, 80], service));
  });

  it('asks for all pages on one connection', async () => {
    const icon = 'HTTP/1.1 200 OK\r\nContent-Type: image/x-icon\r\nContent-Length: 4\r\n\r\nicon';
    const look = await shownBy(site({ '/': json('', 'hello'), '/favicon.ico': icon }), 80);
    expect(server?.connections).toBe(1);
    const [, missing, favicon] = look.statements;
    expect(look.statements[0]).toMatchObject({ kind: 'http', url: 'http://127.0.0.1/', status: 200, body: 'hello' });
    expect(missing).toMatchObject({ status: 404, body: 'no' });
    expect(favicon).toMatchObject({ status: 200, iconHash: 1_355_950_459 });
    expect(server?.heard.join('')).toContain('User-Agent: Assay\r\n');
  });

  it('reads a page in chunks, and follows no redirect to another origin', async () => {
    const chunked =
      'HTTP/1.1 301 Moved\r\nLocation: http://elsewhere.example/next\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
    const look = await shownBy(site({ '/': chunked }), 80);
    expect(look.statements[0]).toMatchObject({ status: 301, body: 'hello' });
    expect(server?.heard.join('')).not.toContain('/next');
  });

  it('asks where the first page redirects to, if that is the same origin, and for the icon that it names', async () => {
    const moved = 'HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n';
    const look = await shownBy(site({ '/': moved, '/login': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' }), 80);
    expect(look.statements.map((one) => (one.kind === 'http' ? new URL(one.url).pathname : ''))).toEqual([
      '/',
      expect.stringMatching(/^\/[0-9a-f]{12}$/),
      '/favicon.ico',
      '/login',
    ]);
  });

  it('reads a bounded part of a page without end', async () => {
    const look = await shownBy((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000_000)}`));
    }, 80);
    expect(look.seen.service).toBe('http');
    const [page] = look.statements;
    expect(page?.kind === 'http' ? page.body.length : 0).toBeLessThan(300_000);
  });

  it.each(['RTSP/1.0 200 OK\r\n\r\n', 'HTTP/1.1 OK\r\n\r\n', 'HTTP/1.1 200 OK\n', 'ICY 200 OK\r\n\r\n'])(
    'does not take %j for HTTP',
    async (text) => {
      expect((await shownBy(answeringAll(text), 80, SHORT)).seen.service).toBeNull();
    },
  );
});

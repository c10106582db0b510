import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a port of a real server is expected to show. */
export interface ExpectedPort {
  readonly port: number;
  readonly service: string;
  readonly security?: 'tls' | 'starttls';
  /** What the server states about its version; without it, it states none. */
  readonly version?: RegExp;
  /** How nmap names the service where it has another name for it. */
  readonly nmap?: RegExp;
}

export interface ServerPlan {
  readonly program: string;
  /** Servers that change their user themselves run as root. */
  readonly asRoot?: boolean;
  readonly ports: readonly ExpectedPort[];
  /** Writes files to the folder, and returns the command that starts the server in the foreground. */
  command(folder: string, address: string): readonly string[];
}

const NOBODY = 65_534;

export const asNobody = (command: readonly string[]): readonly string[] => [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  ...command,
];

/** A file that every user may read. */
function file(folder: string, name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o644);
  return path;
}

function directory(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o777);
  return path;
}

const run = (command: readonly string[]): void => {
  const [program = '', ...args] = command;
  execFileSync(program, args, { stdio: 'ignore' });
};

/** Both in the folder of the network. */
const certificateIn = (folder: string): { readonly cert: string; readonly key: string } => ({
  cert: join(folder, '..', 'cert.pem'),
  key: join(folder, '..', 'key.pem'),
});

const POSTGRES = '/usr/lib/postgresql';
const postgresPrograms = (): string =>
  join(POSTGRES, existsSync(POSTGRES) ? (readdirSync(POSTGRES)[0] ?? '') : '', 'bin');

const redisAt =
  (port: number, ...options: string[]): ServerPlan['command'] =>
  (folder, address) => [
    'redis-server',
    '--port',
    `${port}`,
    '--bind',
    address,
    '--save',
    '',
    '--dir',
    folder,
    ...options,
  ];

const sshAt =
  (port: number): ServerPlan['command'] =>
  (folder, address) => {
    const key = join(folder, `host-key-${port}`);
    run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key]);
    mkdirSync('/run/sshd', { recursive: true });
    const lines = [`ListenAddress ${address}:${port}`, `HostKey ${key}`, 'UsePAM no', `PidFile ${folder}/pid`];
    return ['/usr/sbin/sshd', '-D', '-f', file(folder, `sshd-${port}.conf`, `${lines.join('\n')}\n`)];
  };

export const OBSERVED_SERVERS: readonly ServerPlan[] = [
  {
    program: 'nginx',
    ports: [
      { port: 80, service: 'http', version: /nginx\/1\.\d+\.\d+/ },
      { port: 443, service: 'https', security: 'tls', version: /nginx\/1\.\d+\.\d+/ },
      { port: 7443, service: 'https', security: 'tls', version: /nginx\/1\.\d+\.\d+/ },
    ],
    command(folder, address) {
      const { cert, key } = certificateIn(folder);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder};`,
      );
      const config = `pid ${folder}/pid; daemon off; error_log stderr; events {}
        http { access_log off; ${temporary.join(' ')} ssl_certificate ${cert}; ssl_certificate_key ${key};
          server { listen ${address}:80; listen ${address}:443 ssl; listen ${address}:7443 ssl; root ${folder}; } }`;
      return ['nginx', '-e', 'stderr', '-p', folder, '-c', file(folder, 'nginx.conf', config)];
    },
  },
  {
    program: 'apache2',
    ports: [{ port: 8080, service: 'http', version: /Apache\/2\.4\.\d+ \(Debian\)/ }],
    command(folder, address) {
      const modules = ['mpm_event', 'authz_core'].map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      );
      const lines = [
        ...modules,
        `ServerName ${address}`,
        `Listen ${address}:8080`,
        `PidFile ${folder}/pid`,
        `ErrorLog ${folder}/log`,
        `DefaultRuntimeDir ${folder}`,
        `DocumentRoot ${folder}`,
      ];
      return ['apache2', '-X', '-d', folder, '-f', file(folder, 'apache.conf', `${lines.join('\n')}\n`)];
    },
  },
  {
    program: 'sshd',
    asRoot: true,
    ports: [{ port: 22, service: 'ssh', version: /^SSH-2\.0-OpenSSH_\d+\.\d+p\d Debian/ }],
    command: sshAt(22),
  },
  {
    program: 'sshd',
    asRoot: true,
    ports: [{ port: 8000, service: 'ssh', version: /^SSH-2\.0-OpenSSH_\d+\.\d+p\d Debian/ }],
    command: sshAt(8000),
  },
  {
    program: 'vsftpd',
    ports: [{ port: 21, service: 'ftp', version: /^220 \(vsFTPd 3\.0\.\d\)/ }],
    command(folder, address) {
      const root = directory(folder, 'root');
      const lines = [
        'listen=YES',
        'background=NO',
        `listen_address=${address}`,
        'run_as_launching_user=YES',
        'seccomp_sandbox=NO',
        'anonymous_enable=NO',
        'local_enable=YES',
        'xferlog_enable=NO',
        `secure_chroot_dir=${root}`,
      ];
      const config = file(folder, 'vsftpd.conf', `${lines.join('\n')}\n`);
      run(['chown', `${NOBODY}`, config]);
      return ['vsftpd', config];
    },
  },
  {
    program: 'postfix',
    asRoot: true,
    ports: [
      { port: 25, service: 'smtp', security: 'starttls' },
      { port: 465, service: 'submissions', security: 'tls', nmap: /^smtp/ },
    ],
    command(folder, address) {
      const { cert, key } = certificateIn(folder);
      const data = directory(folder, 'data');
      const queue = directory(folder, 'queue');
      run(['chown', 'postfix', data]);
      file(
        folder,
        'main.cf',
        `compatibility_level = 3.6\nqueue_directory = ${queue}\ndata_directory = ${data}\nmail_owner = postfix\nmyhostname = mail.example.com\ninet_interfaces = ${address}\nmynetworks = ${address}\nmaillog_file = /dev/stdout\nmaillog_file_prefixes = /dev\nsmtpd_tls_cert_file = ${cert}\nsmtpd_tls_key_file = ${key}\nsmtpd_tls_security_level = may\nalias_maps =\nlocal_recipient_maps =\n`,
      );
      file(
        folder,
        'master.cf',
        [
          'smtp inet n - n - - smtpd',
          'smtps inet n - n - - smtpd -o smtpd_tls_wrappermode=yes',
          'tlsmgr unix - - n 1000? 1 tlsmgr',
          'rewrite unix - - n - - trivial-rewrite',
          'cleanup unix n - n - 0 cleanup',
          'proxymap unix - - n - - proxymap',
          'anvil unix - - n - 1 anvil',
          'postlog unix-dgram n - n - 1 postlogd',
        ]
          .map((line) => `${line}\n`)
          .join('')
          .replace('\nsmtps ', '\n465 '),
      );
      return ['postfix', '-c', folder, 'start-fg'];
    },
  },
  {
    program: 'dovecot',
    asRoot: true,
    ports: [
      { port: 143, service: 'imap', security: 'starttls' },
      { port: 993, service: 'imaps', security: 'tls', nmap: /^imap/ },
      { port: 110, service: 'pop3', security: 'starttls' },
      { port: 995, service: 'pop3s', security: 'tls', nmap: /^pop3/ },
    ],
    command(folder, address) {
      const { cert, key } = certificateIn(folder);
      const lines = [
        'protocols = imap pop3',
        `listen = ${address}`,
        `base_dir = ${folder}/run`,
        `log_path = /dev/stderr`,
        'ssl = yes',
        `ssl_cert = <${cert}`,
        `ssl_key = <${key}`,
        'mail_location = maildir:~/mail',
        'passdb {',
        '  driver = static',
        '}',
        'userdb {',
        '  driver = static',
        '}',
      ];
      return ['dovecot', '-F', '-c', file(folder, 'dovecot.conf', `${lines.join('\n')}\n`)];
    },
  },
  {
    program: join(postgresPrograms(), 'postgres'),
    ports: [{ port: 5432, service: 'postgresql', security: 'starttls' }],
    command(folder, address) {
      const data = join(folder, 'data');
      const { cert, key } = certificateIn(folder);
      run(
        asNobody([
          join(postgresPrograms(), 'initdb'),
          '-D',
          data,
          '-U',
          'postgres',
          '--auth=scram-sha-256',
          `--pwfile=${file(folder, 'password', 'ninety volumes')}`,
          '--no-sync',
        ]),
      );
      run(['sh', '-c', `cp ${key} ${folder}/pg.key && chown ${NOBODY} ${folder}/pg.key && chmod 600 ${folder}/pg.key`]);
      return [
        join(postgresPrograms(), 'postgres'),
        '-D',
        data,
        '-h',
        address,
        '-k',
        folder,
        '-c',
        'ssl=on',
        '-c',
        `ssl_cert_file=${cert}`,
        '-c',
        `ssl_key_file=${folder}/pg.key`,
      ];
    },
  },
  {
    program: 'mariadbd',
    ports: [{ port: 3306, service: 'mysql', security: 'starttls', version: /\d+\.\d+\.\d+-MariaDB/ }],
    command(folder, address) {
      const data = join(folder, 'data');
      run(
        asNobody([
          'mariadb-install-db',
          '--no-defaults',
          `--datadir=${data}`,
          '--auth-root-authentication-method=normal',
          '--skip-test-db',
        ]),
      );
      return [
        'mariadbd',
        '--no-defaults',
        `--datadir=${data}`,
        `--bind-address=${address}`,
        '--port=3306',
        '--skip-grant-tables',
        `--ssl-cert=${certificateIn(folder).cert}`,
        `--ssl-key=${certificateIn(folder).key}`,
        `--socket=${folder}/socket`,
        `--pid-file=${folder}/pid`,
      ];
    },
  },
  {
    program: 'redis-server',
    ports: [{ port: 6379, service: 'redis', version: /redis_version:\d+\.\d+\.\d+/ }],
    command: redisAt(6379, '--protected-mode', 'no'),
  },
  {
    program: 'redis-server',
    ports: [{ port: 7000, service: 'redis' }],
    command: redisAt(7000, '--requirepass', 'ninety volumes'),
  },
  {
    program: 'memcached',
    ports: [{ port: 11_211, service: 'memcache', version: /^VERSION 1\.\d+\.\d+/, nmap: /^memcached$/ }],
    command: (_folder, address) => ['memcached', '-p', '11211', '-l', address, '-U', '0'],
  },
  {
    program: 'haproxy',
    ports: [{ port: 8081, service: 'http' }],
    command: (folder, address) => [
      'haproxy',
      '-db',
      '-f',
      file(
        folder,
        'haproxy.cfg',
        `defaults\n  mode http\n  timeout client 30s\n  timeout server 30s\n  timeout connect 5s\nfrontend web\n  bind ${address}:8081\n  default_backend none\nbackend none\n`,
      ),
    ],
  },
  {
    program: 'caddy',
    ports: [
      { port: 8082, service: 'http' },
      { port: 8443, service: 'https', security: 'tls' },
    ],
    command(folder, address) {
      const { cert, key } = certificateIn(folder);
      const config = `{\n  admin off\n  auto_https off\n  storage file_system ${folder}\n}\nhttp://:8082 {\n  bind ${address}\n  respond "Hello"\n}\nhttps://:8443 {\n  bind ${address}\n  tls ${cert} ${key}\n  respond "Hello"\n}\n`;
      return [
        'env',
        `HOME=${folder}`,
        'caddy',
        'run',
        '--adapter',
        'caddyfile',
        '--config',
        file(folder, 'Caddyfile', config),
      ];
    },
  },
  {
    program: 'named',
    ports: [{ port: 53, service: 'domain', version: /^9\.\d+\.\d+/ }],
    command: (folder, address) => [
      'named',
      '-g',
      '-c',
      file(
        folder,
        'named.conf',
        `options { directory "${folder}"; listen-on { ${address}; }; listen-on-v6 { none; }; pid-file "${folder}/pid"; session-keyfile none; recursion no; managed-keys-directory "${folder}"; };\ncontrols {};\n`,
      ),
    ],
  },
  {
    program: 'mosquitto',
    ports: [{ port: 1883, service: 'mqtt', version: /mosquitto version \d+\.\d+\.\d+/, nmap: /^mqtt|^mosquitto/ }],
    command: (folder, address) => [
      'mosquitto',
      '-c',
      file(folder, 'mosquitto.conf', `listener 1883 ${address}\nallow_anonymous true\n`),
    ],
  },
  {
    program: 'slapd',
    ports: [{ port: 389, service: 'ldap' }],
    command(folder, address) {
      const data = directory(folder, 'data');
      const config = `include /etc/ldap/schema/core.schema\nmodulepath /usr/lib/ldap\nmoduleload back_mdb\npidfile ${folder}/pid\ndatabase mdb\nsuffix "dc=example,dc=com"\ndirectory ${data}\n`;
      return ['slapd', '-d', '0', '-f', file(folder, 'slapd.conf', config), '-h', `ldap://${address}:389/`];
    },
  },
  {
    program: 'smbd',
    asRoot: true,
    ports: [{ port: 445, service: 'microsoft-ds', nmap: /^(?:netbios-ssn|microsoft-ds)$/ }],
    command(folder, address) {
      const places = ['private', 'lock', 'state', 'cache', 'pid', 'ncalrpc'].map(
        (name) =>
          `${name} ${name === 'ncalrpc' || name === 'private' ? 'dir' : 'directory'} = ${directory(folder, name)}\n`,
      );
      const config = `[global]\ninterfaces = ${address}\nbind interfaces only = yes\nsmb ports = 445\ndisable netbios = yes\nmap to guest = never\nlog file = ${folder}/log\n${places.join('')}`;
      return ['smbd', '-F', '--no-process-group', '-s', file(folder, 'smb.conf', config)];
    },
  },
  {
    program: 'rsync',
    ports: [{ port: 873, service: 'rsync' }],
    command: (folder, address) => [
      'rsync',
      '--daemon',
      '--no-detach',
      '--port=873',
      `--address=${address}`,
      '--config',
      file(folder, 'rsyncd.conf', `use chroot = no\npid file = ${folder}/pid\n`),
    ],
  },
  {
    program: 'svnserve',
    ports: [{ port: 3690, service: 'svn', nmap: /^svn/ }],
    command: (folder, address) => ['svnserve', '-d', '--foreground', '-r', folder, '--listen-host', address],
  },
  {
    program: 'git',
    ports: [{ port: 9418, service: 'git' }],
    command: (folder, address) => ['git', 'daemon', '--reuseaddr', `--listen=${address}`, `--base-path=${folder}`],
  },
  {
    program: 'rpcbind',
    asRoot: true,
    ports: [{ port: 111, service: 'sunrpc', nmap: /^rpcbind$/ }],
    command: () => ['rpcbind', '-f'],
  },
  {
    program: 'java',
    ports: [{ port: 2181, service: 'zookeeper', version: /^Zookeeper version: 3\.\d+\.\d+/ }],
    command(folder, address) {
      const config = `tickTime=2000\ndataDir=${directory(folder, 'data')}\nclientPort=2181\nclientPortAddress=${address}\nadmin.enableServer=false\n`;
      return [
        'java',
        '-Xmx128m',
        '-cp',
        '/etc/zookeeper/conf:/usr/share/java/*',
        'org.apache.zookeeper.server.quorum.QuorumPeerMain',
        file(folder, 'zoo.cfg', config),
      ];
    },
  },
  {
    program: 'etcd',
    ports: [{ port: 2379, service: 'etcd-client', version: /"etcdserver":"3\.\d+\.\d+"/, nmap: /^etcd/ }],
    command: (folder, address) => [
      'etcd',
      '--data-dir',
      join(folder, 'data'),
      '--listen-client-urls',
      `http://${address}:2379`,
      '--advertise-client-urls',
      `http://${address}:2379`,
      '--listen-peer-urls',
      'http://127.0.0.1:2380',
      '--log-level',
      'error',
    ],
  },
  {
    program: 'prometheus',
    ports: [{ port: 9090, service: 'prometheus', version: /"version":"2\.\d+\.\d+/, nmap: /^http$/ }],
    command: (folder, address) => [
      'prometheus',
      `--config.file=${file(folder, 'prometheus.yml', 'global: {}\n')}`,
      `--storage.tsdb.path=${folder}`,
      `--web.listen-address=${address}:9090`,
      '--log.level=error',
    ],
  },
  {
    program: 'rabbitmq-server',
    ports: [{ port: 5672, service: 'amqp', version: /^RabbitMQ 3\.\d+\.\d+/ }],
    command: (folder, address) => [
      'env',
      `HOME=${folder}`,
      'RABBITMQ_NODENAME=observed@localhost',
      `RABBITMQ_NODE_IP_ADDRESS=${address}`,
      'RABBITMQ_NODE_PORT=5672',
      `RABBITMQ_MNESIA_BASE=${folder}`,
      `RABBITMQ_LOG_BASE=${folder}`,
      'RABBITMQ_DIST_PORT=25672',
      '/usr/lib/rabbitmq/bin/rabbitmq-server',
    ],
  },
  {
    program: 'telnetd',
    ports: [{ port: 23, service: 'telnet' }],
    command: (_folder, address) => ['socat', `TCP-LISTEN:23,bind=${address},reuseaddr,fork`, 'EXEC:/usr/sbin/telnetd'],
  },
  {
    program: 'Xtigervnc',
    ports: [{ port: 5900, service: 'rfb', version: /^RFB 003\.008$/m, nmap: /^vnc$/ }],
    command: (folder, address) => [
      'env',
      `HOME=${folder}`,
      'Xtigervnc',
      ':77',
      '-rfbport',
      '5900',
      '-interface',
      address,
      '-SecurityTypes',
      'VncAuth',
      '-PasswordFile',
      file(folder, 'passwd', '12345678'),
      '-nolisten',
      'tcp',
      '-geometry',
      '320x200',
    ],
  },
  {
    program: 'xrdp',
    asRoot: true,
    ports: [{ port: 3389, service: 'ms-wbt-server', security: 'starttls' }],
    command(folder, address) {
      const { cert, key } = certificateIn(folder);
      const lines = [
        '[Globals]',
        'ini_version=1',
        `port=tcp://${address}:3389`,
        'security_layer=tls',
        `certificate=${cert}`,
        `key_file=${key}`,
        'ssl_protocols=TLSv1.2, TLSv1.3',
        'fork=true',
        '[Logging]',
        `LogFile=${folder}/xrdp.log`,
      ];
      return ['xrdp', '--nodaemon', '-c', file(folder, 'xrdp.ini', `${lines.join('\n')}\n`)];
    },
  },
];

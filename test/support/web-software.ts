import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealApplication } from '../real/applications';
import { fetchedApplications } from '../real/fetched-applications';

/** A technology that runs, and the version that its responses state: of a package of the system, literally, or none. */
export interface Truth {
  readonly package?: string;
  readonly version?: string;
}

/** Software of the system's packages, as an ordinary user runs it on loopback. */
export interface WebSoftware {
  readonly name: string;
  /** Files that its packages install. */
  readonly needs: readonly string[];
  readonly prepare?: (folder: string, port: number) => void;
  readonly command?: (folder: string, port: number) => readonly string[];
  /** Instead of the command, for what needs a database. */
  readonly application?: RealApplication;
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly path?: string;
  readonly runs: Readonly<Record<string, Truth>>;
}

const NONE: Truth = {};
const of = (name: string): Truth => ({ package: name });
const PYTHON = of('python3');

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

const site = (folder: string): void => write(folder, { 'index.html': '<!doctype html><title>A site</title><p>Text' });

const configured =
  (text: (folder: string, port: number) => string) =>
  (folder: string, port: number): void => {
    site(folder);
    write(folder, { conf: text(folder, port) });
  };

const nginx = (settings: string) =>
  configured(
    (folder, port) => `pid ${folder}/pid; error_log stderr; daemon off; events {}
http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
uwsgi_temp_path ${folder}; scgi_temp_path ${folder}; types { text/html html; } ${settings}
server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );

const inPython = (name: string, file: string, code: string, runs: WebSoftware['runs']): WebSoftware => ({
  name,
  needs: ['/usr/bin/python3', `/usr/lib/python3/dist-packages/${file}`],
  prepare: (folder) => write(folder, { 'app.py': `import sys\nport = int(sys.argv[1])\n${code}` }),
  command: (folder, port) => ['/usr/bin/python3', join(folder, 'app.py'), String(port)],
  runs,
});

const WSGI_APP = `def app(environ, start_response):
    start_response('200 OK', [('Content-Type', 'text/html')])
    return [b'<!doctype html><title>A site</title>']
`;

const inPhp = (name: string, root: string, runs: WebSoftware['runs'], path = '/'): WebSoftware => ({
  name,
  needs: ['/usr/bin/php', root],
  command: (_folder, port) => ['/usr/bin/php', '-S', `127.0.0.1:${port}`, '-t', root],
  path,
  runs: { PHP: of('php8.2-cli'), ...runs },
});

/** Debian's sources, with its own database. */
const wordpress = fetchedApplications({ wordpress: '/usr/share/wordpress' }).find(({ name }) => name === 'WordPress');

const MODULES = '/usr/lib/apache2/modules';

export const WEB_SOFTWARE: readonly WebSoftware[] = [
  {
    name: 'nginx',
    needs: ['/usr/sbin/nginx'],
    prepare: nginx(''),
    command: (folder) => ['/usr/sbin/nginx', '-p', folder, '-c', join(folder, 'conf')],
    runs: { nginx: of('nginx') },
  },
  {
    name: 'nginx that hides its version',
    needs: ['/usr/sbin/nginx'],
    prepare: nginx('server_tokens off;'),
    command: (folder) => ['/usr/sbin/nginx', '-p', folder, '-c', join(folder, 'conf')],
    runs: { nginx: NONE },
  },
  {
    name: 'Apache',
    needs: ['/usr/sbin/apache2', `${MODULES}/mod_mpm_event.so`],
    prepare: configured(
      (folder, port) => `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/log
DocumentRoot ${folder}
DirectoryIndex index.html
ServerSignature On
LoadModule mpm_event_module ${MODULES}/mod_mpm_event.so
LoadModule authz_core_module ${MODULES}/mod_authz_core.so
LoadModule dir_module ${MODULES}/mod_dir.so
`,
    ),
    command: (folder) => ['/usr/sbin/apache2', '-f', join(folder, 'conf'), '-DFOREGROUND'],
    runs: { 'Apache HTTP Server': of('apache2-bin') },
  },
  {
    name: 'lighttpd',
    needs: ['/usr/sbin/lighttpd'],
    prepare: configured(
      (folder, port) =>
        `server.port = ${port}\nserver.bind = "127.0.0.1"\nserver.document-root = "${folder}"\nindex-file.names = ("index.html")\n`,
    ),
    command: (folder) => ['/usr/sbin/lighttpd', '-D', '-f', join(folder, 'conf')],
    runs: { lighttpd: of('lighttpd') },
  },
  {
    name: 'gitweb behind lighttpd',
    needs: ['/usr/sbin/lighttpd', '/usr/share/gitweb/gitweb.cgi'],
    prepare: configured(
      (folder, port) =>
        `server.modules = ("mod_alias", "mod_cgi", "mod_setenv")\nserver.port = ${port}\nserver.bind = "127.0.0.1"
server.document-root = "/usr/share/gitweb"\nindex-file.names = ("gitweb.cgi")\ncgi.assign = (".cgi" => "")
setenv.add-environment = ("GITWEB_CONFIG" => "${folder}/none")\n`,
    ),
    command: (folder) => ['/usr/sbin/lighttpd', '-D', '-f', join(folder, 'conf')],
    runs: { lighttpd: of('lighttpd'), gitweb: of('git'), Git: of('git') },
  },
  {
    name: 'Caddy',
    needs: ['/usr/bin/caddy'],
    prepare: site,
    command: (folder, port) => ['/usr/bin/caddy', 'file-server', '--root', folder, '--listen', `127.0.0.1:${port}`],
    runs: { Caddy: NONE },
  },
  {
    name: 'HAProxy',
    needs: ['/usr/sbin/haproxy'],
    prepare: configured(
      (_folder, port) => `defaults\n mode http\n timeout client 9s\n timeout server 9s\n timeout connect 1s
frontend web\n bind 127.0.0.1:${port}\n default_backend none\nbackend none\n`,
    ),
    command: (folder) => ['/usr/sbin/haproxy', '-db', '-f', join(folder, 'conf')],
    runs: { HAProxy: NONE },
  },
  {
    name: 'Varnish',
    needs: ['/usr/sbin/varnishd', '/usr/bin/gcc'],
    command: (folder, port) => [
      '/usr/sbin/varnishd',
      '-F',
      '-n',
      join(folder, 'v'),
      '-j',
      'none',
      '-a',
      `127.0.0.1:${port}`,
      '-b',
      '127.0.0.1:1',
      '-s',
      'malloc,8m',
    ],
    runs: { Varnish: of('varnish') },
  },
  {
    name: 'Squid',
    needs: ['/usr/sbin/squid'],
    prepare: configured(
      (
        folder,
        port,
      ) => `http_port 127.0.0.1:${port}\npid_filename ${folder}/pid\ncache_log ${folder}/log\naccess_log none
visible_hostname proxy.test\nhttp_access deny all\nnetdb_filename none\ncoredump_dir ${folder}\n`,
    ),
    command: (folder) => ['/usr/sbin/squid', '-N', '-f', join(folder, 'conf')],
    runs: { Squid: of('squid') },
  },
  {
    name: 'Tinyproxy',
    needs: ['/usr/bin/tinyproxy'],
    prepare: configured(
      (folder, port) => `Port ${port}\nListen 127.0.0.1\nTimeout 9\nPidFile "${folder}/pid"\nMaxClients 9\n`,
    ),
    command: (folder) => ['/usr/bin/tinyproxy', '-d', '-c', join(folder, 'conf')],
    runs: { Tinyproxy: of('tinyproxy-bin') },
  },
  {
    name: 'Tomcat',
    needs: ['/usr/share/tomcat10/bin/catalina.sh', '/usr/share/tomcat10-root/default_root'],
    prepare: (folder, port) => {
      for (const name of ['webapps', 'logs', 'temp', 'work', 'conf']) mkdirSync(join(folder, name));
      cpSync('/usr/share/tomcat10-root/default_root', join(folder, 'webapps/ROOT'), { recursive: true });
      cpSync('/usr/share/tomcat10/etc/web.xml', join(folder, 'conf/web.xml'));
      write(folder, {
        'conf/server.xml': `<Server port="-1"><Service name="Catalina"><Connector address="127.0.0.1" port="${port}"/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine></Service></Server>`,
      });
    },
    command: () => ['/usr/share/tomcat10/bin/catalina.sh', 'run'],
    env: (folder) => ({ CATALINA_HOME: '/usr/share/tomcat10', CATALINA_BASE: folder }),
    runs: { 'Apache Tomcat': of('tomcat10') },
  },
  {
    name: 'Jetty',
    needs: ['/usr/share/jetty9/start.jar'],
    prepare: (folder) => mkdirSync(join(folder, 'webapps')),
    command: (folder, port) => [
      '/usr/bin/java',
      '-jar',
      '/usr/share/jetty9/start.jar',
      'jetty.home=/usr/share/jetty9',
      `jetty.base=${folder}`,
      'jetty.http.host=127.0.0.1',
      `jetty.http.port=${port}`,
      '--module=http,deploy',
    ],
    runs: { Jetty: of('jetty9') },
  },
  {
    name: 'mini_httpd',
    needs: ['/usr/sbin/mini_httpd'],
    prepare: site,
    command: (folder, port) => ['/usr/sbin/mini_httpd', '-D', '-h', '127.0.0.1', '-p', String(port), '-d', folder],
    runs: { mini_httpd: of('mini-httpd') },
  },
  {
    name: 'webfs',
    needs: ['/usr/bin/webfsd'],
    prepare: site,
    command: (folder, port) => [
      '/usr/bin/webfsd',
      '-F',
      '-i',
      '127.0.0.1',
      '-p',
      String(port),
      '-r',
      folder,
      '-f',
      'index.html',
    ],
    runs: { webfs: of('webfs') },
  },
  {
    name: 'http.server of Python',
    needs: ['/usr/bin/python3'],
    prepare: site,
    command: (folder, port) => [
      '/usr/bin/python3',
      '-m',
      'http.server',
      String(port),
      '--bind',
      '127.0.0.1',
      '--directory',
      folder,
    ],
    runs: { 'Python http.server': { version: '0.6' }, Python: PYTHON },
  },
  {
    name: 'Django in development',
    needs: ['/usr/bin/django-admin'],
    prepare: (folder) =>
      write(folder, {
        'app.py': `import sys
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(DEBUG=True, SECRET_KEY='x' * 50, ROOT_URLCONF='urls', ALLOWED_HOSTS=['*'], INSTALLED_APPS=[])
execute_from_command_line([sys.argv[0], 'runserver', '--noreload', '127.0.0.1:' + sys.argv[1]])`,
        'urls.py': 'urlpatterns = []',
      }),
    command: (folder, port) => ['/usr/bin/python3', join(folder, 'app.py'), String(port)],
    runs: { Django: of('python3-django'), wsgiref: { version: '0.2' }, Python: PYTHON },
  },
  inPython(
    'Flask',
    'flask',
    `from flask import Flask
Flask(__name__).run('127.0.0.1', port)`,
    { Werkzeug: of('python3-werkzeug'), Python: PYTHON },
  ),
  inPython('Waitress', 'waitress', `${WSGI_APP}import waitress\nwaitress.serve(app, listen='127.0.0.1:%d' % port)`, {
    Waitress: NONE,
  }),
  inPython(
    'CherryPy',
    'cherrypy',
    `import cherrypy
cherrypy.config.update({'server.socket_host': '127.0.0.1', 'server.socket_port': port})
class Root:
    @cherrypy.expose
    def index(self): return '<title>A site</title>'
cherrypy.quickstart(Root())`,
    { CherryPy: of('python3-cherrypy3') },
  ),
  inPython(
    'Tornado',
    'tornado',
    `import tornado.ioloop, tornado.web
tornado.web.Application([]).listen(port, '127.0.0.1')
tornado.ioloop.IOLoop.current().start()`,
    { Tornado: of('python3-tornado') },
  ),
  inPython(
    'aiohttp',
    'aiohttp',
    `from aiohttp import web
web.run_app(web.Application(), host='127.0.0.1', port=port)`,
    { aiohttp: of('python3-aiohttp'), Python: PYTHON },
  ),
  inPython(
    'Uvicorn',
    'uvicorn',
    `import uvicorn
async def app(scope, receive, send):
    if scope['type'] != 'http': return
    await send({'type': 'http.response.start', 'status': 200, 'headers': [(b'content-type', b'text/html')]})
    await send({'type': 'http.response.body', 'body': b'<title>A site</title>'})
uvicorn.run(app, host='127.0.0.1', port=port)`,
    { Uvicorn: NONE },
  ),
  inPython('Bottle', 'bottle.py', `import bottle\nbottle.run(host='127.0.0.1', port=port)`, {
    Bottle: NONE,
    wsgiref: { version: '0.2' },
    Python: PYTHON,
  }),
  {
    name: 'Gunicorn',
    needs: ['/usr/bin/gunicorn'],
    prepare: (folder) => write(folder, { 'app.py': WSGI_APP }),
    command: (folder, port) => ['/usr/bin/gunicorn', '--chdir', folder, '-b', `127.0.0.1:${port}`, 'app:app'],
    runs: { Gunicorn: NONE },
  },
  {
    name: 'Thin',
    needs: ['/usr/bin/thin'],
    prepare: (folder) =>
      write(folder, {
        'config.ru': "run ->(env) { [200, {'Content-Type' => 'text/html'}, ['<title>A site</title>']] }",
      }),
    command: (folder, port) => [
      '/usr/bin/thin',
      '-a',
      '127.0.0.1',
      '-p',
      String(port),
      '-c',
      folder,
      '-R',
      'config.ru',
      'start',
    ],
    runs: { Thin: NONE },
  },
  {
    name: 'WEBrick',
    needs: ['/usr/bin/ruby', '/usr/share/doc/ruby-webrick'],
    prepare: site,
    command: (folder, port) => [
      '/usr/bin/ruby',
      '-rwebrick',
      '-e',
      `WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ${port}, DocumentRoot: '${folder}').start`,
    ],
    runs: { WEBrick: of('ruby-webrick'), Ruby: of('ruby3.1') },
  },
  {
    name: 'Sinatra',
    needs: ['/usr/bin/ruby', '/usr/share/doc/ruby-sinatra', '/usr/share/doc/ruby-webrick'],
    prepare: (folder) =>
      write(folder, {
        'app.rb':
          "require 'sinatra'\nset :server, 'webrick'\nset :bind, '127.0.0.1'\nset :port, ARGV[0].to_i\nset :environment, :development",
      }),
    command: (folder, port) => ['/usr/bin/ruby', join(folder, 'app.rb'), String(port)],
    runs: { Sinatra: NONE, WEBrick: of('ruby-webrick'), Ruby: of('ruby3.1') },
  },
  {
    name: 'Express',
    needs: [],
    command: (_folder, port) => [
      process.execPath,
      '-e',
      `require(${JSON.stringify(require.resolve('express'))})().listen(${port}, '127.0.0.1')`,
    ],
    runs: { Express: NONE },
  },
  inPhp('phpMyAdmin', '/usr/share/phpmyadmin', {
    phpMyAdmin: of('phpmyadmin'),
    Bootstrap: NONE,
    jQuery: NONE,
    'jQuery Migrate': NONE,
    'jQuery UI': NONE,
  }),
  inPhp('Adminer', '/usr/share/adminer', { Adminer: of('adminer') }, '/adminer.php'),
  inPhp('DokuWiki', '/usr/share/dokuwiki', { DokuWiki: NONE, jQuery: NONE }, '/doku.php'),
  inPhp('MediaWiki', '/usr/share/mediawiki', { MediaWiki: of('mediawiki') }),
  inPhp('phpLDAPadmin', '/usr/share/phpldapadmin/htdocs', { phpLDAPadmin: of('phpldapadmin') }),
  inPhp('Postfix Admin', '/usr/share/postfixadmin/public', { 'Postfix Admin': NONE }, '/login.php'),
  inPhp('WordPress before its installation', '/usr/share/wordpress', { WordPress: NONE }, '/wp-admin/setup-config.php'),
  ...(wordpress === undefined || wordpress.missing !== null
    ? []
    : [
        {
          name: 'WordPress',
          needs: [],
          application: wordpress,
          runs: { WordPress: of('wordpress'), PHP: of('php8.2-cli') },
        },
      ]),
  {
    name: 'Prometheus',
    needs: ['/usr/bin/prometheus'],
    prepare: configured(() => 'global: {}\n'),
    command: (folder, port) => [
      '/usr/bin/prometheus',
      `--config.file=${folder}/conf`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    runs: { Prometheus: of('prometheus'), Bootstrap: NONE, D3: NONE, jQuery: NONE, 'Moment.js': NONE, Popper: NONE },
  },
  {
    name: 'Alertmanager',
    needs: ['/usr/bin/prometheus-alertmanager'],
    prepare: configured(() => 'route: { receiver: none }\nreceivers: [{ name: none }]\n'),
    command: (folder, port) => [
      '/usr/bin/prometheus-alertmanager',
      `--config.file=${folder}/conf`,
      `--storage.path=${folder}/data`,
      '--cluster.listen-address=',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    runs: { 'Prometheus Alertmanager': of('prometheus-alertmanager') },
  },
  {
    name: 'Node Exporter',
    needs: ['/usr/bin/prometheus-node-exporter'],
    command: (_folder, port) => ['/usr/bin/prometheus-node-exporter', `--web.listen-address=127.0.0.1:${port}`],
    runs: { 'Prometheus Node Exporter': of('prometheus-node-exporter') },
  },
  {
    name: 'Syncthing',
    needs: ['/usr/bin/syncthing'],
    command: (folder, port) => [
      '/usr/bin/syncthing',
      'serve',
      '--no-browser',
      '--no-restart',
      `--home=${folder}`,
      `--gui-address=127.0.0.1:${port}`,
    ],
    env: (folder) => ({ HOME: folder, STNOUPGRADE: '1' }),
    runs: {
      Syncthing: of('syncthing'),
      AngularJS: NONE,
      Bootstrap: NONE,
      jQuery: { version: '2.2.2' },
      'Moment.js': NONE,
    },
  },
  {
    name: 'Transmission',
    needs: ['/usr/bin/transmission-daemon'],
    command: (folder, port) => [
      '/usr/bin/transmission-daemon',
      '-f',
      '-g',
      folder,
      '-p',
      String(port),
      '-r',
      '127.0.0.1',
      '-w',
      folder,
      '-P',
      String(port + 1),
    ],
    runs: { Transmission: NONE, jQuery: NONE, 'jQuery Migrate': NONE, 'jQuery UI': NONE },
  },
  {
    name: 'Icecast',
    needs: ['/usr/bin/icecast2'],
    prepare: configured(
      (
        folder,
        port,
      ) => `<icecast><hostname>localhost</hostname><listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
<authentication><source-password>a</source-password><admin-user>a</admin-user><admin-password>a</admin-password></authentication>
<paths><logdir>${folder}</logdir><webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
<alias source="/" destination="/status.xsl"/></paths><logging><accesslog>a</accesslog><errorlog>e</errorlog></logging></icecast>`,
    ),
    command: (folder) => ['/usr/bin/icecast2', '-c', join(folder, 'conf')],
    runs: { Icecast: of('icecast2') },
  },
  {
    name: 'Glances',
    needs: ['/usr/bin/glances'],
    command: (_folder, port) => [
      '/usr/bin/glances',
      '-w',
      '-B',
      '127.0.0.1',
      '-p',
      String(port),
      '--disable-check-update',
    ],
    runs: { Glances: NONE, Bottle: NONE, wsgiref: { version: '0.2' }, Python: PYTHON },
  },
  {
    name: 'CUPS',
    needs: ['/usr/sbin/cupsd'],
    prepare: (folder, port) => {
      for (const name of ['cache', 'spool', 'run', 'state', 'ssl', 'root']) mkdirSync(join(folder, name));
      symlinkSync('/usr/share/cups/data', join(folder, 'data'));
      write(folder, {
        conf: `Listen 127.0.0.1:${port}\nWebInterface Yes\n<Location />\nOrder allow,deny\nAllow all\n</Location>\n`,
        files: `ServerRoot ${folder}/root\nCacheDir ${folder}/cache\nRequestRoot ${folder}/spool\nStateDir ${folder}/run
AccessLog ${folder}/a\nErrorLog ${folder}/e\nPageLog ${folder}/p\nServerKeychain ${folder}/ssl\nUser www-data\nGroup www-data\nSystemGroup adm\n`,
      });
    },
    command: (folder) => ['/usr/sbin/cupsd', '-f', '-c', join(folder, 'conf'), '-s', join(folder, 'files')],
    runs: { CUPS: of('cups-daemon') },
  },
];

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationProcess, programNamed } from '../../test/real/application-process';
import type { Benchmark } from './benchmark';
import { fromTruth, type Truth } from './truth';

/** Where distributions install them. */
const JARS = '/usr/share/java';
const LIBRARIES = ['guava.jar', 'jsoup.jar', 'jsr305.jar'];
const TOMCAT = /^tomcat9-[a-z-]+\.jar$/;
const INDEX = 'src/pages/reflected/index.html';
const PACKAGE = 'WEB-INF/classes/com/google/testing/security/firingrange';

const SERVER = `
import org.apache.catalina.startup.Tomcat;
public class Server {
  public static void main(String[] args) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(args[0]);
    tomcat.setPort(Integer.parseInt(args[1]));
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.addWebapp("", args[0] + "/web");
    tomcat.start();
    tomcat.getServer().await();
  }
}`;

/** No browser runs a script there: they needed Flash, or a browser that guesses types. */
const UNREACHABLE = /\/object_param$|\/contentsniffing\//;
/** One page with other states, which is one weakness. */
const STATUS = /\/\d{3}$/;

/** The links of its page of reflected input, each to one parameter that is not escaped, or not well enough. */
function truthOf(folder: string): Truth {
  const index = readFileSync(join(folder, INDEX), 'utf8');
  const links = [...index.matchAll(/href="(\/reflected\/[^"?]+)\?q=a"/g)].map(([, path = '']) => path);
  const paths = new Set(links.filter((path) => !UNREACHABLE.test(path)).map((path) => path.replace(STATUS, '/400')));
  return [...paths].map((path) => ['cross-site scripting', path, 'q'] as const);
}

const jars = (): string[] =>
  existsSync(JARS) ? readdirSync(JARS).filter((name) => TOMCAT.test(name) || LIBRARIES.includes(name)) : [];

function missingOf(folder: string | undefined): string | null {
  if (folder === undefined) return 'set FIRING_RANGE to its folder';
  if (!existsSync(join(folder, INDEX))) return `${folder} has no pages of reflected input`;
  if (programNamed('javac') === null) return 'javac is not installed';
  const found = jars();
  const lacking = ['tomcat9-catalina.jar', ...LIBRARIES].filter((name) => !found.includes(name));
  return lacking.length === 0 ? null : `${JARS} lacks ${lacking.join(', ')}`;
}

/** Its servlets for App Engine, on Tomcat. */
function build(sources: string, copy: string): string {
  const classPath = jars()
    .map((name) => join(JARS, name))
    .join(':');
  const web = join(copy, 'web');
  mkdirSync(join(web, PACKAGE), { recursive: true });
  for (const part of ['tests', 'utils'])
    cpSync(join(sources, 'src', part), join(web, PACKAGE, part), { recursive: true });
  cpSync(join(sources, 'src/pages'), web, { recursive: true });
  cpSync(join(sources, 'WEB-INF/web.xml'), join(web, 'WEB-INF/web.xml'));
  const files = readdirSync(join(web, PACKAGE), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.java'),
  );
  execFileSync(
    'javac',
    ['-nowarn', '-cp', classPath, '-d', join(web, 'WEB-INF/classes'), ...files.map((name) => join(web, PACKAGE, name))],
    { stdio: 'pipe' },
  );
  writeFileSync(join(copy, 'Server.java'), SERVER);
  return classPath;
}

/** The pages of `google/firing-range` that reflect input. */
export function firingRange(folder: string | undefined): Benchmark {
  const missing = missingOf(folder);
  const { weaknesses, judge } = fromTruth(missing === null && folder !== undefined ? truthOf(folder) : []);
  return {
    name: 'Firing Range, reflected',
    missing,
    async start({ port }) {
      const copy = mkdtempSync(join(tmpdir(), 'assay-firing-range-'));
      try {
        const classPath = build(folder ?? '', copy);
        const args = ['-Xmx256m', '-cp', classPath, join(copy, 'Server.java'), copy, String(port)];
        const running = await ApplicationProcess.start('java', args, { port, cwd: copy });
        return async () => {
          await running.stop();
          rmSync(copy, { recursive: true, force: true });
        };
      } catch (error) {
        rmSync(copy, { recursive: true, force: true });
        throw error;
      }
    },
    folder: '/reflected/',
    entries: [],
    seeds: [],
    weaknesses,
    judge: (report) => judge({ ...report, path: report.path.replace(STATUS, '/400') }),
  };
}

import { ApplicationProcess } from '../../test/real/application-process';
import { fetchedApplications } from '../../test/real/fetched-applications';
import { type Benchmark, byCategory, type Category, type Judgement, type Report } from './benchmark';
import { PYTHON } from './python';

/** `category path parameter`: what a GET request without sign-in reaches, read in the sources and tried by hand. */
type Truth = readonly (readonly [category: Category, path: string, parameter: string])[];

const DSVW: Truth = [
  ['SQL injection', '/', 'id'],
  ['SQL injection', '/login', 'password'],
  ['SQL injection', '/', 'comment'],
  ['cross-site scripting', '/', 'v'],
  ['cross-site scripting', '/', 'redir'],
  ['command injection', '/', 'domain'],
  ['path traversal', '/', 'path'],
  ['path traversal', '/', 'include'],
  ['open redirect', '/', 'redir'],
  ['header injection', '/', 'charset'],
];

const DVWA: Truth = [
  ['SQL injection', '/vulnerabilities/sqli/', 'id'],
  ['SQL injection', '/vulnerabilities/sqli_blind/', 'id'],
  ['SQL injection', '/vulnerabilities/brute/', 'username'],
  ['cross-site scripting', '/vulnerabilities/xss_r/', 'name'],
  ['path traversal', '/vulnerabilities/fi/', 'page'],
  ['open redirect', '/vulnerabilities/open_redirect/source/low.php', 'redirect'],
];

function fromTruth(truth: Truth): Pick<Benchmark, 'weaknesses' | 'judge'> {
  return {
    weaknesses: byCategory(truth.map((one) => ({ category: one[0], id: one.join(' ') }))),
    judge({ category, method, path, parameter }: Report): Judgement {
      if (method !== 'GET') return 'aside';
      const known = truth.find((one) => one.join(' ') === [category, path, parameter].join(' '));
      return known === undefined ? 'false' : { weakness: known.join(' ') };
    },
  };
}

/** Without its link to a page of 93 GB, which wapiti follows: it cannot exclude URLs on Python 3.11. */
const dsvwOn = (port: number): string => `
import dsvw
dsvw.CASES = tuple(case for case in dsvw.CASES if "size" not in str(case[1]))
dsvw.init()
dsvw.ThreadingServer(("127.0.0.1", ${port}), dsvw.ReqHandler).serve_forever()
`;

/** Applications whose weaknesses are few enough to be written down. */
export function knownApplications(folders: Readonly<Record<string, string | undefined>>): Benchmark[] {
  const applications = fetchedApplications(folders);
  const application = (name: string): Pick<Benchmark, 'name' | 'missing' | 'start'> => {
    const found = applications.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no application ${name}.`);
    return found;
  };
  return [
    {
      ...application('DVWA without login'),
      name: 'DVWA without login',
      folder: '/vulnerabilities/',
      entries: ['/vulnerabilities/sqli/'],
      seeds: [],
      ...fromTruth(DVWA),
    },
    {
      ...application('DSVW'),
      async start({ port }) {
        const running = await ApplicationProcess.start(PYTHON, ['-c', dsvwOn(port)], {
          port,
          cwd: folders['dsvw'],
        });
        return () => running.stop();
      },
      folder: '/',
      entries: [],
      seeds: [],
      ...fromTruth(DSVW),
    },
  ];
}

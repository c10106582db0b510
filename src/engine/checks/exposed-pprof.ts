import { exposedFile } from '../protocols/http/exposed-file';

const INDEX = /<title>\/debug\/pprof\/<\/title>/i;
const VARIABLES = /^\s{0,10}\{\s{0,10}"cmdline"\s{0,5}:\s{0,5}\["/;

export const exposedPprof = exposedFile(
  {
    id: 'exposed-pprof',
    title: 'pprof is public: the profiler of a Go program',
    severity: 'medium',
    cwe: [489, 497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:L',
    references: ['https://pkg.go.dev/net/http/pprof', 'https://pkg.go.dev/expvar'],
    decides:
      'Requests `/debug/pprof/` and `/debug/vars`, but takes no profile. It is vulnerable if a response is the index of pprof or the variables of a Go program. It is fixed when neither path returns them.',
    text: `Anonymous clients can take profiles and dumps of the running program. They show its command line, code paths and
parts of its memory. Profiling takes so much time that attackers can use it to slow the program down.

**How to fix it.** Do not import \`net/http/pprof\` or \`expvar\` into the public server: both register themselves
with the default mux. Or serve them on an address that only operators can reach.`,
  },
  [
    {
      path: '/debug/pprof/',
      identify: (text) =>
        INDEX.test(text) && text.includes('goroutine') ? 'it offers profiles of a Go program' : null,
    },
    {
      path: '/debug/vars',
      identify: (text) =>
        VARIABLES.test(text) && text.includes('"memstats"') ? 'it holds the variables of a Go program' : null,
    },
  ],
);

import { exposedFile } from '../protocols/http/exposed-file';

const INDEX = /<title>\/debug\/pprof\/<\/title>/i;
const VARIABLES = /^\s{0,10}\{\s{0,10}"cmdline"\s{0,5}:\s{0,5}\["/;

export const exposedPprof = exposedFile(
  {
    id: 'exposed-pprof',
    title: 'The profiler of a Go program is public',
    severity: 'medium',
    cwe: 489,
    text: `Strangers can take profiles and dumps of the running program. They show its command line, its code paths
and pieces of its memory, and taking them costs so much time that it can be used to slow the program down.

**How to fix it.** Do not import \`net/http/pprof\` or \`expvar\` into what serves the public, since both register
themselves with the default mux; or serve them on an address that only operators reach.`,
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

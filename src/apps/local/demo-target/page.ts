import { type OpenWeaknesses, WEAKNESSES, weaknessNames } from './weaknesses';

/**
 * The one page: what is weak, and a switch for each. It is built the same whatever the switches say, as a site that is
 * mended stays the same site.
 */
export const page = (open: OpenWeaknesses): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Assay's demo target</title></head>
<body>
<h1>Assay's demo target</h1>
<p>This server is weak on purpose, so that a job has something to find. It listens on this machine alone, and what looks
like a secret on it was invented. Mend something here, then retest its finding in Assay.</p>
<table>
<tr><th>Check</th><th>Weakness</th><th>State</th><th>Switch</th></tr>
${weaknessNames.map((name) => row(name, WEAKNESSES[name], open.has(name))).join('\n')}
</table>
<p>From a terminal: <code>curl -X POST</code> to <code>/-/mend/</code> or <code>/-/open/</code> with the name of the check
behind it. That pages come over plain HTTP cannot be mended here. Everything is open again after the next start.</p>
</body>
</html>
`;

function row(name: string, title: string, isOpen: boolean): string {
  const [state, verb, label] = isOpen ? ['open', 'mend', 'Mend it'] : ['mended', 'open', 'Open it again'];
  const form = `<form method="post" action="/-/${verb}/${name}"><button>${label}</button></form>`;
  return `<tr><td><code>${name}</code></td><td>${title}</td><td>${state}</td><td>${form}</td></tr>`;
}

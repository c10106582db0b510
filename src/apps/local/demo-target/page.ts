import { type OpenWeaknesses, WEAKNESSES, weaknessNames } from './weaknesses';

/**
 * The page with all weaknesses and their switches. Its structure does not depend on the switches, because a fixed site must still
 * be recognized as the same site.
 */
export const page = (open: OpenWeaknesses): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Assay's demo target</title></head>
<body>
<h1>Assay's demo target</h1>
<p>This server is deliberately vulnerable, so that you can test it with Assay. It listens on this machine only, and all secrets on
it are fake. Fix a weakness here, then retest its finding in Assay.</p>
<table>
<tr><th>Check</th><th>Weakness</th><th>State</th><th>Switch</th></tr>
${weaknessNames.map((name) => row(name, WEAKNESSES[name], open.has(name))).join('\n')}
</table>
<p>In a terminal, run <code>curl -X POST</code> with the path <code>/-/fix/&lt;check&gt;</code> or <code>/-/open/&lt;check&gt;</code>.
The use of plain HTTP cannot be fixed here. All weaknesses are open again after the next start.</p>
</body>
</html>
`;

function row(name: string, title: string, isOpen: boolean): string {
  const [state, verb, label] = isOpen ? ['open', 'fix', 'Fix'] : ['fixed', 'open', 'Reopen'];
  const form = `<form method="post" action="/-/${verb}/${name}"><button>${label}</button></form>`;
  return `<tr><td><code>${name}</code></td><td>${title}</td><td>${state}</td><td>${form}</td></tr>`;
}

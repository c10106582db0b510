import { escapeHtml } from './escape-html';
import { type OpenWeaknesses, WEAKNESSES, weaknessNames } from './weaknesses';

/** Addresses of Assay that the page links to, as far as they are known. */
export interface AssayLinks {
  readonly docs?: string;
  readonly portal?: string;
}

const linkTexts: readonly (readonly [keyof AssayLinks, text: string])[] = [
  ['portal', 'Open Assay'],
  ['docs', 'API documentation'],
];

/**
 * The page with all weaknesses and their switches. Its structure does not depend on the switches, because a fixed site must still
 * be recognized as the same site. Its style is a file, because the policy of a fixed site allows no style within the page.
 */
export const page = (open: OpenWeaknesses, origin: string, links: AssayLinks): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Assay's demo target</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<strong>Demo target</strong>
<nav>${linkTexts.map(([name, text]) => linkTo(links[name], text)).join('')}</nav>
</header>
<main>
<h1>Assay's demo target</h1>
<p class="lead">This server is deliberately vulnerable, so that you can test it with Assay. It listens on this machine only, and all
secrets on it are fake.</p>
<ol class="steps">
<li>Run a job on <code>${escapeHtml(origin)}/</code>. It finds the weaknesses below, those
with a form by active tests, and the last by an active test with two accounts.</li>
<li>Fix one of them with its button, or with its command.</li>
<li>Retest its finding. Assay tests the server again and says <em>fixed</em>, or what it still sees.</li>
</ol>
<h2>Weaknesses <span class="count">${open.size} of ${weaknessNames.length} vulnerable</span></h2>
<ul class="weaknesses">
${weaknessNames.map((name) => item(name, open.has(name), origin)).join('\n')}
</ul>
<p class="note">A job also reports that the pages are served over plain HTTP (<code>no-https-redirect</code>). This cannot be fixed
here. All weaknesses are back after the next start.</p>
</main>
</body>
</html>
`;

const linkTo = (url: string | undefined, text: string): string =>
  url === undefined ? '' : `<a href="${escapeHtml(url)}">${text}</a>`;

/** Active tests read forms. */
function formOf(where: string): string {
  const [, path, name, value] = /(\/\w+)\?(\w+)=(\w+)/.exec(where) ?? [];
  if (path === undefined) return '';
  return `<form action="${path}"><input name="${name}" value="${value}"> <button>Show</button></form>`;
}

function item(name: keyof typeof WEAKNESSES, isOpen: boolean, origin: string): string {
  const { title, about, where } = WEAKNESSES[name];
  const [state, verb, label] = isOpen ? ['vulnerable', 'fix', 'Fix'] : ['fixed', 'open', 'Reopen'];
  const action = `/-/${verb}/${name}`;
  return `<li id="${name}">
<div class="about">
<h3>${escapeHtml(title)}</h3>
<p>${escapeHtml(about)}</p>
<dl>
<div><dt>Check</dt><dd><code>${name}</code></dd></div>
<div><dt>Seen in</dt><dd><code>${escapeHtml(where)}</code></dd></div>
</dl>
${formOf(where)}${name === 'object-access' ? '<p><a href="/account">Sign in as one of two users</a></p>' : ''}
</div>
<div class="switch">
<span class="state ${state}">${state}</span>
<form method="post" action="${action}"><button aria-label="${label}: ${escapeHtml(title)}">${label}</button></form>
</div>
<pre><code>curl -X POST ${escapeHtml(origin)}${action}</code></pre>
</li>`;
}

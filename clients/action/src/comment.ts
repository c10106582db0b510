import { readFileSync } from 'node:fs';
import type { Runner } from './runner';

interface Comment {
  readonly id: number;
  readonly body?: string | null;
  readonly user?: { readonly type?: string } | null;
  readonly author_association?: string;
}

/** Those who may write to the repository: others could write the marker, and change the report afterwards. */
const WRITERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const isOfWriter = ({ user, author_association: association = '' }: Comment): boolean =>
  user?.type === 'Bot' || WRITERS.has(association);

/** The number of the pull request of this run, if it has one. */
function pullRequestOf({ env }: Runner): number | undefined {
  try {
    const event = JSON.parse(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8')) as {
      readonly pull_request?: { readonly number?: unknown };
    };
    const number = event.pull_request?.number;
    return Number.isInteger(number) ? (number as number) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps one comment for each category: the first run writes it, and the others change it. */
export async function writeComment(runner: Runner, token: string, category: string, markdown: string): Promise<void> {
  const { env } = runner;
  const number = pullRequestOf(runner);
  if (number === undefined) return;
  const base = `${env['GITHUB_API_URL'] ?? 'https://api.github.com'}/repos/${env['GITHUB_REPOSITORY']}/issues`;
  const call = async (method: string, url: string, body?: object): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'assay-action',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`GitHub returned ${response.status} for ${method}.`);
    return response.json();
  };
  const marker = `<!-- assay: ${category.replaceAll(/[^\w./ ]/g, '-')} -->`;
  const text = `${marker}\n${markdown}`;
  for (let page = 1; ; page++) {
    const comments = (await call('GET', `${base}/${number}/comments?per_page=100&page=${page}`)) as readonly Comment[];
    const own = comments.find((comment) => comment.body?.startsWith(marker) === true && isOfWriter(comment));
    if (own !== undefined) return void (await call('PATCH', `${base}/comments/${own.id}`, { body: text }));
    if (comments.length < 100) break;
  }
  await call('POST', `${base}/${number}/comments`, { body: text });
}

import { markdownOf } from '../domain/ticket-text';
import { type RemoteTicket, type TrackerApi, TrackerError } from '../domain/tracker-api';
import {
  accountOf,
  changesIn,
  dateOf,
  eachPage,
  idOf,
  listOf,
  markerOf,
  MISSING,
  PAGE_SIZE,
  pagesOf,
  type Protocol,
  recordOf,
  type Send,
  textOf,
  type TrackerPlace,
  urlOf,
} from './protocol';

const NOT_TO_BE_FIXED: ReadonlySet<string> = new Set(['not_planned', 'duplicate']);

const nameOf = (label: unknown): string => textOf(recordOf(label)['name']) || textOf(label);

export function ticketOfGithub(body: unknown, wontDo: readonly string[]): RemoteTicket {
  const issue = recordOf(body);
  const isRefused =
    NOT_TO_BE_FIXED.has(textOf(issue['state_reason'])) ||
    listOf(issue['labels']).some((label) => wontDo.includes(nameOf(label).toLowerCase()));
  const number = idOf(issue['number']);
  return {
    id: number,
    key: `#${number}`,
    url: urlOf(issue['html_url']),
    category: issue['state'] === 'open' ? 'open' : isRefused ? 'wont_do' : 'done',
    version: dateOf(issue['updated_at']),
    marker: markerOf(issue['body']),
  };
}

function githubApi(send: Send, { project, account, wontDo }: TrackerPlace): TrackerApi {
  const root = `/repos/${project}`;
  const one = (id: string) => `${root}/issues/${encodeURIComponent(id.replace(/^#/, ''))}`;
  const repository = async () => recordOf((await send({ method: 'GET', path: root })).body);
  const isPublicIn = ({ private: isPrivate }: Awaited<ReturnType<typeof repository>>) => isPrivate !== true;
  const list = (query: Record<string, string>, page: number) => {
    const search = new URLSearchParams({ state: 'all', per_page: String(PAGE_SIZE), page: String(page), ...query });
    return send({ method: 'GET', path: `${root}/issues?${search.toString()}` }).then(({ body }) => listOf(body));
  };
  /** The list has pull requests too. */
  const ticketsOf = async (query: Record<string, string>, marker?: string) => {
    const ticketIn = (body: unknown) => ('pull_request' in recordOf(body) ? [] : [ticketOfGithub(body, wontDo)]);
    const isIt = ([ticket]: readonly RemoteTicket[]) => ticket !== undefined && ticket.marker === marker;
    return (await pagesOf((page) => list(query, page), ticketIn, isIt)).flat();
  };
  return {
    async facts() {
      const user = recordOf((await send({ method: 'GET', path: '/user' })).body);
      const found = await repository();
      if (found['has_issues'] === false) throw new TrackerError('tracker', 'The repository has its issues turned off.');
      return {
        account: accountOf(user['login']),
        project: textOf(found['full_name']),
        isPublic: isPublicIn(found),
        fields: [],
      };
    },
    isPublic: async () => isPublicIn(await repository()),
    async find(marker, since) {
      const query = { creator: account ?? '', since: since.toISOString(), sort: 'created', direction: 'desc' };
      return (await ticketsOf(query, marker)).find((ticket) => ticket.marker === marker);
    },
    async create({ marker, title, body, priority, labels, component, assignee }) {
      const answer = await send({
        method: 'POST',
        path: `${root}/issues`,
        body: {
          title,
          body: markdownOf(body, marker),
          labels: [...labels, ...(priority === null ? [] : [priority]), ...(component === null ? [] : [component])],
          ...(assignee !== null && { assignees: [assignee] }),
        },
      });
      return ticketOfGithub(answer.body, wontDo);
    },
    async get(id) {
      const answer = await send({ method: 'GET', path: one(id) }, MISSING);
      const isPullRequest = 'pull_request' in recordOf(answer.body);
      if (answer.status < 300 && !isPullRequest) return ticketOfGithub(answer.body, wontDo);
      await repository();
      return undefined;
    },
    async hasNote(id, { id: marker, since }) {
      const query = new URLSearchParams({ since: since.toISOString(), per_page: String(PAGE_SIZE) });
      const read = async (page: number) =>
        listOf((await send({ method: 'GET', path: `${one(id)}/comments?${query.toString()}&page=${page}` })).body);
      let isFound = false;
      await eachPage(read, (notes) => (isFound = notes.some((note) => markerOf(recordOf(note)['body']) === marker)));
      return isFound;
    },
    async addNote(id, { id: marker, text }) {
      await send({ method: 'POST', path: `${one(id)}/comments`, body: { body: markdownOf(text, marker) } });
    },
    async changeState(id, to) {
      const body =
        to === 'open' ? { state: 'open', state_reason: 'reopened' } : { state: 'closed', state_reason: 'completed' };
      return ticketOfGithub((await send({ method: 'PATCH', path: one(id), body })).body, wontDo);
    },
    async changedSince(since) {
      const query = { since: since.toISOString(), sort: 'updated', direction: 'asc' };
      return changesIn(await ticketsOf(query), since);
    },
  };
}

export const github: Protocol = {
  base: (address) => address,
  headers: ({ token }) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  api: githubApi,
};

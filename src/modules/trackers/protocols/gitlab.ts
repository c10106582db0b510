import { markdownOf } from '../domain/ticket-text';
import type { RemoteTicket, TrackerApi } from '../domain/tracker-api';
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

export function ticketOfGitlab(body: unknown, wontDo: readonly string[]): RemoteTicket {
  const issue = recordOf(body);
  const isRefused = listOf(issue['labels']).some((label) => wontDo.includes(textOf(label).toLowerCase()));
  const iid = idOf(issue['iid']);
  return {
    id: iid,
    key: `#${iid}`,
    url: urlOf(issue['web_url']),
    category: issue['state'] === 'opened' ? 'open' : isRefused ? 'wont_do' : 'done',
    isConfidential: issue['confidential'] === true,
    version: dateOf(issue['updated_at']),
    marker: markerOf(issue['description']),
  };
}

function gitlabApi(send: Send, { project, account, wontDo }: TrackerPlace): TrackerApi {
  const root = `/projects/${encodeURIComponent(project)}`;
  const one = (id: string) => `${root}/issues/${encodeURIComponent(id.replace(/^#/, ''))}`;
  const found = async () => recordOf((await send({ method: 'GET', path: root })).body);
  const isPublicIn = ({ visibility }: Awaited<ReturnType<typeof found>>) =>
    visibility !== 'private' && visibility !== 'internal';
  const list = async (query: Record<string, string>, page: number) => {
    const search = new URLSearchParams({ scope: 'all', per_page: String(PAGE_SIZE), page: String(page), ...query });
    const { body } = await send({ method: 'GET', path: `${root}/issues?${search.toString()}` });
    return listOf(body);
  };
  const keep = (issue: unknown) => ticketOfGitlab(issue, wontDo);
  return {
    async facts() {
      const user = recordOf((await send({ method: 'GET', path: '/user' })).body);
      const project = await found();
      return {
        account: accountOf(user['username']),
        project: textOf(project['path_with_namespace']),
        isPublic: isPublicIn(project),
        fields: [],
      };
    },
    isPublic: async () => isPublicIn(await found()),
    async find(marker, since) {
      const query = {
        author_username: account ?? '',
        created_after: since.toISOString(),
        order_by: 'created_at',
        sort: 'desc',
      };
      const isIt = (ticket: RemoteTicket) => ticket.marker === marker;
      return (await pagesOf((page) => list(query, page), keep, isIt)).find(isIt);
    },
    async create({ marker, title, body, priority, labels, component, assignee }) {
      const all = [...labels, ...(priority === null ? [] : [priority]), ...(component === null ? [] : [component])];
      const answer = await send({
        method: 'POST',
        path: `${root}/issues`,
        body: {
          title,
          description: markdownOf(body, marker),
          labels: all.join(','),
          // Members with the role Guest do not see it.
          confidential: true,
          ...(assignee !== null && { assignee_ids: [Number(assignee)] }),
        },
      });
      return ticketOfGitlab(answer.body, wontDo);
    },
    async get(id) {
      const answer = await send({ method: 'GET', path: one(id) }, MISSING);
      // The original of an issue that was moved stays, closed: nobody says there that the weakness is gone.
      const isMoved = recordOf(answer.body)['moved_to_id'] != null;
      if (answer.status < 300 && !isMoved) return ticketOfGitlab(answer.body, wontDo);
      await found();
      return undefined;
    },
    async hasNote(id, { id: marker, since }) {
      const read = async (page: number) => {
        const query = `order_by=created_at&sort=desc&per_page=${PAGE_SIZE}&page=${page}`;
        return listOf((await send({ method: 'GET', path: `${one(id)}/notes?${query}` })).body);
      };
      let isFound = false;
      await eachPage(read, (page) => {
        const notes = page.map(recordOf);
        isFound = notes.some((note) => markerOf(note['body']) === marker);
        return isFound || notes.some((note) => dateOf(note['created_at']) < since);
      });
      return isFound;
    },
    async addNote(id, { id: marker, text }) {
      await send({ method: 'POST', path: `${one(id)}/notes`, body: { body: markdownOf(text, marker) } });
    },
    async changeState(id, to) {
      const body = { state_event: to === 'open' ? 'reopen' : 'close' };
      return ticketOfGitlab((await send({ method: 'PUT', path: one(id), body })).body, wontDo);
    },
    async changedSince(since) {
      const query = { updated_after: since.toISOString(), order_by: 'updated_at', sort: 'asc' };
      return changesIn(await pagesOf((page) => list(query, page), keep), since);
    },
  };
}

export const gitlab: Protocol = {
  base: (address) => `${address}/api/v4`,
  headers: ({ token }) => ({ 'private-token': token }),
  api: gitlabApi,
};

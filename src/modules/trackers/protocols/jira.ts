import { adfMarker, adfOf } from '../domain/ticket-text';
import { type RemoteTicket, type TrackerApi, TrackerError } from '../domain/tracker-api';
import {
  accountOf,
  changesIn,
  contains,
  dateOf,
  idOf,
  keyOf,
  listOf,
  MISSING,
  PAGE_SIZE,
  MAX_PAGES,
  type Protocol,
  recordOf,
  type Send,
  textOf,
  type TrackerPlace,
} from './protocol';

const PROPERTY = 'assay';
const ROOT = '/rest/api/3';
/** A page has 50 otherwise. */
const WHOLE = 'maxResults=200';
const MAX_FIELDS = 100;
const FIELDS = ['status', 'updated'];
/** What a ticket always has. */
const FILLED: ReadonlySet<string> = new Set(['project', 'issuetype', 'summary', 'description', 'reporter']);
const MINUTE_MS = 60_000;

const isDone = (status: unknown): boolean => textOf(recordOf(recordOf(status)['statusCategory'])['key']) === 'done';

/** By the category of the status, never by the resolution: workflows keep that when a ticket is reopened. */
export function ticketOfJira(
  body: unknown,
  { address, wontDo }: Pick<TrackerPlace, 'address' | 'wontDo'>,
): RemoteTicket {
  const { id, key: stated, fields, properties } = recordOf(body);
  const key = keyOf(stated);
  const { status, updated } = recordOf(fields);
  const isRefused = wontDo.includes(textOf(recordOf(status)['name']).toLowerCase());
  return {
    id: idOf(id),
    key,
    url: `${address}/browse/${key}`,
    category: isDone(status) ? (isRefused ? 'wont_do' : 'done') : 'open',
    version: dateOf(updated),
    marker: textOf(recordOf(recordOf(properties)[PROPERTY])['ticket']) || null,
  };
}

interface Transition {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A transition that needs nothing but perhaps a resolution, which then gets the first value that is allowed. */
export function transitionTo(body: unknown, to: 'open' | 'closed', wontDo: readonly string[]): Transition | undefined {
  const usable = listOf(recordOf(body)['transitions'])
    .map(recordOf)
    .filter((one) => isDone(one['to']) === (to === 'closed'))
    .flatMap((one) => {
      const missing = Object.entries(recordOf(one['fields'])).filter(
        ([, field]) => recordOf(field)['required'] === true && recordOf(field)['hasDefaultValue'] !== true,
      );
      const [value] = listOf(recordOf(recordOf(one['fields'])['resolution'])['allowedValues']);
      if (missing.some(([name]) => name !== 'resolution' || value === undefined)) return [];
      const fields = missing.length === 0 ? {} : { resolution: { id: textOf(recordOf(value)['id']) } };
      return [{ id: textOf(one['id']), name: textOf(recordOf(one['to'])['name']).toLowerCase(), fields }];
    });
  const [best] = usable.toSorted((a, b) => Number(wontDo.includes(a.name)) - Number(wontDo.includes(b.name)));
  return best;
}

function jiraApi(send: Send, place: TrackerPlace, now: () => Date): TrackerApi {
  const { project, issueType, wontDo } = place;
  const projectPath = `${ROOT}/project/${encodeURIComponent(project)}`;
  const one = (id: string) => `${ROOT}/issue/${encodeURIComponent(id)}`;
  const isPublic = async () => {
    await send({ method: 'GET', path: projectPath });
    const { status } = await send({ method: 'GET', path: projectPath, isAnonymous: true }, [401, 403, 404]);
    return status < 300;
  };
  /** The dates of JQL are in the time zone of the account; minutes are not. */
  const search = async (condition: string, since: Date, order: string): Promise<RemoteTicket[]> => {
    const minutes = Math.max(1, Math.ceil((now().getTime() - since.getTime()) / MINUTE_MS) + 1);
    const jql = `project = "${project}" AND ${condition} >= -${minutes}m ORDER BY ${order}`;
    const found: RemoteTicket[] = [];
    let nextPageToken: string | undefined;
    for (let count = 0; count < MAX_PAGES; count++) {
      const body = { jql, fields: FIELDS, properties: [PROPERTY], maxResults: PAGE_SIZE, nextPageToken };
      const answer = recordOf((await send({ method: 'POST', path: `${ROOT}/search/jql`, body })).body);
      const page = listOf(answer['issues']).slice(0, PAGE_SIZE);
      found.push(...page.map((issue) => ticketOfJira(issue, place)));
      nextPageToken = textOf(answer['nextPageToken']) || undefined;
      if (nextPageToken === undefined) break;
    }
    return found;
  };
  const get: TrackerApi['get'] = async (id) => {
    const query = `fields=${FIELDS.join(',')}&properties=${PROPERTY}`;
    const answer = await send({ method: 'GET', path: `${one(id)}?${query}` }, MISSING);
    if (answer.status < 300) {
      const ticket = ticketOfJira(answer.body, place);
      // Others read the project to which it was moved.
      return ticket.key.startsWith(`${project}-`) ? ticket : undefined;
    }
    await send({ method: 'GET', path: projectPath });
    return undefined;
  };
  const there = async (id: string): Promise<RemoteTicket> => {
    const ticket = await get(id);
    if (ticket === undefined) throw new TrackerError('ticket', 'The ticket was deleted meanwhile.');
    return ticket;
  };
  const fieldsOf = async (filled: ReadonlySet<string>) => {
    const types = `${ROOT}/issue/createmeta/${encodeURIComponent(project)}/issuetypes`;
    const { body } = await send({ method: 'GET', path: `${types}?${WHOLE}` });
    const all = listOf(recordOf(body)['issueTypes']).map(recordOf);
    const type = all.find(({ name }) => textOf(name).toLowerCase() === issueType.toLowerCase());
    if (type === undefined) {
      const names = all
        .slice(0, MAX_FIELDS)
        .map(({ name }) => textOf(name))
        .join(', ');
      throw new TrackerError('tracker', `The project has no issue type ${issueType}. It has: ${names}.`);
    }
    const meta = await send({ method: 'GET', path: `${types}/${encodeURIComponent(textOf(type['id']))}?${WHOLE}` });
    return listOf(recordOf(meta.body)['fields'])
      .slice(0, MAX_FIELDS)
      .map(recordOf)
      .filter(({ required, hasDefaultValue }) => required === true && hasDefaultValue !== true)
      .map(({ name, fieldId, key }) => ({
        name: textOf(name, 100),
        isFilled: filled.has(textOf(fieldId) || textOf(key)),
      }));
  };
  return {
    async facts() {
      const user = recordOf((await send({ method: 'GET', path: `${ROOT}/myself` })).body);
      const open = await isPublic();
      const filled = new Set([...FILLED, 'labels', ...place.filled]);
      return { account: accountOf(user['accountId']), project, isPublic: open, fields: await fieldsOf(filled) };
    },
    isPublic,
    async find(marker, since) {
      const mine = await search('creator = currentUser() AND created', since, 'created DESC');
      return mine.find((ticket) => ticket.marker === marker);
    },
    async create({ marker, title, body, priority, labels, component, assignee }) {
      const fields = {
        project: { key: project },
        issuetype: { name: issueType },
        summary: title,
        description: adfOf(body),
        labels: labels.map((label) => label.replaceAll(/\s+/g, '-')),
        ...(priority !== null && { priority: { name: priority } }),
        ...(component !== null && { components: [{ name: component }] }),
        ...(assignee !== null && { assignee: { accountId: assignee } }),
      };
      const properties = [{ key: PROPERTY, value: { ticket: marker } }];
      const answer = await send({ method: 'POST', path: `${ROOT}/issue`, body: { fields, properties } });
      return there(textOf(recordOf(answer.body)['id']));
    },
    get,
    async hasNote(id, { id: marker }) {
      const { body } = await send({
        method: 'GET',
        path: `${one(id)}/comment?orderBy=-created&maxResults=${PAGE_SIZE}`,
      });
      return listOf(recordOf(body)['comments']).some((note) => contains(note, adfMarker(marker)));
    },
    async addNote(id, { id: marker, text }) {
      await send({ method: 'POST', path: `${one(id)}/comment`, body: { body: adfOf(text, marker) } });
    },
    async changeState(id, to) {
      const path = `${one(id)}/transitions`;
      const { body } = await send({ method: 'GET', path: `${path}?expand=transitions.fields` });
      const transition = transitionTo(body, to, wontDo);
      if (transition === undefined) return undefined;
      const { fields } = transition;
      await send({ method: 'POST', path, body: { transition: { id: transition.id }, fields } });
      return there(id);
    },
    async changedSince(since) {
      return changesIn(await search('updated', since, 'updated ASC'), since);
    },
  };
}

export const jira: Protocol = {
  base: (address) => address,
  headers: ({ user, token }) => ({
    authorization: `Basic ${Buffer.from(`${user ?? ''}:${token}`).toString('base64')}`,
  }),
  api: jiraApi,
};

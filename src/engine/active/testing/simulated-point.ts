import type { Page } from '../../page';
import type { Probe, ProbeRequest } from '../../probe';
import type { Reply } from '../../testing/target-server';
import { valuesOfBody } from '../../request-body';
import { Headers } from '../../transport/headers';
import { Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import type { InsertionPoint } from '../../experiment-record';

/** Returns the response to a value at the point. */
export type Application = (value: string, path: string) => Reply;

export interface Observed {
  readonly outcome: Outcome;
  readonly values: readonly string[];
  /** The number of responses that the oracle has not judged: none of them would show that a weakness is gone. */
  readonly unjudged: number;
  /** Why a verification without the weakness would be inconclusive. */
  readonly doubts: readonly (string | undefined)[];
}

interface Start {
  readonly value?: string;
  readonly variant?: string;
  readonly isRepeat?: boolean;
  readonly host?: string;
  readonly page?: string;
  /** With the value `q`, in place of the query. */
  readonly point?: InsertionPoint;
}

const pageOf = (host: string, path: string, { status = 200, headers = {}, body = '' }: Reply): Page => ({
  url: `http://${host}${path}`,
  status,
  headers: new Headers(
    Object.entries({ 'content-type': 'text/html', ...headers }).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as const),
    ),
  ),
  body: Buffer.from(body),
  text: body,
  tls: null,
  hops: [],
});

/** Lets an oracle test the parameter `q` of an application that is a function. */
export async function observeApplication(
  oracle: Oracle,
  application: Application,
  { value = 'red', variant, isRepeat = false, host = 'target.test', page = '/find', point: given }: Start = {},
): Promise<Observed> {
  const values: string[] = [];
  const open = new Set<Page>();
  const probe = {
    // An application that throws gives no response.
    http: async ({ path = '', headers, body }: ProbeRequest): Promise<Page> => {
      const inBody = valuesOfBody({ headers, body: String(body ?? '') }).find((one) => one.name === given?.name);
      const sent = inBody?.value ?? new URL(path, 'http://target.test').searchParams.get('q') ?? '';
      values.push(sent);
      const page = pageOf(host, path, application(sent, path));
      open.add(page);
      return page;
    },
    markAsJudged: (page: Page) => void open.delete(page),
  };
  const inQuery: InsertionPoint = { request: { path: `${page}?q=${value}` }, kind: 'query', name: 'q', value };
  const point = given ?? inQuery;
  const doubts: (string | undefined)[] = [];
  const doubt = (reason?: string): void => void doubts.push(reason);
  const experiment = Object.assign(new Experiment(point, probe as unknown as Probe, variant ?? null, isRepeat), {
    doubt,
  });
  const outcome = await oracle.observe(experiment);
  return { outcome, values, unjudged: open.size, doubts };
}

export const pageWith = (content: string): Reply => ({
  body: `<!doctype html><html><head><title>Results</title></head><body><h1>Results</h1>${content}</body></html>`,
});

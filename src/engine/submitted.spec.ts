import { Submissions } from './active/forms/submissions';
import { deniesPassword } from './denied-password';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import { ProbeSession } from './probe-session';
import { HOST, sharedTestTarget } from './testing/test-target';
import { twinRequest } from './twins';
import { Headers } from './transport/headers';

const testTarget = sharedTestTarget();

describe('a request with a body where a form is tested', () => {
  const sending = (via: { readonly submissions?: Submissions }, within: 'form' | 'query') => {
    const place = {
      scheme: 'http',
      host: HOST,
      port: testTarget().server.port,
      path: '/',
      parameter: 'q',
      within,
    } as const;
    const transport = testTarget().transport(4_000, () => () => {});
    const session = new ProbeSession(transport, { signal: new AbortController().signal, ...via });
    return session.probe(place as never).requestPage({ method: 'POST', path: '/missing', body: 'password=x' });
  };

  it('is counted, or not sent', async () => {
    await expect(sending({}, 'form')).rejects.toThrow(/only active tests with full/);
    const submissions = new Submissions({ limits: { perForm: 9, inAll: 9 }, refusal: () => null });
    await sending({ submissions }, 'form');
    expect(submissions.list).toEqual([expect.objectContaining({ path: '/missing', submissions: 1 })]);
  });

  it('is sent elsewhere as before, where a person has allowed its method', async () => {
    await expect(sending({}, 'query')).resolves.toMatchObject({ url: expect.stringContaining('/missing') });
  });
});

it('is not sent to a missing path to learn about a denial', async () => {
  const submits = { page: null, fresh: [] };
  const request = { method: 'POST', path: '/login', body: '{"password":"x"}', submits };
  const answer = {
    status: 401,
    url: 'https://a.example/login',
    hops: [],
    headers: new Headers([['content-type', 'application/json']]),
    body: Buffer.from('{"error":"wrong password"}'),
    text: '{"error":"wrong password"}',
  } as unknown as Page;
  const requestPage = jest.fn().mockResolvedValue({ ...answer, status: 404, text: '{"error":"none"}' });
  const probe = { requestPage } as unknown as TargetProbe;
  const control = { ...answer, status: 200, text: 'Shop' } as Page;
  const asked = { key: '', path: '/login', request, answer };
  await deniesPassword(asked, control, probe);
  expect(requestPage).not.toHaveBeenCalled();
  expect(twinRequest('method', asked)).toBeNull();
  expect(twinRequest('parameter', asked)).toMatchObject({ submits });
  await deniesPassword({ ...asked, request: { method: 'POST', path: '/login', body: request.body } }, control, probe);
  expect(requestPage).toHaveBeenCalledTimes(1);
});

import type { RequestListener } from 'node:http';

/** A job of the services that the specs pretend to be. */
export const JOB = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';

export type Answer = readonly [status: number, body: string] | RequestListener;

/** Of a service whose scans succeed. The key is the end of the path. */
export const successfulAnswers: Readonly<Record<string, Answer>> = {
  check: [200, '{"url":"u","beacon_id":null,"event_slug":null,"valid":true}'],
  launch: [201, `{"url":"u","uuid":"${JOB}"}`],
  status: [200, '{"status":"FINISHED"}'],
  success: [200, '{"success":true,"description":"No finding stands."}'],
  report: [200, '{"version":"2.1.0","runs":[{}]}'],
  cancel: [200, '{"code":200,"description":"Job canceled.","id":null,"success":true}'],
  [JOB]: [200, '{"job":{"status":"FINISHED","active":null}}'],
};

/** Answers after which no pipeline may continue, as examples/pipeline.sh has them. */
export const unusualAnswers: readonly (readonly [step: string, what: string, answer: Answer])[] = [
  ['check', 'no JSON', [200, '<html>Welcome to the network of the hotel</html>']],
  ['check', 'an empty body', [200, '']],
  ['check', 'not valid', [200, '{"valid":false,"reason":"No asset covers it."}']],
  ['check', 'the string "true"', [200, '{"valid":"true"}']],
  ['check', 'a redirect', (_request, response) => response.writeHead(302, { location: '/v1/jobs/launch' }).end()],
  ['check', 'a revoked key', [401, '{"code":401,"description":"Wrong credentials.","success":false}']],
  ['launch', 'no job', [201, '{"url":"u"}']],
  ['launch', 'an invalid UUID', [201, '{"uuid":"../../../v1/me"}']],
  ['launch', 'a refusal', [422, '{"code":422,"description":"The job cannot be launched.","success":false}']],
  ['status', 'no JSON', [200, 'FINISHED']],
  ['status', 'an unknown status', [200, '{"status":"DONE"}']],
  ['status', 'an error', [200, '{"status":"ERROR"}']],
  ['status', 'a cancellation', [200, '{"status":"CANCELED"}']],
  ['status', 'a 404', [404, '{"code":404,"description":"Job not found.","success":false}']],
  ['status', 'a revoked key', [401, '{"code":401,"description":"Wrong credentials.","success":false}']],
  ['success', 'no JSON', [200, 'true']],
  ['success', 'null', [200, '{"success":null,"description":"Ask again."}']],
  ['success', 'success: false', [200, '{"success":false,"description":"x"}']],
  ['success', 'the string "true"', [200, '{"success":"true","description":"x"}']],
  ['success', 'a number', [200, '{"success":1,"description":"x"}']],
  ['success', 'both false and true', [200, '{"success":false,"success":true,"description":"x"}']],
  ['success', 'a list', [200, '[{"success":true,"description":"x"}]']],
  ['success', 'incomplete JSON', [200, '{"success":true,"descr']],
  ['success', 'success: true and 202', [202, '{"success":true,"description":"x"}']],
  ['success', 'success: true and 401', [401, '{"success":true,"description":"x"}']],
  ['success', 'success: true and 422', [422, '{"success":true,"description":"x"}']],
  ['success', 'success: true inside a string', [200, '{"description":"\\"success\\":true,"}']],
  ['success', '429', [429, '{"code":429,"description":"Too many requests.","success":false}']],
  ['success', '500', [500, '{"code":500,"description":"Something failed.","success":false}']],
  ['success', 'nothing', () => undefined],
  ['success', 'a closed connection', (request) => void request.socket.destroy()],
  [
    'success',
    'half of a response',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"success":true,"description":"x"}');
      setImmediate(() => request.socket.destroy());
    },
  ],
];

/** Answers with these, by the end of the path. */
export const serviceOf =
  (
    answers: () => Readonly<Record<string, Answer>>,
    onRequest: (request: string) => void = () => undefined,
  ): RequestListener =>
  (request, response) => {
    const [path = ''] = request.url?.split('?') ?? [];
    onRequest(`${request.method} ${path}`);
    request.resume();
    const answer = answers()[path.split('/').at(-1) ?? ''] ?? ([404, '{}'] as const);
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
  };

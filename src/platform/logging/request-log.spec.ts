import { EventEmitter } from 'node:events';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { type Log, NestLog } from './log';
import { requestLog } from './request-log';

const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true };

it('has the ids of the request and of its trace', () => {
  const lines: object[] = [];
  const log = { info: (line: object) => lines.push(line) } as unknown as Log;
  const request = { requestId: 'req-7', method: 'GET', routeTemplate: '/v1/me', trace } as ApiRequest;
  const response = Object.assign(new EventEmitter(), { writableFinished: true, statusCode: 200 });
  requestLog(log, () => undefined)(request, response as unknown as ApiResponse, () => undefined);
  response.emit('close');
  expect(lines).toEqual([expect.objectContaining({ request_id: 'req-7', trace_id: trace.traceId, route: '/v1/me' })]);
});

it('has the id of the trace in other lines, if their message names one', () => {
  const warn = jest.fn();
  const log = new NestLog({ warn } as unknown as Log);
  log.warn({ message: 'the work failed', trace_id: trace.traceId }, 'worker');
  log.warn('without a trace', 'worker');
  expect(warn.mock.calls).toEqual([
    [{ trace_id: trace.traceId, context: 'worker' }, 'the work failed'],
    [{ context: 'worker' }, 'without a trace'],
  ]);
});

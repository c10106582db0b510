import type { Express } from 'express';
import type { ApiRequest, ApiResponse } from '../../platform/api/api-request';
import { ErrorFilter } from '../../platform/http/error.filter';
import { readBytes, refuseCompression } from '../../platform/http/request-bytes';
import type { TrackerHooks } from '../../modules/trackers';

const MAX_BYTES = 256 * 1_024;

/** Where trackers say that something has changed: outside of /v1, because they sign what they send and have no API key. */
export function serveTrackerHooks(
  app: Pick<Express, 'post'>,
  hooks: Pick<TrackerHooks, 'requireRoom' | 'receive'>,
): void {
  const filter = new ErrorFilter();
  app.post('/hooks/:hook', (request, response) => {
    const receive = async (): Promise<void> => {
      const { hook } = request.params;
      hooks.requireRoom(hook, request.ip ?? '');
      refuseCompression(request);
      await hooks.receive(hook, request.headers, await readBytes(request, MAX_BYTES));
      response.status(202).json({ code: 202, description: 'Noted.', success: true });
    };
    receive().catch((error: unknown) =>
      filter.answer(error, request as unknown as ApiRequest, response as unknown as ApiResponse),
    );
  });
}

import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import { h } from 'preact';
import type { FeedWatch } from '../../modules/feed';
import type { PortalRequest } from '../http/portal-request';
import { LiveStreams } from './live-streams';

const never = (): Promise<never> => new Promise(() => undefined);

/** Opens streams of one user each, and returns how many were opened. */
function openAll(streams: LiveStreams, organizationId: number, most: number): number {
  for (let opened = 0; opened < most; opened++) {
    const id = organizationId * 1_000 + opened;
    const request = { headers: {}, portalSession: { id }, caller: { facts: { userId: id } } } as PortalRequest;
    const response = Object.assign(new PassThrough().resume(), {
      setHeader: () => response,
      status: () => response,
      type: () => response,
      flushHeaders: () => undefined,
    }) as unknown as Response;
    const followed = { key: 'job', organizationId, read: never, render: () => h('p', {}) };
    try {
      streams.open(request, response, followed);
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringContaining('Too many pages') });
      return opened;
    }
  }
  return most;
}

describe('live streams', () => {
  const streams = new LiveStreams({ newest: async () => 0, next: async () => 0 } as unknown as FeedWatch);
  afterAll(() => streams.beforeApplicationShutdown());

  it('leave places to other organizations, however many have opened all that they may', () => {
    const opened = [1, 2, 3, 4, 5, 6].map((organization) => openAll(streams, organization, 200));
    expect(opened).toEqual([50, 50, 50, 25, 13, 6]);
    expect(openAll(streams, 7, 2)).toBe(2);
  });
});

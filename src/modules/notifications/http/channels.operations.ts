import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { channelExample, ChannelListResponse, ChannelResponse } from './channel.responses';

const operation = operationsTagged('Channels');

const CHANNELS = '/v1/organizations/{organization_id}/channels';
const ONE = `${CHANNELS}/{channel_id}` as const;

export const listChannels = operation(`GET ${CHANNELS}`, {
  id: 'listChannels',
  summary: 'List the channels of an organization',
  role: 'admin',
  query: PageQuery,
  success: {
    description: 'The channels, newest first.',
    body: ChannelListResponse,
    example: { channels: [channelExample] },
    paged: true,
  },
  errors: [401, 403, 404],
});

export const createChannel = operation(`POST ${CHANNELS}`, {
  id: 'createChannel',
  summary: 'Create a channel',
  description:
    'Changes from now on that match the filter are sent to Slack, to Teams or by mail. At most 20 channels in an organization. docs/notifications.md has the rest.',
  role: 'admin',
  body: {
    example: {
      name: 'Security',
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T000/B000/XXXX',
      types: ['finding', 'retest'],
      severity: 'high',
    },
  },
  success: {
    status: 201,
    description: 'The channel.',
    body: ChannelResponse,
    example: channelExample,
    location: ({ organization_id, id }: ChannelResponse) => `/v1/organizations/${organization_id}/channels/${id}`,
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'channel.create', resource: 'channel' },
});

export const getChannel = operation(`GET ${ONE}`, {
  id: 'getChannel',
  summary: 'Read a channel',
  role: 'admin',
  entityTag: true,
  success: { description: 'The channel.', body: ChannelResponse, example: channelExample },
});

export const changeChannel = operation(`PATCH ${ONE}`, {
  id: 'changeChannel',
  summary: 'Change, pause or resume a channel',
  description: 'Omitted fields do not change. The caller answers for it from then on.',
  role: 'admin',
  body: { example: { digest: 'daily', digest_hour: 8, time_zone: 'Europe/Lisbon' } },
  ifMatch: 'getChannel',
  success: { description: 'The channel after the change.', body: ChannelResponse, example: channelExample },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'channel.change', resource: 'channel', id: 'channel_id' },
});

export const deleteChannel = operation(`DELETE ${ONE}`, {
  id: 'deleteChannel',
  summary: 'Delete a channel and what waits in it',
  role: 'admin',
  ifMatch: 'getChannel',
  success: {
    description: 'It is deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Channel deleted.', id: 3, success: true },
  },
  audit: { operation: 'channel.delete', resource: 'channel', id: 'channel_id' },
});

export const testChannel = operation(`POST ${ONE}/test`, {
  id: 'testChannel',
  summary: 'Send a test to a channel',
  description: 'One attempt at once, also while it is paused. `last_sent` and `last_error` have the result.',
  role: 'admin',
  success: {
    status: 202,
    description: 'The test is on its way.',
    body: Acknowledgement,
    example: { code: 202, description: 'The test is on its way.', id: 3, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'channel.test', resource: 'channel', id: 'channel_id' },
});

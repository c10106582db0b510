export const CHANNEL_KINDS = ['slack', 'teams', 'mail'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** off: a message for each change. */
export const DIGESTS = ['off', 'daily', 'weekly'] as const;
export type Digest = (typeof DIGESTS)[number];

/** Why a channel is paused, with what to do. */
export const CHANNEL_PAUSES = {
  admin: 'An admin has paused it.',
  gone: 'Its receiver has answered 410 Gone. Create a new incoming webhook there, and save its URL here.',
  failing: 'Its receiver has not accepted a message for 3 days. Correct it, send a test, then resume it.',
  no_recipients: 'None of its recipients is a member of the organization any more. Name others.',
  maker_left:
    'The user who last saved it is no longer an admin of the organization. Another admin resumes it to take it over.',
} as const;
export type ChannelPause = keyof typeof CHANNEL_PAUSES;

export const channelKind = {
  noun: 'channel',
  pauses: CHANNEL_PAUSES,
  advice: 'Delete one that is not needed.',
} as const;

export const TEST_TYPE = 'channel.test';

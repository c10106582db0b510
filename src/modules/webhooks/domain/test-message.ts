export const TEST_TYPE = 'webhook.test';

/** Like an entry of the feed, but in no feed: its position is 0. */
export const testMessage = (webhookId: number, at: Date): object => ({
  position: 0,
  type: TEST_TYPE,
  version: 1,
  at: at.toISOString(),
  record_id: String(webhookId),
  data: {},
});

/** hmac: both sides have the secret. ed25519: the receiver has a public key only, and cannot forge a message. */
export const SIGNATURES = ['hmac', 'ed25519'] as const;
export type Signature = (typeof SIGNATURES)[number];

export const WEBHOOK_STATES = ['active', 'paused'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Why the service or an admin has paused a webhook, with what to do. */
export const PAUSE_REASONS = {
  admin: 'An admin has paused it.',
  gone: 'Its receiver has answered 410 Gone. Correct its address, or delete it.',
  failing: 'Its receiver has not accepted a message for 3 days. Repair the receiver, send a test, then resume it.',
  maker_left:
    'Whoever saved it last is no longer an admin of the organization. Another admin resumes it to take it over.',
} as const;
export type PauseReason = keyof typeof PAUSE_REASONS;

/** waiting: also between two attempts. failed: no more attempts. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

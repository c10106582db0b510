export const DELIVER_KIND = 'webhook.deliver';
/** Receivers that did not answer have slots of their own, so that they delay no other deliveries. */
export const RETRY_KIND = 'webhook.retry';

export const kindFor = ({ misses }: { readonly misses: number }): string => (misses > 0 ? RETRY_KIND : DELIVER_KIND);

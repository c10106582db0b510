import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const deliveryNotFound = () => notFound('Delivery');

export const secretsUnavailable = () =>
  unprocessable('The service has no SECRET_KEY to encrypt the secret of a webhook with. Ask its operator to set it.');

export const webhookPaused = () => conflict('The webhook is paused. Resume it first.');

export const rangeTooLarge = (limit: number) =>
  unprocessable(`More than ${limit.toLocaleString('en')} deliveries are in this range. Redeliver a shorter one.`);

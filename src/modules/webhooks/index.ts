export { OUTBOUND_ERRORS, type OutboundError } from './outbound/outbound-errors';
export { type OutboundAnswer, type OutboundRequest, OutboundRequests } from './outbound/outbound-requests';
export { WebhooksModule } from './webhooks.module';

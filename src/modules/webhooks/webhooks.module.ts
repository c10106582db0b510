import { Module } from '@nestjs/common';
import { OutboundRequests } from './outbound/outbound-requests';

@Module({ providers: [OutboundRequests], exports: [OutboundRequests] })
export class WebhooksModule {}

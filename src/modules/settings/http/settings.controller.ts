import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { formatDuration } from '../domain/event-duration';
import { SettingsService } from '../settings.service';
import { ChangeDefaultEventDurationRequest } from './settings.requests';

@Controller()
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Operation('PUT /v1/settings/default-event-duration/', {
    number: 27,
    id: 'changeDefaultEventDuration',
    tag: 'Settings',
    summary: 'Set the default length of machine events',
    description:
      'For integrators with machine events in their subscription. It applies to new machine events without an `end_date`, in all organizations of the integrator. The initial default is 14 days.',
    role: 'machine_events',
    body: { example: { duration: 30, unit: 'days' } },
    success: {
      description: 'The default was set.',
      body: Acknowledgement,
      example: { code: 200, description: 'Default event duration set to 30 days.', id: null, success: true },
    },
    errors: [400, 401, 403, 422],
    audit: { operation: 'settings.default_event_duration_change', resource: 'settings' },
  })
  async changeDefaultEventDuration(
    @CurrentCaller() caller: Caller,
    @Body() { duration, unit }: ChangeDefaultEventDurationRequest,
  ): Promise<Acknowledgement> {
    await this.settings.changeDefaultEventDuration(caller, { duration, unit });
    return done(`Default event duration set to ${formatDuration({ duration, unit })}.`);
  }
}

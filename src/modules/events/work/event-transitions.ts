import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { EventsService } from '../events.service';

/** Starts events at their start date and finishes them at their end date. */
@Injectable()
export class EventTransitions implements ScheduledTask, OnModuleInit {
  readonly name = 'event.transitions';
  readonly everySeconds = 5;

  constructor(
    private readonly events: EventsService,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule(this);
  }

  run(): Promise<void> {
    return this.events.applyDueTransitions();
  }
}

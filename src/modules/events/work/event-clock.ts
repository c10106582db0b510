import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { EventsService } from '../events.service';

/** Starts events at their start and finishes them at their end. */
@Injectable()
export class EventClock implements ScheduledTask, OnModuleInit {
  readonly name = 'event.clock';
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

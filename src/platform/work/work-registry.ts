import { Injectable } from '@nestjs/common';
import type { ScheduledTask, WorkHandler } from './work-handler';

/** All kinds of work and all scheduled tasks. Modules register theirs at startup; the worker reads them. */
@Injectable()
export class WorkRegistry {
  private readonly handlers = new Map<string, WorkHandler>();
  readonly scheduledTasks: ScheduledTask[] = [];

  register(handler: WorkHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`Work of kind ${handler.kind} has two handlers`);
    this.handlers.set(handler.kind, handler);
  }

  schedule(task: ScheduledTask): void {
    this.scheduledTasks.push(task);
  }

  get kinds(): string[] {
    return [...this.handlers.keys()];
  }

  /** The kinds of which an organization has one running piece at a time. */
  get onePerOrganization(): string[] {
    return this.kinds.filter((kind) => this.handlerOf(kind).isOnePerOrganization === true);
  }

  handlerOf(kind: string): WorkHandler {
    const handler = this.handlers.get(kind);
    if (handler === undefined) throw new Error(`Work of kind ${kind} has no handler`);
    return handler;
  }
}

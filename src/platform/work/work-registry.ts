import { Injectable } from '@nestjs/common';
import type { ScheduledTask, WorkHandler } from './work-handler';

/** All kinds of work and all tasks of the clock; modules put theirs in as they start, the worker takes them out. */
@Injectable()
export class WorkRegistry {
  private readonly handlers = new Map<string, WorkHandler>();
  readonly scheduledTasks: ScheduledTask[] = [];

  register(handler: WorkHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`Two handlers for work of kind ${handler.kind}`);
    this.handlers.set(handler.kind, handler);
  }

  schedule(task: ScheduledTask): void {
    this.scheduledTasks.push(task);
  }

  get kinds(): string[] {
    return [...this.handlers.keys()];
  }

  handlerOf(kind: string): WorkHandler {
    const handler = this.handlers.get(kind);
    if (handler === undefined) throw new Error(`No handler for work of kind ${kind}`);
    return handler;
  }
}

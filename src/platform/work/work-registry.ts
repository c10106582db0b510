import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DecoratedProviders } from '../api/decorated-providers';
import { type ScheduledTask, scheduled, type TaskTerms, type WorkHandler, workKind } from './work-handler';

/** All kinds of work and all scheduled tasks of the modules of this process. The worker reads them. */
@Injectable()
export class WorkRegistry implements OnModuleInit {
  private readonly handlers = new Map<string, WorkHandler>();
  readonly scheduledTasks: ScheduledTask[] = [];

  constructor(private readonly decorated: DecoratedProviders) {}

  onModuleInit(): void {
    for (const [kind, handler] of this.decorated.classes<string, WorkHandler>(workKind)) this.register(kind, handler);
    for (const [terms, run] of this.decorated.methods<TaskTerms, ScheduledTask['run']>(scheduled))
      this.schedule({ ...terms, run });
  }

  register(kind: string, handler: WorkHandler): void {
    if (this.handlers.has(kind)) throw new Error(`Work of kind ${kind} has two handlers`);
    this.handlers.set(kind, handler);
  }

  schedule(task: ScheduledTask): void {
    if (this.scheduledTasks.some(({ name }) => name === task.name))
      throw new Error(`Two scheduled tasks are named ${task.name}`);
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

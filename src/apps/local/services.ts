import { setTimeout as pause } from 'node:timers/promises';
import type { LogBuffer } from './log-buffer';
import { StartRefused } from './postgres/start-refused';
import { describeExit, type Exit, Service } from './service';

/** How long each process may take to stop; the whole stop takes at most five seconds. */
const stopTimeoutMs = 3_500;

/** Limits how often a process that exits at once is restarted. */
const maxRestartDelayMs = 30_000;

/** Starts, restarts and stops the child processes. */
export class Services {
  private readonly running = new Set<Service>();
  private isStopping = false;

  constructor(private readonly log: LogBuffer) {}

  launch(program: string, environment: NodeJS.ProcessEnv): Service {
    this.throwIfStopping();
    const service = new Service(program, environment, this.log.attach);
    this.running.add(service);
    void service.exited.then(() => this.running.delete(service));
    return service;
  }

  /** Runs a program to its end. */
  run(program: string, environment: NodeJS.ProcessEnv): Promise<Exit> {
    return this.launch(program, environment).exited;
  }

  async requireReady(name: string, service: Service): Promise<void> {
    if (await service.ready) return;
    throw new StartRefused(`The ${name} did not start: it exited ${describeExit(await service.exited)}.`);
  }

  /** Restarts a process whenever it exits, with growing delays. */
  async restartOnExit(name: string, first: Service, program: string, environment: NodeJS.ProcessEnv): Promise<void> {
    let service = first;
    let delayMs = 1_000;
    for (;;) {
      const began = Date.now();
      const exit = await service.exited;
      if (this.isStopping) return;
      if (Date.now() - began > 2 * maxRestartDelayMs) delayMs = 1_000;
      this.log.print(`The ${name} exited ${describeExit(exit)}. It restarts in ${delayMs / 1_000} s.`);
      await pause(delayMs, undefined, { ref: false });
      if (this.isStopping) return;
      delayMs = Math.min(2 * delayMs, maxRestartDelayMs);
      service = this.launch(program, environment);
    }
  }

  throwIfStopping(): void {
    if (this.isStopping) throw new StartRefused('Stopped during the start.');
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(Array.from(this.running, (service) => service.stop(stopTimeoutMs)));
  }

  kill(): void {
    for (const service of this.running) service.kill();
  }
}

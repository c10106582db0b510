import { setTimeout as pause } from 'node:timers/promises';
import { StartRefused } from '../postgres/start-refused';
import { describeExit, type Exit, Service, SERVICE_NAMES, type ServiceName } from './service';
import type { StartOutput } from './start-output';

/** How long a process may take to stop before it is killed. */
const stopTimeoutMs = 3_500;

/** Limits how often a process that exits at once is restarted. */
const maxRestartDelayMs = 30_000;

/** Starts, restarts and stops the child processes. */
export class Services {
  private readonly running = new Set<Service>();
  private isStopping = false;

  /** `workerGraceMs` is how long a stopping worker waits for its work before it hands it back. */
  constructor(
    private readonly output: StartOutput,
    private readonly workerGraceMs: number,
  ) {}

  launch(name: ServiceName, program: string, environment: NodeJS.ProcessEnv): Service {
    this.throwIfStopping();
    return this.watch(new Service(name, program, environment, this.output.attach));
  }

  /** Runs a program to its end. */
  run(program: string, environment: NodeJS.ProcessEnv): Promise<Exit> {
    return this.launch('helper', program, environment).exited;
  }

  async requireReady(service: Service): Promise<void> {
    if (await service.ready) return;
    const exit = describeExit(await service.exited);
    this.throwIfStopping();
    throw new StartRefused(`The ${service.name} did not start: it exited ${exit}. The reason is in the lines above.`);
  }

  /** Restarts a process whenever it exits, with growing delays. */
  async restartOnExit(first: Service): Promise<void> {
    let service = first;
    let delayMs = 1_000;
    for (;;) {
      const began = Date.now();
      const exit = await service.exited;
      if (this.isStopping) return;
      if (Date.now() - began > 2 * maxRestartDelayMs) delayMs = 1_000;
      this.output.print(`The ${service.name} exited ${describeExit(exit)}. It restarts in ${delayMs / 1_000} s.`);
      await pause(delayMs, undefined, { ref: false });
      if (this.isStopping) return;
      delayMs = Math.min(2 * delayMs, maxRestartDelayMs);
      service = this.watch(service.again());
    }
  }

  throwIfStopping(): void {
    if (this.isStopping) throw new StartRefused('Stopped during the start.');
  }

  /** One after the other: the worker can hand back a job only while the demo target and the database run. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const name of SERVICE_NAMES) {
      const timeoutMs = stopTimeoutMs + (name === 'worker' ? this.workerGraceMs : 0);
      const services = [...this.running].filter((service) => service.name === name);
      await Promise.all(services.map((service) => service.stop(timeoutMs)));
    }
  }

  kill(): void {
    for (const service of this.running) service.kill();
  }

  private watch(service: Service): Service {
    this.running.add(service);
    void service.exited.then(() => this.running.delete(service));
    return service;
  }
}

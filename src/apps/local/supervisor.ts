import { setTimeout as pause } from 'node:timers/promises';
import { banner, type BannerFacts } from './banner';
import { currentDemo, demoFile } from './demo-file';
import type { LogGate } from './log-gate';
import type { LocalOptions } from './options';
import { refuseTakenPort } from './port';
import { holdsCluster, openDataFolder } from './postgres/data-folder';
import { EmbeddedPostgres } from './postgres/embedded-postgres';
import { errorCode } from './postgres/error-code';
import { refuseLiving } from './postgres/instance-lock';
import { deleteData } from './postgres/delete-data';
import { StartRefused } from './postgres/start-refused';
import { describeExit, Service } from './service';

/** The compiled programs that run in processes of their own. */
export interface Programs {
  api: string;
  worker: string;
  seeder: string;
}

interface DatabaseUrls {
  appUrl: string;
  migrationUrl: string;
}

/** How long the API and the worker may finish what they are at; the whole stop takes at most five seconds. */
const servicePatience = 3_500;

/** After this the logs are shown without waiting for the banner. */
const longBoot = 15_000;

/** A worker that dies at once is not started in a loop that heats the machine. */
const longestPause = 30_000;

/** Starts everything in its order, watches it, and stops it in the opposite order. */
export class Supervisor {
  private postgres: EmbeddedPostgres | undefined;
  private readonly services = new Set<Service>();
  private starting: Promise<Service> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: LocalOptions,
    private readonly programs: Programs,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly gate: LogGate,
  ) {}

  /** Resolves when it was stopped; rejects when it could not start, or when a part without which nothing works has gone. */
  async run(): Promise<void> {
    try {
      this.starting = this.start();
      await this.refuseEnd(await this.starting);
    } catch (error) {
      // What fails because we are stopping is no failure.
      if (!this.stopping) throw error;
    } finally {
      await this.stop();
    }
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopEverything();
    return this.stopping;
  }

  /** At once. A database that crashes on purpose finds everything again in its log. */
  async kill(): Promise<void> {
    for (const service of this.services) service.kill();
    await this.postgres?.stop('immediate');
  }

  private async start(): Promise<Service> {
    const { port, host, external } = this.options;
    if (external) this.refuseMixedDemo();
    else await this.prepareDataFolder();
    await refuseTakenPort(port, host);
    const [urls, { migrate }] = await Promise.all([
      external ?? this.startPostgres(),
      // It brings TypeORM, which takes as long to load as PostgreSQL to start.
      import('../../platform/database/migrate.js'),
    ]);
    this.refuseWhenStopping();
    await migrate(urls).catch((error: unknown) => {
      throw new StartRefused(`The database could not be prepared: ${describe(error)}`, { cause: error });
    });
    const environment = this.serviceEnvironment(urls);
    // What takes long has something to say.
    const slow = setTimeout(() => this.gate.open(), longBoot).unref();
    const api = this.launch(this.programs.api, environment);
    const worker = this.launch(this.programs.worker, environment);
    await Promise.all([
      this.demandReady('API', api),
      this.demandReady('worker', worker),
      this.needsDemo() ? this.seed(environment) : undefined,
    ]);
    clearTimeout(slow);
    this.gate.say(banner(this.bannerFacts()));
    this.gate.open();
    void this.keepUp(worker, environment);
    return api;
  }

  private async prepareDataFolder(): Promise<void> {
    const { dataDir, reset } = this.options;
    refuseLiving(dataDir);
    if (reset) await deleteData(dataDir);
    openDataFolder(dataDir);
  }

  private refuseMixedDemo(): void {
    const { demo, dataDir } = this.options;
    if (!demo || this.ownsDemoFile()) return;
    throw new StartRefused(
      `${dataDir} holds the embedded database and its demo.json. Name another folder for the demo data of the ` +
        `database that DATABASE_URL names: ASSAY_DATA=/path npm start -- --demo`,
    );
  }

  private async startPostgres(): Promise<DatabaseUrls> {
    const log = (line: string): void => {
      if (!this.stopping && /^(FATAL|PANIC):/.test(line)) this.gate.say(`PostgreSQL: ${line}`);
    };
    this.postgres = await EmbeddedPostgres.start({ dataDir: this.options.dataDir, log });
    return { appUrl: this.postgres.url(), migrationUrl: this.postgres.url(undefined, 'assay_owner') };
  }

  private bannerFacts(): BannerFacts {
    const { baseUrl, dataDir, external } = this.options;
    const home = this.postgres?.home;
    return {
      baseUrl,
      dataDir,
      isEmbedded: !external,
      movedTo: home === dataDir ? undefined : home,
      demo: this.ownsDemoFile() ? currentDemo(dataDir, baseUrl) : undefined,
    };
  }

  private serviceEnvironment({ appUrl }: DatabaseUrls): NodeJS.ProcessEnv {
    const readable = process.stdout.isTTY ? 'pretty' : 'json';
    const format = this.environment['LOG_FORMAT'] ?? 'auto';
    return {
      ...this.environment,
      HOST: this.options.host,
      PORT: String(this.options.port),
      DATABASE_URL: appUrl,
      // Empty rather than absent: the services read `.env` too, which fills in what is absent. And nobody needs the owner
      // of the tables after the migrations.
      DATABASE_URL_FILE: '',
      MIGRATION_DATABASE_URL: '',
      MIGRATION_DATABASE_URL_FILE: '',
      LOG_FORMAT: format === 'auto' ? readable : format,
    };
  }

  private launch(program: string, environment: NodeJS.ProcessEnv): Service {
    this.refuseWhenStopping();
    const service = new Service(program, environment, this.gate.take);
    this.services.add(service);
    void service.exited.then(() => this.services.delete(service));
    return service;
  }

  private async demandReady(name: string, service: Service): Promise<void> {
    if (await service.ready) return;
    throw new StartRefused(`The ${name} did not start: it ended ${describeExit(await service.exited)}.`);
  }

  /** A data folder that belongs to the embedded database says nothing about another one. */
  private ownsDemoFile(): boolean {
    return !this.options.external || !holdsCluster(this.options.dataDir);
  }

  private needsDemo(): boolean {
    const { demo, external, dataDir, baseUrl } = this.options;
    return demo || (!external && currentDemo(dataDir, baseUrl) === undefined);
  }

  private async seed(environment: NodeJS.ProcessEnv): Promise<void> {
    const { dataDir, baseUrl } = this.options;
    openDataFolder(dataDir);
    this.gate.say('Making the demo data ...');
    const seeder = this.launch(this.programs.seeder, {
      ...environment,
      DEMO_FILE: demoFile(dataDir),
      BASE_URL: baseUrl,
    });
    const exit = await seeder.exited;
    if (exit.code !== 0)
      throw new StartRefused(`The demo data could not be made: the seeder ended ${describeExit(exit)}.`);
  }

  private async keepUp(first: Service, environment: NodeJS.ProcessEnv): Promise<void> {
    let worker = first;
    let wait = 1_000;
    for (;;) {
      const began = Date.now();
      const exit = await worker.exited;
      if (this.stopping) return;
      if (Date.now() - began > 2 * longestPause) wait = 1_000;
      this.gate.say(`The worker ended ${describeExit(exit)}; it starts again in ${wait / 1_000} s.`);
      await pause(wait, undefined, { ref: false });
      if (this.stopping) return;
      wait = Math.min(2 * wait, longestPause);
      worker = this.launch(this.programs.worker, environment);
    }
  }

  /** Waits for the end of what nothing works without. */
  private async refuseEnd(api: Service): Promise<void> {
    const ends = [api.exited.then((exit) => `The API ended ${describeExit(exit)}`)];
    if (this.postgres) ends.push(this.postgres.ended.then(() => 'PostgreSQL ended'));
    throw new StartRefused(`${await Promise.race(ends)}: everything is stopped.`);
  }

  private refuseWhenStopping(): void {
    if (this.stopping) throw new StartRefused('It was stopped while it started.');
  }

  private async stopEverything(): Promise<void> {
    await Promise.all(Array.from(this.services, (service) => service.stop(servicePatience)));
    // A start that is under way ends at its next step; the database must not go away under a migration.
    await this.starting?.catch(() => undefined);
    await this.postgres?.stop('fast');
  }
}

/** A refused connection may have no message of its own, only a code. */
function describe(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  return typeof message === 'string' && message !== '' ? message : (errorCode(error) ?? 'for no reason that it names');
}

import { banner, type BannerFacts } from './banner';
import { DemoData, type DemoPrograms } from './demo-data';
import { type DemoTargetPlace, placeDemoTarget } from './demo-target-place';
import type { LogGate } from './log-gate';
import type { LocalOptions } from './options';
import { refuseTakenPort } from './port';
import { holdsCluster, openDataFolder } from './postgres/data-folder';
import { EmbeddedPostgres } from './postgres/embedded-postgres';
import { refuseLiving } from './postgres/instance-lock';
import { deleteData } from './postgres/delete-data';
import { StartRefused } from './postgres/start-refused';
import { SecretKey, secretKeyFile } from './secret-key';
import { describeExit, type Service } from './service';
import { serviceEnvironment } from './service-environment';
import { Services } from './services';

/** The compiled programs that run in processes of their own. */
export interface Programs extends DemoPrograms {
  api: string;
  worker: string;
  demoTarget: string;
  keyRetirer: string;
}

interface DatabaseUrls {
  appUrl: string;
  migrationUrl: string;
}

/** After this the logs are shown without waiting for the banner. */
const longBoot = 15_000;

/** Starts everything in its order, watches it, and stops it in the opposite order. */
export class Supervisor {
  private postgres: EmbeddedPostgres | undefined;
  private readonly services: Services;
  private readonly demo: DemoData;
  private demoTarget: DemoTargetPlace | undefined;
  private starting: Promise<Service> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: LocalOptions,
    private readonly programs: Programs,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly gate: LogGate,
  ) {
    this.services = new Services(gate);
    this.demo = new DemoData(options, programs, this.services, gate);
  }

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
    this.services.kill();
    await this.postgres?.stop('immediate');
  }

  private async start(): Promise<Service> {
    const { port, host, external, dataDir, secretKey } = this.options;
    if (external) this.demo.refuseMixed();
    else await this.prepareDataFolder();
    await refuseTakenPort(port, host);
    await this.startDemoTarget();
    const isNew = !holdsCluster(dataDir);
    const [urls, { migrate }, { migrationProblem: migrationTrouble }] = await Promise.all([
      external ?? this.startPostgres(),
      // It brings TypeORM, which takes as long to load as PostgreSQL to start.
      import('../../platform/database/migrate.js'),
      import('../../platform/database/migration-problem.js'),
    ]);
    this.services.refuseWhenStopping();
    await migrate(urls).catch((error: unknown) => {
      throw new StartRefused(migrationTrouble(error, external), { cause: error });
    });
    const environment = serviceEnvironment(this.environment, {
      port,
      host,
      appUrl: urls.appUrl,
      secretKeyFile: external || secretKey ? undefined : secretKeyFile(dataDir),
      demoTarget: this.demoTarget,
    });
    // What takes long has something to say.
    const slow = setTimeout(() => this.gate.open(), longBoot).unref();
    if (!external) await this.keepSecretKey(isNew, environment);
    const api = this.services.launch(this.programs.api, environment);
    const worker = this.services.launch(this.programs.worker, environment);
    await Promise.all([
      this.services.demandReady('API', api),
      this.services.demandReady('worker', worker),
      this.demo.bring(environment, this.demoTarget),
    ]);
    clearTimeout(slow);
    this.gate.say(banner(this.bannerFacts()));
    this.gate.open();
    void this.services.keepUp('worker', worker, this.programs.worker, environment);
    return api;
  }

  private async prepareDataFolder(): Promise<void> {
    const { dataDir, reset } = this.options;
    refuseLiving(dataDir);
    if (reset) await deleteData(dataDir);
    openDataFolder(dataDir);
  }

  /** With nothing of the service in its environment: what is weak on purpose must have nothing to give away. */
  private async startDemoTarget(): Promise<void> {
    const { demoTarget, port } = this.options;
    if (!demoTarget) return;
    const place = await placeDemoTarget(port, demoTarget.port, this.demo.lastTargetUrl);
    const environment = { SystemRoot: this.environment['SystemRoot'], DEMO_TARGET_PORT: String(place.port) };
    const service = this.services.launch(this.programs.demoTarget, environment);
    await this.services.demandReady('demo target', service);
    void this.services.keepUp('demo target', service, this.programs.demoTarget, environment);
    this.demoTarget = place;
  }

  /**
   * A database of the user's own has none of ours: it may have other workers, with a key that they share. What is
   * encrypted under another key goes before the new one is kept, so that a start that is cut short does it again.
   */
  private async keepSecretKey(isNew: boolean, environment: NodeJS.ProcessEnv): Promise<void> {
    const key = new SecretKey(this.options.dataDir, this.options.secretKey);
    if (!isNew && key.isAnother) await this.retireSigningKey(environment);
    key.keep();
  }

  private async retireSigningKey(environment: NodeJS.ProcessEnv): Promise<void> {
    const exit = await this.services.run(this.programs.keyRetirer, { ...environment, SECRET_KEY_FILE: '' });
    if (exit.code === 0) return;
    throw new StartRefused(`The old signing key could not be retired: it ended ${describeExit(exit)}.`);
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
      demo: this.demo.current(this.demoTarget),
      demoTargetUrl: this.demoTarget?.url,
    };
  }

  /** Waits for the end of what nothing works without. */
  private async refuseEnd(api: Service): Promise<void> {
    const ends = [api.exited.then((exit) => `The API ended ${describeExit(exit)}`)];
    if (this.postgres) ends.push(this.postgres.ended.then(() => 'PostgreSQL ended'));
    throw new StartRefused(`${await Promise.race(ends)}: everything is stopped.`);
  }

  private async stopEverything(): Promise<void> {
    await this.services.stop();
    // A start that is under way ends at its next step; the database must not go away under a migration.
    await this.starting?.catch(() => undefined);
    await this.postgres?.stop('fast');
  }
}

import { banner, type BannerFacts } from './banner';
import { CallbackListener } from './callback-listener';
import { DemoData } from './demo-data';
import { type DemoTargetAddress, chooseDemoTargetAddress } from './demo-target-address';
import type { LocalOptions } from './options';
import type { Programs } from './programs';
import { OwnTargetsSetup } from './own-targets-setup';
import { requireFreePort } from './port';
import { containsCluster, openDataFolder } from '../postgres/data-folder';
import { EmbeddedPostgres } from '../postgres/embedded-postgres';
import { refuseRunningInstance } from '../postgres/instance-lock';
import { StartRefused } from '../postgres/start-refused';
import { secretKeyFile } from './secret-key';
import { SecretKeySetup } from './secret-key-setup';
import { describeExit, type Service, type ServiceName } from './service';
import { apiEnvironment, serviceEnvironment, workerEnvironment } from './service-environment';
import { Services } from './services';
import type { StartOutput } from './start-output';

interface DatabaseUrls {
  appUrl: string;
  migrationUrl: string;
  callbackUrl?: string | undefined;
}

/** Starts all processes in order, watches them, and stops them in reverse order, the database last. */
export class Supervisor {
  private postgres: EmbeddedPostgres | undefined;
  private readonly services: Services;
  private readonly demo: DemoData;
  private readonly ownTargets: OwnTargetsSetup;
  private readonly secretKey: SecretKeySetup;
  private readonly listener: CallbackListener;
  private demoTarget: DemoTargetAddress | undefined;
  private starting: Promise<Service> | undefined;
  private worker: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: LocalOptions,
    private readonly programs: Programs,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly output: StartOutput,
  ) {
    this.services = new Services(output, options.workerGraceSeconds * 1_000);
    this.demo = new DemoData(options, programs, this.services, output);
    this.ownTargets = new OwnTargetsSetup(options, programs.ownTargetsAdder, this.services);
    this.secretKey = new SecretKeySetup(options, programs.keyRetirer, this.services, output);
    this.listener = new CallbackListener(programs.listener, environment, this.services, output);
  }

  /** Resolves after a stop. Rejects if the start fails, also after the banner, or if the API or PostgreSQL exits. */
  async run(): Promise<void> {
    try {
      this.starting = this.start();
      await this.throwWhenServiceEnds(await this.starting);
    } catch (error) {
      // Errors during a stop are expected.
      if (!this.stopping) throw error;
    } finally {
      await this.stop();
    }
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopEverything();
    return this.stopping;
  }

  /** Kills everything. PostgreSQL recovers from its write-ahead log at the next start. */
  async kill(): Promise<void> {
    this.services.kill();
    await this.postgres?.stop('immediate');
  }

  private async start(): Promise<Service> {
    const { port, portalPort, host, external, dataDir, secretKey, workerGraceSeconds } = this.options;
    await this.ownTargets.resolve();
    this.services.throwIfStopping();
    if (external) this.demo.refuseEmbeddedDataFolder();
    else refuseRunningInstance(dataDir);
    await requireFreePort(port, host);
    if (portalPort !== undefined) await requireFreePort(portalPort, host, 'PORTAL_PORT');
    if (!external) await this.prepareDataFolder();
    const isNew = !containsCluster(dataDir);
    const demoTarget = this.startDemoTarget();
    demoTarget.catch(() => undefined);
    // Imported late, but not later: loading TypeORM takes as long as starting PostgreSQL.
    const [urls, { migrate }, { migrationProblem }] = await Promise.all([
      external ?? this.startPostgres(isNew),
      import('../../platform/database/migrate.js'),
      import('../../platform/database/migration-problem.js'),
    ]);
    this.services.throwIfStopping();
    await this.step(isNew && !external ? 'Creating the tables' : 'Checking the tables', () =>
      migrate(urls).catch((error: unknown) => {
        throw new StartRefused(migrationProblem(error, external), { cause: error });
      }),
    );
    this.postgres?.publish();
    await demoTarget;
    this.services.throwIfStopping();
    const ownEnvironment = serviceEnvironment(this.environment, {
      port,
      host,
      appUrl: urls.appUrl,
      secretKeyFile: external || secretKey ? undefined : secretKeyFile(dataDir),
      demoTarget: this.demoTarget,
      workerGraceSeconds,
      demoFile: this.demo.fileForDocumentation,
    });
    if (!external) await this.secretKey.keep(isNew, ownEnvironment);
    // The entries of EGRESS_ALLOW name the organization, which may be one of the demo data.
    if (!this.ownTargets.isEmpty) await (await this.demo.prepare(ownEnvironment, this.demoTarget))?.added;
    const environment = await this.ownTargets.add(ownEnvironment, this.demo.current(this.demoTarget));
    await this.listener.start(environment, urls.callbackUrl);
    const [api, isAddingDemo] = await Promise.all([
      this.startService('API', this.programs.api, apiEnvironment(environment)),
      this.prepareDemo(environment),
    ]);
    this.output.step('Ready');
    this.output.print(banner({ ...this.bannerFacts(), isAddingDemo }));
    void this.worker?.then(
      () => this.demo.completeResults(environment, this.demoTarget),
      () => undefined,
    );
    return api;
  }

  /** The worker starts after the demo data, whose organization its environment names. The banner waits for neither. */
  private async prepareDemo(environment: NodeJS.ProcessEnv): Promise<boolean> {
    const seeding = this.ownTargets.isEmpty ? await this.demo.prepare(environment, this.demoTarget) : undefined;
    this.worker = this.startWorker(environment, seeding?.added);
    this.worker.catch(() => undefined);
    if (seeding === undefined) await this.worker;
    return seeding !== undefined;
  }

  private async startWorker(environment: NodeJS.ProcessEnv, added: Promise<void> | undefined): Promise<void> {
    await added;
    this.services.throwIfStopping();
    const demo = this.demo.current(this.demoTarget);
    const settings = workerEnvironment(environment, demo, this.demoTarget);
    void this.services.restartOnExit(await this.startService('worker', this.programs.worker, settings));
  }

  private async prepareDataFolder(): Promise<void> {
    const { dataDir, reset } = this.options;
    if (reset) await this.step('Deleting the data', () => EmbeddedPostgres.deleteData(dataDir));
    openDataFolder(dataDir);
  }

  /** With an empty environment, so that the vulnerable server has no secrets of the service. */
  private async startDemoTarget(): Promise<void> {
    const { demoTarget, port, baseUrl } = this.options;
    if (!demoTarget) return;
    const address = await chooseDemoTargetAddress(
      port,
      demoTarget.port,
      this.demo.lastTargetUrl,
      this.ownTargets.ports,
    );
    const environment = {
      SystemRoot: this.environment['SystemRoot'],
      DEMO_TARGET_PORT: String(address.port),
      DOCS_URL: `${baseUrl}/docs`,
      PORTAL_URL: this.portalUrl ?? '',
    };
    const service = await this.startService('demo target', this.programs.demoTarget, environment);
    void this.services.restartOnExit(service);
    this.demoTarget = address;
  }

  private async startPostgres(isNew: boolean): Promise<DatabaseUrls> {
    const { dataDir } = this.options;
    const log = (line: string): void => {
      if (!this.stopping && /^(FATAL|PANIC):/.test(line)) this.output.print(`PostgreSQL: ${line}`);
    };
    const title = `${isNew ? 'Creating' : 'Starting'} the database in ${dataDir}`;
    this.postgres = await this.step(title, () => EmbeddedPostgres.start({ dataDir, log }));
    const callbackUrl = await this.listener.roleUrl(this.postgres.url(undefined, 'postgres'));
    return { appUrl: this.postgres.url(), migrationUrl: this.postgres.url(undefined, 'assay_owner'), callbackUrl };
  }

  private startService(name: ServiceName, program: string, environment: NodeJS.ProcessEnv): Promise<Service> {
    return this.step(`Starting the ${name}`, async () => {
      const service = this.services.launch(name, program, environment);
      await this.services.requireReady(service);
      return service;
    });
  }

  /** Announces a step of the start, and names it again if it fails. */
  private async step<T>(title: string, run: () => Promise<T>): Promise<T> {
    this.output.step(title);
    try {
      return await run();
    } catch (error) {
      if (!this.stopping) this.output.step(`Failed: ${title}`);
      throw error;
    }
  }

  private get portalUrl(): string | undefined {
    const { portalPort } = this.options;
    return portalPort === undefined ? undefined : `http://localhost:${portalPort}`;
  }

  private bannerFacts(): BannerFacts {
    const { baseUrl, dataDir, external } = this.options;
    const { portalUrl } = this;
    const home = this.postgres?.storageDir;
    const demo = this.demo.current(this.demoTarget);
    return {
      baseUrl,
      portalUrl,
      dataDir,
      isEmbedded: !external,
      databaseDir: home === dataDir ? undefined : home,
      demo,
      demoTargetUrl: this.demoTarget?.url,
      targetCommands: this.ownTargets.commands(demo),
    };
  }

  /** Waits until the API or PostgreSQL exits, or what follows the banner fails. */
  private async throwWhenServiceEnds(api: Service): Promise<void> {
    const ends = [api.exited.then((exit) => `The API exited ${describeExit(exit)}`)];
    if (this.postgres) ends.push(this.postgres.ended.then(() => 'PostgreSQL exited'));
    if (this.worker) ends.push(this.worker.then(() => new Promise<never>(() => undefined)));
    throw new StartRefused(`${await Promise.race(ends)}, so everything was stopped.`);
  }

  private async stopEverything(): Promise<void> {
    await this.services.stop();
    // A running start ends at its next step. The database must not stop during a migration.
    await this.starting?.catch(() => undefined);
    await this.worker?.catch(() => undefined);
    await this.postgres?.stop('fast');
  }
}

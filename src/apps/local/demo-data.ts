import { currentDemo, type Demo, demoFile, readDemo } from './demo-file';
import type { DemoTargetAddress } from './demo-target-address';
import type { LocalOptions } from './options';
import { containsCluster, openDataFolder } from '../postgres/data-folder';
import { StartRefused } from '../postgres/start-refused';
import { describeExit } from './service';
import type { Services } from './services';
import type { StartOutput } from './start-output';

/** The compiled programs that create demo data. */
export interface DemoPrograms {
  seeder: string;
  /** Adds the demo target to existing demo data. */
  targetAdder: string;
  /** Continues the demo data in the background, after the worker has started. */
  resultSeeder: string;
}

/** Creates the demo data if it does not exist, and updates its addresses at each start. */
export class DemoData {
  private readonly file: string;
  private readonly ownsFile: boolean;

  constructor(
    private readonly options: LocalOptions,
    private readonly programs: DemoPrograms,
    private readonly services: Services,
    private readonly output: StartOutput,
  ) {
    const { external, dataDir } = options;
    this.file = demoFile(dataDir);
    // The data folder of an embedded database has no demo data of an external one.
    this.ownsFile = !external || !containsCluster(dataDir);
  }

  refuseEmbeddedDataFolder(): void {
    const { demo, dataDir } = this.options;
    if (!demo || this.ownsFile) return;
    throw new StartRefused(
      `${dataDir} contains the embedded database and its demo.json. Use another folder for the demo data of the ` +
        `database in DATABASE_URL: ASSAY_DATA=/path npm start -- --demo`,
    );
  }

  /** The URL of the demo target at the last start. */
  get lastTargetUrl(): string | null {
    return readDemo(this.file)?.demo_target_url ?? null;
  }

  /** Resolves when the keys of the demo data work, and if it is new, with a promise of the rest. */
  async prepare(
    environment: NodeJS.ProcessEnv,
    target: DemoTargetAddress | undefined,
  ): Promise<{ readonly added: Promise<void> } | undefined> {
    const { demo, external, baseUrl } = this.options;
    const known = readDemo(this.file);
    const isMissing = known === undefined || known.records === 'pending';
    const seedEnvironment = {
      ...environment,
      DEMO_FILE: this.file,
      BASE_URL: baseUrl,
      DEMO_TARGET_URL: target?.url ?? '',
    };
    if (demo || (!external && isMissing)) return this.seed(seedEnvironment);
    if (target && known?.demo_target_url !== target.url) await this.addTarget(seedEnvironment);
    return undefined;
  }

  /** In the background, since it takes half a minute. If it is interrupted, the next start runs it again. */
  async completeResults(environment: NodeJS.ProcessEnv, target: DemoTargetAddress | undefined): Promise<void> {
    const demo = this.current(target);
    if (demo?.results !== 'pending' || demo.demo_target_url === null) return;
    const exit = await this.services.run(this.programs.resultSeeder, { ...environment, DEMO_FILE: this.file });
    if (exit.code === 0 || exit.signal !== null) return;
    this.output.print(`The demo data has no retests and reports (the program exited ${describeExit(exit)}).`);
  }

  /** The file whose ids the documentation page shows. */
  get fileForDocumentation(): string | undefined {
    return this.ownsFile ? this.file : undefined;
  }

  current(target: DemoTargetAddress | undefined): Demo | undefined {
    const { dataDir, baseUrl } = this.options;
    return this.ownsFile ? currentDemo(dataDir, baseUrl, target?.url ?? null) : undefined;
  }

  private async seed(environment: NodeJS.ProcessEnv): Promise<{ readonly added: Promise<void> } | undefined> {
    openDataFolder(this.options.dataDir);
    this.output.step('Adding the demo data');
    const seeder = this.services.launch('helper', this.programs.seeder, environment);
    const added = seeder.exited.then((exit) => {
      if (exit.code === 0) return;
      throw new StartRefused(
        `The demo data could not be created: the seeder exited ${describeExit(exit)}. The reason is in the lines above.`,
      );
    });
    added.catch(() => undefined);
    if (await seeder.ready) return { added };
    await added;
    return undefined;
  }

  /** It may fail if a user has changed the demo data. The start then continues without it. */
  private async addTarget(environment: NodeJS.ProcessEnv): Promise<void> {
    this.output.step('Adding the demo target to the demo data');
    const exit = await this.services.run(this.programs.targetAdder, environment);
    if (exit.code === 0) return;
    this.output.print(
      `The demo target could not be added to the demo data (the program exited ${describeExit(exit)}).`,
    );
  }
}

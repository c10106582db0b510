import { currentDemo, type Demo, demoFile, readDemo } from './demo-file';
import type { DemoTargetAddress } from './demo-target-address';
import type { LogBuffer } from './log-buffer';
import type { LocalOptions } from './options';
import { containsCluster, openDataFolder } from './postgres/data-folder';
import { StartRefused } from './postgres/start-refused';
import { describeExit } from './service';
import type { Services } from './services';

/** The compiled programs that make demo data, and end then. */
export interface DemoPrograms {
  seeder: string;
  /** Adds the demo target to demo data that do not have it. */
  targetAdder: string;
}

/** The demo data of one start: made where there are none, and kept true to where things listen. */
export class DemoData {
  private readonly file: string;
  private readonly ownsFile: boolean;

  constructor(
    private readonly options: LocalOptions,
    private readonly programs: DemoPrograms,
    private readonly services: Services,
    private readonly log: LogBuffer,
  ) {
    const { external, dataDir } = options;
    this.file = demoFile(dataDir);
    // A data folder that belongs to the embedded database says nothing about another one.
    this.ownsFile = !external || !containsCluster(dataDir);
  }

  refuseEmbeddedDataFolder(): void {
    const { demo, dataDir } = this.options;
    if (!demo || this.ownsFile) return;
    throw new StartRefused(
      `${dataDir} holds the embedded database and its demo.json. Name another folder for the demo data of the ` +
        `database that DATABASE_URL names: ASSAY_DATA=/path npm start -- --demo`,
    );
  }

  /** Where the demo target was, as far as the data know. */
  get lastTargetUrl(): string | null {
    return readDemo(this.file)?.demo_target_url ?? null;
  }

  async prepare(environment: NodeJS.ProcessEnv, target: DemoTargetAddress | undefined): Promise<void> {
    const { demo, external, baseUrl } = this.options;
    const known = readDemo(this.file);
    const seedEnvironment = {
      ...environment,
      DEMO_FILE: this.file,
      BASE_URL: baseUrl,
      DEMO_TARGET_URL: target?.url ?? '',
    };
    if (demo || (!external && known === undefined)) await this.seed(seedEnvironment);
    else if (target && known?.demo_target_url !== target.url) await this.addTarget(seedEnvironment);
  }

  current(target: DemoTargetAddress | undefined): Demo | undefined {
    const { dataDir, baseUrl } = this.options;
    return this.ownsFile ? currentDemo(dataDir, baseUrl, target?.url ?? null) : undefined;
  }

  private async seed(environment: NodeJS.ProcessEnv): Promise<void> {
    openDataFolder(this.options.dataDir);
    this.log.print('Making the demo data ...');
    const exit = await this.services.run(this.programs.seeder, environment);
    if (exit.code === 0) return;
    throw new StartRefused(`The demo data could not be made: the seeder ended ${describeExit(exit)}.`);
  }

  /** What people have done to the demo data since may stand in its way, and is no reason not to start. */
  private async addTarget(environment: NodeJS.ProcessEnv): Promise<void> {
    this.log.print('Adding the demo target to the demo data ...');
    const exit = await this.services.run(this.programs.targetAdder, environment);
    if (exit.code === 0) return;
    this.log.print(`The demo target could not be added to the demo data (it ended ${describeExit(exit)}).`);
  }
}

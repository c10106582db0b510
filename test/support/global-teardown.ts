import { missingPrograms } from './missing-programs';

interface Teardown {
  afterAll?: () => Promise<void>;
}

/** Jest loads setup and teardown apart from each other; what they share they share through the process. */
export const teardown = ((globalThis as { assayTeardown?: Teardown }).assayTeardown ??= {});

export default async function globalTeardown(): Promise<void> {
  await teardown.afterAll?.();
  const missing = missingPrograms();
  if (missing !== null) process.stdout.write(`${missing}\n`);
}

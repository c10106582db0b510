import type { DemoPrograms } from './demo-data';

/** The compiled programs that run in child processes. */
export interface Programs extends DemoPrograms {
  api: string;
  worker: string;
  /** Of callbacks, if CALLBACK_DOMAIN is set. */
  listener: string;
  demoTarget: string;
  /** Adds the applications of `--target` as assets. */
  ownTargetsAdder: string;
  keyRetirer: string;
}

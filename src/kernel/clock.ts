/** The source of the current time, which is that of the database; tests replace it. */
export abstract class Clock {
  abstract now(): Date;
}

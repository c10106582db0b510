import { type Sql, sql } from '../database/sql';
import type { TaskTerms } from './work-handler';

/**
 * Claims the scheduled tasks that are due, or were planned while the clock of the database was ahead. The others are only
 * read, because every worker asks at every sweep. Another worker may claim them meanwhile, and have
 * begun later: hence the ten seconds.
 */
export const claimTasks = (tasks: readonly TaskTerms[]): Sql => sql`
  INSERT INTO clock_tasks AS task (name, next_run)
  SELECT given.name, now() + make_interval(secs => given.seconds)
  FROM unnest(${tasks.map(({ name }) => name)}::text[], ${tasks.map(({ everySeconds }) => everySeconds)}::float8[])
    AS given (name, seconds)
  WHERE NOT EXISTS (SELECT FROM clock_tasks planned WHERE planned.name = given.name
    AND planned.next_run BETWEEN now() AND now() + make_interval(secs => given.seconds))
  ORDER BY given.name
  ON CONFLICT (name) DO UPDATE SET next_run = excluded.next_run
    WHERE task.next_run NOT BETWEEN now() AND excluded.next_run + interval '10 seconds'
  RETURNING name`;

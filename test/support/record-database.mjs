import { gzipSync } from 'node:zlib';
import { Client } from 'pg';

// Writes the rows of a database as test/support/database-VERSION.json.gz has them, for the upgrade test of later versions:
//   DATABASE_URL=… node test/support/record-database.mjs > test/support/database-1.2.0.json.gz

/** The service computes them again, or they are worth nothing elsewhere. */
const LEFT_OUT =
  /^(migrations|typeorm_metadata|stored_|feed|report_file|finding_words|sessions|idempoten|written_positions|mails?$|work_)/;

const client = new Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query(`SET timezone = 'UTC'`);
const { rows: tables } = await client.query(
  `SELECT relname AS name FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
);
const written = {};
for (const { name } of tables.filter(({ name: table }) => !LEFT_OUT.test(table))) {
  const { rows } = await client.query(`SELECT to_json(t) AS row FROM ${client.escapeIdentifier(name)} t`);
  if (rows.length > 0) written[name] = rows.map(({ row }) => row);
}
await client.end();
process.stdout.write(gzipSync(JSON.stringify(written), { level: 9 }));

import type { Command } from 'commander';
import { DomainError } from '../../kernel/domain-error';
import { withExample } from './command-example';

export function addEvidenceCommands(program: Command): void {
  withExample(program.command('verify-evidence'), 'verify-evidence evidence.json --keys keys.json')
    .description(
      'Verify the evidence of a retest from GET .../retest/evidence. Needs no database, and no network if --keys is a file.',
    )
    .argument('<file>', 'the file with the evidence')
    .requiredOption('--keys <file or URL>', 'the public keys from GET /v1/evidence-keys')
    .action(async (file: string, { keys }: { keys: string }) => {
      const { verifyEvidenceFile } = await import('./verify-evidence.js');
      const { statementText } = await import('./statement-text.js');
      const authenticity = await verifyEvidenceFile(file, keys);
      if (!authenticity.authentic) throw new DomainError('unprocessable', `Not authentic. ${authenticity.reason}`);
      const { key, evidence } = authenticity;
      process.stdout.write(
        `Authentic: the evidence has not changed since it was signed. Signed statement:\n\n${statementText(evidence, key)}`,
      );
    });

  withExample(program.command('verify-archive'), 'verify-archive 2025.ndjson --keys keys.json')
    .description('Verify an archive of archive-history. Needs no database, and no network if --keys is a file.')
    .argument('<file>', 'the file of the archive; its signature is beside it, in <file>.sig.json')
    .requiredOption('--keys <file or URL>', 'the public keys from GET /v1/evidence-keys')
    .action(async (file: string, { keys }: { keys: string }) => {
      const { loadKeys } = await import('./verify-evidence.js');
      const { verifyArchive } = await import('./archive-file.js');
      const { auditLogs, findingHistory, before } = await verifyArchive(file, await loadKeys(keys));
      process.stdout.write(
        `Authentic: ${auditLogs} audit entries and ${findingHistory} history entries from before ${before}.\n`,
      );
    });

  withExample(program.command('retire-signing-key'), 'retire-signing-key')
    .description('Retire the signing key. New evidence is signed with a new key.')
    .action(async () => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { retireSigningKey } = await import('./retire-signing-key.js');
      const id = await retireSigningKey(config);
      process.stdout.write(`${id} retired. Existing evidence can still be verified.\n`);
    });

  withExample(program.command('rotate-secret-key'), 'rotate-secret-key')
    .description('Encrypt with SECRET_KEY everything that SECRET_KEY_PREVIOUS encrypted.')
    .action(async () => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { rotateSecretKey } = await import('./rotate-secret-key.js');
      const { signingKeys, secondFactors, mails, webhooks, channels, trackers, providers, accounts, identities } =
        await rotateSecretKey(config);
      process.stdout.write(
        `Encrypted with SECRET_KEY: ${signingKeys} signing keys, ${secondFactors} authenticator secrets, ${mails} waiting mails, ${webhooks} webhooks, ${channels} channels, ${trackers} trackers, ${providers} identity providers, ${accounts} accounts of assets, ${identities} refresh tokens.\n` +
          'If every process has the new SECRET_KEY, remove SECRET_KEY_PREVIOUS from their configuration.\n',
      );
    });
}

import type { Command } from 'commander';
import { DomainError, notFound } from '../../kernel/domain-error';
import { SigningKeysService } from '../../modules/evidence';
import { asOperator, runInDomain } from './run-in-domain';
import { statementText } from './statement-text';
import { verifyEvidenceFile } from './verify-evidence';

export function addEvidenceCommands(program: Command): void {
  program
    .command('verify-evidence')
    .description(
      'Verify the evidence of a retest from GET .../retest/evidence. Needs no database, and no network if --keys is a file.',
    )
    .argument('<file>', 'the file with the evidence')
    .requiredOption('--keys <file or URL>', 'the public keys from GET /v1/evidence-keys')
    .action(async (file: string, { keys }: { keys: string }) => {
      const authenticity = await verifyEvidenceFile(file, keys);
      if (!authenticity.authentic) throw new DomainError('unprocessable', `Not authentic. ${authenticity.reason}`);
      const { key, evidence } = authenticity;
      process.stdout.write(
        `Authentic: the evidence has not changed since it was signed. Signed statement:\n\n${statementText(evidence, key)}`,
      );
    });

  program
    .command('retire-signing-key')
    .description('Retire the signing key. New evidence is signed with a new key.')
    .action(() =>
      runInDomain((app) =>
        asOperator(
          app,
          { operation: 'signing_key.retire', resourceType: 'signing_key', organizationId: null },
          async () => {
            const id = await app.get(SigningKeysService).retireCurrent();
            if (id === undefined) throw notFound('Signing key');
            process.stdout.write(`${id} retired. Existing evidence can still be verified.\n`);
          },
        ),
      ),
    );
}

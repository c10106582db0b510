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
      'Check the evidence of a retest, as GET .../retest/evidence answers it. Needs no database, and no network if the keys are a file.',
    )
    .argument('<file>', 'the evidence')
    .requiredOption('--keys <file or URL>', 'the public keys, as GET /v1/evidence-keys answers them')
    .action(async (file: string, { keys }: { keys: string }) => {
      const authenticity = await verifyEvidenceFile(file, keys);
      if (!authenticity.authentic) throw new DomainError('unprocessable', `Not authentic. ${authenticity.reason}`);
      const { key, evidence } = authenticity;
      process.stdout.write(
        `Authentic, and unchanged since it was signed. What was signed:\n\n${statementText(evidence, key)}`,
      );
    });

  program
    .command('retire-signing-key')
    .description('Retire the key that evidence is signed with; the next evidence is signed with a new one.')
    .action(() =>
      runInDomain((app) =>
        asOperator(
          app,
          { operation: 'signing_key.retire', resourceType: 'signing_key', organizationId: null },
          async () => {
            const id = await app.get(SigningKeysService).retireCurrent();
            if (id === undefined) throw notFound('Signing key');
            process.stdout.write(`${id} retired. What it has signed can still be checked.\n`);
          },
        ),
      ),
    );
}

import type { Command } from 'commander';
import { DomainError } from '../../kernel/domain-error';
import { withExample } from './command-example';

export function addTemplateCommands(program: Command): void {
  withExample(program.command('check-template'), 'check-template templates/')
    .description('Check which templates run as they are, and what in the others does not. Needs no database.')
    .argument('<path>', 'a template, or a folder with templates')
    .action(async (path: string) => {
      const { checkTemplates } = await import('./check-template.js');
      const { text, templates, refused } = await checkTemplates(path);
      process.stdout.write(text);
      if (refused > 0) throw new DomainError('unprocessable', `${refused} of ${templates} templates are refused.`);
    });
}

import { type Command, CommanderError, Option } from 'commander';
import { text, wholeNumber } from './arguments';
import { withExample } from './command-example';
import type { ListWorkOptions } from './list-work';

interface Output {
  readonly json?: boolean;
}

const withJson = (command: Command): Command => command.option('--json', 'print one document of JSON');

const withOrganization = (command: Command): Command =>
  withJson(command).argument('<organization>', 'the id of the organization', wholeNumber);

/** The commands with which an operator looks after an installation. */
export function addOperatorCommands(program: Command): void {
  withJson(withExample(program.command('status'), 'status'))
    .description(
      'Show the versions of all processes, schema, clock, Redis, replicas, waiting work, feed and audit log. The exit code is 1 if ' +
        'something is wrong; each problem is a line that says what to do.',
    )
    .action(async (options: Output) => {
      const { statusText, installationStatus } = await import('./installation-status.js');
      const { commandConfig } = await import('./command-config.js');
      const status = await installationStatus(commandConfig().config);
      (await output()).print(status, options, () => statusText(status));
      if (status.problems.length > 0) throw new CommanderError(1, 'assay.problems', 'There are problems.');
    });

  withJson(withExample(program.command('list-organizations'), 'list-organizations'))
    .description('List all organizations with what they store, their unfinished work and the last use of a key.')
    .action(async (options: Output) => {
      const config = await reachable();
      const { listOrganizations, organizationsText } = await import('./list-organizations.js');
      const all = await listOrganizations(config);
      (await output()).print(all, options, () => organizationsText(all));
    });

  withOrganization(withExample(program.command('show-organization'), 'show-organization 3'))
    .description(
      'Show rows and bytes of an organization against its limits, its keys and its unfinished work. Never its findings.',
    )
    .action(async (id: number, options: Output) => {
      const config = await reachable();
      const { organizationText, showOrganization } = await import('./list-organizations.js');
      const one = await showOrganization(config, id);
      (await output()).print(one, options, () => organizationText(one));
    });

  withOrganization(
    withExample(program.command('suspend-organization'), 'suspend-organization 3 --reason "Unpaid invoice"'),
  )
    .description('Refuse every change in an organization and hold its work. Reads go on. It can be deleted.')
    .option('--reason <text>', 'why, for the audit log, which the organization can read', text)
    .action(async (id: number, { reason, ...options }: Output & { reason?: string }) => {
      const config = await reachable();
      const { suspendOrganization } = await import('./suspend-organization.js');
      const changed = await suspendOrganization(config, id, reason);
      const sentence = changed ? `Organization ${id} is suspended.` : `Organization ${id} was suspended already.`;
      (await output()).print({ organization: id, suspended: true, changed }, options, () => sentence);
    });

  withOrganization(withExample(program.command('resume-organization'), 'resume-organization 3'))
    .description('End the suspension of an organization. Its work goes on.')
    .action(async (id: number, options: Output) => {
      const config = await reachable();
      const { resumeOrganization } = await import('./suspend-organization.js');
      const changed = await resumeOrganization(config, id);
      const sentence = changed ? `Organization ${id} is active again.` : `Organization ${id} was not suspended.`;
      (await output()).print({ organization: id, suspended: false, changed }, options, () => sentence);
    });

  withOrganization(
    withExample(program.command('end-second-approval'), 'end-second-approval 3 --reason "Its second admin has left"'),
  )
    .description('Let an organization decide without a second approval again, when its second admin is gone.')
    .requiredOption('--reason <text>', 'why, for the audit log, which the organization can read', text)
    .action(async (id: number, { reason, ...options }: Output & { reason: string }) => {
      const config = await reachable();
      const { endSecondApproval } = await import('./end-second-approval.js');
      const changed = await endSecondApproval(config, id, reason);
      const sentence = `Organization ${id} ${changed ? 'requires no second approval any more' : 'required no second approval'}.`;
      (await output()).print({ organization: id, second_approval: false, changed }, options, () => sentence);
    });

  withJson(withExample(program.command('list-work'), 'list-work --state failed'))
    .description('List work that waits, runs or has failed, the oldest first.')
    .addOption(
      new Option('--state <state>', 'only work in this state').choices([
        'waiting',
        'running',
        'failed',
        'done',
        'canceled',
      ]),
    )
    .option('--kind <kind>', 'only work of this kind')
    .option('--organization <id>', 'only work of this organization', wholeNumber)
    .option('--limit <number>', 'the most that are listed', wholeNumber, 50)
    .action(async ({ json, ...options }: ListWorkOptions & Output) => {
      const config = await reachable();
      const { listWork, workText } = await import('./list-work.js');
      const work = await listWork(config, options);
      (await output()).print(work, { json }, () => workText(work));
    });

  for (const [verb, description] of [
    ['retry', 'Let a worker run work now that waits for its next attempt, or work again that has failed.'],
    ['cancel', 'End work that waits or runs. Its record says that the operator has canceled it.'],
  ] as const)
    withJson(withExample(program.command(`${verb}-work`), `${verb}-work 1042`))
      .description(description)
      .argument('<id>', 'the id of the work, as list-work shows it', wholeNumber)
      .action(async (id: number, options: Output) => {
        const config = await reachable();
        const { cancelWork, retryWork } = await import('./operate-work.js');
        const result = await (verb === 'retry' ? retryWork : cancelWork)(config, String(id));
        (await output()).print({ work: String(id), result }, options, () => result);
      });
}

const output = () => import('./text-output.js');

async function reachable() {
  const { reachableConfig } = await import('./reachable-config.js');
  return reachableConfig();
}

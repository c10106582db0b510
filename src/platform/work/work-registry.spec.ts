import { Injectable, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { DecoratedProviders } from '../api/decorated-providers';
import { type Completion, Scheduled, type WorkHandler, WorkKind } from './work-handler';
import { WorkRegistry } from './work-registry';

class Handler implements WorkHandler {
  perform(): Promise<Completion> {
    throw new Error('not performed here');
  }

  abandon(): never {
    throw new Error('not abandoned here');
  }
}

@Injectable()
@WorkKind('mail.send')
class Mails extends Handler {
  readonly sent = ['one'];

  @Scheduled({ name: 'mail.count', everySeconds: 60 })
  async count(): Promise<void> {
    this.sent.push('counted');
  }
}

@Injectable()
@WorkKind('mail.send')
class OtherMails extends Handler {}

@Injectable()
class OtherCount {
  @Scheduled({ name: 'mail.count', everySeconds: 5 })
  async count(): Promise<void> {
    throw new Error('not run here');
  }
}

async function registryOf(...providers: Type[]): Promise<{ registry: WorkRegistry; mails: Mails | null }> {
  @Module({ providers })
  class Feature {}
  @Module({ imports: [DiscoveryModule, Feature], providers: [DecoratedProviders, WorkRegistry] })
  class Root {}
  const context = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  const mails = providers.includes(Mails) ? context.get(Mails, { strict: false }) : null;
  return { registry: context.get(WorkRegistry), mails };
}

describe('The registry of work', () => {
  it('has the decorated handlers and tasks of the modules of this process, and calls them on their instance', async () => {
    const { registry, mails } = await registryOf(Mails);
    expect(registry.kinds).toEqual(['mail.send']);
    expect(registry.handlerOf('mail.send')).toBe(mails);
    expect(registry.scheduledTasks).toMatchObject([{ name: 'mail.count', everySeconds: 60 }]);
    await registry.scheduledTasks[0]?.run();
    expect(mails?.sent).toEqual(['one', 'counted']);
  });

  it('has no handler that is decorated but is in no module', async () => {
    const { registry } = await registryOf();
    expect(registry.kinds).toEqual([]);
    expect(() => registry.handlerOf('mail.send')).toThrow('Work of kind mail.send has no handler');
  });

  it('does not start with two handlers of one kind', async () => {
    await expect(registryOf(Mails, OtherMails)).rejects.toThrow('Work of kind mail.send has two handlers');
  });

  it('does not start with two tasks of one name', async () => {
    await expect(registryOf(Mails, OtherCount)).rejects.toThrow('Two scheduled tasks are named mail.count');
  });
});

import { Controller, Get, Module, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { OpenRoute, Operation } from '../../src/platform/http/operation';
import { operationsOf } from '../../src/platform/http/routes';

@Controller()
class Silent {
  @Get('v1/secret')
  leak(): string {
    return 'everything';
  }
}

@Controller()
class Telling {
  @Operation('GET /v1/things/{thing_id}', {
    number: 'addition',
    id: 'getThing',
    tag: 'Things',
    summary: 'Read a thing',
    role: 'viewer',
    scope: 'read',
    success: { status: 200, description: 'The thing.' },
    errors: [401, 403, 404],
  })
  read(): string {
    return 'a thing';
  }

  @OpenRoute()
  @Get('health')
  health(): string {
    return 'well';
  }
}

@Module({ controllers: [Telling, Silent] })
class WithSilent {}

@Module({ controllers: [Telling] })
class WithoutSilent {}

const modulesOf = async (root: Type): Promise<ModulesContainer> => {
  const app = await NestFactory.create(root, { logger: false });
  return app.get(ModulesContainer);
};

it('a route that tells no story stops the boot, by its name', async () => {
  const modules = await modulesOf(WithSilent);
  expect(() => operationsOf(modules)).toThrow('Silent.leak');
});

it('a route that tells one is an operation; an open one is none, and stops nothing', async () => {
  expect(operationsOf(await modulesOf(WithoutSilent)).map(({ id }) => id)).toEqual(['getThing']);
});

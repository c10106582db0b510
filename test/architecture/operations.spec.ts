import { Controller, Get, Module, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { OpenRoute, Operation } from '../../src/platform/http/operation';
import { operationsOf } from '../../src/platform/http/routes';

@Controller()
class WithoutMetadataController {
  @Get('v1/secret')
  leak(): string {
    return 'everything';
  }
}

@Controller()
class MetadataController {
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

@Module({ controllers: [MetadataController, WithoutMetadataController] })
class IncompleteModule {}

@Module({ controllers: [MetadataController] })
class CompleteModule {}

const modulesOf = async (root: Type): Promise<ModulesContainer> => {
  const app = await NestFactory.create(root, { logger: false });
  return app.get(ModulesContainer);
};

it('a route without operation metadata stops the start with an error that names it', async () => {
  const modules = await modulesOf(IncompleteModule);
  expect(() => operationsOf(modules)).toThrow('WithoutMetadataController.leak');
});

it('a route with operation metadata becomes an operation; an open route needs no metadata', async () => {
  expect(operationsOf(await modulesOf(CompleteModule)).map(({ id }) => id)).toEqual(['getThing']);
});

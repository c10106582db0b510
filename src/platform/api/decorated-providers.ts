import { Injectable, type Type } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService, MetadataScanner } from '@nestjs/core';

/** What a decorator says of a class or method, and the instance or function that it decorates. */
type Decorated<Value, Target> = readonly [value: Value, target: Target];

/** A decorator of classes that TypeScript refuses on other classes. */
export type ClassDecoratorOf<Instance> = (target: Type<Instance>) => void;

/** A decorator of methods that TypeScript refuses on other methods. */
export type MethodDecoratorOf<Method> = <Own extends Method>(
  target: object,
  name: string,
  method: TypedPropertyDescriptor<Own>,
) => void;

/** The methods with decorators of each class. Several services look for them, and every application of a process does. */
const namesOf = new WeakMap<object, readonly string[]>();

/** Finds what the decorators of `DiscoveryService.createDecorator` decorate, in the modules of this process. */
@Injectable()
export class DecoratedProviders {
  private readonly scanner = new MetadataScanner();

  constructor(private readonly discovery: DiscoveryService) {}

  classes<Value, Instance>(decorator: DiscoverableDecorator<Value>): Decorated<Value, Instance>[] {
    return this.discovery
      .getProviders({ metadataKey: decorator.KEY })
      .map((provider) => [this.discovery.getMetadataByDecorator(decorator, provider) as Value, provider.instance]);
  }

  methods<Value, Method>(decorator: DiscoverableDecorator<Value>): Decorated<Value, Method>[] {
    return this.discovery.getProviders().flatMap((provider) => {
      const { instance, isAlias } = provider;
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      return this.decoratedNames(Object.getPrototypeOf(instance)).flatMap((name) => {
        const method = instance[name];
        // The discovery service also asks what each function inherits from: 8 % of the processor time of a start.
        const value = Reflect.getOwnMetadata(decorator.KEY, method) as Value | undefined;
        return value === undefined ? [] : [[value, method.bind(instance) as Method] as const];
      });
    });
  }

  private decoratedNames(prototype: object): readonly string[] {
    const known = namesOf.get(prototype);
    if (known !== undefined) return known;
    const isDecorated = (name: string): boolean =>
      Reflect.getOwnMetadataKeys(Reflect.get(prototype, name) as object).length > 0;
    const names = this.scanner.getAllMethodNames(prototype).filter(isDecorated);
    namesOf.set(prototype, names);
    return names;
  }
}

import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { type OpenResource, openResources } from './open-resources.ts';

interface TestEvent {
  name: string;
  test?: { errors: unknown[] };
}

interface RunState {
  unhandledErrors: unknown[];
}

interface Configuration {
  projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'];
}

/**
 * A Jest environment in Node's own realm (runtime.ts). A test that leaves resources open fails, and so does a file whose
 * `beforeAll` does. A global `afterEach` could not check this, because it would run before the file's own `afterEach`.
 */
export default class CaptureTestEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #exportConditions: string[];
  readonly #before = stateOfRealm();
  #openBefore = new Set<OpenResource>();

  constructor({ projectConfig }: Configuration) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#exportConditions = projectConfig.testEnvironmentOptions.customExportConditions as string[];
    // Failures show ten frames otherwise.
    Error.stackTraceLimit = 100;
  }

  async setup(): Promise<void> {}

  /**
   * Restores the globals and variables that a file replaced, because test files share the realm one after the other. Closes
   * resources that a file left open because it could not be loaded. Listeners, the exit code and the working directory stay.
   */
  async teardown(): Promise<void> {
    await this.#closeLeftOpen(() => true);
    this.fakeTimersModern.dispose();
    restoreRealm(this.#before);
  }

  exportConditions(): string[] {
    return this.#exportConditions;
  }

  getVmContext(): object {
    return globalThis;
  }

  async handleTestEvent(event: TestEvent, state: RunState): Promise<void> {
    if (event.name === 'test_start') this.#openBefore = new Set(openResources(this.global));
    if (event.name === 'test_done' && event.test) {
      event.test.errors.push(
        ...(await this.#closeLeftOpen((resource) => !resource.kept && !this.#openBefore.has(resource))),
      );
    }
    if (event.name === 'run_finish') state.unhandledErrors.push(...(await this.#closeLeftOpen(() => true)));
  }

  async #closeLeftOpen(isOurs: (resource: OpenResource) => boolean): Promise<Error[]> {
    const remaining = [...openResources(this.global)].filter(isOurs).reverse();
    const errors: Error[] = [];
    for (const resource of remaining) {
      errors.push(new Error(`left open: ${resource.name}`));
      try {
        await resource.close();
      } catch (error) {
        errors.push(new Error(`closing ${resource.name} failed`, { cause: error }));
      }
      openResources(this.global).delete(resource);
    }
    return errors;
  }
}

interface RealmState {
  globals: Record<PropertyKey, PropertyDescriptor>;
  process: typeof process;
  variables: NodeJS.ProcessEnv;
}

function stateOfRealm(): RealmState {
  return {
    globals: Object.getOwnPropertyDescriptors(globalThis) as RealmState['globals'],
    process: { ...process },
    variables: { ...process.env },
  };
}

function restoreRealm({ globals, process: { exit, getBuiltinModule }, variables }: RealmState): void {
  Object.assign(process, { exit, getBuiltinModule, env: variables });
  for (const key of Reflect.ownKeys(globalThis)) {
    const before = globals[key];
    if (before) {
      const now = Object.getOwnPropertyDescriptor(globalThis, key);
      if (now?.value !== before.value) Object.defineProperty(globalThis, key, before);
    } else if (isOfJest(key)) {
      Reflect.deleteProperty(globalThis, key);
    }
  }
}

/** Jest's state of one file. The state that packages keep in the global object stays. */
const isOfJest = (key: PropertyKey) =>
  typeof key === 'symbol' && ['EVENT_HANDLERS', '$$jest-matchers-object', undefined].includes(Symbol.keyFor(key));

import { TestEnvironment } from 'jest-environment-node';
import { type OpenResource, openResources } from './open-resources.ts';

interface TestEvent {
  name: string;
  test?: { errors: unknown[] };
}

interface RunState {
  unhandledErrors: unknown[];
}

/**
 * Jest's Node environment, which also fails a test that leaves open what it opened, and a file that leaves open what its
 * `beforeAll` opened. A global `afterEach` could not check this: it would run before the file's own `afterEach`.
 */
export default class CaptureTestEnvironment extends TestEnvironment {
  #openBefore = new Set<OpenResource>();

  async handleTestEvent(event: TestEvent, state: RunState): Promise<void> {
    if (event.name === 'test_start') this.#openBefore = new Set(openResources(this.global));
    if (event.name === 'test_done' && event.test) {
      event.test.errors.push(...(await this.#closeLeftOpen((resource) => !this.#openBefore.has(resource))));
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

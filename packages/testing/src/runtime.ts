import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

const require = createRequire(import.meta.url);
const { default: JestRuntime } = require('jest-runtime') as typeof import('jest-runtime');

type Transformer = ConstructorParameters<typeof JestRuntime>[3];
type TransformOptions = Parameters<Transformer['transform']>[1];

/** The members of Jest's runtime that this file changes. */
interface Internals {
  esmLoader: { getContext(): undefined };
  executor: { compile(source: string, file: string): unknown; injectedModuleParameters: string[] };
}

/**
 * Jest's runtime, with two differences, by which 31 files took 61 s of processor time instead of 87. Node itself loads the
 * packages of `node_modules`, once for all test files of a process. Test files run in Node's own realm, so that values from
 * packages are instances of the classes that tests see.
 */
export default class CaptureTestRuntime extends JestRuntime {
  constructor(...[config, environment, resolver, transformer, ...rest]: ConstructorParameters<typeof JestRuntime>) {
    super(config, environment, resolver, loadPackagesNatively(transformer), ...rest);
    const { esmLoader, executor } = this as unknown as Internals;
    if (!esmLoader.getContext || !executor.compile) throw new Error('this version of Jest needs another runtime.ts');
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      vm.compileFunction(source, executor.injectedModuleParameters, { filename });
  }
}

const inPackage = `${path.sep}node_modules${path.sep}`;

/** Replaces the file of a package that our code imports. The imports of that file never pass through Jest. */
function loadPackagesNatively(transformer: Transformer): Transformer {
  const isReplaced = (file: string) => file.includes(inPackage) && /\.[cm]?js$/.test(file);
  const replaced = (file: string, { supportsStaticESM }: TransformOptions) => {
    const code = supportsStaticESM ? moduleOf(file) : `module.exports = ${loaded(file)};`;
    return { code, originalCode: code, sourceMapPath: null };
  };
  return Object.assign(Object.create(transformer) as Transformer, {
    transform: (...[file, options, source]: Parameters<Transformer['transform']>) =>
      isReplaced(file) ? replaced(file, options) : transformer.transform(file, options, source),
    transformAsync: async (...[file, options, source]: Parameters<Transformer['transformAsync']>) =>
      isReplaced(file) ? replaced(file, options) : transformer.transformAsync(file, options, source),
  });
}

const nativeRequire = Symbol.for('capture.native-require');
Object.assign(globalThis, { [nativeRequire]: require });

const loaded = (file: string) => `globalThis[Symbol.for('${nativeRequire.description}')](${JSON.stringify(file)})`;

function moduleOf(file: string): string {
  const names = Object.keys(require(file)).filter((name) => name !== '__esModule');
  return [
    `const loaded = ${loaded(file)};`,
    ...names.map((name, index) => `const export${index} = loaded[${JSON.stringify(name)}];`),
    `export { ${names.map((name, index) => `export${index} as ${JSON.stringify(name)}`).join(', ')} };`,
  ].join('\n');
}

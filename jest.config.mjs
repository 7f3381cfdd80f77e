// Several dependencies are ESM-only, so Jest runs ES modules (`--experimental-vm-modules`).
export default {
  roots: ['<rootDir>/apps', '<rootDir>/tools', '<rootDir>/packages', '<rootDir>/prisma', '<rootDir>/deploy'],
  testMatch: ['**/src/**/*.test.ts', '**/*.test.mts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  // Node loads the packages of `node_modules`, once for all files of a process.
  injectGlobals: false,
  runtime: '<rootDir>/packages/testing/dist/runtime.js',
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  // Node's environment, plus a check that fails tests which leave something open.
  testEnvironment: '<rootDir>/packages/testing/dist/environment.js',
  // This library, too, calls its TypeScript `source`.
  moduleNameMapper: { '^eventsource-parser/stream$': '<rootDir>/node_modules/eventsource-parser/dist/stream.js' },
  testEnvironmentOptions: { customExportConditions: ['source', 'node'] },
  globalSetup: '<rootDir>/packages/testing/dist/global-setup.js',
  globalTeardown: '<rootDir>/packages/testing/dist/global-teardown.js',
  // Most tests take less than a second; a busy machine may need many times that.
  testTimeout: 120_000,
  // Most tests wait for other processes. Three files at once keep two cores busy; more slow each other down.
  maxWorkers: 3,
  // Node keeps the modules of each file in memory: without this a worker reaches 3 GB, and most of its time goes to collecting
  // garbage. With 1.5 GB, 122 files of gateway and database took a tenth less processor time than with 600 MB; with 1 GB, a
  // whole run took no less.
  workerIdleMemoryLimit: '600MB',
};

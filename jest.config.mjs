// Node runs ES modules only in Jest's experimental mode (`--experimental-vm-modules`): several dependencies are ESM-only.
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
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  // Node's, which also fails a test that leaves something open.
  testEnvironment: '<rootDir>/packages/testing/dist/environment.js',
  testEnvironmentOptions: { customExportConditions: ['source', 'node'] },
  globalSetup: '<rootDir>/packages/testing/dist/global-setup.js',
  globalTeardown: '<rootDir>/packages/testing/dist/global-teardown.js',
  // Most tests take less than a second. A machine with much else to do may need many times that, and is no fault.
  testTimeout: 120_000,
  // Most tests wait for other processes: three files at once keep two cores busy, and four make each other slow.
  maxWorkers: 3,
};

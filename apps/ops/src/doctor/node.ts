import { fault, group, ok } from './check.ts';

export const node = group({
  name: 'node',
  open: () => process.versions.node,
  checks: [
    {
      name: 'version',
      about: 'the platform supports this Node version',
      run(version) {
        const [major = 0, minor = 0] = version.split('.').map(Number);
        const supported = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
        return supported ? ok(`Node ${version}`) : fault(`Node ${version}`, 'install 20.19, 22.12, 24 or later');
      },
    },
  ],
});

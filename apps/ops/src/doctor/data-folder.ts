import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fault, group, notChecked, ok, required } from './check.ts';
import { checkSpace } from './disk-space.ts';

export const dataFolder = group<string>({
  name: 'data_folder',
  open: ({ dataDir }) => required(dataDir),
  checks: [
    {
      name: 'space',
      about: 'the disk of DATA_DIR has room',
      run: (folder) => checkSpace(folder, 'make room: captures fail, and with a full disk the database stops'),
    },
    {
      name: 'closed',
      about: 'nobody else on this machine reads DATA_DIR and its secrets',
      async run(folder) {
        if (process.platform === 'win32') return notChecked('files have no modes here');
        const open: string[] = [];
        for (const file of [folder, path.join(folder, 'secrets.json')]) {
          if (((await stat(file)).mode & 0o077) !== 0) open.push(file);
        }
        if (open.length === 0) return ok(`${folder} is its owner's alone`);
        return fault(`others may read ${open.join(' and ')}`, `chmod go= ${open.join(' ')}`);
      },
    },
  ],
});

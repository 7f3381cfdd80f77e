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
      about: 'the disk of DATA_DIR has free space',
      run: (folder) => checkSpace(folder, 'free up space: captures fail, and the database stops on a full disk'),
    },
    {
      name: 'closed',
      about: 'other users of this machine cannot read DATA_DIR and its secrets',
      async run(folder) {
        if (process.platform === 'win32') return notChecked('files have no modes on Windows');
        const open: string[] = [];
        for (const file of [folder, path.join(folder, 'secrets.json')]) {
          if (((await stat(file)).mode & 0o077) !== 0) open.push(file);
        }
        if (open.length === 0) return ok(`only its owner can read ${folder}`);
        return fault(`other users can read ${open.join(' and ')}`, `chmod go= ${open.join(' ')}`);
      },
    },
  ],
});

import { type Command, Option } from 'commander';
import type { ServerFlags } from './find-server.ts';

/** Flags that say where to capture. */
export interface ConnectFlags extends ServerFlags {
  platform?: string;
  dataDir?: string;
  allow?: string[];
}

const group = 'Where it is captured:';

export function addConnectFlags(command: Command): void {
  const add = (flags: string, description: string) => new Option(flags, description).helpGroup(group);
  command
    .addOption(add('--server <url>', 'a platform that runs (or CAPTURE_SERVER, or `capture login`)'))
    .addOption(add('--key-file <path>', 'a file with its API key, closed to others (or CAPTURE_API_KEY)'))
    .addOption(add('--embedded', 'a platform of its own for this call, which is what happens where no server is named'))
    .addOption(add('--platform <folder>', 'the checkout whose platform that is (or CAPTURE_PLATFORM)'))
    .addOption(add('--data-dir <folder>', 'what it keeps between calls (or CAPTURE_DATA_DIR)'))
    .addOption(
      add(
        '--allow <cidr:port>',
        'an address that it may capture beside public ones: 127.0.0.1/32:8080; may be repeated',
      ).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]),
    );
}

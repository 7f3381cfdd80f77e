import { type Command, Option } from 'commander';
import type { ServerFlags } from './find-server.ts';

/** Flags that choose the platform. */
export interface ConnectFlags extends ServerFlags {
  platform?: string;
  dataDir?: string;
  allow?: string[];
}

const group = 'Platform:';

export function addConnectFlags(command: Command): void {
  const add = (flags: string, description: string) => new Option(flags, description).helpGroup(group);
  command
    .addOption(add('--server <url>', 'URL of a running platform (or CAPTURE_SERVER, or `capture login`)'))
    .addOption(add('--key-file <path>', 'file with the API key, readable by you only (or CAPTURE_API_KEY)'))
    .addOption(add('--embedded', 'start a platform for this command; the default when there is no server'))
    .addOption(add('--platform <folder>', 'checkout of the platform to start (or CAPTURE_PLATFORM)'))
    .addOption(add('--data-dir <folder>', 'folder that keeps its data between commands (or CAPTURE_DATA_DIR)'))
    .addOption(
      add(
        '--allow <cidr:port>',
        'a private address that captures may reach, such as 127.0.0.1/32:8080; may be repeated',
      ).argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), value]),
    );
}

import type { PresetOptions } from '@capture-platform/sdk/client';
import { Argument, Command } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import { withClient } from '../connect/with-client.ts';
import { type Kind, kinds } from '../options/capture-option.ts';
import { addOptionFlags } from '../options/option-flags.ts';
import type { Session } from '../session.ts';

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** `capture preset` manages options that the platform keeps under a name, for `--preset`. */
export function presetCommand(session: Session): Command {
  const preset = new Command('preset').description('store options under a name, for --preset <name>');
  for (const command of [put(session), get(session), list(session), remove(session)]) {
    addConnectFlags(command);
    preset.addCommand(command);
  }
  return preset;
}

function put(session: Session): Command {
  const command = new Command('put')
    .description('store the given options as the next version of a preset, and print it')
    .addArgument(new Argument('<name>', 'a to z, digits, - and _'));
  const readOptions = addOptionFlags(command, Object.keys(kinds) as Kind[]);
  return command.action(async (name: string, flags: ConnectFlags) => {
    // The server checks the options and names an invalid one.
    const options = readOptions() as PresetOptions;
    print(await withClient(flags, session, (client) => client.presets.put(name, options)));
  });
}

function get(session: Session): Command {
  return new Command('get')
    .description('print a preset')
    .addArgument(new Argument('<name>', 'its name, or a version of it, such as shop@3'))
    .action(async (name: string, flags: ConnectFlags) => {
      print(await withClient(flags, session, (client) => client.presets.get(name)));
    });
}

function list(session: Session): Command {
  return new Command('list')
    .description('print the name and newest version of each preset')
    .action(async (flags: ConnectFlags) => {
      await withClient(flags, session, async (client) => {
        for await (const { name, version } of client.presets.list()) process.stdout.write(`${name}@${version}\n`);
      });
    });
}

function remove(session: Session): Command {
  return new Command('delete')
    .description('delete a preset with all its versions')
    .addArgument(new Argument('<name>', 'its name'))
    .action(async (name: string, flags: ConnectFlags) => {
      await withClient(flags, session, (client) => client.presets.delete(name));
    });
}

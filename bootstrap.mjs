// The entry point of a fresh clone: `npm start`, `npm test`, `npm run build`, `ops`, `capture`, `chaos`, `fuzz`, `bench` and `corpus`
// start here. It needs nothing but Node and npm: it installs and builds the packages when needed, then runs the command in this process.
//   node bootstrap.mjs start | start-built | test [arguments of Jest] | build | ops | capture | chaos | fuzz | bench | corpus [arguments]

/** Modules are imported late, so that an old Node still prints the message about its version. */
async function main() {
  const unsupported = checkNodeVersion();
  if (unsupported) return fail(unsupported);
  if (process.platform === 'win32') return fail('Windows itself is not supported: run this inside WSL 2.');
  endWithNpm();
  const [command, ...args] = process.argv.slice(2);
  const { runCommand } = await import('./bootstrap/commands.mjs');
  await runCommand(command, args);
}

/** The supported versions are 20.19, 22.12, 24 and later, without the odd versions in between. */
function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const supported = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (supported) return null;
  return `This needs Node.js 20.19, 22.12, 24 or later; the installed version is ${process.versions.node}: install a supported version from https://nodejs.org and run the command again.`;
}

/**
 * npm forwards signals but not SIGKILL. If npm started this process and is gone, this process ends as after a SIGTERM. A process
 * that was started without npm may outlive its parent.
 */
function endWithNpm() {
  const { npm_lifecycle_event: startedByNpm } = process.env;
  if (!startedByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  timer.unref();
}

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

main().catch((error) => fail(String(error?.stack ?? error)));

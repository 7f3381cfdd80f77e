// Reads Jest's reports: `node report.mjs files <report>` prints the files that may run a second time,
// `node report.mjs counts <report> [second report]` prints the last line of the checks.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** More failed files than this are no coincidence. */
const mostRerun = 3;

/** Where to look first to make the run shorter. */
const slowestShown = 10;

const [, , what, ...reports] = process.argv;
const [first, second] = reports.map(read);

if (what === 'files') {
  const failed = (first?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  if (failed.length <= mostRerun) for (const name of failed) console.log(path.relative('.', name));
} else {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  const files = (first?.testResults ?? []).map((file) => again.get(file.name) ?? file);
  const tests = (status) =>
    files.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.status === status);
  // A file that could not run counts as a failure, and so does a missing report.
  const notRun = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(hasFailed),
  );
  const failed = first ? tests('failed').length + notRun.length : 1;
  for (const { name, status } of again.values()) {
    if (status === 'passed')
      console.log(`unsteady: ${path.relative('.', name)} passed only when it was run again alone`);
  }
  const seconds = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1_000);
  const slowest = [...(first?.testResults ?? [])].sort((one, other) => seconds(other) - seconds(one));
  for (const file of slowest.slice(0, slowestShown))
    console.log(`${seconds(file)} s: ${path.relative('.', file.name)}`);
  console.log(`${tests('passed').length} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function hasFailed({ status }) {
  return status === 'failed';
}

/** The report, or undefined if Jest ended before it wrote one. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

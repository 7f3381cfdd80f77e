import { renameSync, writeFileSync } from 'node:fs';

/** Where Prometheus finds the metrics of each process. */
export interface PrometheusTargets {
  /** A process listens here from now on; in place of where it listened before. */
  set(job: string, port: number): void;
}

/**
 * Keeps a file of targets for Prometheus' `file_sd_configs`. A process that has ended stays in it until it listens again, so
 * that its absence is seen.
 *
 * @param instance the name of this platform, the same after a restart on other ports.
 */
export function keepPrometheusTargets(file: string, instance: string): PrometheusTargets {
  const ports = new Map<string, number>();
  return {
    set(job, port) {
      ports.set(job, port);
      const groups = [...ports]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, at]) => ({ targets: [`127.0.0.1:${at}`], labels: { job: name, instance } }));
      // Renamed into its place: who reads it meanwhile sees all of the former.
      const next = `${file}.next`;
      writeFileSync(next, `${JSON.stringify(groups, null, 2)}\n`, { mode: 0o600 });
      renameSync(next, file);
    },
  };
}

import { renameSync, writeFileSync } from 'node:fs';

/** The file where Prometheus finds the metrics of each process. */
export interface PrometheusTargets {
  /** Sets the port on which a process listens now. */
  set(job: string, port: number): void;
}

/**
 * Maintains a file of targets for Prometheus' `file_sd_configs`. A process that ended stays listed until it listens again, so
 * that Prometheus reports it as down.
 *
 * @param instance the name of this platform, which stays the same when ports change.
 */
export function keepPrometheusTargets(file: string, instance: string): PrometheusTargets {
  const ports = new Map<string, number>();
  return {
    set(job, port) {
      ports.set(job, port);
      const groups = [...ports]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, at]) => ({ targets: [`127.0.0.1:${at}`], labels: { job: name, instance } }));
      // The file is renamed into place, so that readers never see a partial file.
      const next = `${file}.next`;
      writeFileSync(next, `${JSON.stringify(groups, null, 2)}\n`, { mode: 0o600 });
      renameSync(next, file);
    },
  };
}

import type { Section } from '../section.ts';
import { batch } from './batch.ts';
import { costs } from './costs.ts';
import { deliveries } from './deliveries.ts';
import { documents } from './documents.ts';
import { fidelity } from './fidelity.ts';
import { flatness } from './flatness.ts';
import { fullPage } from './full-page.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { eightOutputs } from './outputs.ts';
import { submissions } from './submissions.ts';
import { throughput } from './throughput.ts';
import { waiting } from './waiting.ts';

/** The sections in the order in which they run. */
export const allSections: readonly Section[] = [
  latency,
  throughput,
  batch,
  documents,
  fullPage,
  eightOutputs,
  waiting,
  fidelity,
  memory,
  submissions,
  deliveries,
  costs,
  flatness,
];

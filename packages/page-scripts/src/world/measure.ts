// By itself, because most pages that are measured fit their window, and need nothing of `prepare`.
export { measurePage } from './prepare/measure.ts';

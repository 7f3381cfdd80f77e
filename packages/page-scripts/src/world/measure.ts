// By itself, because most pages that are measured fit their window, and need nothing of `prepare`.
export { measurePage, returnStrays } from './prepare/measure.ts';

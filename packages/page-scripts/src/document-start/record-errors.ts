import { state } from '../world/state/page-state.ts';

/** Records the errors that `sendErrors` sends. Runs in our own world, which the page's scripts cannot read or write. */
export default function recordErrors({ event, most, longest }: { event: string; most: number; longest: number }): void {
  state.errors ??= [];
  const { errors } = state;
  document.addEventListener(event, (message) => {
    const { detail } = message as CustomEvent;
    if (errors.length < most && typeof detail === 'string') errors.push(detail.slice(0, longest));
  });
}

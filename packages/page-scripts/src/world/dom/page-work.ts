/** What the clock of a page replies. */
interface PageWork {
  /** Whether scripts of the page run in every frame. */
  loops?: boolean;
  /** How far the clock of the page is ahead, milliseconds. */
  aheadMs?: number;
}

/** Asks the clock that runs in the page's own world; `workEvent` is the name of its event. */
export function readWork(workEvent: string): PageWork {
  let work: PageWork = {};
  const read = (reply: Event) => {
    work = JSON.parse(String((reply as CustomEvent).detail));
  };
  document.addEventListener(`${workEvent}-reply`, read, { once: true });
  document.dispatchEvent(new CustomEvent(workEvent));
  document.removeEventListener(`${workEvent}-reply`, read);
  return work;
}

/** Lets time pass quickly for the page for so long, milliseconds; 0 ends that. */
export function hurry(workEvent: string, forMs: number): void {
  document.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
}

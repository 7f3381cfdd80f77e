/** Registers a function that closes a resource that was just opened. */
export type OnClose = (close: () => unknown) => void;

/**
 * Opens several resources as one. `open` registers how to close each resource on the line after opening it. `close` closes them
 * in reverse order, and so does an error halfway.
 */
export async function openAll<Opened extends object>(
  open: (onClose: OnClose) => Promise<Opened>,
): Promise<Opened & { close(): Promise<void> }> {
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
  };
  try {
    return Object.assign(await open((closing) => void closings.push(closing)), { close });
  } catch (error) {
    await close();
    throw error;
  }
}

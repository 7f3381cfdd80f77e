import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { Acceptance, CaptureRecord } from '../../api/responses.ts';
import { kindOf } from '../../captures/kinds.ts';
import type { FormState } from './form-link.ts';

/** Time beyond the capture's limit, milliseconds: up to 30 s in the queue, then storing the file and the network. */
const overheadMs = 45_000;

/** The default of `timeout_ms`. */
const defaultTimeoutMs = 30_000;

/** The longest wait before an automatic retry, seconds. The user decides about longer waits. */
const longestRetryS = 30;

const hasEnded = ({ status }: CaptureRecord) => status !== 'queued' && status !== 'processing';

/** Submits the form. Keeps the last capture while the next is taken, and after a failure. */
export function useCapture() {
  const client = useQueryClient();
  const running = useRef<AbortController>(null);
  const [shown, setShown] = useState<CaptureRecord | null>(null);
  const [retryAt, setRetryAt] = useState<number | null>(null);
  const capture = useMutation({
    mutationFn: async (form: FormState): Promise<CaptureRecord> => {
      running.current = new AbortController();
      const { signal } = running.current;
      const timeoutMs = Number(form.values.timeout_ms ?? defaultTimeoutMs) + overheadMs;
      const body = { ...form.values, response_type: 'json' };
      const { path } = kindOf(form.type);
      const send = () => request<CaptureRecord | Acceptance>('POST', path, { body, signal, timeoutMs });
      const response = await retryWhenBusy(send, signal, setRetryAt);
      if (!('status_url' in response)) return response;
      return follow(response.request_id, timeoutMs, signal);
    },
    onSuccess: setShown,
    onSettled: () => {
      setRetryAt(null);
      void client.invalidateQueries({ queryKey: ['captures'] });
      void client.invalidateQueries({ queryKey: ['account'] });
    },
    // The arguments contain secret options.
    gcTime: 0,
  });
  const show = (record: CaptureRecord) => {
    capture.reset();
    setShown(record);
  };
  return { ...capture, shown, show, retryAt, stopWaiting: () => running.current?.abort() };
}

/** Retries when the service says so, if that is soon. @param onWait gets the time of the next try. */
async function retryWhenBusy<Response>(
  send: () => Promise<Response>,
  signal: AbortSignal,
  onWait: (at: number | null) => void,
): Promise<Response> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const isBusy = error instanceof Problem && (error.code === 'RATE_LIMITED' || error.code === 'OVERLOADED');
      if (!isBusy || error.retryAfterS === null || error.retryAfterS > longestRetryS) throw error;
      const waitMs = error.retryAfterS * 1_000;
      onWait(Date.now() + waitMs);
      await pause(waitMs, signal);
      onWait(null);
    }
  }
}

/** @throws the signal's reason once it is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

async function follow(id: string, timeoutMs: number, signal: AbortSignal): Promise<CaptureRecord> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && !signal.aborted) {
    const record = await request<CaptureRecord>('GET', `/api/v1/captures/${id}`, { signal });
    if (hasEnded(record)) return record;
    await pause(700, signal);
  }
  const message = 'The capture has not finished. It will appear in your captures.';
  throw new Problem({ status: 0, code: 'TOO_SLOW', message, requestId: id });
}

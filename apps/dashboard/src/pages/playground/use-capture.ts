import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { Acceptance, CaptureRecord } from '../../api/responses.ts';
import { kindOf } from '../../captures/kinds.ts';
import type { FormState } from './form-link.ts';

/** Up to 30 s in the queue; the rest is for storing the file and for the network. */
const overheadMs = 45_000;

/** The default of `timeout_ms`. */
const defaultTimeoutMs = 30_000;

const hasEnded = ({ status }: CaptureRecord) => status !== 'queued' && status !== 'processing';

/** Submits the form and returns the record of the capture. */
export function useCapture() {
  const client = useQueryClient();
  const running = useRef<AbortController>(null);
  const capture = useMutation({
    mutationFn: async (form: FormState): Promise<CaptureRecord> => {
      running.current = new AbortController();
      const { signal } = running.current;
      const timeoutMs = Number(form.values.timeout_ms ?? defaultTimeoutMs) + overheadMs;
      const body = { ...form.values, response_type: 'json' };
      const { path } = kindOf(form.type);
      const response = await request<CaptureRecord | Acceptance>('POST', path, { body, signal, timeoutMs });
      if (!('status_url' in response)) return response;
      return follow(response.request_id, timeoutMs, signal);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['captures'] });
      void client.invalidateQueries({ queryKey: ['account'] });
    },
    // The arguments contain secret options.
    gcTime: 0,
  });
  return { ...capture, stopWaiting: () => running.current?.abort() };
}

/** Waits for an asynchronous capture. */
async function follow(id: string, timeoutMs: number, signal: AbortSignal): Promise<CaptureRecord> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && !signal.aborted) {
    const record = await request<CaptureRecord>('GET', `/api/v1/captures/${id}`, { signal });
    if (hasEnded(record)) return record;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  const message = 'The capture has not finished. It will appear in your captures.';
  throw new Problem({ status: 0, code: 'TOO_SLOW', message, requestId: id });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { Acceptance, CaptureRecord } from '../../api/responses.ts';
import { kindOf } from '../../captures/kinds.ts';
import type { Asked } from './form-link.ts';

/** The service gives up on a queue after 30 s; the rest is for storing the file and the way. */
const beyondTimeoutMs = 45_000;

/** Of a capture that is asked for without `timeout_ms`. */
const usualTimeoutMs = 30_000;

const hasEnded = ({ status }: CaptureRecord) => status !== 'queued' && status !== 'processing';

/** Captures what the form asks for, and gives its record; of one that failed too, where it has one. */
export function useCapture() {
  const client = useQueryClient();
  const running = useRef<AbortController>(null);
  const capture = useMutation({
    mutationFn: async (asked: Asked): Promise<CaptureRecord> => {
      running.current = new AbortController();
      const { signal } = running.current;
      const withinMs = Number(asked.values.timeout_ms ?? usualTimeoutMs) + beyondTimeoutMs;
      const body = { ...asked.values, response_type: 'json' };
      const { path } = kindOf(asked.type);
      const answer = await request<CaptureRecord | Acceptance>('POST', path, { body, signal, withinMs });
      if (!('status_url' in answer)) return answer;
      return follow(answer.request_id, withinMs, signal);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['captures'] });
      void client.invalidateQueries({ queryKey: ['account'] });
    },
    // What was confided to the capture is in the arguments.
    gcTime: 0,
  });
  return { ...capture, stopWaiting: () => running.current?.abort() };
}

/** Waits for an asynchronous capture. */
async function follow(id: string, withinMs: number, signal: AbortSignal): Promise<CaptureRecord> {
  const until = Date.now() + withinMs;
  while (Date.now() < until && !signal.aborted) {
    const record = await request<CaptureRecord>('GET', `/api/v1/captures/${id}`, { signal });
    if (hasEnded(record)) return record;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  const message = 'It has not ended yet. It will be among your captures when it has.';
  throw new Problem({ status: 0, code: 'TOO_SLOW', message, requestId: id });
}

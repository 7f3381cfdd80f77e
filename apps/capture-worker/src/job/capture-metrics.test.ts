import { Registry } from '@capture/runtime/metrics/metrics';
import { describe, expect, it } from '@jest/globals';
import { createCaptureMetrics, type EndedCapture } from './capture-metrics.ts';

const createdAt = new Date('2026-11-20T10:00:00Z');
const times = { claiming: 5, storing: 20, recording: 10, notifying: 5 };

const completed: EndedCapture = {
  capture: { type: 'pdf', createdAt, startedAt: new Date(createdAt.getTime() + 3_000) },
  report: {
    tries: 2,
    problems: ['crashed: the page at https://client.example/secret is gone'],
    pageMs: 10,
    navigationMs: 300,
    waitingMs: 400,
    actingMs: 50,
    imageMs: 200,
  },
  outcome: {
    status: 'completed',
    format: 'pdf',
    width: 1,
    height: 1,
    fileSize: 1_234,
    storageKey: 'key',
    expiresAt: createdAt,
  },
  recorded: { ended: true },
  times,
};

function open() {
  const registry = new Registry();
  const metrics = createCaptureMetrics(registry);
  const figure = async (series: string) => {
    const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };
  return { registry, metrics, figure };
}

describe('capture metrics', () => {
  it('cover a completed capture: queue wait, phases, bytes and browser problems', async () => {
    const { registry, metrics, figure } = open();
    metrics.ended(completed);
    expect(await figure('capture_captures_total{type="pdf",outcome="completed",error_code=""}')).toBe(1);
    expect(await figure('capture_queue_wait_seconds_sum')).toBe(3);
    expect(await figure('capture_render_duration_seconds_sum{type="pdf"}')).toBeCloseTo(1);
    const phases = { claim: 0.005, acquire: 0.01, navigate: 0.3, settle: 0.4, act: 0.05, shoot: 0.2, store: 0.02 };
    for (const [phase, seconds] of Object.entries(phases)) {
      expect(await figure(`capture_phase_duration_seconds_sum{phase="${phase}"}`)).toBeCloseTo(seconds);
    }
    expect(await figure('capture_stored_bytes_total{type="pdf"}')).toBe(1_234);
    expect(await figure('capture_browser_problems_total{kind="crashed"}')).toBe(1);
    expect(await registry.metrics()).not.toContain('client.example');
  });

  it('count a failed capture by its code, with the phases it reached', async () => {
    const { metrics, figure } = open();
    const outcome = { status: 'failed', errorCode: 'URL_BLOCKED', errorMessage: 'no' } as const;
    metrics.ended({ ...completed, report: { tries: 1, problems: [], pageMs: 10 }, outcome });
    expect(await figure('capture_captures_total{type="pdf",outcome="failed",error_code="URL_BLOCKED"}')).toBe(1);
    expect(await figure('capture_phase_duration_seconds_count{phase="acquire"}')).toBe(1);
    expect(await figure('capture_phase_duration_seconds_count{phase="shoot"}')).toBeNull();
    expect(await figure('capture_stored_bytes_total{type="pdf"}')).toBeNull();
  });

  it('count a superseded capture separately, and not its file', async () => {
    const { metrics, figure } = open();
    metrics.ended({ ...completed, recorded: { ended: false } });
    expect(await figure('capture_captures_total{type="pdf",outcome="superseded",error_code=""}')).toBe(1);
    expect(await figure('capture_captures_total{type="pdf",outcome="completed",error_code=""}')).toBe(0);
    expect(await figure('capture_stored_bytes_total{type="pdf"}')).toBeNull();
  });

  it('count captures that reused a file, and recovered captures', async () => {
    const { metrics, figure } = open();
    metrics.cached('screenshot');
    metrics.recovered({ waiting: 2, failed: ['req_1'] });
    expect(await figure('capture_captures_total{type="screenshot",outcome="cached",error_code=""}')).toBe(1);
    expect(await figure('capture_captures_recovered_total{fate="queued again"}')).toBe(2);
    expect(await figure('capture_captures_recovered_total{fate="failed"}')).toBe(1);
  });

  it('start at 0 for every error code', async () => {
    const { figure } = open();
    expect(await figure('capture_captures_total{type="og_image",outcome="failed",error_code="RENDERING_FAILED"}')).toBe(
      0,
    );
  });
});

import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PipeTransport, tooLongMessage } from './pipe-transport.ts';

function open(maxBytes?: number) {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const transport = new PipeTransport(toBrowser, fromBrowser, maxBytes);
  const received: string[] = [];
  transport.onmessage = (message) => received.push(message);
  let closings = 0;
  transport.onclose = () => {
    closings += 1;
  };
  const receive = async (...chunks: (string | Buffer)[]) => {
    for (const chunk of chunks) {
      fromBrowser.write(chunk);
      await nextTurn();
    }
    await nextTurn();
  };
  return { transport, toBrowser, fromBrowser, received, receive, closings: () => closings };
}

describe('PipeTransport', () => {
  it('ends each message that it sends with a zero byte', () => {
    const { transport, toBrowser } = open();
    transport.send('{"id":1}');
    transport.send('{"id":2}');
    expect(toBrowser.read().toString()).toBe('{"id":1}\0{"id":2}\0');
  });

  it('splits and joins chunks into messages', async () => {
    const { received, receive } = open();
    await receive('{"a":1}\0{"b"', ':2}', '\0', '\0{"c":"', 'x'.repeat(100_000), '"}\0{"d":4}\0');
    expect(received).toEqual(['{"a":1}', '{"b":2}', `{"c":"${'x'.repeat(100_000)}"}`, '{"d":4}']);
  });

  it('decodes characters that are split between chunks', async () => {
    const { received, receive } = open();
    const bytes = Buffer.from('{"a":"é😀"}\0');
    await receive(...Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(received).toEqual(['{"a":"é😀"}']);
  });

  it('runs the promises that a message settles before the next message', async () => {
    const { transport, receive } = open();
    const order: string[] = [];
    transport.onmessage = async (message) => {
      order.push(message);
      await null;
      order.push(`after ${message}`);
    };
    await receive('1\x002\x00');
    expect(order).toEqual(['1', 'after 1', '2', 'after 2']);
  });

  it('fails the call whose response is too long, and continues', async () => {
    const { received, receive } = open(1_000);
    const data = 'A'.repeat(700);
    await receive(`{"id":7,"result":{"data":"${data}`, data, data, `${data}"},"sessionId":"AB12"}\0{"id":8}\0`);
    expect(received.map((text) => JSON.parse(text))).toEqual([
      { id: 7, error: { code: -32_000, message: tooLongMessage }, sessionId: 'AB12' },
      { id: 8 },
    ]);
  });

  it('drops an event that is too long', async () => {
    const { received, receive } = open(1_000);
    await receive(`{"method":"X","params":{"text":"${'A'.repeat(2_000)}"}}\0{"id":8}\0`);
    expect(received).toEqual(['{"id":8}']);
  });

  it.each(['toBrowser', 'fromBrowser'] as const)('reports once that it is closed when %s ends', async (stream) => {
    const opened = open();
    opened[stream].destroy(new Error('EPIPE'));
    await nextTurn();
    opened.transport.send('{"id":1}');
    opened.transport.close();
    await nextTurn();
    await nextTurn();
    expect(opened.closings()).toBe(1);
  });
});

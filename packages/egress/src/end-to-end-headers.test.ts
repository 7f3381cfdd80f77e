import { expect, it } from '@jest/globals';
import { endToEndHeaders } from './end-to-end-headers.ts';

it('passes headers on in their order, spelling and number', () => {
  const headers = ['Set-Cookie', 'a=1', 'X-Page', 'ä', 'set-cookie', 'b=2', 'Content-Length', '3'];
  expect(endToEndHeaders(headers)).toEqual(headers);
});

it('leaves out what concerns one connection, by rule or by its own word', () => {
  const headers = [
    'Connection',
    'X-Hop, close, Content-Length',
    'x-hop',
    '1',
    'Keep-Alive',
    '1',
    'Transfer-Encoding',
    'x',
  ];
  expect(endToEndHeaders([...headers, 'Content-Length', '3', 'X-Kept', '2'])).toEqual([
    'Content-Length',
    '3',
    'X-Kept',
    '2',
  ]);
});

it('leaves out what would break a message apart', () => {
  expect(
    endToEndHeaders(['X-Split', 'a\r\nSet-Cookie: b', 'X Name', '1', '', '2', 'X-Nul', '\0', 'X-Good', '3']),
  ).toEqual(['X-Good', '3']);
});

import { captureErrorCodes, errorStatus } from '@capture/contract/errors';
import { describe, expect, it } from '@jest/globals';
import { CaptureError, CaptureFailedError, captureError, errorClasses, type KnownErrorCode } from './errors.ts';

const facts = { status: 400, requestId: 'req_1', details: [], retryAfterS: 7 };
const errorOf = (errorCode: string) => captureError('So it is.', { ...facts, errorCode });

it('every code that the service knows has a class, and no other', () => {
  expect(Object.keys(errorClasses).sort()).toEqual(Object.keys(errorStatus).sort());
});

describe.each(Object.keys(errorClasses) as KnownErrorCode[])('%s', (code) => {
  it('has a class of its own, which says what the service said', () => {
    const error = errorOf(code);
    expect(error).toBeInstanceOf(errorClasses[code]);
    expect(error).toMatchObject({ ...facts, message: 'So it is.', errorCode: code });
    const words = code.split('_').map((word) => word[0] + word.slice(1).toLowerCase());
    expect([error.name, error.constructor.name]).toEqual([`${words.join('')}Error`, `${words.join('')}Error`]);
    const isOfCapture = (captureErrorCodes as readonly string[]).includes(code);
    expect(error instanceof CaptureFailedError).toBe(isOfCapture);
  });
});

it('a code that is not known is a plain CaptureError, whatever it is called', () => {
  for (const code of ['TEAPOT', 'constructor', '__proto__', '']) expect(errorOf(code).constructor).toBe(CaptureError);
});

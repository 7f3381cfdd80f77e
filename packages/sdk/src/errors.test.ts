import { captureErrorCodes, errorStatus } from '@capture/contract/errors';
import { describe, expect, it } from '@jest/globals';
import { CaptureError, CaptureFailedError, captureError, errorClasses, type KnownErrorCode } from './errors.ts';

const facts = { status: 400, requestId: 'req_1', details: [], retryAfterS: 7 };
const errorOf = (errorCode: string) => captureError('So it is.', { ...facts, errorCode });

it('exactly the error codes of the service have a class', () => {
  expect(Object.keys(errorClasses).sort()).toEqual(Object.keys(errorStatus).sort());
});

describe.each(Object.keys(errorClasses) as KnownErrorCode[])('%s', (code) => {
  it('has its own class with the message of the service', () => {
    const error = errorOf(code);
    expect(error).toBeInstanceOf(errorClasses[code]);
    expect(error).toMatchObject({ ...facts, message: 'So it is.', errorCode: code });
    const words = code.split('_').map((word) => word[0] + word.slice(1).toLowerCase());
    expect([error.name, error.constructor.name]).toEqual([`${words.join('')}Error`, `${words.join('')}Error`]);
    const isOfCapture = (captureErrorCodes as readonly string[]).includes(code);
    expect(error instanceof CaptureFailedError).toBe(isOfCapture);
  });
});

it('an unknown code is a plain CaptureError, whatever its name', () => {
  for (const code of ['TEAPOT', 'constructor', '__proto__', '']) expect(errorOf(code).constructor).toBe(CaptureError);
});

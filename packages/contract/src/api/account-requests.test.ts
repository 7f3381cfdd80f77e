import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { ApiError } from '../errors.ts';
import { decodeQuery, parseRequest } from '../options/parse-request.ts';
import { accountChange, newKeyRequest, registrationRequest, rotateKeyRequest } from './account-requests.ts';
import { pageRequest } from './paging.ts';

function faultOf(schema: z.ZodType, given: unknown): string {
  try {
    parseRequest(schema, given, 'this');
  } catch (error) {
    if (error instanceof ApiError)
      return error.details?.map(({ field, message }) => (field ? `${field} ${message}` : message)).join('; ') ?? '';
    throw error;
  }
  throw new Error('nothing was found wrong');
}

describe('a registration', () => {
  it('trims the address and converts it to lower case', () => {
    expect(parseRequest(registrationRequest, { email: ' \tAda.Byron+x@Example.COM\n' }, '')).toEqual({
      email: 'ada.byron+x@example.com',
    });
  });

  it.each([
    [{}, 'email is required'],
    [{ email: 'ada' }, 'email must be an email address'],
    [{ email: 'ada@' }, 'email must be an email address'],
    [{ email: 'ada@localhost' }, 'email must be an email address'],
    [{ email: 'a da@example.com' }, 'email must be an email address'],
    [{ email: 'ada@example.com\u0000' }, 'email must be an email address'],
    [{ email: 'ada@example.com, bob@example.com' }, 'email must be an email address'],
    [{ email: ['ada@example.com'] }, 'email must be text'],
    [{ email: `${'a'.repeat(243)}@example.com` }, 'email must be at most 254 characters'],
    [undefined, 'the body must be a JSON object'],
  ])('%.60j: %s', (given, fault) => {
    expect(faultOf(registrationRequest, given)).toBe(fault);
  });

  it('refuses other fields', () => {
    expect(faultOf(registrationRequest, { email: 'ada@example.com', plan: 'enterprise' })).toContain('plan is not an');
  });
});

describe('a new key', () => {
  it('may have a name', () => {
    expect(parseRequest(newKeyRequest, {}, '')).toEqual({});
    expect(parseRequest(newKeyRequest, { name: ' CI ' }, '')).toEqual({ name: 'CI' });
  });

  it.each([
    [{ name: '  ' }, 'name must not be empty'],
    [{ name: 'x'.repeat(101) }, 'name must be at most 100 characters'],
    [{ name: 'a\u0000b' }, 'name must not contain NUL or half a surrogate pair'],
  ])('%.40j: %s', (given, fault) => {
    expect(faultOf(newKeyRequest, given)).toBe(fault);
  });
});

describe('a rotation', () => {
  it('ends the previous key at once by default', () => {
    expect(parseRequest(rotateKeyRequest, {}, '')).toEqual({ overlap_s: 0 });
    expect(parseRequest(rotateKeyRequest, { overlap_s: 604_800 }, '')).toEqual({ overlap_s: 604_800 });
  });

  it.each([
    [{ overlap_s: -1 }, 'overlap_s must be at least 0'],
    [{ overlap_s: 604_801 }, 'overlap_s must be at most 604800'],
    [{ overlap_s: 0.5 }, 'overlap_s must be a whole number'],
    [{ overlap_s: '60' }, 'overlap_s must be a number'],
  ])('%j: %s', (given, fault) => {
    expect(faultOf(rotateKeyRequest, given)).toBe(fault);
  });
});

describe('a change of an account', () => {
  it('sets the plan, the status or both', () => {
    expect(parseRequest(accountChange, { plan: 'pro', status: 'active' }, '')).toEqual({
      plan: 'pro',
      status: 'active',
    });
    expect(faultOf(accountChange, { status: 'deleted' })).toBe('status must be one of active, suspended');
    expect(faultOf(accountChange, { email: 'x@example.com' })).toContain('email is not an option');
  });
});

describe('a page of a list', () => {
  const pageOfKeys = pageRequest('key');

  it('has 20 rows by default, or the requested number', () => {
    expect(parseRequest(pageOfKeys, {}, '')).toEqual({ limit: 20 });
    const cursor = `key_${'0'.repeat(26)}`;
    const query = new URLSearchParams({ limit: '100', cursor });
    expect(parseRequest(pageOfKeys, decodeQuery(pageOfKeys, query), '')).toEqual({ limit: 100, cursor });
  });

  it.each([
    [{ limit: 0 }, 'limit must be at least 1'],
    [{ limit: 101 }, 'limit must be at most 100'],
    [{ cursor: 'nonsense' }, 'cursor is not a next_cursor of this list'],
    [{ cursor: '' }, 'cursor is not a next_cursor of this list'],
    [{ cursor: `req_${'0'.repeat(26)}` }, 'cursor is not a next_cursor of this list'],
    [{ cursor: `key_${'0'.repeat(27)}` }, 'cursor is not a next_cursor of this list'],
  ])('%.40j: %s', (given, fault) => {
    expect(faultOf(pageOfKeys, given)).toBe(fault);
  });
});

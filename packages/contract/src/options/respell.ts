import { z } from 'zod';
import { allCaptureKinds } from './capture-options.ts';
import { plainTypes } from './plain-types.ts';
import { respellOptions } from './respell-options.ts';

function isFlag(name: string): boolean {
  return allCaptureKinds.some(({ request }) => {
    const field = Object.hasOwn(request.in.shape, name)
      ? request.in.shape[name as keyof typeof request.in.shape]
      : null;
    return field !== null && field !== undefined && plainTypes(field).every((type) => type instanceof z.ZodBoolean);
  });
}

/** Converts options to the spellings of the schemas; see `respellOptions`. */
export function respell<Given>(given: Given): Given {
  return respellOptions(given, isFlag);
}

import { z } from 'zod';

/** The options that set a page's language, time zone and location. */

/** Valid names of time zones in lower case, with their usual spelling. Asking Intl takes a while. */
const knownTimezones = new Map<string, string>();

/** Returns a time zone as Intl spells it; undefined for an unknown name. An offset (`+01:00`) is not a name. */
function canonicalTimezone(name: string): string | undefined {
  const known = knownTimezones.get(name.toLowerCase());
  if (known !== undefined || !/^[a-z]/i.test(name)) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    knownTimezones.set(name.toLowerCase(), timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}

/** A language of two or three letters: no longer language is registered, and Chromium crashes on longer languages. */
const language = /^[a-z]{2,3}(-|$)/i;

function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag).find((canonical) => language.test(canonical));
  } catch {
    return undefined;
  }
}

export const placeFields = {
  locale: z
    .string()
    .max(100)
    .refine((tag) => canonicalLocale(tag) !== undefined, { error: 'must be a BCP 47 language tag, such as de-AT' })
    .overwrite((tag) => canonicalLocale(tag) ?? tag)
    .default('en-US')
    .meta({ description: 'Locale (BCP 47): sets `Accept-Language` and `navigator.language`.', example: 'de-AT' }),
  timezone: z
    .string()
    .max(100)
    .refine((name) => canonicalTimezone(name) !== undefined, {
      error: 'must be the IANA name of a time zone, such as Europe/Vienna',
    })
    .overwrite((name) => canonicalTimezone(name) ?? name)
    .default('UTC')
    .meta({ description: 'Time zone of the page, an IANA name.', example: 'Europe/Vienna' }),
  geolocation: z
    .strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).max(100_000).default(0),
    })
    .optional()
    .meta({
      description:
        'Location of the page: `latitude` −90 to 90 and `longitude` −180 to 180, in degrees; `accuracy` in meters.',
      example: { latitude: 48.2082, longitude: 16.3738 },
    }),
};

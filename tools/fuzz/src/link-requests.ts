import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hostileName, hostileText, weighted } from './hostile.ts';
import {
  escaped,
  headOf,
  inQuery,
  type Known,
  type Operation,
  schemaOf,
  type WireRequest,
} from './requests-of-operation.ts';
import { valuesOf } from './values-of-schema.ts';

/** Generates signed render links with invalid or unusual parameters. The service reads no parameter without a signature. */
export function signedLinks({ spec, resolve }: Operation, { links, presets }: Known): fc.Arbitrary<WireRequest> {
  const options = (spec.parameters as unknown[]).map(resolve).filter((each) => each.in === 'query');
  const option = fc
    .constantFrom(...options)
    .chain((each) => fc.tuple(fc.constant<string>(each.name), valuesOf(schemaOf(each), resolve).map(inQuery)));
  const ofLink = fc.tuple(
    fc.constantFrom('expires', 'ttl_s', 'placeholder', 'preset'),
    weighted(
      [1, hostileText],
      [2, fc.constantFrom('none', 'transparent', 'f4f4f5', '60', '9999999999', '1', '-1', '1e9', ...presets)],
    ),
  );
  const url = fc.constant<[string, string]>(['url', 'https://127.0.0.1/']);
  const pairs = fc.tuple(
    weighted([8, url.map((pair) => [pair])], [1, fc.constant<[string, string][]>([])]),
    fc.array(weighted([4, option], [4, ofLink], [1, fc.tuple(hostileName, hostileText)]), { maxLength: 4 }),
  );
  const file = weighted(
    [8, fc.constantFrom('screenshot.png', 'screenshot.webp', 'og-image.jpeg', 'pdf.pdf', 'screenshot.jpg')],
    [1, fc.constantFrom('screenshot.gif', 'constructor.png', 'pdf.png', '.', 'screenshot')],
  );
  return fc
    .record({ method: fc.constantFrom('GET', 'GET', 'HEAD'), file, pairs, link: fc.constantFrom(...links) })
    .map(({ method, file: name, pairs: [first, more], link }) => {
      const parameters = [...first, ...more].sort(([one], [other]) => (one < other ? -1 : 1));
      const text = `${name}?${parameters.map((pair) => pair.map(escaped).join('=')).join('&')}`;
      const signature = createHmac('sha256', link.secret).update(text).digest('hex');
      return { head: headOf(`${method} /r/${link.keyId}/${signature}/${text}`, []), body: '' };
    });
}

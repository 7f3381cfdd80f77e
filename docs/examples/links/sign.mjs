import { createHmac } from 'node:crypto';

export function signLink(base, keyId, secret, file, parameters) {
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(parameters[name])}`)
    .join('&');
  const signature = createHmac('sha256', secret).update(`${file}?${query}`).digest('hex');
  return `${base}/r/${keyId}/${signature}/${file}?${query}`;
}

import { type Case, cases } from '../case.ts';
import { blocks, pixel, shows } from '../expectations.ts';

/** Pages that are not the page that a client wants, and pages that only look wrong. */
export const quality: Case[] = cases('verdict', 'quality', {
  'truncated-length': {
    page: '/truncated/length',
    peers: false,
    expect: [{ error: 'NAVIGATION_FAILED' }],
    quick: true,
    what: 'Half of an article: the connection was closed before the promised length.',
  },
  'truncated-chunked': {
    page: '/truncated/chunked',
    peers: false,
    expect: [{ error: 'NAVIGATION_FAILED' }],
    what: 'Half of an article: the connection was closed before the last chunk.',
  },
  'truncated-accepted': {
    page: '/truncated/length',
    peers: false,
    options: { accept_truncated: true },
    expect: [{ quality: 'truncated' }],
    what: 'Half of an article, which the client accepts.',
  },
  'challenge-cloudflare': {
    page: 'cloudflare.html?as-status=403&as-header=cf-mitigated:challenge',
    peers: false,
    expect: [{ quality: 'challenge' }],
    quick: true,
    what: 'A page of Cloudflare that checks its visitor.',
  },
  'challenge-cloudflare-fails': {
    page: 'cloudflare.html?as-status=403&as-header=cf-mitigated:challenge',
    peers: false,
    options: { fail_on: ['challenge'] },
    expect: [{ error: 'QUALITY_REJECTED' }],
    what: 'The same page, which the client refuses.',
  },
  'challenge-datadome': {
    page: 'datadome.html?as-status=403',
    peers: false,
    expect: [{ quality: 'challenge' }],
    what: 'A page of DataDome that checks its visitor.',
  },
  'challenge-press-and-hold': {
    page: 'press-and-hold.html?as-status=403',
    peers: false,
    expect: [{ quality: 'challenge' }],
    what: 'A page that wants a button to be held.',
  },
  'challenge-access-denied': {
    page: 'access-denied.html?as-status=403',
    peers: false,
    expect: [{ quality: ['challenge', 'error_page'] }],
    what: 'A page of Akamai that denies access.',
  },
  'login-wall': {
    page: '/redirect?to=/pages/quality/login.html%3Freturn_to%3D%252Faccount%252Forders',
    peers: false,
    expect: [{ quality: 'login_wall' }],
    what: 'A form to sign in, where another page was asked for.',
  },
  'status-404': {
    page: '/status/404',
    peers: false,
    expect: [{ quality: 'error_page' }],
    what: 'A page that does not exist.',
  },
  'status-503': {
    page: '/status/503',
    peers: false,
    expect: [{ quality: 'error_page' }],
    what: 'A server that is not there.',
  },
  'blank-script-503': {
    page: 'blank-script.html',
    peers: false,
    expect: [{ quality: ['blank', 'incomplete'] }],
    what: 'Nothing: the script of the application was a 503.',
  },
  'blank-api-503': {
    page: 'blank-api.html',
    peers: false,
    expect: [{ quality: ['blank', 'incomplete'] }],
    what: 'Nothing: the API of the application was a 503.',
  },
  'header-api-503': {
    page: 'header-api.html',
    peers: false,
    expect: [{ quality: 'incomplete' }],
    what: 'A header and a footer: the API of the application was a 503.',
  },
  'hero-hangs': { peers: false, expect: [{ quality: 'incomplete' }], what: 'A hero image that never arrives.' },
  'overlay-left': {
    page: 'overlay.html',
    peers: false,
    expect: [{ quality: 'overlay' }],
    what: 'A notice that covers the page and cannot be closed.',
  },
  'ok-login-form': {
    page: 'with-login-form.html',
    peers: false,
    expect: [{ quality: 'ok' }, blocks('#00c853', 3)],
    what: 'A forum with a small form to sign in, and a post about error pages.',
  },
  'ok-minimal': { page: 'minimal.html', peers: false, expect: [{ quality: 'ok' }], what: 'A page of two lines.' },
  'ok-hairline': {
    page: 'hairline.html',
    peers: false,
    expect: [{ quality: 'ok' }],
    what: 'A page that is a single thin line.',
  },
  'ok-dark': { page: 'dark.html', peers: false, expect: [{ quality: 'ok' }], what: 'A dark page with a little text.' },
  'ok-one-image': {
    page: 'one-image.html',
    peers: false,
    expect: [{ quality: 'ok' }, shows('#ff0080', 30_000)],
    what: 'A page that is one image.',
  },
  'prerendered-404': {
    page: 'prerender.html',
    peers: false,
    options: { fail_on_status: ['4xx'] },
    expect: [{ error: 'HTTP_STATUS' }],
    what: 'A page that does not exist, rendered in advance and then shown.',
  },
  'ordinary-agent': {
    page: '/agent',
    peers: false,
    expect: [pixel('#00c853', -20, -20)],
    what: 'A shop that shows other pages to a browser without a window.',
  },
  'late-unsized-image': {
    page: 'late-unsized.html',
    expect: [{ quality: 'incomplete' }],
    what: 'The only image of the page takes very long, and has no size before it arrives.',
  },
});

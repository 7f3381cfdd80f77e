/** What to do about each error of a capture, for the person who sees it. */
const advice: Readonly<Record<string, string>> = {
  URL_UNREACHABLE: 'Check the URL for typos, and that the page opens in a private window of your browser.',
  NAVIGATION_FAILED: 'Check the URL for typos, and that the page opens in a private window of your browser.',
  HTTP_STATUS: 'To capture the page as it is, remove the status from fail_on_status.',
  SELECTOR_NOT_FOUND:
    'Check the selector in the developer tools of your browser, or raise timeout_ms if it appears late.',
  PAGE_TOO_LARGE: 'Lower device_scale_factor, or capture a part with clip or selector.',
  CAPTURE_TIMEOUT: 'Raise timeout_ms, or set wait_until to auto, which does not wait for what the page can do without.',
  RENDERING_FAILED: 'Try again. If it fails again, send the request ID to the operator.',
  QUALITY_REJECTED: 'The quality says what is wrong. To capture the page as it is, remove the reason from fail_on.',
  QUOTA_EXCEEDED: 'Ask the operator for a larger plan, or wait for the reset. Failed captures cost nothing.',
  EMAIL_TAKEN: 'Sign in with your key instead.',
};

export const adviceFor = (code: string): string | undefined => advice[code];

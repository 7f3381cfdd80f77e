import { deviceNames, findDevice } from '@capture/contract/options/devices';
import { expect, it } from '@jest/globals';
import { KnownDevices } from 'puppeteer';

it('clients can name exactly Puppeteer’s devices, with Puppeteer’s values', () => {
  expect(deviceNames).toEqual(Object.keys(KnownDevices));
  for (const [name, { userAgent, viewport }] of Object.entries(KnownDevices)) {
    const { width, height, deviceScaleFactor, landscape } = findDevice(name.toUpperCase()) ?? {};
    expect(findDevice(name)).toMatchObject({ name, userAgent });
    expect({ width, height, deviceScaleFactor, isLandscape: landscape, isMobile: true, hasTouch: true }).toEqual(
      viewport,
    );
  }
});

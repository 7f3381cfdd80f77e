import { openCaptureProxy } from './capture-proxy.ts';
import { testCaptureProxy } from './capture-proxy-suite.ts';

testCaptureProxy('in this process', openCaptureProxy);

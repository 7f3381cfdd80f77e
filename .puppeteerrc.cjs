// Chromium is found or installed by packages/provisioning, which also accepts the one that Puppeteer keeps in its cache;
// a download during `npm install` would make every install wait for 150 MB that most machines have already.
module.exports = { skipDownload: true };

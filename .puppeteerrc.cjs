// packages/provisioning finds or installs Chromium, including the one in Puppeteer's cache. A download during `npm install`
// would cost every install 150 MB that most machines already have.
module.exports = { skipDownload: true };

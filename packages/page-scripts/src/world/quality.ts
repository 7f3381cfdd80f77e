export { findCover } from './quality/find-cover.ts';
export { findMarkers } from './quality/find-markers.ts';
export { readContent } from './quality/read-content.ts';

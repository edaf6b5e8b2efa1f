// What n8n loads only when a recording is read, because it loads the node when it starts (gulpfile.js).
export { convertAudio } from './convertAudio';
export { readRecording } from './recording';

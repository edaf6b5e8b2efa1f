#!/usr/bin/env node
/**
 * Makes the recordings in `../files` and measures them with the tools that made them, never with this package:
 * `node test/audio/make-files/main.mjs`. The files are committed: this is run only to add one. Debian's packages
 * ffmpeg, sox, libsox-fmt-all, espeak-ng, lame and zip are needed.
 */
import { makeFlac } from './flac.mjs';
import { makeMp3 } from './mp3.mjs';
import { makeMp4 } from './mp4.mjs';
import { makeNoRecordings } from './no-recordings.mjs';
import { makeOthers } from './others.mjs';
import { finish } from './tools.mjs';
import { makeWav } from './wav.mjs';

makeWav();
makeMp3();
makeFlac();
makeMp4();
makeOthers();
makeNoRecordings();
finish();

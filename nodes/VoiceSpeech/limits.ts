/*
 * Limits of the node. The limits of the reader of a single format are in its module.
 */

/** Longest time in seconds without a byte while audio is opened, before anything is sent. */
export const openingStallSeconds = 120;

/**
 * Longest time in seconds without a byte of an upload. It is long because socket buffers of several megabytes hide slow
 * progress.
 */
export const uploadStallSeconds = 600;

/** Longest time in seconds without a byte of a response that has begun. */
export const responseStallSeconds = 120;

/** Longest delay that a timer supports, in ms. */
export const maxTimerMs = 2 ** 31 - 1;

/** Time in ms after which loops let n8n do other work. Parsing a response of megabytes is one step, which takes longer. */
export const maxBlockingMs = 10;

/**
 * Number of nested causes of an error that are searched. n8n's wrappers have two or three, and causes may be circular.
 */
export const maxCauses = 6;

/** Longest wait in seconds before the first retry, if the service specifies none. It doubles for each further retry. */
export const maxFirstRetryWaitSeconds = 1;

/** Bytes of an error response that are read to find the service's sentence, which is usually at the start. */
export const maxErrorBodyBytes = 64 * 1024;

/**
 * How much text of a success response that cannot be used is kept, in bytes. It was paid for, and a transcript of 12 hours
 * as JSON lines with the time of each word needs about 10 MB.
 */
export const maxKeptTextBytes = 16 * 1024 * 1024;

/** How many characters at the end of a text that is cut are dropped, because they may be a part of the key. */
export const maxCutKeyLength = 4096;

/** Longest quote of a file name, an address, a file or a response, in characters. */
export const maxQuoteLength = 200;

/** Longest sentence of the service that is quoted, in characters. */
export const maxSentenceLength = 500;

/** How much of a page is searched for its heading, in characters. The heading comes early. */
export const maxPageLength = 8192;

/** Deepest level of a response that is searched for a sentence. */
export const maxSentenceDepth = 6;

/** Bytes of white space before a response's content that are skipped. Some servers send it to keep the connection open. */
export const maxPaddingBytes = 1024 * 1024;

/** How much of a Content-Disposition is read, in characters. It has a file name once or twice, mostly percent-encoded. */
export const maxDispositionLength = 4096;

/** Number of redirects of an audio URL that are followed. Podcasts have several, each of which counts listeners. */
export const maxAudioRedirects = 20;

/** Bytes after the tags that show the format of a file or response. They contain several frames of MP3. */
export const headBytes = 4096;

/** Number of bytes within which audio must begin after tags and padding. Most cover pictures are smaller. */
export const maxTagBytes = 1024 * 1024;

/** Number of tags and paddings in a row that are skipped. Real files have up to three. */
export const maxTags = 8;

/**
 * How much of a file is read to find its header, in bytes. The index of an M4A file may be after its audio. In a voice
 * sample, which is short, it is within this length. A header further back is not found.
 */
export const maxProbeBytes = 8 * 1024 * 1024;

/** Number of reads of a file to find its header. Real files need a few dozen, and a crafted one could require millions. */
export const maxProbeReads = 2000;

/**
 * Longest recording that is converted, in seconds. A day is possible: {@link maxPackets} is enough for the usual packets of
 * a day, and a WAV file for 37 hours at 16 kHz, but only for 12.4 hours at 48 kHz. The longest index of an MP4 file
 * follows from this limit.
 */
export const maxConvertedSeconds = 12 * 3600;

/**
 * Largest number of packets whose lengths are stored. They are 29 hours of AAC at 48 kHz and 27 hours of Opus in packets
 * of 20 ms, but only 3.5 hours of Opus in packets of 2.5 ms. OGG needs no lengths, and has no such limit.
 */
export const maxPackets = 5_000_000;

/**
 * Largest number of runs of packets with the same duration. A recorder that stores arrival times writes a run for each
 * packet: 5.9 hours of AAC at 48 kHz, 6.5 hours at 44.1 kHz, 5.6 hours of Opus in packets of 20 ms.
 */
export const maxDurations = 1_000_000;

/**
 * Fewest bytes per box of MP4 on average, after the first {@link maxSmallBoxes}. In the smallest fragments, each packet has
 * a `moof` of 68 bytes and a `mdat` of 9, perhaps after an empty box of 8, which is 28 bytes per box.
 */
export const minBytesPerBox = 16;

/** Number of boxes of MP4 that may be smaller. */
export const maxSmallBoxes = 10_000;

/**
 * Fewest bytes per element of Matroska on average, after the first {@link maxSmallElements}. The smallest block has 7
 * bytes, one of them the packet. With a group around it and its duration, there are 12 bytes in three elements. So no
 * recording has less, whether its packets last 2.5 ms or each of them has a cluster (19 bytes in three elements).
 */
export const minBytesPerElement = 4;

/** Number of elements of Matroska that may be smaller. */
export const maxSmallElements = 100_000;

/** Longest recording in seconds that is converted regardless of its size. */
export const maxSecondsOfAnySize = 600;

/** Fewest bytes per second of a longer recording, because 1 MB of empty Opus packets would last 10 hours. */
export const minBytesPerSecond = 25;

/** Shortest voice sample that gives no warning, in seconds. This node chose the tolerance. */
export const minVoiceSampleSeconds = 5;

/** Longest voice sample that gives no warning, in seconds. The service documents no maximum. */
export const maxVoiceSampleSeconds = 30;

/**
 * How much of a file is kept between the readings of a conversion, in bytes. A smaller file is then opened only once, and a
 * larger one can be opened again.
 */
export const maxKeptFileBytes = 1024 * 1024;

/**
 * How much of a recording from a URL is kept between the readings of a conversion, in bytes. It is more than of a file,
 * because the server might not return the same recording twice.
 */
export const maxKeptUrlBytes = 16 * 1024 * 1024;

/** Longest file in bytes that is decoded as a base64 data address, because all of it is in memory then. */
export const maxDataAddressBytes = 64 * 1024 * 1024;

/**
 * How much of a file is read at once, and the longest piece in which a stream is passed on, in bytes. Less makes uploads
 * slower, more makes many files slower (dev/bench/README.md). A slow line sends each piece well within the stall timeout.
 */
export const pieceBytes = 256 * 1024;

/**
 * Number of pieces of a response that n8n stores together, because n8n waits for the disk after each write. TLS yields
 * 16 KiB each.
 */
export const piecesPerWrite = 8;

/** Longest file name that is sent or stored, in bytes of UTF-8. File systems allow 255, and n8n adds prefixes. */
export const maxFileNameBytes = 180;

/** Most parts that a recording is split into. Each becomes an item, a file, and mostly a call. */
export const maxParts = 200;

/** Shortest part that a recording is split into, in minutes. */
export const minPartMinutes = 0.1;

/** By how much the last part of a recording may be longer, in seconds, instead of a further part that is as short. */
export const maxLastPartExtension = 1;

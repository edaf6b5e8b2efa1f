/** Longest time in seconds without a byte while audio is opened, before anything is sent. */
export const openingStallSeconds = 120;

/** Longest time in seconds without a byte of an upload: socket buffers of several megabytes hide slow progress. */
export const uploadStallSeconds = 600;

/** Longest time in seconds without a byte of a response that has begun. */
export const responseStallSeconds = 120;

/** How many credentials are read at the same time: n8n has a small pool of database connections for everything. */
export const maxCredentialReads = 5;

/** First wait in seconds before a call is repeated where the service names none; it doubles each time. */
export const firstRetryWaitSeconds = 1;

/** How much of an error response is read, in bytes: enough for the service's sentence. */
export const maxErrorBodyBytes = 64 * 1024;

/** White space before a response's content that is skipped, in bytes: services pad a response to keep it alive. */
export const maxPaddingBytes = 1024 * 1024;

/** A file up to this size in bytes is stored from memory: n8n takes longer to store a stream. */
export const maxBufferedFileBytes = 64 * 1024;

/** Redirects of an audio URL that are followed. */
export const maxAudioRedirects = 5;

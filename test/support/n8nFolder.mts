import { createTestFolder } from './testFolder.mts';

/** n8n-core reads its folder and key when it is loaded, so import this module before it. */
export const userFolder = createTestFolder();
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'key-of-the-tests-only';
// Tests provoke errors on purpose. N8N_LOG_LEVEL=debug shows what n8n logs.
process.env.N8N_LOG_LEVEL ??= 'silent';

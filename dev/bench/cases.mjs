import { convert } from './cases/convert.mjs';
import { cost } from './cases/cost.mjs';
import { download } from './cases/download.mjs';
import { files } from './cases/files.mjs';
import { load } from './cases/load.mjs';
import { queue } from './cases/queue.mjs';
import { slow } from './cases/slow.mjs';
import { texts } from './cases/texts.mjs';
import { upload } from './cases/upload.mjs';
import { url } from './cases/url.mjs';

/** @typedef {(bench: import('./candidates.mjs').Bench) => Promise<import('./claims.mjs').Outcome>} Case */

/**
 * The same case over TLS.
 * @param {Case} measure
 * @returns {Case}
 */
const overTls = (measure) => async (bench) => {
	const outcome = await measure({ ...bench, url: bench.service.urls.https });
	return { ...outcome, title: `${outcome.title}, over TLS` };
};

/**
 * The same case in an n8n that starts without flags for Node.js, as it usually does.
 * @param {Case} measure
 * @returns {Case}
 */
const byDefault = (measure) => async (bench) => {
	const outcome = await measure({ ...bench, options: { ...bench.options, nodeFlags: [] } });
	// In a quick run, one n8n runs all cases.
	return bench.n8n ? outcome : { ...outcome, title: `${outcome.title}, without Node's flags` };
};

/** @type {Record<string, Case>} in the order in which they run */
export const cases = {
	load,
	convert,
	upload,
	'upload-tls': overTls(upload),
	'upload-default': byDefault(upload),
	download,
	'download-tls': overTls(download),
	url,
	'url-tls': overTls(url),
	files,
	'files-tls': overTls(files),
	slow,
	texts,
	cost,
	queue,
};

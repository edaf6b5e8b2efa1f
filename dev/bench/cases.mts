import { convert } from './cases/convert.mts';
import { cost } from './cases/cost.mts';
import { download } from './cases/download.mts';
import { files } from './cases/files.mts';
import { load } from './cases/load.mts';
import { queue } from './cases/queue.mts';
import { slow } from './cases/slow.mts';
import { texts } from './cases/texts.mts';
import { upload } from './cases/upload.mts';
import { url } from './cases/url.mts';
import type { Bench } from './candidates.mts';
import type { Outcome } from './claims.mts';

type Case = (bench: Bench) => Promise<Outcome>;

/** The same case over TLS. */
const overTls =
	(measure: Case): Case =>
	async (bench) => {
		const outcome = await measure({ ...bench, url: bench.service.urls.https });
		return { ...outcome, title: `${outcome.title}, over TLS` };
	};

/** The same case in an n8n that starts without flags for Node.js, as it usually does. */
const byDefault =
	(measure: Case): Case =>
	async (bench) => {
		const outcome = await measure({ ...bench, options: { ...bench.options, nodeFlags: [] } });
		// In a quick run, one n8n runs all cases.
		return bench.n8n ? outcome : { ...outcome, title: `${outcome.title}, without Node's flags` };
	};

/** in the order in which they run */
export const cases: Record<string, Case> = {
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

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/root.cjs';
import { Problem } from '../lib/problem.mts';

const defaultFolder = join(root, '.demo');

export const usage = `npm run demo [-- options]

Runs this package in a real n8n against the emulator, and shows what comes out.

  --once                   show it and end, with exit code 0 if everything works
  --port <number>          n8n's port (default 5678)
  --emulator-port <number> the emulator's port (default 8787)
  --outside-port <number>  the port of the mock server for other systems (default 8788)
  --folder <path>          where it keeps its data (default .demo)
  --fresh                  delete the data of earlier runs, and only that
  --help                   show this
`;

/** `folder` is an absolute path */
export type Options = ReturnType<typeof readOptions>;

/**
 * @param args the arguments after `npm run demo --`
 * @throws {Problem} if a port is none
 * @throws {TypeError} if an option is unknown, from `parseArgs`
 */
export function readOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string', default: '5678' },
			'emulator-port': { type: 'string', default: '8787' },
			'outside-port': { type: 'string', default: '8788' },
			folder: { type: 'string', default: defaultFolder },
			fresh: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const readPort = (option: 'port' | 'emulator-port' | 'outside-port') => {
		const port = Number(values[option]);
		if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
		throw new Problem(`--${option} must be a port from 1 to 65535, not "${values[option]}".`);
	};
	return {
		...{ once: values.once, fresh: values.fresh, help: values.help },
		folder: resolve(values.folder),
		port: readPort('port'),
		emulatorPort: readPort('emulator-port'),
		outsidePort: readPort('outside-port'),
	};
}

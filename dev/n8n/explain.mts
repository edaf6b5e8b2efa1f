// Explains a failed installation in one sentence, with advice.
import { spawnSync } from 'node:child_process';
import { Problem } from '../lib/problem.mts';

const network =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SOCKET_TIMEOUT|E40[0-9]|E429|E5\d\d|ETARGET|EINTEGRITY|FETCH_ERROR|ERR_PNPM_FETCH_\d+|ERR_PNPM_TARBALL_INTEGRITY|ERR_INVALID_URL|CERT_\w+|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)\b/;

/**
 * @param step `packages`, `node` or `sqlite3`
 * @param output of npm or pnpm
 * @param logFile contains the complete output
 */
export function explainFailure(step: string, output: string, logFile: string): Problem {
	return new Problem(`${explanation(step, output)} The complete output is in ${logFile}.`);
}

function explanation(step: string, output: string) {
	const [reason] = network.exec(output) ?? [];
	const because = reason ? ` (${reason})` : '';
	if (/\bENOSPC\b/.test(output)) {
		return 'The disk is full: n8n needs about 2.5 GB. Free some space, then run it again.';
	}
	if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
		return 'npm is not allowed to write to a folder that it needs. Allow it, then run it again.';
	}
	if (step === 'sqlite3') {
		// SQLite is compiled where no prebuilt one can be downloaded.
		const missing = missingTools();
		return missing.length > 0
			? `No prebuilt SQLite for n8n could be downloaded, and compiling it needs tools that this machine does not have: ${missing.join(', ')}. Install them, then run it again.`
			: "n8n's SQLite could neither be downloaded nor compiled. The compiler needs Node's header files from the internet: check the connection, then run it again.";
	}
	if (step === 'node') {
		return `The Node that n8n needs could not be installed${because}: either its download failed, or there is none for ${process.platform}-${process.arch}. Check the connection, then run it again.`;
	}
	return because
		? `n8n could not be downloaded${because}. Check the connection to your npm registry ("npm ping" tests it), then run it again.`
		: 'n8n could not be installed. Run it again.';
}

function missingTools() {
	const missing = (tool: string, ...commands: string[]) =>
		commands.some((command) => spawnSync(command, ['--version']).status === 0) ? [] : [tool];
	const python = missing('Python 3', 'python3', 'python');
	if (process.platform === 'win32') return python;
	const compiler = missing('a C++ compiler (g++ or clang)', 'c++', 'g++', 'clang++');
	return [...compiler, ...missing('make', 'make'), ...python];
}

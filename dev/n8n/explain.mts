import { Problem } from '../lib/problem.mts';

/** Part of n8n's installation. */
export type InstallStep = 'packages' | 'node' | 'sqlite3';

const networkFault =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SOCKET_TIMEOUT|E40[0-9]|E429|E5\d\d|ETARGET|EINTEGRITY|FETCH_ERROR|ERR_PNPM_FETCH_\d+|ERR_PNPM_TARBALL_INTEGRITY|ERR_INVALID_URL|CERT_\w+|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)\b/;

/**
 * Explains a failed installation in a sentence, with advice.
 * @param output of npm or pnpm
 * @param logFile contains the complete output
 */
export function explainFailure(step: InstallStep, output: string, logFile: string): Problem {
	return new Problem(`${explanation(step, output)} The complete output is in ${logFile}.`);
}

function explanation(step: InstallStep, output: string): string {
	const [code] = networkFault.exec(output) ?? [];
	const reason = code ? ` (${code})` : '';
	if (/\bENOSPC\b/.test(output)) {
		return 'The disk is full: n8n needs about 2.5 GB. Free some space, then run it again.';
	}
	if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
		return 'npm is not allowed to write to a folder that it needs. Allow it, then run it again.';
	}
	if (step === 'sqlite3') {
		return "n8n's SQLite could neither be downloaded nor compiled. Compiling it needs Python 3, make and a C++ compiler, and downloads Node's header files. Install the tools, check the connection, then run it again.";
	}
	if (step === 'node') {
		return `The Node that n8n needs could not be installed${reason}: either its download failed, or there is none for ${process.platform}-${process.arch}. Check the connection, then run it again.`;
	}
	const [, missing] = /No matching version found for (\S+)/.exec(output) ?? [];
	if (missing) {
		return `n8n needs ${missing}, which the npm registry does not have. Choose another version, or wait until the registry has it.`;
	}
	if (code) {
		return `n8n could not be downloaded${reason}. Check the connection to your npm registry ("npm ping" tests it), then run it again.`;
	}
	return 'n8n could not be installed. Run it again.';
}

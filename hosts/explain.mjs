// Turns what npm printed into one sentence that says what to do.
import { spawnSync } from 'node:child_process';
import { Problem } from './problem.mjs';

const network =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SOCKET_TIMEOUT|E40[0-9]|E429|E5\d\d|ETARGET|EINTEGRITY|FETCH_ERROR|ERR_INVALID_URL|CERT_\w+|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)\b/;

/**
 * @param {string} step `packages`, `node` or `sqlite3`
 * @param {string} output what npm printed
 * @param {string} logFile where all of it can be read
 * @returns {Problem}
 */
export function explainFailure(step, output, logFile) {
	const more = `All that npm said is in ${logFile}.`;
	if (/\bENOSPC\b/.test(output)) {
		return new Problem('The disk is full: n8n needs about 2.5 GB. Make room, then run it again.');
	}
	if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
		return new Problem(
			`npm may not write to a folder that it needs. Allow it, then run it again. ${more}`,
		);
	}
	if (step === 'sqlite3') return explainCompiler(more);
	const [reason] = network.exec(output) ?? [];
	if (step === 'node') {
		return new Problem(
			`The Node that n8n needs could not be put in place${reason ? ` (${reason})` : ''}: either its download failed, or there is none for ${process.platform}-${process.arch}. Check the connection, then run it again. ${more}`,
		);
	}
	if (reason) {
		return new Problem(
			`n8n could not be downloaded (${reason}). Check the connection to your npm registry ("npm ping" tests it), then run it again. ${more}`,
		);
	}
	return new Problem(`n8n could not be installed. Run it again; if it fails again: ${more}`);
}

/**
 * SQLite is compiled where no ready-made one can be downloaded, and that takes two tools.
 * @param {string} more
 */
function explainCompiler(more) {
	const missing = [];
	if (process.platform !== 'win32') {
		if (!anyRuns(['c++', 'g++', 'clang++'])) missing.push('a C++ compiler (g++ or clang)');
		if (!anyRuns(['make'])) missing.push('make');
	}
	if (!anyRuns(['python3', 'python'])) missing.push('Python 3');
	if (missing.length > 0) {
		return new Problem(
			`No ready-made SQLite for n8n could be downloaded, and compiling it needs tools that this machine lacks: ${missing.join(', ')}. Install them, then run it again. ${more}`,
		);
	}
	return new Problem(
		`n8n's SQLite could neither be downloaded nor compiled. The compiler needs Node's header files from the internet: check the connection, then run it again. ${more}`,
	);
}

/** @param {string[]} commands */
function anyRuns(commands) {
	return commands.some((command) => spawnSync(command, ['--version']).status === 0);
}

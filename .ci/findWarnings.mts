import { stripVTControlCharacters } from 'node:util';

/**
 * Warnings that this repository must not cause, by what is wrong. A step that prints one has failed. A new release of
 * another package can cause further warnings, which are ignored: unsupported engines, deprecated packages, and calls of
 * deprecated functions.
 */
const warnings = {
	'the lint has warnings': /^.*\(\d+ errors?, [1-9]\d* warnings?\).*$/gm,
	'npm warns of our settings': /^npm warn (?:Unknown project config|publish|gitignore).*$/gim,
	'Node warns of our code':
		/^\(node:\d+\) (?!.*(?:Deprecation|Experimental)Warning).*Warning: .*$/gm,
	'a test leaves something open':
		/^(?:A worker process has failed to exit gracefully|Jest did not exit ).*$/gm,
};

/** @returns each warning in the output of a step, after what is wrong */
export function findWarnings(output: string): string[] {
	const plain = stripVTControlCharacters(output);
	return Object.entries(warnings).flatMap(([problem, pattern]) =>
		(plain.match(pattern) ?? []).map((line) => `${problem}: ${line}`),
	);
}

import { stripVTControlCharacters } from 'node:util';

import { findWarnings } from '../../.ci/findWarnings.mts';

it.each([
	{
		problem: 'the lint has warnings',
		line: '\u001b[33m✖ 1 problem (0 errors, 1 warning)\u001b[39m',
	},
	{
		problem: 'npm warns of our settings',
		line: 'npm warn Unknown project config "colour".',
	},
	{
		problem: 'Node warns of our code',
		line: '(node:1) MaxListenersExceededWarning: Possible memory leak',
	},
	{
		problem: 'a test leaves something open',
		line: 'Jest did not exit one second after the test run has completed.',
	},
])('.ci/run fails a step if $problem', ({ problem, line }) => {
	const plain = stripVTControlCharacters(line);
	expect(findWarnings(`before\n${line}\nafter\n`)).toEqual([`${problem}: ${plain}`]);
});

it.each([
	'✖ 1 problem (1 error, 0 warnings)',
	'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.',
	'npm warn EBADENGINE Unsupported engine',
	'(node:1) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
	'(node:1) ExperimentalWarning: SQLite is an experimental feature',
])('.ci/run accepts the output "%s"', (line) => {
	expect(findWarnings(line)).toEqual([]);
});

import layers from '../../dev/layers.cjs';
import { readRepositoryFile } from '../support/repository';

it('the table of modules in architecture.md has the modules of dev/layers.cjs in their order', () => {
	const [, section = ''] = readRepositoryFile('docs/development/architecture.md').split(
		'\n## Layers\n',
	);
	const named = [...section.split('\n## ')[0]!.matchAll(/^\| `([\w./]+)`/gm)].map(
		([, name]) => name!,
	);
	const suffix = '-imports-only-lower-layers';
	const modules = layers.forbidden!.flatMap(({ name = '' }) =>
		name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : [],
	);
	const product = modules
		.filter((name) => !name.startsWith('dev/'))
		.map((name) => name.replace('nodes/VoiceSpeech/', ''));
	expect(named).toEqual(product);
});

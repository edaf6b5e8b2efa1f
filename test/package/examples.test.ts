import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import {
	description,
	examples,
	files,
	isNote,
	isOwn,
	namesIn,
	optionNames,
	settingsOf,
	shownParameters,
} from './exampleFiles';
import { read } from './repository';

/** What n8n gives every node that is an agent's tool, beside the node's own parameters. */
const toolParameters = ['descriptionType', 'toolDescription'];

it('there are at least eight', () => {
	expect(files.length).toBeGreaterThanOrEqual(8);
});

it('the README of the examples lists each, and no other', () => {
	const listed = [...read('examples/README.md').matchAll(/\]\(([\w-]+\.json)\)/g)];
	expect(listed.map(([, file]) => file).sort()).toEqual(files.sort());
});

it('the README of the examples shows a picture of each', () => {
	const shown = [...read('examples/README.md').matchAll(/images\/examples\/([\w-]+)\.png/g)];
	expect(shown.map(([, name]) => `${name}.json`).sort()).toEqual(files.sort());
});

it('have addresses of their own, so that all can be published in one n8n', () => {
	const nodes = examples.flatMap(([, { nodes: own }]) => own);
	const paths = nodes.flatMap(({ type, parameters }) => {
		const { path: formPath } = (parameters.options ?? {}) as INodeParameters;
		const address = formPath ?? parameters.path;
		return address && /trigger|webhook/i.test(type) ? [address] : [];
	});
	expect(paths.length).toBeGreaterThanOrEqual(5);
	const ids = nodes.flatMap(({ id, webhookId }) => [id, ...(webhookId ? [webhookId] : [])]);
	expect(new Set(paths).size).toBe(paths.length);
	expect(new Set(ids).size).toBe(ids.length);
});

describe.each(examples)('%s', (_file, { name, nodes, connections, settings, pinData }) => {
	it('has a name, unique node names and notes for its reader', () => {
		expect(name).toMatch(/^[A-Z].+/);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		expect(nodes.filter(isNote)).not.toHaveLength(0);
		expect(settings).toEqual({ executionOrder: 'v1' });
	});

	it('holds no credential, no pinned data and nothing that looks like a key', () => {
		for (const node of nodes) expect(node).not.toHaveProperty('credentials');
		expect(pinData).toEqual({});
		expect(JSON.stringify(nodes)).not.toMatch(/eak_(test|live)_/);
	});

	it('connects every node that is not a note', () => {
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((output) => (output ?? []).map(({ node }) => node)),
			),
		);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const working = nodes.filter((node) => !isNote(node)).map((node) => node.name);
		expect([...connected].sort()).toEqual(working.sort());
	});

	it('names only nodes that it has in its expressions', () => {
		const named = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(([, node]) => node);
		const names = nodes.map((node) => node.name);
		for (const node of named) expect(names).toContain(node);
	});

	it('lays nodes on the grid of 16, each at a place of its own', () => {
		const offGrid = nodes.filter(({ position }) => position.some((one) => one % 16 !== 0));
		expect(offGrid).toEqual([]);
		expect(new Set(nodes.map(({ position }) => String(position))).size).toBe(nodes.length);
	});

	it.each(nodes.filter(isOwn).map((node): [string, INode] => [node.name, node]))(
		'"%s" sets only parameters that the node has and shows, and all that it requires',
		(_name, node) => {
			expect([description.version].flat()).toContain(node.typeVersion);
			const shown = shownParameters(node);
			const set = namesIn(node.parameters).filter((name) => !toolParameters.includes(name));
			expect(namesIn(shown)).toEqual(expect.arrayContaining(set));
			expect(optionNames(node)).toEqual(
				expect.arrayContaining(Object.keys(node.parameters.options ?? {})),
			);
			expect(node.parameters).toMatchObject({
				resource: shown.resource,
				operation: shown.operation,
			});
			const issues = NodeHelpers.getNodeParametersIssues(
				description.properties,
				{ ...node, parameters: shown },
				description,
			);
			expect(issues).toBeNull();
		},
	);

	it('calls the service with a sandbox key only, until its reader chooses otherwise', () => {
		const settings = nodes.find((node) => node.name === 'Settings');
		for (const node of nodes.filter(isOwn)) {
			const chosen = settings ? "={{ $('Settings').first().json.allowedEnvironment }}" : 'sandbox';
			expect(node.parameters.allowedEnvironment).toBe(chosen);
		}
		if (settings) expect(settingsOf(settings)).toMatchObject({ allowedEnvironment: 'sandbox' });
	});

	it('sets in "Settings" what it uses of it, and uses all that is set there', () => {
		const used = [
			...JSON.stringify(nodes).matchAll(/\$\('Settings'\)\.first\(\)\.json\.(\w+)/g),
		].map(([, name]) => name);
		const set = nodes.filter((node) => node.name === 'Settings').map(settingsOf);
		expect([...new Set(used)].sort()).toEqual(set.flatMap((one) => Object.keys(one)).sort());
	});

	it('names no place outside but examples', () => {
		for (const [, host] of JSON.stringify(nodes).matchAll(/https?:\/\/([\w.-]*\w)/g)) {
			expect(host).toMatch(/(^|\.)example\.com$/);
		}
	});

	it('uses the node', () => {
		expect(nodes.filter(isOwn)).not.toHaveLength(0);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { createRequire } from 'node:module';

const { findIconFaults } = createRequire(__filename)('../../dev/scripts/icon-rules.cjs') as {
	findIconFaults(icons: Map<string, string>): string[];
};

const svg = (content = '', size = '0 0 64 64') => `<svg viewBox="${size}">${content}</svg>`;
const faultsOf = (light: string) =>
	findIconFaults(new Map(Object.entries({ 'a.svg': light, 'a.dark.svg': svg() })));

describe('the check of the icons', () => {
	it('lets a square drawing pass that refers to itself only', () => {
		expect(faultsOf(svg('<path fill="url(#a)"/><use href="#b"/>'))).toEqual([]);
	});

	it.each([
		[svg('<script>alert(1)</script>'), 'contains a script'],
		[svg('<g onload="x()"/>'), 'contains an event handler'],
		[svg('<image href="#a"/>'), 'contains an embedded picture'],
		[svg('<text>Voice</text>'), 'contains text, which depends on the fonts of the machine'],
		[svg('<use href="other.svg#a"/>'), 'refers to something outside itself'],
		[svg('<path fill="url(https://host.example/a)"/>'), 'refers to something outside itself'],
		[svg('', '0 0 64 60'), 'is not square: its viewBox is 64 by 60'],
		['<svg></svg>', 'has no viewBox of four numbers'],
		['PNG', 'is not an SVG'],
	])('refuses %s', (icon, fault) => {
		expect(faultsOf(icon)).toEqual([`icons/a.svg ${fault}.`]);
	});

	it('wants a light and a dark version of each', () => {
		expect(findIconFaults(new Map([['a.dark.svg', svg()]]))).toEqual([
			'icons/a.dark.svg has no icons/a.svg: n8n needs a light and a dark version.',
		]);
		expect(findIconFaults(new Map())).toEqual(['There is no icon in icons/.']);
	});
});

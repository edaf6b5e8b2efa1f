import fc from 'fast-check';

import { createKeyMasker } from '../../credentials/checkedCredential.ts';
import { readJson } from '../../nodes/VoiceSpeech/response/readJson.ts';
import { secretKey } from '../support/secret.mts';

const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

it('loses no digit of an integer, and keeps texts as they are', () => {
	fc.assert(
		fc.property(fc.array(digits), fc.string(), fc.jsonValue(), (numbers, text, other) => {
			const values = numbers.map((number) =>
				String(Number(number)) === String(number) ? Number(number) : String(number),
			);
			const own = JSON.stringify([`"${numbers.join()}`, text]);
			const json = `{"n" : [ ${numbers.join(' , ')} ],"t":${own},"o":[${JSON.stringify(other)}]}`;
			const { n, t, o } = readJson(json, createKeyMasker(secretKey, 'sandbox')) ?? {};
			expect(n).toEqual(values);
			expect(t).toEqual([`"${numbers.join()}`, text]);
			expect(JSON.stringify(o)).toBe(JSON.stringify([other]));
		}),
		{ numRuns: 3000 },
	);
});

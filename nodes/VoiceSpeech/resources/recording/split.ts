import type { INodeProperties } from 'n8n-workflow';

import { splitRecording } from '../../call/splitRecording';
import type { LocalOperation } from '../../descriptions/operation';
import {
	audioInputParameters,
	defaultFileField,
	outputPropertyNameParameter,
} from '../../descriptions/parameters';
import { readNumber, readText } from '../../descriptions/readValue';
import { createNotANumberError } from '../../errors/inputError';
import { minPartMinutes } from '../../limits';

const partMinutesParameter: INodeProperties = {
	displayName: 'Part Length (Minutes)',
	name: 'partMinutes',
	type: 'number',
	typeOptions: { minValue: minPartMinutes },
	default: 10,
	description: 'Longest part. A shorter recording is passed on unchanged, as one item.',
};

export const split: LocalOperation = {
	resource: 'recording',
	value: 'split',
	name: 'Split',
	action: 'Split recording into parts',
	description: 'Make an item of each part of a long recording, without a call and without credits',
	parameters: [...audioInputParameters, partMinutesParameter, outputPropertyNameParameter],
	options: ['exactCuts', 'includeInputFields', 'keepInputFiles'],
	outputFields: {
		fileName: 'string',
		mimeType: 'string',
		bytes: 'integer',
		part: 'integer',
		parts: 'integer',
		startSeconds: 'number',
		durationSeconds: 'number',
	},
	async run(input) {
		const { displayName, name } = partMinutesParameter;
		const value = input.read(name);
		const minutes = readNumber(value);
		if (!(minutes >= minPartMinutes)) {
			throw createNotANumberError(displayName, value, minPartMinutes, undefined);
		}
		const { displayName: fieldLabel, name: fieldParameter } = outputPropertyNameParameter;
		const fieldName = readText(fieldLabel, input.read(fieldParameter, '')).trim();
		return await splitRecording(input, {
			partSeconds: minutes * 60,
			fieldName: fieldName || defaultFileField,
		});
	},
};

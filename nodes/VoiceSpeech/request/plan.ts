import type { DeclarativeRestApiSettings, IExecuteSingleFunctions } from 'n8n-workflow';

import { readAccess, type Access } from '../../../credentials/access';
import { recordingOfItem } from '../audio/file';
import type { Recording } from '../audio/recording';
import { checkAudioUrl, recordingAt } from '../audio/url';
import type { Endpoint } from '../endpoint';
import { wrongEnvironment } from '../errors/input';
import { objectText } from '../text/json';
import {
	extraFieldsOf,
	jsonBodyText,
	mergeFields,
	requiredText,
	requireParameters,
	standardFields,
	type Field,
} from './fields';
import { callOptions, inputKind, type CallOptions, type ReadParameter } from './options';
import type { Run } from './run';

/** What is to be sent for one item: checked, and nothing of it opened yet. */
export interface Plan {
	access: Access;
	options: CallOptions;
	/** n8n's own Timeout is set: it takes the place of ours. */
	ownTimeout: boolean;
	payload: JsonPayload | MultipartPayload;
	/** Length of the operation's text in Unicode code points, where it sends one. */
	characters?: number;
}

/** A body that is ready. */
export interface JsonPayload {
	kind: 'json';
	text: string;
}

/** A body that is still to be built. */
export interface MultipartPayload {
	kind: 'multipart';
	recording: Recording;
	/** The recording comes from the web and not from the item. */
	fromUrl: boolean;
	fields: Field[];
}

type RequestOptions = DeclarativeRestApiSettings.HttpRequestOptions;

function recordingFor(
	context: IExecuteSingleFunctions,
	read: ReadParameter,
	request: RequestOptions,
): { recording: Recording; fromUrl: boolean } {
	if (read('audioSource') !== 'url') {
		const parameter = read('binaryPropertyName');
		return { recording: recordingOfItem(context, parameter), fromUrl: false };
	}
	const url = checkAudioUrl(read('audioUrl'));
	const route = {
		...(request.proxy ? { proxy: request.proxy } : {}),
		...(request.skipSslCertificateValidation ? { skipSslCertificateValidation: true } : {}),
	};
	return { recording: recordingAt(context, url, route), fromUrl: true };
}

function checkEnvironment(read: ReadParameter, access: Access): void {
	const allowed = String(read('allowedEnvironment'));
	if (allowed !== 'any' && allowed !== access.environment) {
		throw wrongEnvironment(allowed, access.environment);
	}
}

/**
 * Looks at one item before anything is sent for it (contract, Behaviour towards money 1).
 *
 * @param request as n8n's RoutingNode put it together from the description
 * @throws UserError that names the field and what to do
 */
export async function planFor(
	context: IExecuteSingleFunctions,
	run: Run,
	endpoint: Endpoint,
	request: RequestOptions,
): Promise<Plan> {
	const read: ReadParameter = (name, fallback) => run.parameter(context, name, fallback);
	const access = readAccess(await run.credential(context));
	checkEnvironment(read, access);
	const { timeout } = read('requestOptions', {}) as { timeout?: number };
	const extra = extraFieldsOf(read);
	const known = { access, options: callOptions(read), ownTimeout: Boolean(timeout) };
	const kind = inputKind(read, endpoint);
	if (kind === 'json') {
		const text = jsonBodyText(read('jsonBody'), extra);
		return { ...known, payload: { kind: 'json', text } };
	}
	const text = kind === 'text' ? requiredText(read, known.options.textFieldName) : undefined;
	requireParameters(read, endpoint.required ?? [], request.body);
	const standard = standardFields(request.body);
	const fields = mergeFields(text ? [text, ...standard] : standard, extra);
	if (text !== undefined) {
		const characters = [...text[1]].length;
		return { ...known, characters, payload: { kind: 'json', text: objectText(fields) } };
	}
	const source = recordingFor(context, read, request);
	return { ...known, payload: { kind: 'multipart', ...source, fields } };
}

/** Everything that makes this request this one; two plans with equal lists send the same (contract, money 5). */
export function fingerprintOf(plan: Plan, endpoint: Endpoint): unknown[] {
	const { access, payload, options } = plan;
	const place = [access.baseUrl, access.apiKey, endpoint.path, options.outputFileName];
	if (payload.kind === 'json') return [...place, payload.text];
	const fields = payload.fields.flatMap(([name, value]) => [name, JSON.stringify(value)]);
	return [...place, options.fileFieldName, ...payload.recording.identity, ...fields];
}

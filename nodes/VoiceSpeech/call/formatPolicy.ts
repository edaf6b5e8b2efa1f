import type { CallOptions } from '../descriptions/options';
import { documentsFormats, type Endpoint } from '../endpoint';

/** What happens to a format that the service does not accept. */
export interface FormatPolicy {
	/** Whether it is converted if the node can convert it. */
	converts: boolean;
	/**
	 * Which recognized formats are rejected if they are not converted. Content without a known format is rejected only if it
	 * comes from a URL whose server declares it as something other than audio, and not with `nothing`.
	 */
	rejects: 'allFormats' | 'audioFormats' | 'nothing';
	/** The option that the user turns off to send them anyway. */
	option: 'formatCheck' | 'convertAudio';
}

/**
 * Chooses what the options of an item mean for its format. Where the formats are documented, the node rejects and converts
 * only if 'Format Check' is on. Elsewhere, 'Convert Audio' rejects audio that it cannot convert, and anything else of the
 * previous step is sent.
 */
export function chooseFormatPolicy(
	endpoint: Endpoint,
	{ formatCheck, convertAudio }: Pick<CallOptions, 'formatCheck' | 'convertAudio'>,
): FormatPolicy {
	if (!documentsFormats(endpoint)) {
		const rejects = convertAudio ? 'audioFormats' : 'nothing';
		return { converts: convertAudio, rejects, option: 'convertAudio' };
	}
	if (formatCheck === 'off') return { converts: false, rejects: 'nothing', option: 'formatCheck' };
	return { converts: convertAudio, rejects: 'allFormats', option: 'formatCheck' };
}

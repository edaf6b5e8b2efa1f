import type { AudioSource } from '../audio/reader';
import { createUrlSource, checkAudioUrl } from '../audio/urlSource';
import { audioSourceParameter, audioUrlParameter } from '../descriptions/parameters';
import { readChoice, readText } from '../descriptions/readValue';
import type { ConnectionOptions } from './readOptions';
import type { AnyItem } from './item';

/**
 * The audio that the item chooses.
 *
 * @throws {UserError} if there is none
 */
export function chooseAudio(item: AnyItem, connection: ConnectionOptions): AudioSource {
	const { read } = item;
	const source = readChoice(audioSourceParameter, read(audioSourceParameter.name));
	if (source === 'file') return item.chooseFile();
	const { displayName, name } = audioUrlParameter;
	const url = checkAudioUrl(readText(displayName, read(name)));
	return createUrlSource(url, item.createAudioFetcher(connection));
}

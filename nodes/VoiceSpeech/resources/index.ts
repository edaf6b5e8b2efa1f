export { speechToText } from './speech/speechToText';
export { textToSpeech } from './speech/textToSpeech';
export { cloneVoice } from './voice/clone';

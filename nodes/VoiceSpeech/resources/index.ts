// Written by "npm run docs" from the files in the folders next to it.
import { analyzeSentiment } from './language/analyzeSentiment';
import { detectLanguage } from './language/detectLanguage';
import { recognizeIntent } from './language/recognizeIntent';
import { analyzeCall } from './phoneCall/analyzeCall';
import { detectAnsweringMachine } from './phoneCall/detectAnsweringMachine';
import { getDetails } from './recording/getDetails';
import { split } from './recording/split';
import { createTranscription } from './speech/createTranscription';
import { speechToText } from './speech/speechToText';
import { textToSpeech } from './speech/textToSpeech';
import { clone } from './voice/clone';

/** Every operation of the node. */
export const operations = [
	analyzeSentiment,
	detectLanguage,
	recognizeIntent,
	analyzeCall,
	detectAnsweringMachine,
	getDetails,
	split,
	createTranscription,
	speechToText,
	textToSpeech,
	clone,
];

// Written by "npm run docs" from the files in the folders next to it.
import { analyzeCall } from './call/analyzeCall';
import { detectAnsweringMachine } from './call/detectAnsweringMachine';
import { analyzeSentiment } from './language/analyzeSentiment';
import { detectLanguage } from './language/detectLanguage';
import { recognizeIntent } from './language/recognizeIntent';
import { createTranscription } from './speech/createTranscription';
import { speechToText } from './speech/speechToText';
import { textToSpeech } from './speech/textToSpeech';
import { clone } from './voice/clone';

/** Every operation of the node. */
export const operations = [
	analyzeCall,
	detectAnsweringMachine,
	analyzeSentiment,
	detectLanguage,
	recognizeIntent,
	createTranscription,
	speechToText,
	textToSpeech,
	clone,
];

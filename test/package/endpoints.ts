/** The table of operations of the service's interface document, and their names in the contract. */
export const ENDPOINTS = [
	{ path: '/ai/speech-to-text', resource: 'speech', operation: 'speechToText' },
	{ path: '/ai/text-to-speech', resource: 'speech', operation: 'textToSpeech' },
	{ path: '/ai/voice-clone', resource: 'voice', operation: 'clone' },
	{ path: '/ai/transcriptions', resource: 'speech', operation: 'createTranscription' },
	{ path: '/ai/language-detection', resource: 'language', operation: 'detectLanguage' },
	{ path: '/ai/sentiment', resource: 'language', operation: 'analyzeSentiment' },
	{ path: '/ai/intent', resource: 'language', operation: 'recognizeIntent' },
	{ path: '/ai/post-call-analytics', resource: 'call', operation: 'analyzeCall' },
	{ path: '/ai/amd', resource: 'call', operation: 'detectAnsweringMachine' },
];

/** The six whose payload the interface document calls "not shown". */
export const UNDOCUMENTED = ENDPOINTS.filter(
	({ path }) => !/speech-to-text|text-to-speech|voice-clone/.test(path),
).map(({ operation }) => operation);
